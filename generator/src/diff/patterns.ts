import { compilePattern, linearPattern, type Step } from '../../../specs/src/index.ts';

const matchers = new Map<string, (text: string) => boolean>();
const matchersAtMost = 2_000;

/** Whether a pattern matches a text; one that no matcher reads matches none. */
export function matches(pattern: string, text: string): boolean {
  const known = matchers.get(pattern) ?? linearPattern(pattern) ?? (() => false);
  if (matchers.size > matchersAtMost) matchers.clear();
  matchers.set(pattern, known);
  return known(text);
}

const sizeAtMost = 400;
const pairsAtMost = 3_000;
const end = -1;

/** Whether every text that `narrow` matches is matched by `wide`; false where that was not found out. */
export function includesPattern(wide: string, narrow: string): boolean {
  return wide === narrow || wide === '' || !mayMatch([narrow], [wide]);
}

/** Whether there is a text that all of some patterns match and none of others; true also where that was not found out. */
export function mayMatch(matched: readonly string[], others: readonly string[]): boolean {
  const [all = [], none = []] = [matched, others].map((some) => some.flatMap(readSteps));
  const programs = [...all, ...none];
  const source = [...matched, ...others].join('');
  const characters = distinguish(programs.flat(), source);
  // What was read last matters at the edges of words alone.
  const hasWords = /\\b/i.test(source);
  const seen = new Set<string>();
  const pending = [{ open: programs.map(() => [0]), before: end }];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    const { open, before } = state;
    const key = `${open.map((indexes) => indexes.join()).join(' ')} ${before}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const isFound = programs.every((steps, index) => {
      return isMatch(open[index] ?? [], steps, before, end) === index < all.length;
    });
    if (isFound || seen.size > pairsAtMost) return true;
    for (const after of characters) {
      const next = programs.map((steps, index) => advance(open[index] ?? [], steps, before, after));
      pending.push({ open: next, before: hasWords ? after : 0 });
    }
  }
  return false;
}

/** The steps that a text is read by, the last one the match; none for look-arounds and large patterns. */
function readSteps(pattern: string): (readonly Step[])[] {
  // A class of the Unicode standard cannot be told from its few characters that are tried.
  const steps = /\\[pP]\{/.test(pattern) ? undefined : compilePattern(pattern, sizeAtMost)?.program.steps;
  return steps === undefined || steps.some(({ kind }) => kind === 'look') ? [] : [steps];
}

/** A character of each kind that the steps tell apart; beyond ASCII as far as the patterns name any. */
function distinguish(steps: readonly Step[], sources: string): number[] {
  const near = [...sources].flatMap((text) => [-1, 0, 1].map((step) => (text.codePointAt(0) ?? 0) + step));
  const ascii = Array.from({ length: 128 }, (_, code) => code);
  const others = [0x85, 0xa0, 0xe9, 0x3a9, 0x436, 0x2028, 0x3000, 0x4e2d, 0xfeff, 0x1f600];
  const kinds = new Map<string, number>();
  for (const character of [...ascii, ...others, ...near.filter((code) => code > 127)]) {
    const fits = steps.map((step) => (step.kind === 'character' ? Number(step.fits(character)) : ''));
    const kind = `${fits.join('')} ${/\w/.test(String.fromCodePoint(character))}`;
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  return [...kinds.values()];
}

/** The steps that read a character here or say that there was a match, from those that are open. */
function enter(open: readonly number[], steps: readonly Step[], before: number, after: number): Set<number> {
  // A match may start at every place.
  const entered = new Set([...open, 0]);
  for (const index of entered) {
    const step = steps[index];
    if (step?.kind === 'fork') for (const next of step.to) entered.add(next);
    if (step?.kind === 'edge' && step.holds(before, after)) entered.add(index + 1);
  }
  return entered;
}

function isMatch(open: readonly number[], steps: readonly Step[], before: number, after: number): boolean {
  return enter(open, steps, before, after).has(steps.length - 1);
}

function advance(open: readonly number[], steps: readonly Step[], before: number, after: number): number[] {
  const entered = enter(open, steps, before, after);
  // What was matched stays matched, whatever follows.
  if (entered.has(steps.length - 1)) return [steps.length - 1];
  const read = [...entered].filter((index) => {
    const step = steps[index];
    return step?.kind === 'character' && step.fits(after);
  });
  return read.map((index) => index + 1).sort((left, right) => left - right);
}
