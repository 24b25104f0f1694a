import { pick, type Random } from './formats.ts';
import { compileTree, type Program, parseTree, type Step } from './linear-pattern.ts';
import { type PatternTree, startsText } from './pattern-tree.ts';

type Steps = readonly Step[];
/** Texts that match each of `all` and none of `none`. */
export type PatternSet = { readonly all: readonly string[]; readonly none?: readonly string[] };
export type SearchLimits = {
  /** Steps of one pattern. */
  readonly size: number;
  /** Combinations of open steps that are visited. */
  readonly states: number;
  /** Guesses where needed: lookarounds count as true, and a few characters stand for Unicode classes. */
  readonly guesses?: boolean;
};
export type TextSearch = {
  /** A shortest text of the set, as far as its patterns could be followed: the others may refuse it. */
  readonly text: string | undefined;
  /** False where the limits ended the search. Without a text, true means that no text is in the set. */
  readonly isComplete: boolean;
};

const end = -1;

/** Looks for a text that a set of patterns describes, by following all of them at once. `random` chooses among equal characters. */
export function findText({ all, none = [] }: PatternSet, limits: SearchLimits, random: Random = () => 0): TextSearch {
  const wanted = all.flatMap((pattern) => readPrograms(pattern, limits) ?? []);
  // Several programs of one pattern exclude what all of them match, which cannot be followed.
  const unwanted = none.flatMap((pattern) => {
    const programs = readPrograms(pattern, limits);
    return programs?.all.length === 1 && programs.none.length === 0 ? programs.all : [];
  });
  const must = wanted.flatMap((programs) => programs.all);
  const others = [...wanted.flatMap((programs) => programs.none), ...unwanted];
  return search(must, others, { source: [...all, ...none].join(''), states: limits.states, random });
}

type Frame = { readonly source: string; readonly states: number; readonly random: Random };

function search(must: readonly Steps[], others: readonly Steps[], { source, states, random }: Frame): TextSearch {
  const programs = [...must, ...others];
  const kinds = distinguish(programs.flat(), source);
  // The character before a place matters only at the edges of words.
  const hasWords = /\\b/i.test(source);
  const seen = new Set<string>();
  const queue: { open: number[][]; before: number; from: number; kind: readonly number[] }[] = [
    { open: programs.map(() => [0]), before: end, from: -1, kind: [] },
  ];
  for (let at = 0; at < queue.length; at++) {
    const { open, before } = queue[at] ?? { open: [], before: end };
    const isFound = programs.every(
      (steps, index) => isMatch(open[index] ?? [], steps, before, end) === index < must.length,
    );
    if (isFound) {
      let text = '';
      for (let step = queue[at]; step !== undefined && step.from >= 0; step = queue[step.from])
        text = String.fromCodePoint(pick(random, step.kind) ?? 0) + text;
      return { text, isComplete: true };
    }
    if (queue.length > states) return { text: undefined, isComplete: false };
    for (const kind of kinds) {
      const [after = 0] = kind;
      const next = programs.map((steps, index) => advance(open[index] ?? [], steps, before, after));
      const key = `${next.map((indexes) => indexes.join()).join(' ')} ${hasWords ? after : ''}`;
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ open: next, before: after, from: at, kind });
    }
  }
  return { text: undefined, isComplete: true };
}

/**
 * The steps of a pattern without what it looks for ahead of its start, which becomes programs of its own. Undefined for other looks
 * around, for classes of the Unicode standard, which cannot be told from the few characters that are tried, and beyond the size.
 */
function readPrograms(
  pattern: string,
  { size, guesses = false }: SearchLimits,
): { all: Steps[]; none: Steps[] } | undefined {
  const tree = !guesses && /\\[pP]\{/.test(pattern) ? undefined : parseTree(pattern, size);
  if (tree === undefined) return undefined;
  const all: Program[] = [];
  const none: Program[] = [];
  const parts = tree.kind === 'sequence' ? [...tree.parts] : [tree];
  const [first] = parts;
  if (first?.kind === 'edge' && first.holds === startsText) {
    for (let ahead = parts[1]; ahead?.kind === 'look' && ahead.ahead; ahead = parts[1]) {
      const sequence: PatternTree = { kind: 'sequence', size: ahead.size + 1, parts: [first, ahead.part] };
      (ahead.expected ? all : none).push(compileTree(sequence));
      parts.splice(1, 1);
    }
  }
  all.push(compileTree({ kind: 'sequence', size: tree.size, parts }));
  const programs = { all: all.map(({ steps }) => steps), none: none.map(({ steps }) => steps) };
  const hasLook = [...programs.all, ...programs.none].flat().some(({ kind }) => kind === 'look');
  return hasLook && !guesses ? undefined : programs;
}

const ascii = Array.from({ length: 128 }, (_, code) => code);
const isLetter = (code: number): boolean => /[a-z0-9]/.test(String.fromCharCode(code));
/** Easily readable characters come first. */
const readable = [...ascii.filter(isLetter).toReversed(), ...ascii.filter((code) => code > 32 && !isLetter(code))];
const rare = [...ascii.filter((code) => code <= 32), 0x85, 0xa0, 0xe9, 0x3a9, 0x436, 0x2028, 0x3000, 0x4e2d];

/** Characters that the steps do not tell apart, kind by kind; beyond ASCII as far as the patterns name any. */
function distinguish(steps: Steps, sources: string): readonly (readonly number[])[] {
  const near = [...sources].flatMap((text) => [-1, 0, 1].map((step) => (text.codePointAt(0) ?? 0) + step));
  const kinds = new Map<string, number[]>();
  for (const character of [...readable, ...rare, 0xfeff, 0x1f600, ...near.filter((code) => code > 127)]) {
    const fits = steps.map((step) => (step.kind === 'character' ? Number(step.fits(character)) : ''));
    const kind = `${fits.join('')} ${/\w/.test(String.fromCodePoint(character))}`;
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [character]);
    else if (isLetter(character)) known.push(character);
  }
  return [...kinds.values()];
}

/** The steps that read a character here or say that there was a match, from those that are open. */
function enter(open: readonly number[], steps: Steps, before: number, after: number): Set<number> {
  // A match may start at every place.
  const entered = new Set([...open, 0]);
  for (const index of entered) {
    const step = steps[index];
    if (step?.kind === 'fork') for (const next of step.to) entered.add(next);
    if (step?.kind === 'look' || (step?.kind === 'edge' && step.holds(before, after))) entered.add(index + 1);
  }
  return entered;
}

function isMatch(open: readonly number[], steps: Steps, before: number, after: number): boolean {
  return enter(open, steps, before, after).has(steps.length - 1);
}

function advance(open: readonly number[], steps: Steps, before: number, after: number): number[] {
  const entered = enter(open, steps, before, after);
  // Later characters cannot undo a match.
  if (entered.has(steps.length - 1)) return [steps.length - 1];
  const read = [...entered].filter((index) => {
    const step = steps[index];
    return step?.kind === 'character' && step.fits(after);
  });
  return read.map((index) => index + 1).sort((left, right) => left - right);
}
