import { describe, expect, test } from 'vitest';
import { SpecError } from '../errors.ts';
import { formatPointer, type JsonValue, parsePointer, resolvePointer } from '../json.ts';
import { type OpenApiDocument, parseDocument, parseYaml, printYaml } from './read-document.ts';

const outline = 'openapi: 3.1.0\ninfo: { title: t, version: "1" }\npaths: {}\n';

function read(text: string, place: string): OpenApiDocument {
  return parseDocument(parseYaml(text, place), place);
}

describe('parseDocument', () => {
  test('parses YAML and JSON', () => {
    const want = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {}, components: {} };
    expect(read(outline, 'a.yaml')).toEqual(want);
    expect(read(JSON.stringify(want), 'a.json')).toEqual(want);
  });

  test.each([
    ['a text instead of a document', 'hello', /is not an object/],
    ['a document of another OpenAPI version', outline.replace('3.1.0', '3.0.3'), /not an OpenAPI 3\.1 document/],
    ['a document without a title', outline.replace('title', 'name'), /title and a version/],
    ['a document without paths', outline.replace('paths', 'path'), /paths must be/],
    ['paths that are a list', outline.replace('{}', '[]'), /paths must be/],
    ['components that are not objects', `${outline}components: { schemas: 1 }`, /components must be/],
    ['a repeated key', `${outline}paths: {}`, /unique/],
    ['invalid YAML', 'a: [', /^a\.yaml: /],
    ['a number that JSON does not support', `${outline}x: .nan`, /JSON does not support/],
  ])('parseDocument rejects %s', (_sentence, text, message) => {
    expect(() => read(text, 'a.yaml')).toThrow(SpecError);
    expect(() => read(text, 'a.yaml')).toThrow(message);
  });
});

test('prints no line of an invalid file, which may contain terminal control characters', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): number => warnings.push(message);
  process.on('warning', note);
  expect(parseYaml('a: !odd "\u001b[31m"', 'a')).toEqual({ a: '\u001b[31m' });
  await new Promise(setImmediate); // A warning is emitted as a separate event.
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('expands YAML aliases up to a limit', () => {
  expect(parseYaml('a: &x { b: 1 }\nc: *x', 'a')).toEqual({ a: { b: 1 }, c: { b: 1 } });
  const bomb = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`);
  expect(() => parseYaml(['a0: &a0 [x]', ...bomb].join('\n'), 'a')).toThrow(SpecError);
});

test('prints YAML that parses to the same value, without anchors', () => {
  const shared = {
    text: 'no',
    long: 'x '.repeat(200),
    multi: 'a\nb\n',
    number: '1e3',
    date: '2026-01-01',
    __proto: null,
  };
  const value: JsonValue = { one: shared, two: shared, list: [[], {}, ''] };
  expect(parseYaml(printYaml(value), 'a')).toEqual(value);
  expect(printYaml(value)).not.toMatch(/[&*]a1/);
});

describe('JSON pointers', () => {
  test('escapes and unescapes JSON pointers', () => {
    expect(formatPointer(['a/b', 'c~d', 0])).toBe('/a~1b/c~0d/0');
    expect(parsePointer('/a~1b/c~0d/~01')).toEqual(['a/b', 'c~d', '~1']);
  });
  const root = { a: [{ b: 1 }], '': 2 };
  test.each([
    ['', root],
    ['/a/0/b', 1],
    ['/', 2],
    ['/a/00', undefined],
    ['/a/-', undefined],
    ['/a/length', undefined],
    ['/toString', undefined],
    ['/__proto__', undefined],
  ])('resolves the JSON pointer %j to its value', (pointer, want) => {
    expect(resolvePointer(root, pointer)).toEqual(want);
  });
});
