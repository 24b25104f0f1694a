import { findText, linearPattern } from '../../../specs/src/index.ts';

const matchers = new Map<string, (text: string) => boolean>();
const matchersAtMost = 2_000;

/** Whether a pattern matches a text; one that no matcher reads matches none. */
export function matches(pattern: string, text: string): boolean {
  const known = matchers.get(pattern) ?? linearPattern(pattern) ?? (() => false);
  if (matchers.size > matchersAtMost) matchers.clear();
  matchers.set(pattern, known);
  return known(text);
}

const limits = { size: 400, states: 3_000 };

/** Whether every text that `narrow` matches is matched by `wide`; false where that was not found out. */
export function includesPattern(wide: string, narrow: string): boolean {
  return wide === narrow || wide === '' || !mayMatch([narrow], [wide]);
}

/** Whether there is a text that all of some patterns match and none of others; true also where that was not found out. */
export function mayMatch(matched: readonly string[], others: readonly string[]): boolean {
  const { text, isComplete } = findText({ all: matched, none: others }, limits);
  return text !== undefined || !isComplete;
}
