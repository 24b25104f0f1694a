import { describe, expect, test } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

const seed = 20_261_122;

/** A class of one character says the same as its needless escape. */
function native(source: string): RegExp | undefined {
  try {
    return new RegExp(source.replaceAll(/\\([-_@:"])(?![^[]*\])/g, '[$1]').replaceAll(/\\([_@:"])/g, '$1'), 'u');
  } catch {
    return undefined;
  }
}

function createDice(start: number): (sides: number) => number {
  let state = start;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const dice = createDice(seed);
const pick = (choices: readonly string[]): string => choices[dice(choices.length)] ?? '';
const atoms = 'a b . [ab] [^a] \\w \\W \\s \\d \\u0062 😀 [😀-😂] - \\b \\B ^ $'.split(' ');
const escapedAtoms = '\\- \\_ \\@ \\: [\\-\\_a] [^\\"\\-]'.split(' ');
const quantifiers = ['', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '{1,3}?', '*?', '+?'];
const openings = ['(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!'];

function randomPattern(depth: number, known: readonly string[], named: { used: boolean }): string {
  return Array.from({ length: 1 + dice(3) }, () => {
    if (depth > 0 && dice(3) === 0) {
      let opening = pick(openings);
      if (opening === '(?<n>' && named.used) opening = '(';
      if (opening === '(?<n>') named.used = true;
      const isLook = /[=!]$/.test(opening);
      const branches = Array.from({ length: 1 + dice(2) }, () => randomPattern(depth - 1, known, named));
      return `${opening}${branches.join('|')})${isLook ? '' : pick(quantifiers)}`;
    }
    const atom = pick(known);
    return /^(?:\\[bB]|[\^$])$/.test(atom) ? atom : atom + pick(quantifiers);
  }).join('');
}

// V8 finds empty matches inside of surrogate pairs, where the language has no place.
const mayMatchNothing = /\\B|\(\?<?[=!]/;

function randomText(source: string): string {
  const parts = [
    'a',
    'a',
    'b',
    '-',
    ' ',
    '1',
    '_',
    '\u2028',
    '{',
    ']',
    ...(mayMatchNothing.test(source) ? [] : ['😀', '\ud83d']),
  ];
  return Array.from({ length: dice(9) }, () => pick(parts)).join('');
}

describe('linearPattern', () => {
  test(`matches what the native expression matches (seed ${seed})`, () => {
    const wrong: string[] = [];
    let compared = 0;
    for (let count = 0; count < 4000; count++) {
      const source = randomPattern(3, count % 2 === 0 ? atoms : [...atoms, ...escapedAtoms], { used: false });
      const expression = native(source);
      const isMatch = linearPattern(source);
      for (let again = 0; isMatch !== undefined && expression !== undefined && again < 6; again++) {
        const text = randomText(source);
        compared += 1;
        if (isMatch(text) !== expression.test(text)) wrong.push(`${source} on ${JSON.stringify(text)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).not.toBe(0);
  });

  test.each([
    ['nested repetition', '^(a+)+$', 'a', 'b'],
    ['two ways to repeat', '^(a|a)*$', 'a', 'b'],
    ['optional copies', `^${'a?'.repeat(60)}${'a'.repeat(60)}$`, 'a', ''],
    ['six repetitions in a row', '^a*a*a*a*a*a*$', 'a', 'b'],
    ['a repetition without a start', '(x+x+)+y', 'x', ''],
    ['spaces at the end', '\\s+$', ' ', 'x'],
    ['a look ahead in a repetition', '^(?:(?=.*b)a)+$', 'a', ''],
    ['looks around', '(?<=a*)(?=a*c)', 'a', 'b'],
  ])('finishes on a long text: %s', (_, source, part, end) => {
    const isMatch = linearPattern(source);
    expect(isMatch?.(part.repeat(300_000) + end)).toBe(false);
  });

  test.each([
    ['is not a valid expression', '('],
    ['refers to a group', '(a)\\1'],
    ['refers to a named group', '(?<n>a)\\k<n>'],
    ['has too many steps after expanding nested repetitions', '(?:[a-z]{100}){100}'],
    ['has one step more than two thousand', 'a{2001}'],
    ['has a hundred lookaheads', '(?=.*a)'.repeat(100)],
    ['has an extremely large repetition', 'a{1,99999999999}'],
    ['nests too deeply', `${'('.repeat(2000)}a${')'.repeat(2000)}`],
  ])('refuses a pattern that %s', (_, source) => {
    expect(linearPattern(source)).toBeUndefined();
    expect(linearPattern('a{2000}')?.('a'.repeat(2_000))).toBe(true);
  });

  test.each([
    ['^[\\w\\-]+$', ['a-b', '-'], ['a b', '\\']],
    ['^\\-\\_\\"\\\'\\@\\#\\:\\!\\%\\&\\,\\;\\<\\=\\>\\`\\~\\ $', ['-_"\'@#:!%&,;<=>`~ '], ['']],
    ['^[\\@\\-\\!]$', ['@', '-', '!'], ['A', '.', '\\']],
    ['^[+\\--\\/]$', ['-', '.', '/', '+'], [',', '0']],
    ['^\\\\\\-$', ['\\-'], ['-']],
    ['^a\\-{2}$', ['a--'], ['a-', 'a\\-']],
  ])('reads a needless escape of punctuation as the character: %s', (source, matching, others) => {
    const isMatch = linearPattern(source);
    expect(matching.filter((text) => isMatch?.(text) !== true)).toEqual([]);
    expect(others.filter((text) => isMatch?.(text) !== false)).toEqual([]);
  });

  test.each([
    ...[
      '\\A[a-z]{3}\\Z',
      '[a-z]+\\z',
      '\\h+',
      '\\R',
      '\\Qa.b\\E',
      '\\G1',
      '\\e',
      '\\a',
      '\\x{41}',
      '\\07',
      '\\pL',
      '\\é',
    ],
    ...['a++', 'a*+', 'a?+', 'a{2}+', '(?>ab)', '(?i)abc', '(?i:abc)', '(?s-m:a)', '(?x) a b', '(?#c)a', '(?|a|b)'],
    ...['(?P<year>\\d+)', '(?P=year)', '(?R)', '(?(1)a|b)', '[[:alpha:]]+', '[^[:space:]_]', '[[:<:]]a'],
    ...[
      '\\p{IsLatin}',
      '\\p{Foo}',
      '\\p{Script=Nothing}',
      '[\\w-.]',
      'a{,2}',
      '^{a}$',
      ']',
      '(?=a)*',
      '[z-a]',
      '(',
      '[',
      '*a',
    ],
  ])('leaves to the server: %s', (source) => {
    expect(linearPattern(source)).toBeUndefined();
  });
});
