import { describe, expect, test } from 'vitest';
import {
  code,
  codeSpan,
  comment,
  denseJson,
  identifier,
  importType,
  literal,
  printImports,
  propertyName,
  word,
} from './source.ts';

test('prints the imports that pieces of code refer to in one sorted block without duplicates', () => {
  const zeta = [importType('zeta', 'b'), importType('zeta', 'a'), importType('zeta', 'b')];
  const body = code`${zeta} ${importType('alpha', 'c')}`;
  expect(body.text).toBe('bab c');
  expect(printImports(body).text).toBe('import type { c } from "alpha";\nimport type { a, b } from "zeta";\n');
});

test('rejects a plain string as a value in a code template, when compiling and when running', () => {
  const text = 'globalThis.pwned = 1';
  // @ts-expect-error only printed pieces are accepted
  expect(() => code`${text}`.text).toThrow();
});

describe('literal', () => {
  test.each([
    ['a"b', '"a\\"b"'],
    ['\u2028', '"\\u2028"'],
    ['\u202ex', '"\\u202ex"'],
    [-0, '0'],
    [1e21, '1e+21'],
    [{ 'a-b': 1, c: [null, true], __proto__: 1 }, '{ "a-b": 1, c: [null, true] }'],
    [{}, '{}'],
  ])('prints the value %j as the expression %s', (value, text) => expect(literal(value).text).toBe(text));

  test('prints a member called __proto__ without setting a prototype', () => {
    expect(literal(JSON.parse('{"__proto__":1}')).text).toBe('{ ["__proto__"]: 1 }');
  });
});

describe('comment', () => {
  test.each<[readonly (string | { tag: 'default'; text: string })[], string]>([
    [[], ''],
    [['  '], ''],
    [['one'], '/** one */\n'],
    [['one\n\n\ntwo\n'], '/**\n * one\n *\n * two\n */\n'],
    [['ends */ here'], '/** ends *\\/ here */\n'],
    [['@deprecated'], '/** \\@deprecated */\n'],
    [['audio/*'], '/** audio/* */\n'],
    [['a', { tag: 'default', text: '"x"' }], '/**\n * a\n * @default "x"\n */\n'],
  ])('prints the lines %j as a doc comment', (lines, text) => expect(comment(lines).text).toBe(text));
});

test('quotes property names only if necessary', () => {
  expect(['a', 'a-b', '', '4b', '$x', 'é'].map((name) => propertyName(name).text)).toEqual([
    'a',
    '"a-b"',
    '""',
    '"4b"',
    '$x',
    '"é"',
  ]);
});

test.each(['', '1a', 'a b', 'a;', 'é'])('rejects %j as an identifier', (name) => {
  expect(() => identifier(name)).toThrow(TypeError);
});

test('prints JSON and code spans without line breaks, and rejects a word with a line break', () => {
  expect(JSON.parse(denseJson({ 'a-b': '\u2028' }).text)).toEqual({ 'a-b': '\u2028' });
  expect(codeSpan('a`b|c\nd').text).toBe('``a`b|c d``');
  expect(() => word('a\nb')).toThrow(TypeError);
});
