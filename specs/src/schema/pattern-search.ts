import { pick, type Random } from './formats.ts';
import { compileTree, type Program, parseTree, type Step } from './linear-pattern.ts';
import { type PatternTree, startsText } from './pattern-tree.ts';

type Steps = readonly Step[];
/** The set of texts that match every pattern of `all` and no pattern of `none`. */
export type PatternSet = { readonly all: readonly string[]; readonly none?: readonly string[] };
export type SearchLimits = {
  /** Maximum number of steps of a pattern. */
  readonly size: number;
  /** Maximum number of states to visit. A state is the set of steps that can match the next character. */
  readonly states: number;
  /** Allows approximations: lookarounds count as true, and a few characters represent each Unicode class. */
  readonly guesses?: boolean;
};
export type TextSearch = {
  /** A shortest text that matches the patterns that could be searched; the other patterns may reject it. */
  readonly text: string | undefined;
  /** False if a limit ended the search. If true and there is no text, the set is empty. */
  readonly isComplete: boolean;
};

const end = -1;

/** Searches for a text in the set by running all patterns in parallel. `random` chooses among equivalent characters. */
export function findText({ all, none = [] }: PatternSet, limits: SearchLimits, random: Random = () => 0): TextSearch {
  const wantedPrograms = all.flatMap((pattern) => readPrograms(pattern, limits) ?? []);
  // Skip a pattern that becomes several programs: it only excludes texts that match all of them, which can't be searched.
  const unwantedPrograms = none.flatMap((pattern) => {
    const programs = readPrograms(pattern, limits);
    return programs?.all.length === 1 && programs.none.length === 0 ? programs.all : [];
  });
  const must = wantedPrograms.flatMap((programs) => programs.all);
  const others = [...wantedPrograms.flatMap((programs) => programs.none), ...unwantedPrograms];
  return search(must, others, { source: [...all, ...none].join(''), states: limits.states, random });
}

type SearchSettings = { readonly source: string; readonly states: number; readonly random: Random };

function search(
  must: readonly Steps[],
  others: readonly Steps[],
  { source, states, random }: SearchSettings,
): TextSearch {
  const programs = [...must, ...others];
  const kinds = distinguish(programs.flat(), source);
  // The previous character only matters for word boundaries.
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
 * Compiles a pattern; lookaheads at its start become separate programs. Returns undefined for other lookarounds, for Unicode classes
 * (only a few characters are tried) and for patterns beyond the size limit.
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
/** ASCII characters, most readable first. */
const readable = [...ascii.filter(isLetter).toReversed(), ...ascii.filter((code) => code > 32 && !isLetter(code))];
const rare = [...ascii.filter((code) => code <= 32), 0x85, 0xa0, 0xe9, 0x3a9, 0x436, 0x2028, 0x3000, 0x4e2d];

/**
 * Groups characters that all steps treat the same. Includes characters close to the patterns' own non-ASCII characters.
 */
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

/** Returns the steps that read a character at this position or that report a match. */
function followOpenSteps(open: readonly number[], steps: Steps, before: number, after: number): Set<number> {
  // A match may start at any position.
  const entered = new Set([...open, 0]);
  for (const index of entered) {
    const step = steps[index];
    if (step?.kind === 'fork') for (const next of step.to) entered.add(next);
    if (step?.kind === 'look' || (step?.kind === 'edge' && step.holds(before, after))) entered.add(index + 1);
  }
  return entered;
}

function isMatch(open: readonly number[], steps: Steps, before: number, after: number): boolean {
  return followOpenSteps(open, steps, before, after).has(steps.length - 1);
}

function advance(open: readonly number[], steps: Steps, before: number, after: number): number[] {
  const entered = followOpenSteps(open, steps, before, after);
  // Later characters cannot undo a match.
  if (entered.has(steps.length - 1)) return [steps.length - 1];
  const read = [...entered].filter((index) => {
    const step = steps[index];
    return step?.kind === 'character' && step.fits(after);
  });
  return read.map((index) => index + 1).sort((left, right) => left - right);
}
