import { expect, test } from 'vitest';
import { createFinding, exchange } from './fixtures/example-report.ts';
import { describeExchange } from './mark-exchange.ts';
import type { BodyRecord } from './report.ts';

function listMarked(body: BodyRecord | string, pointer: string | undefined, isCut = false): readonly string[] {
  const record: BodyRecord = typeof body === 'string' ? { kind: 'text', text: body, sizeBytes: 9_999, isCut } : body;
  const response = { kind: 'response', status: 200, headers: [], body: record } as const;
  const at = { step: 'list', ...(pointer === undefined ? {} : { pointer }) };
  const { answer } = describeExchange({ ...exchange, response }, { ...createFinding('a.one', 'a cause'), at });
  const shown = answer.map(({ text }) => text).join('');
  if (typeof body === 'string') expect(shown).toContain(body);
  return answer.filter(({ isMarked, text }) => isMarked && text !== '').map(({ text }) => text);
}

test.each([
  ['a member', '{"a": [1, {"b~/c": "x y"}], "d": 2}', '/a/1/b~0~1c', '"x y"'],
  ['the object that lacks a member', '{"data":[{"id":"p/m"}],"limit":1}', '/data/0/billing', '{"id":"p/m"}'],
  ['the whole body if no parent of the member exists', '{"a":1}', '/b/c', '{"a":1}'],
  ['the whole body if it is not JSON', 'It broke: {', '/a', 'It broke: {'],
  ['a number as it was sent', '{"a":12345678901234567890.0}', '/a', '12345678901234567890.0'],
  ['the last of two members with the same name', '{"a":1,"a":2}', '/a', '1'],
  ['a string that looks like a YAML alias', '{"a":"*b","c":"&b"}', '/a', '"*b"'],
])('marks %s in an exchange', (_, body, pointer, want) => {
  expect(listMarked(body, pointer)).toEqual([want]);
});

test('marks the member in a truncated body, or the whole body if it is nested too deeply', () => {
  expect(listMarked('{"data":[{"id":"p/m","bill', '/data/0/id', true)).toEqual(['"p/m"']);
  const deep = '['.repeat(2_000);
  expect(listMarked(deep, '/0/0', true).join('')).not.toBe('');
});

test('leaves the body unmarked if the finding is about something else', () => {
  expect(listMarked('{"a":1}', undefined)).toEqual([]);
  expect(listMarked({ kind: 'binary', sizeBytes: 3 }, '/a')).toEqual(['\n(3 bytes of binary data)']);
});
