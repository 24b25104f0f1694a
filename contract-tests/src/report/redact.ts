import type { Target } from '../definitions/target.ts';

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string;

const replacement = '[redacted]';
const secretHeaders = /^(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;

export function createRedactor(target: Target): Redactor {
  const forms = secretsOf(target).flatMap((secret) => [
    secret,
    secret.toUpperCase(), // a rule sends this variant
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]);
  // Longest first: one credential may be a prefix of another.
  const ordered = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  const anyForm = new RegExp(ordered.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  const replaceAll = (text: string): string => (ordered.length === 0 ? text : text.replace(anyForm, replacement));
  return (text) => withoutEscapes(replaceAll(text), replaceAll);
}

export function redactHeader(name: string, value: string, redact: Redactor): readonly [string, string] {
  return [redact(name), secretHeaders.test(name) ? replacement : redact(value)];
}

// An echo may contain JSON escapes (`\u0073k-…`).
function withoutEscapes(text: string, replaceAll: Redactor): string {
  if (!text.includes('\\')) return text;
  const unescaped = text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\/', '/');
  const redacted = replaceAll(unescaped);
  return redacted === unescaped ? text : redacted;
}

function secretsOf(target: Target): readonly string[] {
  const sides = [target.router, target.workflow].filter((side) => side !== undefined);
  const credentials = sides.flatMap((side) => Object.values(side.credentials));
  const inAddresses = sides.flatMap(({ url }) => userInfoOf(url));
  // One or two characters would match all over the report and are no credential.
  return [...credentials, ...inAddresses].filter((secret) => secret !== undefined && secret.length > 2);
}

function userInfoOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  return [username, password].map(decodeURIComponent);
}
