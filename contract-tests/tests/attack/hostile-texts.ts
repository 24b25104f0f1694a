import type { Random } from './attack-class.ts';

/** What runs when a text became code: it leaves a mark in the process and one on the disk. */
const payload = 'globalThis.pwned=1;process.getBuiltinModule("node:fs").writeFileSync("pwned","")';

/** Each closes, opens or continues something in JavaScript, TypeScript, JSON, Markdown, a path or a terminal. */
const fragments: readonly string[] = [
  '*/', '/*', '//', '`', '${', '}', '"', "'", '\\', '\\"', '\n', '\r\n', '\r', '\t', '\0', '\b', '\x1b[2J', '\x1b]0;x\x07', '\x9b31m',
  '\u2028', '\u2029', '\ufeff', '\u202e', '\u2066', '\u2069', '\u200b', '\u200d', '\u00ad', '\ud800', '\udfff', '😀', 'é', 'e\u0301', 'я', 'İ', 'ﬃ',
  '\\u002a/', '\\x60', '&#x2a;/', '%2a/', '*\\/', '*\u200b/', '</script>', '<!--', '-->', '{{this}}', '{{{this}}}', '{{#with}}', '<%= %>', '$&', '$1', "$'",
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'default', 'await', 'enum', 'never', 'arguments', 'Input', 'Output', 'model', 'isInput',
  '::add-mask::x', '\n::error::owned', '##[error]owned', '##vso[task.complete]owned',
  '../', '..', '/', '.', '~0', '~1', '%2f', '%2e%2e', 'C:\\', 'con', 'nul', '@ts-nocheck', '@import "x"', '/// <reference path="x"/>', '# sourceMappingURL=x', '|', '[x](javascript:1)', ' ', '',
]; // biome-ignore format: one row for each family

/** A text that would do harm wherever it were printed as it is. */
export function hostileText(random: Random): string {
  const part = (): string => (random.chance(0.25) ? payload : random.one(fragments));
  const length = random.chance(0.03) ? random.size(100, 20_000) : random.size(1, 6);
  return Array.from({ length }, part).join(random.chance(0.5) ? '' : ' ');
}

/** A text from letters that cannot be read as anything else. */
export function plainWord(random: Random, length = 6): string {
  return Array.from({ length }, () => random.one([...'abcdefghijklmnopqrstuvwxyz'])).join('');
}

/** A line that a build service would take as a command. */
export function buildCommand(text: string): string | undefined {
  return /^\s*::.*|##\w*\[.*/m.exec(text)?.[0].slice(0, 80);
}

/** Signs that move a cursor or turn the order of letters on a terminal. */
export function terminalSigns(text: string): string | undefined {
  return /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u.exec(text)?.[0];
}

const shells = [
  '^(X+)+$',
  '^(X*)*$',
  '^(X|X)*$',
  '^(X|XX)+$',
  '(X*)*Y',
  '^(([X])+.)+[X]([X])+$',
  '^(X+)*\\1?$',
  '^X*X*X*X*X*X*$',
  '(X+X+)+Y',
  '^(\\w+\\s?)*$',
  '^(?=(X+)+$)',
  '^(X?){40}X{40}$',
  '(.*)*$',
  '^(?:(?:X+)+|Z)+$',
  '([^Y]+)+Y',
];

/** A pattern that backtracks without end, with a text that makes it. */
export function dangerousPattern(random: Random): { pattern: string; text: string } {
  const letter = random.one(['a', '0', 'x', '\\w', '[a-z]', '\\d', '\\p{L}', '.']);
  const pattern = random.one(shells).replaceAll('X', letter).replaceAll('Y', 'y').replaceAll('Z', 'z');
  const sign = letter.includes('d') || letter === '0' ? '0' : letter === 'x' ? 'x' : 'a';
  return { pattern, text: `${sign.repeat(random.size(30, 60_000))}!` };
}
