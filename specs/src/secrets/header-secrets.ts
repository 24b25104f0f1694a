import { replacement } from './redactor.ts';

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
]);

/** True for headers whose values must not be shown. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeaders.has(name.toLowerCase());
}

/**
 * Returns the secrets in a header value that a server may repeat: the value itself, the part after an authentication
 * scheme, user and password of Basic, and the values of cookies and other `name=value` pairs. For credential headers,
 * also returns each word.
 */
export function secretsInHeader(name: string, value: string): readonly string[] {
  // In `Set-Cookie`, only the first pair is the cookie; attributes follow.
  const text = (name.toLowerCase() === 'set-cookie' ? value.split(';', 1)[0] : value)?.trim() ?? '';
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d-]*)\s+(\S.*)$/i.exec(text) ?? [];
  const [user = '', ...password] = Buffer.from(rest, 'base64').toString('utf8').split(':');
  // In Digest credentials, `uri` is the requested path, which isn't secret.
  const parts = text.split(/[\s;,]+/).filter((part) => !/^uri=/i.test(part));
  const values = parts.flatMap((part) => (part.includes('=') ? [part.replace(/^[^="]*="?|"$/g, '')] : []));
  const words = isCredentialHeader(name) ? parts : [];
  const found =
    scheme.toLowerCase() === 'basic' ? [text, rest, password.join(':'), user] : [text, rest, ...words, ...values];
  // The placeholder of an earlier redaction isn't a secret.
  return [...new Set(found)].filter((one) => one !== '' && one !== replacement);
}
