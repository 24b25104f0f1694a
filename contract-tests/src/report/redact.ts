import type { Target } from '../target.ts';

/** Replaces what must never reach a report. */
export type Redactor = (text: string) => string;

const mark = '[redacted]';
const secretHeaders = /^(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;

export function createRedactor(target: Target): Redactor {
  const forms = secretsOf(target).flatMap((secret) => [
    secret,
    secret.toUpperCase(), // as a rule sends it
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]);
  // The longest first: one credential may be the beginning of another.
  const ordered = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  const anyForm = new RegExp(ordered.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  const replaceAll = (text: string): string => (ordered.length === 0 ? text : text.replace(anyForm, mark));
  return (text) => withoutEscapes(replaceAll(text), replaceAll);
}

export function redactHeader(name: string, value: string, redact: Redactor): readonly [string, string] {
  return [redact(name), secretHeaders.test(name) ? mark : redact(value)];
}

// An echo may hide behind JSON escapes (`\u0073k-…`): compare what a reader of the JSON would see.
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
  // A word of one or two letters would blacken the whole report and is no credential.
  return [...credentials, ...inAddresses].filter((secret) => secret !== undefined && secret.length > 2);
}

function userInfoOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  return [username, password].map(decodeURIComponent);
}
