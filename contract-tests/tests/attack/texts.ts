import fc from 'fast-check';
import { notations } from '../notations.ts';

/** Chooses between arbitraries with these weights. */
export const weighted = <T>(...rows: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]) =>
  fc.oneof(...rows.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Code that sets a global variable and writes a file if it is executed. */
export const payload = 'globalThis.pwned=1;process.getBuiltinModule("node:fs").writeFileSync("pwned","")';

/** Texts with a special meaning in JavaScript, TypeScript, JSON, Markdown, a path or a terminal. */
const fragments: readonly string[] = [
  '*/', '/*', '//', '`', '${', '}', '"', "'", '\\', '\\"', '\n', '\r\n', '\r', '\t', '\0', '\b', '\x1b[2J', '\x1b]0;x\x07', '\x9b31m',
  '\u2028', '\u2029', '\ufeff', '\u202e', '\u2066', '\u2069', '\u200b', '\u200d', '\u00ad', '\ud800', '\udfff', '😀', 'é', 'e\u0301', 'я', 'İ', 'ﬃ',
  '\\u002a/', '\\x60', '&#x2a;/', '%2a/', '*\\/', '*\u200b/', '</script>', '<!--', '-->', '{{this}}', '{{{this}}}', '{{#with}}', '<%= %>', '$&', '$1', "$'",
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'default', 'await', 'enum', 'never', 'arguments', 'Input', 'Output', 'model', 'isInput',
  '::add-mask::x', '\n::error::owned', '##[error]owned', '##vso[task.complete]owned',
  '../', '..', '/', '.', '~0', '~1', '%2f', '%2e%2e', 'C:\\', 'con', 'nul', '@ts-nocheck', '@import "x"', '/// <reference path="x"/>', '# sourceMappingURL=x', '|', '[x](javascript:1)', ' ', '',
]; // biome-ignore format: one row for each family

/** A part of a text that does harm if it is printed without escapes. */
const part = weighted([3, fc.constantFrom(...fragments)], [1, fc.constant(payload)]);
export const hostileText: fc.Arbitrary<string> = weighted(
  [16, fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))],
  [3, fc.string({ unit: 'binary', maxLength: 30 })],
  [1, fc.tuple(part, fc.integer({ min: 100, max: 2_000 })).map(([one, count]) => one.repeat(count))],
);
export const word: fc.Arbitrary<string> = fc.stringMatching(/^[a-z]{3,8}$/);

const ambiguousPatterns = [
  '^(X+)+$', '^(X*)*$', '^(X|X)*$', '^(X|XX)+$', '(X*)*Y', '^(([X])+.)+[X]([X])+$', '^(X+)*\\1?$', '^X*X*X*X*X*X*$', '(X+X+)+Y', '^(\\w+\\s?)*$',
  '^(?=(X+)+$)', '^(X?){40}X{40}$', '(.*)*$', '^(?:(?:X+)+|Z)+$', '([^Y]+)+Y',
]; // biome-ignore format: a list of words

/** A pattern, and a text for which a backtracking engine needs exponential time. */
export type DangerousPattern = { readonly pattern: string; readonly text: string };
export const dangerousPattern: fc.Arbitrary<DangerousPattern> = fc
  .tuple(
    fc.constantFrom(...ambiguousPatterns),
    fc.constantFrom('a', '0', 'x', '\\w', '[a-z]', '\\d', '\\p{L}', '.'),
    fc.integer({ min: 30, max: 60_000 }),
  )
  .map(([shape, letter, length]) => ({
    pattern: shape.replaceAll('X', letter).replaceAll('Y', 'y').replaceAll('Z', 'z'),
    text: `${letter === '0' || letter === '\\d' ? '0' : letter === 'x' ? 'x' : 'a'}${'a'.repeat(length)}!`,
  }));

/** JSON values that code rarely expects. */
export const oddJson: readonly string[] = [
  'null', '7', '[]', '{}', '"x"', 'true', '1e999', '-0', '-1', '0.1', '"\\ud800"', '[[[]]]', '[null]', `${'['.repeat(250)}${']'.repeat(250)}`,
  '{"$ref":"#"}', '{"$ref":"file:///etc/passwd"}', '{"$ref":"http://127.0.0.1:9/x"}', '{"$ref":"#/components/schemas/__proto__"}', '{"$ref":{}}',
  '{"toString":1,"valueOf":1}', '[{"toString":1,"valueOf":1}]', '{"toJSON":1,"then":1,"length":4294967296}', '{"__proto__":{"length":1}}',
]; // biome-ignore format: a list of words

/** Generates credentials without a bias towards short or uniform texts, which other texts could contain by chance. */
export const credential: fc.Arbitrary<string> = fc.noBias(
  fc.noShrink(
    fc
      .tuple(
        fc.constantFrom('sk-', 'key_', '', 'eyJ', 'a+b/', 'p%25'),
        fc.stringMatching(/^[A-HJ-NP-Za-km-z2-9]{12,48}$/),
        fc.constantFrom('', '==', '-_', '/x'),
      )
      .map((parts) => parts.join('')),
  ),
);

/** Generates the name of one notation, or the names of two nested notations. */
export const notation: fc.Arbitrary<string[]> = fc.array(fc.constantFrom(...Object.keys(notations)), {
  minLength: 1,
  maxLength: 2,
});
export const encode = (text: string, names: readonly string[]): string =>
  names.reduce((encoded, name) => notations[name]?.(encoded) ?? encoded, text);
