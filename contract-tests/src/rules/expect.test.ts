import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { createContext } from '../contract/context.ts';
import { emptyDiscovery } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import type { StepResponse } from '../contract/evidence.ts';
import type { Finding } from '../contract/finding.ts';
import * as expectations from './expect.ts';

const response: StepResponse = {
  kind: 'response',
  step: 'poll',
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

// The healthy sandbox and its variants show what each expectation accepts.
test.each<{ name: string; given: expectations.Expectation; want: Partial<Finding> }>([
  {
    name: 'reports a wrong status and checks nothing else',
    given: expectations.status(200, expectations.emptyBody),
    want: { code: 'status-unexpected', expected: '200', at },
  },
  {
    name: 'checks the rest of a response with an expected status',
    given: expectations.status(202, expectations.emptyBody),
    want: { code: 'body-unexpected' },
  },
  {
    name: 'reports a status that is not a rejection',
    given: expectations.clientError,
    want: { code: 'status-unexpected', expected: 'a 4xx status', actual: '202' },
  },
  {
    name: 'reports a missing header',
    given: expectations.header('X-None'),
    want: { code: 'header-missing', at: { step: 'poll', header: 'X-None' } },
  },
  {
    name: 'mentions a similar header with a different brand',
    given: expectations.header('X-Service-Request-Id'),
    want: {
      code: 'header-missing',
      actual: 'absent, but there is X-Acme-Request-Id: if that is your brand, set the option brand',
    },
  },
  {
    name: 'reports a malformed header',
    given: expectations.header('X-Twice', expectations.wholeSeconds),
    want: { code: 'header-malformed', actual: 'a, b' },
  },
  {
    name: 'reports a missing branded header',
    given: expectations.category('invalid_input'),
    want: { code: 'header-missing', at: { step: 'poll', header: 'X-Service-Error-Type' } },
  },
  {
    name: 'quotes the response that lacks a member',
    given: expectations.member('/result', expectations.text),
    want: { actual: expect.stringMatching(/^absent; answered 202 \{"/) },
  },
  {
    name: 'reports a forbidden header',
    given: expectations.noHeader('RETRY-AFTER'),
    want: { code: 'header-unexpected', actual: '2' },
  },
  {
    name: 'reports null where a member must be absent',
    given: expectations.member('/error_type', expectations.absent),
    want: { code: 'value-unexpected', expected: 'absent', actual: 'null' },
  },
  {
    name: 'reports a member that is not equal',
    given: expectations.member('/error_type', expectations.equal('cancelled')),
    want: { code: 'value-unexpected', expected: '"cancelled"', actual: 'null' },
  },
  {
    name: 'reports a member that does not match',
    given: expectations.member(
      '/status',
      expectations.matching('an end', (status) => status === 'COMPLETED'),
    ),
    want: { code: 'value-unexpected', expected: 'an end', actual: '"IN_QUEUE"' },
  },
])('an expectation $name', ({ given, want }) => {
  expect(given(response, context)).toEqual([expect.objectContaining(want)]);
});

test('a rule without any response to check is not applicable', () => {
  expect(() => expectations.on([undefined], expectations.json)).toThrow(NotApplicable);
});

test("a completed cancellation of another caller's request counts as access to it", () => {
  const body = new TextEncoder().encode('{"request_id":"r","status":"ALREADY_COMPLETED"}');
  const [found] = expectations.requestNotFound({ ...response, status: 409, body }, context);
  expect(found).toMatchObject({ code: 'status-unexpected', expected: '404' });
});
