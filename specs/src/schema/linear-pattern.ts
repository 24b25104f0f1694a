import { noCharacter, type PatternTree, parsePattern, startsText } from './pattern-tree.ts';

/** Tests a text like `RegExp.prototype.test`. Calls `spend` with the number of steps for each character. */
export type Matcher = (text: string, spend?: (steps: number) => void) => boolean;

/** Maximum number of steps of one pattern. */
export const maxSteps = 2000;

/**
 * Creates a matcher for a pattern. Matching takes time proportional to the text, because all alternatives are followed
 * at once, without backtracking. Returns undefined for a pattern that only the server can check: one that
 * `readExpression` doesn't accept, that has modifiers or references to groups, or that has more than 2,000 steps after
 * expanding repetitions. Generated packages contain this file.
 */
export function linearPattern(source: string): Matcher | undefined {
  const program = compilePattern(source)?.program;
  if (program === undefined) return undefined;
  return (text, spend) => scan(program, { text, found: new Map(), spend }, () => true);
}

/** Compiles a pattern with at most `maxSize` steps; undefined for a larger or unsupported pattern. */
export function compilePattern(
  source: string,
  maxSize: number = maxSteps,
): { readonly program: Program; readonly size: number } | undefined {
  const tree = parseTree(source, maxSize);
  return tree && { program: compileTree(tree), size: tree.size };
}

/** Parses a pattern with at most `maxSize` steps into a tree; undefined for a larger or unsupported pattern. */
export function parseTree(source: string, maxSize: number): PatternTree | undefined {
  const expression = readExpression(source);
  const tree = expression === undefined ? undefined : parsePattern(expression);
  return tree === undefined || tree.size > maxSize ? undefined : tree;
}

/**
 * Converts the pattern of a schema to an ECMAScript expression for the `u` flag. The flag doesn't allow some escaped
 * spaces and ASCII punctuation; they match the character itself, because `\-` is `-` in every engine. Returns undefined
 * for any other pattern that is invalid with the flag. Such patterns are written for other engines; without the flag,
 * ECMAScript would misread them (`\A` as the letter A) or reject them (`(?i)`, `a++`).
 */
export function readExpression(source: string): string | undefined {
  const expression = source.replace(/\\(?:([ !"#%&',\-:;<=>@_`~])|[\s\S])/g, (whole, mark?: string) =>
    mark === undefined ? whole : `\\x${mark.charCodeAt(0).toString(16)}`,
  );
  try {
    new RegExp(expression, 'u');
    return expression;
  } catch {
    return undefined;
  }
}

export type Step =
  | Extract<PatternTree, { kind: 'character' | 'edge' }>
  | { readonly kind: 'look'; readonly program: Program; readonly expected: boolean }
  | Fork
  | { readonly kind: 'match' };
type Fork = { readonly kind: 'fork'; to: number[] };
/** A compiled pattern. A backward program reads the text from its end. */
export type Program = { readonly steps: readonly Step[]; readonly backward: boolean; readonly isAnchored: boolean };

/** Compiles a tree to a program. A backward program reads the text from its end. */
export function compileTree(tree: PatternTree, backward = false): Program {
  const steps: Step[] = [];
  const fork = (): Fork => {
    const step: Fork = { kind: 'fork', to: [steps.length + 1] };
    steps.push(step);
    return step;
  };
  const add = (node: PatternTree): void => {
    switch (node.kind) {
      case 'look':
        // Lookaheads are evaluated once for all positions, from the end of the text.
        steps.push({ kind: 'look', program: compileTree(node.part, node.ahead), expected: node.expected });
        return;
      case 'sequence':
        for (const part of backward ? [...node.parts].reverse() : node.parts) add(part);
        return;
      case 'choice':
        addChoice(node.parts);
        return;
      case 'repeat':
        addRepeat(node);
        return;
      default:
        steps.push(node);
    }
  };
  const addChoice = (parts: readonly PatternTree[]): void => {
    const start = fork();
    start.to = [];
    const ends = parts.map((part) => {
      start.to.push(steps.length);
      add(part);
      return fork();
    });
    for (const end of ends) end.to = [steps.length];
  };
  const addRepeat = ({ part, least, most }: Extract<PatternTree, { kind: 'repeat' }>): void => {
    for (let count = 0; count < least; count++) add(part);
    const start = steps.length;
    const skips: Fork[] = [];
    for (let count = least; count < (Number.isFinite(most) ? most : least + 1); count++) {
      skips.push(fork());
      add(part);
    }
    if (!Number.isFinite(most)) fork().to = [start];
    for (const skip of skips) skip.to.push(steps.length);
  };
  add(tree);
  steps.push({ kind: 'match' });
  const [first] = steps;
  return { steps, backward, isAnchored: !backward && first?.kind === 'edge' && first.holds === startsText };
}

type Input = {
  readonly text: string;
  /** For each lookaround, the positions where its inner pattern matches. */
  readonly found: Map<Program, Uint8Array>;
  readonly spend: ((steps: number) => void) | undefined;
};

/** Calls `onMatch` with the end position of every match until `onMatch` returns true. Returns true if it did. */
function scan(program: Program, input: Input, onMatch: (at: number) => boolean): boolean {
  const { steps, backward, isAnchored } = program;
  const enteredAt = new Int32Array(steps.length).fill(-1);
  let at = backward ? input.text.length : 0;
  for (let open: number[] = []; ; ) {
    const here: Here = { before: characterBefore(input, at), after: characterAfter(input, at), at, input };
    open.push(0); // A match may start at any position.
    const reading = followOpenSteps(open, steps, enteredAt, here);
    if (enteredAt[steps.length - 1] === at && onMatch(at)) return true;
    const next = backward ? here.before : here.after;
    if (next === noCharacter || (isAnchored && reading.length === 0)) return false;
    open = afterReading(next, reading, steps);
    at += (backward ? -1 : 1) * (next > 0xffff ? 2 : 1);
  }
}

/** Follows the open steps without reading a character. Returns the steps that read a character. */
function followOpenSteps(open: number[], steps: readonly Step[], enteredAt: Int32Array, here: Here): number[] {
  const reading: number[] = [];
  let visited = 0;
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    visited++;
    const step = steps[index];
    if (step === undefined || enteredAt[index] === here.at) continue;
    enteredAt[index] = here.at;
    if (step.kind === 'character') reading.push(index);
    else if (step.kind === 'fork') for (const next of step.to) open.push(next);
    else if (step.kind !== 'match' && holds(step, here)) open.push(index + 1);
  }
  here.input.spend?.(visited);
  return reading;
}

type Here = { readonly before: number; readonly after: number; readonly at: number; readonly input: Input };

function holds(step: Extract<Step, { kind: 'edge' | 'look' }>, here: Here): boolean {
  return step.kind === 'edge' ? step.holds(here.before, here.after) : isFound(step, here) === step.expected;
}

function isFound({ program }: Extract<Step, { kind: 'look' }>, { at, input }: Here): boolean {
  const places = input.found.get(program) ?? new Uint8Array(input.text.length + 1);
  if (!input.found.has(program)) {
    input.found.set(program, places);
    scan(program, input, (place) => {
      places[place] = 1;
      return false;
    });
  }
  return places[at] === 1;
}

function afterReading(character: number, reading: readonly number[], steps: readonly Step[]): number[] {
  const open: number[] = [];
  for (const index of reading) {
    const step = steps[index];
    if (step?.kind === 'character' && step.fits(character)) open.push(index + 1);
  }
  return open;
}

function characterAfter({ text }: Input, at: number): number {
  return text.codePointAt(at) ?? noCharacter;
}

function characterBefore({ text }: Input, at: number): number {
  if (at === 0) return noCharacter;
  const pair = at > 1 ? (text.codePointAt(at - 2) ?? noCharacter) : noCharacter;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}
