const bytesOf = (text: string): number[] => [...Buffer.from(text)];
const hexOf = (byte: number, digits = 2): string => byte.toString(16).padStart(digits, '0');
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&#39;');
export const wrap = (text: string, columns: number, lineEnd: string): string =>
  text.replace(new RegExp(`.{${columns}}(?=.)`, 'gs'), `$&${lineEnd}`);

/** Notations in which redactors find a secret, also if one is nested in another; docs/security.md lists them. */
export const notations: Readonly<Record<string, (text: string) => string>> = {
  'plain text': (text) => text,
  'percent-encoding': encodeURIComponent,
  'percent-encoding of every byte, in small letters': (text) =>
    bytesOf(text)
      .map((byte) => `%${hexOf(byte)}`)
      .join(''),
  'a query parameter': (text) => `${new URLSearchParams({ key: text })}&page=2`,
  'a JSON string': (text) => JSON.stringify(text),
  'a JSON string with every character escaped': (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${hexOf(text.charCodeAt(at), 4)}`).join(''),
  'JSON with escaped slashes': (text) => JSON.stringify({ text: [text] }).replaceAll('/', '\\/'),
  'HTML escapes': escapeHtml,
  'decimal HTML escapes': (text) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  'hexadecimal HTML escapes': (text) => [...text].map((sign) => `&#x${hexOf(sign.codePointAt(0) ?? 0)};`).join(''),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'hex behind an odd digit': (text) => `f${Buffer.from(text).toString('hex')}`,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 one byte later': (text) => Buffer.from(`:${text}:`).toString('base64'),
  'base64 two bytes later': (text) => Buffer.from(`u:${text}`).toString('base64'),
  'base64 behind a path': (text) => `a/${Buffer.from(text).toString('base64')}`,
  base64url: (text) => Buffer.from(`??${text}`).toString('base64url'),
  'wrapped lines': (text) => wrap(text, 20, '\n'),
  'wrapped and indented lines': (text) => wrap(text, 31, '\r\n\t'),
};
