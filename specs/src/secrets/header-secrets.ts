import { replacement } from './redactor.ts';

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
]);

/** True for headers whose values no report or page may show. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeaders.has(name.toLowerCase());
}

/**
 * The secrets in the value of a header, as a server may repeat them: the value, what follows an authentication scheme, user and
 * password of Basic, and the values of cookies and other `name=value` pairs; of a header for credentials also each word.
 */
export function secretsInHeader(name: string, value: string): readonly string[] {
  // The attributes of a new cookie follow its first pair.
  const text = (name.toLowerCase() === 'set-cookie' ? value.split(';', 1)[0] : value)?.trim() ?? '';
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d-]*)\s+(\S.*)$/i.exec(text) ?? [];
  const [user = '', ...password] = Buffer.from(rest, 'base64').toString('utf8').split(':');
  // Digest repeats the address.
  const parts = text.split(/[\s;,]+/).filter((part) => !/^uri=/i.test(part));
  const values = parts.flatMap((part) => (part.includes('=') ? [part.replace(/^[^="]*="?|"$/g, '')] : []));
  const words = isCredentialHeader(name) ? parts : [];
  const found =
    scheme.toLowerCase() === 'basic' ? [text, rest, password.join(':'), user] : [text, rest, ...words, ...values];
  // A file that was redacted before holds no secret there.
  return [...new Set(found)].filter((one) => one !== '' && one !== replacement);
}
