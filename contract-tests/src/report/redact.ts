import querystring from 'node:querystring';
import { createCredentialDetector, shortestCredential } from '../../../specs/src/index.ts';
import type { Target } from '../contract/target.ts';
import { type CredentialFinder, createCredentialFinder } from './find-credential.ts';

/** Replaces credentials in a text, in every form in which a response may repeat them. */
export type Redactor = (text: string) => string;

/** What stands in place of a credential. */
export const replacement = '[redacted]';
const secretHeaders = /^(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;

/** Hides the values of headers that hold credentials, and of those for a gateway, also where they are no secret. */
export function createHeaderRedactor({
  headers = [],
}: Target): (name: string, value: string) => readonly [string, string] {
  const gateway = new Set(headers.map(({ name }) => name.toLowerCase()));
  const isHidden = (name: string): boolean => secretHeaders.test(name) || gateway.has(name.toLowerCase());
  return (name, value) => [name, isHidden(name) ? replacement : value];
}

/** Every string of a value redacted, keys included. The value is plain JSON. */
export function redactTree<T>(value: T, redact: Redactor): T {
  // Rules share their exchanges, so most strings are there several times.
  const known = new Map<string, string>();
  const redactOnce = (text: string): string => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  };
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return redactOnce(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [redactOnce(key), visit(member)]));
  };
  // Only the contents of strings differ.
  return visit(value) as T;
}

/** What the credentials of a target are: configured, or part of its addresses. Shorter ones would match all over a report. */
export function credentialsOf(target: Target): readonly string[] {
  const sides = [target.router, target.workflow].filter((side) => side !== undefined);
  const all = [
    ...sides.flatMap(({ credentials }) => Object.values(credentials)),
    ...sides.flatMap(({ url }) => userInfoOf(url)),
    ...(target.headers ?? []).flatMap(({ value, isSecret }) => (isSecret === false ? [] : [value])),
    ...(target.hooks === undefined ? [] : [target.hooks.credential ?? '', ...userInfoOf(target.hooks.url)]),
    ...(target.secrets ?? []),
  ];
  return [...new Set(all.filter((one) => one !== undefined && one.length >= shortestCredential))];
}

function userInfoOf(url: string): readonly string[] {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return [username, password].map((part) => querystring.unescape(part));
}

/** Linear in the text. What only a decoder finds (escapes within escapes, hex with separators) costs the whole text. */
export function createRedactor(target: Target): Redactor {
  const credentials = credentialsOf(target);
  const find = createCredentialFinder(credentials);
  const isHeld = createCredentialDetector(credentials);
  return (text) => {
    if (text.length < shortestCredential) return text;
    const redacted = replaceFound(text, find);
    return isHeld(redacted) ? replacement : redacted;
  };
}

function replaceFound(text: string, find: CredentialFinder): string {
  let redacted = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const found = find(text, at);
    if (found === undefined) continue;
    redacted += text.slice(copied, Math.max(copied, found.start)) + replacement;
    copied = found.end;
    at = Math.max(at, found.end - 1);
  }
  return redacted + text.slice(copied);
}
