/** A parsed pattern. `size` is the number of steps after expanding repetitions. */
export type PatternTree = { readonly size: number } & (
  | { readonly kind: 'character'; readonly fits: (character: number) => boolean }
  | { readonly kind: 'edge'; readonly holds: EdgeTest }
  | { readonly kind: 'look'; readonly part: PatternTree; readonly ahead: boolean; readonly expected: boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'repeat'; readonly part: PatternTree; readonly least: number; readonly most: number }
);
/** Tests a position by the characters on both sides; `noCharacter` at the ends of the text. */
type EdgeTest = (before: number, after: number) => boolean;

export const noCharacter = -1;
export const startsText: EdgeTest = (before) => before === noCharacter;

const maxGroupDepth = 100;
/** Size of a lookaround in steps. Each one needs a byte per character of the text, so a pattern may have at most 20. */
const lookSize = 100;
const isWord = (character: number): boolean => character !== noCharacter && /\w/.test(String.fromCodePoint(character));
const edges: ReadonlyMap<string, EdgeTest> = new Map([
  ['^', startsText],
  ['$', (_, after) => after === noCharacter],
  ['\\b', (before, after) => isWord(before) !== isWord(after)],
  ['\\B', (before, after) => isWord(before) === isWord(after)],
]);
const looks: ReadonlyMap<string, { ahead: boolean; expected: boolean }> = new Map([
  ['(?=', { ahead: true, expected: true }],
  ['(?!', { ahead: true, expected: false }],
  ['(?<=', { ahead: false, expected: true }],
  ['(?<!', { ahead: false, expected: false }],
]);
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const groupStart = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;
const atomText =
  /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|[pP]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/uy;

/**
 * Parses a pattern that is valid with the `u` flag. Returns undefined if it uses backreferences, has more than 100 nested
 * groups, or has modifiers.
 */
export function parsePattern(source: string): PatternTree | undefined {
  let at = 0;
  let depth = 0;
  let isSupported = true;
  const known = new Map<string, PatternTree>();

  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(source);
    if (found === null) return undefined;
    at += found[0].length;
    return found;
  };
  const choice = (): PatternTree => {
    const parts = [sequence()];
    while (isSupported && source[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    return joinParts('choice', parts);
  };
  const sequence = (): PatternTree => {
    const parts: PatternTree[] = [];
    while (isSupported && at < source.length && source[at] !== '|' && source[at] !== ')') {
      const part = source[at] === '(' ? group() : atom();
      parts.push(repeatPart(part, take(quantifier)));
    }
    return joinParts('sequence', parts);
  };
  const group = (): PatternTree => {
    const [opening = ''] = take(groupStart) ?? [];
    depth += 1;
    if (depth > maxGroupDepth || (opening === '(' && source[at] === '?')) isSupported = false;
    const part = choice();
    depth -= 1;
    at += 1;
    const look = looks.get(opening);
    return look === undefined ? part : { kind: 'look', size: part.size + lookSize, part, ...look };
  };
  const atom = (): PatternTree => {
    const [text = ''] = take(atomText) ?? [];
    const holds = edges.get(text);
    if (holds !== undefined) return { kind: 'edge', size: 1, holds };
    if (/^\\[1-9k]/.test(text)) isSupported = false;
    const earlier = known.get(text);
    if (earlier !== undefined || !isSupported) return earlier ?? joinParts('sequence', []);
    const made: PatternTree = { kind: 'character', size: 1, fits: createCharacterTest(text) };
    known.set(text, made);
    return made;
  };

  const tree = choice();
  return isSupported ? tree : undefined;
}

function joinParts(kind: 'sequence' | 'choice', parts: readonly PatternTree[]): PatternTree {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  return { kind, size: parts.reduce((sum, { size }) => sum + size + 1, 0), parts };
}

function repeatPart(part: PatternTree, found: RegExpExecArray | undefined): PatternTree {
  if (found === undefined) return part;
  const [least, most] = readCounts(found);
  const optional = Number.isFinite(most) ? most - least : 2;
  return { kind: 'repeat', size: (least + optional) * Math.max(part.size, 1) + optional, part, least, most };
}

function readCounts([, sign, low, comma, high]: RegExpExecArray): [least: number, most: number] {
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
  const least = Number(low);
  if (comma === undefined) return [least, least];
  return [least, high === undefined || high === '' ? Number.POSITIVE_INFINITY : Number(high)];
}

/** Creates a test of one character against a literal, class or escape. It uses a native regular expression. */
function createCharacterTest(text: string): (character: number) => boolean {
  const expression = new RegExp(`^(?:${text})$`, 'u');
  const test = (character: number): boolean => expression.test(String.fromCodePoint(character));
  let ascii: Uint8Array | undefined;
  return (character) => {
    if (character > 127) return test(character);
    ascii ??= Uint8Array.from({ length: 128 }, (_, known) => Number(test(known)));
    return ascii[character] === 1;
  };
}
