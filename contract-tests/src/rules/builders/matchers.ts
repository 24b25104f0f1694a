import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';

/** A named predicate: `is` decides, `expected` is the text of the finding. */
export type Matcher<T> = { readonly expected: string; readonly is: (value: T) => boolean };
export type MemberMatcher = Matcher<JsonValue | undefined>;

export const absent: MemberMatcher = { expected: 'absent', is: (value) => value === undefined };
export const text: MemberMatcher = { expected: 'a string', is: (value) => typeof value === 'string' };
export const boolean: MemberMatcher = { expected: 'a boolean', is: (value) => typeof value === 'boolean' };
export const integer: MemberMatcher = { expected: 'an integer', is: (value) => Number.isInteger(value) };
export const object: MemberMatcher = { expected: 'an object', is: isJsonObject };
export const array: MemberMatcher = { expected: 'an array', is: Array.isArray };

/** MR-QUE-02: 8-4-4-4-12 lowercase hexadecimal digits. */
export const lowercaseUuid: MemberMatcher = {
  expected: 'a lowercase UUID of 36 characters',
  is: (value) => typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
};

/** The value of a header, white space around it ignored. */
export function formed(expected: string, pattern: RegExp): Matcher<string> {
  return { expected, is: (value) => pattern.test(value.trim()) };
}

export const filled = formed('a value that is not empty', /./);
export const wholeNumber = formed('a whole number', /^\d+$/);
export const wholeSeconds = formed('a whole number of seconds', /^\d+$/);
export const strongEntityTag = formed('a strong entity tag in double quotes', /^"[\x21\x23-\x7e\x80-\xff]*"$/);

/** The texts of a JSON array in one layer of JSON or two (C-26); undefined for anything else. */
export function textsIn(value: string): readonly string[] | undefined {
  const once = parsed(value);
  const list = typeof once === 'string' ? parsed(once) : once;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

/** The value of a JSON text; undefined for anything else. */
export function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
