import { expect, test } from 'vitest';
import type { Answer } from './answer.ts';
import type { Draft } from './finding.ts';
import {
  absent,
  equalTo,
  excerpt,
  forbidHeader,
  requireEmptyBody,
  requireEqual,
  requireHeader,
  requireJson,
  requireMediaType,
  requireMember,
  requireSingleHeader,
  requireStatus,
  wholeSeconds,
} from './require.ts';

const answer: Answer = {
  kind: 'response',
  step: 'poll',
  url: 'http://h:1',
  status: 202,
  headers: [
    ['Retry-After', '2'],
    ['X-Twice', 'a'],
    ['x-twice', 'b'],
    ['Content-Type', 'application/json; charset=utf-8'],
  ],
  body: new TextEncoder().encode('{"status":"IN_QUEUE","error_type":null}'),
};
const at = { step: 'poll' };

test.each<{ name: string; drafts: readonly Draft[]; want: Partial<Draft> | undefined }>([
  { name: 'the status', drafts: requireStatus(answer, 200, 202), want: undefined },
  {
    name: 'another status',
    drafts: requireStatus(answer, 200),
    want: { code: 'status-unexpected', expected: '200', at },
  },
  { name: 'a header', drafts: requireHeader(answer, 'retry-after', wholeSeconds), want: undefined },
  {
    name: 'a missing header',
    drafts: requireHeader(answer, 'X-None'),
    want: { code: 'header-missing', at: { step: 'poll', header: 'X-None' } },
  },
  {
    name: 'a malformed header',
    drafts: requireHeader(answer, 'X-Twice', wholeSeconds),
    want: { code: 'header-malformed', actual: 'a, b' },
  },
  {
    name: 'a header too many',
    drafts: forbidHeader(answer, 'RETRY-AFTER'),
    want: { code: 'header-unexpected', actual: '2' },
  },
  { name: 'no such header', drafts: forbidHeader(answer, 'X-None'), want: undefined },
  {
    name: 'a repeated header',
    drafts: requireSingleHeader(answer, 'x-twice'),
    want: { code: 'header-repeated', actual: '2 lines' },
  },
  { name: 'the media type', drafts: requireMediaType(answer, 'application/json'), want: undefined },
  {
    name: 'another media type',
    drafts: requireMediaType(answer, 'text/plain'),
    want: { code: 'media-type-unexpected' },
  },
  { name: 'JSON', drafts: requireJson(answer), want: undefined },
  { name: 'a body where none belongs', drafts: requireEmptyBody(answer), want: { code: 'body-unexpected' } },
  { name: 'a member', drafts: requireMember(answer, '/status', equalTo('IN_QUEUE')), want: undefined },
  {
    name: 'null where a member is to be absent',
    drafts: requireMember(answer, '/error_type', absent),
    want: { code: 'value-unexpected', expected: 'absent', actual: 'null' },
  },
  { name: 'equal values', drafts: requireEqual(at, [1], [1]), want: undefined },
  {
    name: 'unequal values',
    drafts: requireEqual(at, undefined, 1),
    want: { code: 'values-differ', expected: '1', actual: 'absent' },
  },
])('$name', ({ drafts, want }) => {
  expect(drafts).toEqual(want === undefined ? [] : [expect.objectContaining(want)]);
});

test('an excerpt is one short line', () => {
  expect(excerpt(' a\n\tb ')).toBe('a b');
  expect(excerpt('x'.repeat(500))).toHaveLength(158);
});
