import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Matcher } from '../../require.ts';

export type MemberMatcher = Matcher<JsonValue | undefined>;

export const text: MemberMatcher = { expected: 'a string', is: (value) => typeof value === 'string' };
export const truth: MemberMatcher = { expected: 'a boolean', is: (value) => typeof value === 'boolean' };
export const integer: MemberMatcher = { expected: 'an integer', is: (value) => Number.isInteger(value) };
export const object: MemberMatcher = { expected: 'an object', is: isJsonObject };
export const list: MemberMatcher = { expected: 'an array', is: Array.isArray };

/** MR-QUE-02: 8-4-4-4-12 lowercase hexadecimal digits. */
export const lowercaseUuid: MemberMatcher = {
  expected: 'a lowercase UUID of 36 characters',
  is: (value) => typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
};

export const absoluteUrl: MemberMatcher = {
  expected: 'an absolute URL',
  is: (value) => typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value),
};

export const atLeastZero: MemberMatcher = {
  expected: 'an integer of at least 0',
  is: (value) => Number.isInteger(value) && Number(value) >= 0,
};

export function textUpTo(length: number): MemberMatcher {
  const expected = `a string of 1 to ${length} characters`;
  return { expected, is: (value) => typeof value === 'string' && value.length >= 1 && value.length <= length };
}

export function exactly(wanted: JsonValue): MemberMatcher {
  return { expected: JSON.stringify(wanted), is: (value) => value === wanted };
}

export function oneOf(...wanted: readonly string[]): MemberMatcher {
  return { expected: wanted.join(' or '), is: (value) => typeof value === 'string' && wanted.includes(value) };
}

/** Absent passes; null does not, for the documents know absent members only. */
export function optional(matcher: MemberMatcher): MemberMatcher {
  return { expected: `absent or ${matcher.expected}`, is: (value) => value === undefined || matcher.is(value) };
}

export const wholeNumber: Matcher<string> = {
  expected: 'an integer',
  is: (value) => /^-?\d+$/.test(value.trim()),
};

export const wholeNumberFromZero: Matcher<string> = {
  expected: 'an integer of at least 0',
  is: (value) => /^\d+$/.test(value.trim()),
};

export const nosniff: Matcher<string> = {
  expected: 'nosniff',
  is: (value) => value.trim().toLowerCase() === 'nosniff',
};

export const filled: Matcher<string> = { expected: 'a non-empty value', is: (value) => value.trim() !== '' };
