import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

const seed = 20_261_122;

/** Returns the native expression, with a class such as `[-]` for each needless escape, which is equivalent. */
function native(source: string): RegExp | undefined {
  try {
    return new RegExp(source.replaceAll(/\\([-_@:"])(?![^[]*\])/g, '[$1]').replaceAll(/\\([_@:"])/g, '$1'), 'u');
  } catch {
    return undefined;
  }
}

const atoms = ['a', 'b', '.', '[ab]', '[^a]', '\\w', '\\W', '\\s', '\\d', '\\u0062', '😀', '[😀-😂]', '-'];
const escapedAtoms = ['\\-', '\\_', '\\@', '\\:', '[\\-\\_a]', '[^\\"\\-]'];
const quantifiers = ['', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '{1,3}?', '*?', '+?'];

/** Expressions with groups, lookarounds, quantifiers and anchors. */
const { pattern } = fc.letrec<{ pattern: string; branches: string }>((tie) => ({
  branches: fc.array(tie('pattern'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
  pattern: fc
    .array(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc
          .tuple(fc.constantFrom(...atoms, ...atoms, ...escapedAtoms), fc.constantFrom(...quantifiers))
          .map((parts) => parts.join('')),
        fc.constantFrom('\\b', '\\B', '^', '$'),
        fc
          .tuple(fc.constantFrom('(', '(?:'), tie('branches'), fc.constantFrom(...quantifiers))
          .map(([open, inner, quantifier]) => `${open}${inner})${quantifier}`),
        fc
          .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('branches'))
          .map(([open, inner]) => `${open}${inner})`),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.join('')),
}));
const parts = ['a', 'a', 'b', '-', ' ', '1', '_', '\u2028', '{', ']'];
// V8 finds empty matches inside surrogate pairs, which are not valid positions in the language.
const mayMatchNothing = /\\B|\(\?<?[=!]/;
const cases = pattern.chain((source) => {
  const letters = mayMatchNothing.test(source) ? parts : [...parts, '😀', '\ud83d'];
  const text = fc.array(fc.constantFrom(...letters), { maxLength: 9 }).map((all) => all.join(''));
  return fc.tuple(fc.constant(source), fc.array(text, { minLength: 6, maxLength: 6 }));
});

describe('linearPattern', () => {
  test(`matches like the native regular expression (seed ${seed})`, () => {
    let compared = 0;
    const agrees = fc.property(cases, ([source, texts]) => {
      const [isMatch, expression] = [linearPattern(source), native(source)];
      if (isMatch === undefined || expression === undefined) return;
      compared += 1;
      expect(texts.map((text) => isMatch(text))).toEqual(texts.map((text) => expression.test(text)));
    });
    fc.assert(agrees, { seed, numRuns: 4_000 });
    expect(compared).toBeGreaterThan(1_000);
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
    ['is nested too deeply', `${'('.repeat(2000)}a${')'.repeat(2000)}`],
  ])('rejects a pattern that %s', (_, source) => {
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
  ])('treats a needless escape of punctuation as the character: %s', (source, matching, others) => {
    const isMatch = linearPattern(source);
    expect(matching.filter((text) => isMatch?.(text) !== true)).toEqual([]);
    expect(others.filter((text) => isMatch?.(text) !== false)).toEqual([]);
  });

  test.each([
    ...['\\A[a-z]{3}\\Z', '[a-z]+\\z', '\\h+', '\\R', '\\Qa.b\\E', '\\G1'],
    ...['\\e', '\\a', '\\x{41}', '\\07', '\\pL', '\\é'],
    ...['a++', 'a*+', 'a?+', 'a{2}+', '(?>ab)', '(?i)abc', '(?i:abc)', '(?s-m:a)', '(?x) a b', '(?#c)a', '(?|a|b)'],
    ...['(?P<year>\\d+)', '(?P=year)', '(?R)', '(?(1)a|b)', '[[:alpha:]]+', '[^[:space:]_]', '[[:<:]]a'],
    ...['\\p{IsLatin}', '\\p{Foo}', '\\p{Script=Nothing}', '[\\w-.]', '[z-a]'],
    ...['a{,2}', '^{a}$', ']', '(?=a)*', '(', '[', '*a'],
  ])('creates no matcher for a pattern that only the server can check: %s', (source) => {
    expect(linearPattern(source)).toBeUndefined();
  });
});
