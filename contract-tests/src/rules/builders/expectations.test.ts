import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../../specs/src/index.ts';
import { createContext } from '../../contract/context.ts';
import { emptyDiscovery } from '../../contract/discovery.ts';
import type { StepResponse } from '../../contract/evidence.ts';
import type { Finding } from '../../contract/finding.ts';
import type { Evidence } from '../../contract/probe.ts';
import {
  type Expectation,
  expectCategory,
  expectEmptyBody,
  expectHeader,
  expectJson,
  expectMediaType,
  expectMember,
  expectSameMember,
  expectStatus,
  expectStatusThat,
  firstFailing,
  forbidHeader,
  onResponse,
  onResponseIfSent,
  unless,
} from './expectations.ts';
import { absent, wholeSeconds } from './matchers.ts';

const response: StepResponse = {
  kind: 'response',
  step: 'poll',
  url: 'http://h:1',
  status: 202,
  headers: [
    ['Retry-After', '2'],
    ['X-Twice', 'a'],
    ['x-twice', 'b'],
    ['X-Acme-Request-Id', 'r-1'],
    ['Content-Type', 'application/json; charset=utf-8'],
  ],
  body: new TextEncoder().encode('{"status":"IN_QUEUE","error_type":null}'),
};
const at = { step: 'poll' };

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const context = createContext({ kind: 'sandbox' }, specs, emptyDiscovery);
const { step, url, ...result } = response;
const evidence: Evidence = [
  {
    step,
    attempt: 1,
    api: 'router',
    request: { method: 'GET', url, headers: [], body: undefined },
    result,
    timing: { startedAtMs: 0, durationMs: 1 },
  },
];

test.each<{ name: string; given: Expectation; want: Partial<Finding> | undefined }>([
  { name: 'accepts one of the statuses', given: expectStatus([200, 202]), want: undefined },
  {
    name: 'finds another status, and looks no further',
    given: expectStatus(200, expectEmptyBody),
    want: { code: 'status-unexpected', expected: '200', at },
  },
  {
    name: 'checks the rest under an expected status',
    given: expectStatus(202, expectEmptyBody),
    want: { code: 'body-unexpected' },
  },
  { name: 'accepts a status that the condition allows', given: expectStatusThat(() => true, 'any'), want: undefined },
  {
    name: 'finds a status that the condition refuses',
    given: expectStatusThat((status) => status >= 400, 'a refusal'),
    want: { code: 'status-unexpected', expected: 'a refusal', actual: '202' },
  },
  { name: 'accepts a header', given: expectHeader('Retry-After', wholeSeconds), want: undefined },
  {
    name: 'finds a missing header',
    given: expectHeader('X-None'),
    want: { code: 'header-missing', at: { step: 'poll', header: 'X-None' } },
  },
  {
    name: 'names the header of the same purpose under another brand',
    given: expectHeader('X-Service-Request-Id'),
    want: {
      code: 'header-missing',
      actual: 'absent; X-Acme-Request-Id is there: if that is your brand, set brand',
    },
  },
  {
    name: 'finds a malformed header',
    given: expectHeader('X-Twice', wholeSeconds),
    want: { code: 'header-malformed', actual: 'a, b' },
  },
  {
    name: "finds a missing header of the brand's own",
    given: expectCategory('invalid_input'),
    want: { code: 'header-missing', at: { step: 'poll', header: 'X-Service-Error-Type' } },
  },
  {
    name: 'finds a forbidden header',
    given: forbidHeader('RETRY-AFTER'),
    want: { code: 'header-unexpected', actual: '2' },
  },
  { name: 'accepts an absent header', given: forbidHeader('X-None'), want: undefined },
  { name: 'accepts the media type', given: expectMediaType('application/json'), want: undefined },
  { name: 'finds another media type', given: expectMediaType('text/plain'), want: { code: 'media-type-unexpected' } },
  { name: 'accepts JSON', given: expectJson, want: undefined },
  { name: 'accepts a member', given: expectMember('/status', 'IN_QUEUE'), want: undefined },
  {
    name: 'finds null where a member is to be absent',
    given: expectMember('/error_type', absent),
    want: { code: 'value-unexpected', expected: 'absent', actual: 'null' },
  },
  { name: 'accepts the same member', given: expectSameMember('/status', 'poll'), want: undefined },
])('$name', ({ given, want }) => {
  const findings = given(response, context, evidence);
  expect(findings).toEqual(want === undefined ? [] : [expect.objectContaining(want)]);
});

test('checks every named step, and those alone that were sent', () => {
  expect(onResponse(['poll', 'poll'], expectEmptyBody)(evidence, context)).toHaveLength(2);
  expect(onResponseIfSent(['poll', 'other'], expectEmptyBody)(evidence, context)).toHaveLength(1);
  expect(() => onResponse('other', expectEmptyBody)(evidence, context)).toThrow('no response to step "other"');
});

test('gives the other result where the evidence prevents the check', () => {
  const check = onResponse('poll', expectEmptyBody);
  expect(unless(() => true, [], check)(evidence, context)).toEqual([]);
  expect(unless(() => false, [], check)(evidence, context)).toHaveLength(1);
});

test('stops at the first check that finds something', () => {
  const [fails, passes] = [onResponse('poll', expectEmptyBody), onResponse('poll', expectJson)];
  expect(firstFailing(passes, fails, fails)(evidence, context)).toHaveLength(1);
  expect(firstFailing(passes)(evidence, context)).toEqual([]);
});
