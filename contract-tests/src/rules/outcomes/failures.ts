import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readMember } from '../../contract/evidence.ts';
import { finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule, splitWords } from '../../contract/rule.ts';
import { post, step } from '../../contract/steps.ts';
import {
  type Expectation,
  expectCategory,
  expectError,
  expectHeader,
  expectMember,
  expectStatus,
  forbidHeader,
  onResponse,
} from '../builders/expectations.ts';
import { exactly, headerText } from '../builders/matchers.ts';
import {
  type Failure,
  failure,
  ifItFails,
  lostWork,
  scripted,
  scriptedOr,
  scriptedOrInputFor,
  scriptedPath,
  scriptedQueue,
  scriptedRun,
} from '../builders/scripted-runs.ts';

const outcomes: Family = { ...scripted, family: 'outcomes' };

/** Failures of provider and router on the synchronous route. */
const failures: readonly Failure[] = [
  failure(
    ['policy', "A run that the provider's policy rejects is refused with 400 content_policy_violation."],
    [400, 'content_policy_violation'],
    ['MR-CTG-06', 'MR-RUN-38', 'MR-STC-01'],
    {
      input: { outcome: 'content_policy_violation', upstream_status: 451 },
      upstream: { status: 451, of: 'A policy rejection' },
    },
  ),
  failure(
    ['refused-request', 'A run whose request the provider refuses is refused with 400.'],
    [400, 'invalid_input'],
    ['MR-RUN-38', 'MR-STC-01'],
    {
      input: { outcome: 'refused_request', upstream_status: 409 },
      upstream: { status: 409, of: 'A request that the provider refused' },
    },
  ),
  failure(
    ['provider-error', 'A run whose provider fails answers 502 provider_error.'],
    [502, 'provider_error'],
    ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    {
      input: { outcome: 'provider_error', upstream_status: 529 },
      upstream: { status: 529, of: 'A failure of the provider' },
    },
  ),
  failure(
    ['uninterpretable', 'A run whose provider answers something unreadable answers 502 provider_error.'],
    [502, 'provider_error'],
    ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    {
      input: { outcome: 'uninterpretable' },
    },
  ),
  failure(
    ['provider-timeout', 'A run whose provider takes too long answers 504 provider_timeout.'],
    [504, 'provider_timeout'],
    ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'],
  ),
  failure(
    ['deadline', "A run that passes the router's own deadline answers 504 deadline_exceeded."],
    [504, 'deadline_exceeded'],
    ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
    lostWork,
  ),
  failure(
    ['internal-error', 'A run on which the router fails answers 500 internal_error.'],
    [500, 'internal_error'],
    ['MR-CTG-15', 'MR-STC-15'],
  ),
  failure(
    ['unavailable', 'A run while the service is unavailable answers 503 service_unavailable.'],
    [503, 'service_unavailable'],
    ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
  ),
];

const threeDigits = { expected: 'three digits', is: (value: string): boolean => /^\d{3}$/.test(value.trim()) };

const failureRules = failures.flatMap(({ name, sentence, input, status, category, requirements, upstream }) => {
  const id = `outcomes.run.${name}`;
  const failed = {
    id,
    sentence,
    requirements,
    check: ifItFails(
      'run',
      onResponse('run', expectStatus(status, expectCategory(category), expectMember('/error_type', exactly(category)))),
    ),
  };
  // The header gives the provider's status, not the router's.
  const upstreamStatus = {
    id: `${id}.upstream-status`,
    sentence: `${upstream?.of} names the status of the provider.`,
    requirements: ['MR-HDR-05', status === 502 ? 'MR-RUN-56' : 'MR-RUN-41'],
    needs: [id],
    check: onResponse(
      'run',
      // The status that another provider gives is not known.
      (response, context, evidence) =>
        expectHeader(
          (headers) => headers.upstreamStatus,
          context.isScripted ? headerText(String(upstream?.status)) : threeDigits,
        )(response, context, evidence),
    ),
  };
  const rules = upstream === undefined ? [failed] : [failed, upstreamStatus];
  const family = { ...outcomes, requires: scriptedOrInputFor(input), probe: [scriptedRun('run', input)] };
  return defineFamily(family, rules);
});

const refusedEntries: readonly JsonObject[] = [
  { loc: ['layers', 1, 'width'], msg: 'at least 64', type: 'layer_too_narrow', ctx: { ge: 64, unit: 'px' }, input: 12 },
  { loc: ['prompt'], msg: 'a prompt is needed', type: 'missing' },
  { loc: ['mask'], msg: 'no mask', type: 'mask_unknown', input: null },
];

/** `loc` may begin with a part of the router's own, and an echo may be left out. An entry of another type is not compared. */
const expectRelayed = (entry: JsonObject, index: number): Expectation => {
  const path = Array.isArray(entry['loc']) ? entry['loc'] : [];
  const expectations = [
    expectMember(`/detail/${index}/loc`, {
      expected: JSON.stringify(path),
      is: (loc) => Array.isArray(loc) && isDeepStrictEqual(loc.slice(loc.length - path.length), path),
    }),
    ...['ctx', 'input'].map((member) =>
      expectMember(`/detail/${index}/${member}`, {
        expected: entry[member] === undefined ? 'absent' : `absent or ${JSON.stringify(entry[member])}`,
        is: (value) => value === undefined || (Object.hasOwn(entry, member) && isDeepStrictEqual(value, entry[member])),
      }),
    ),
  ];
  return (response) =>
    readMember(response, `/detail/${index}/type`) === entry['type']
      ? expectations.flatMap((expectation) => expectation(response))
      : [];
};

const refusal = 'outcomes.run.refused-input';

const refusalRules = defineFamily(
  {
    ...outcomes,
    needs: [refusal],
    probe: [scriptedRun('run', { outcome: 'refused_input', entries: [...refusedEntries] })],
  },
  [
    {
      id: refusal,
      sentence: 'A run whose input the provider refuses is refused with 422 and its entries.',
      requirements: ['MR-RUN-49', 'MR-STC-11', 'MR-CTG-03'],
      check: onResponse('run', expectError(422, 'invalid_input')),
    },
    {
      id: `${refusal}.entries-come-as-they-are`,
      sentence: "The entries of the provider's own 422 come as they are.",
      requirements: splitWords(
        'MR-ERR-11 MR-ERR-12 MR-ERR-13 MR-ERR-14 MR-ERR-16 MR-ERR-17 MR-ERR-18 MR-ERR-19 MR-ERR-20',
      ),
      check: onResponse('run', ...refusedEntries.map(expectRelayed)),
    },
    {
      id: `${refusal}.has-an-entry-for-each-field`,
      sentence: "The provider's own 422 has an entry for each failing field.",
      requirements: ['MR-ERR-10', 'MR-ERR-11'],
      check: onResponse(
        'run',
        expectMember('/detail', {
          expected: `an array of ${refusedEntries.length} entries`,
          is: (detail) => Array.isArray(detail) && detail.length === refusedEntries.length,
        }),
      ),
    },
  ],
);

let largeBytes: Uint8Array | undefined;
/** Ten mebibytes and a byte, no UTF-8; made once, for a gate may run many times in a process. */
function oversized(): Uint8Array {
  largeBytes ??= new Uint8Array(10 * 1024 * 1024 + 1).fill(0xff);
  return largeBytes;
}

const oversizedCall = (name: string, to: string) => (): Probe => {
  const body = { kind: 'bytes', bytes: oversized() } as const;
  return [step(name, post('router', to, { body }), { mayStayUnanswered: true, mustBeRejected: true })];
};

const refusedCallRules = defineFamily(outcomes, [
  {
    id: 'outcomes.run.invalid-input-costs-nothing',
    sentence: 'A run with an invalid input is not charged.',
    requires: scriptedOr('input'),
    requirements: ['MR-STC-12'],
    probe: [scriptedRun('run', { outcome: 'succeed', credits_used: 'seven' }, {}, { mustBeRejected: true })],
    check: onResponse(
      'run',
      expectStatus(
        422,
        forbidHeader((headers) => headers.creditsUsed),
      ),
    ),
  },
  {
    id: 'outcomes.run.lost-work-gives-no-collect-hint',
    sentence: 'A 504 whose work is lost gives no hint to collect it later.',
    requirements: ['MR-RUN-60', 'MR-IDM-07'],
    needs: ['outcomes.run.deadline'],
    probe: [scriptedRun('run', lostWork.input)],
    check: onResponse('run', forbidHeader('Retry-After')),
  },
  ...[
    { name: 'run', noun: 'run', to: scriptedPath, requirements: ['MR-RUN-48', 'MR-STC-10'] },
    { name: 'submit', noun: 'submission', to: scriptedQueue, requirements: ['MR-SUB-19', 'MR-STC-10'] },
  ].map(({ name, noun, to, requirements }) => ({
    id: `outcomes.${name}.body-above-the-ceiling`,
    sentence: `A ${noun} with a body above the size limit is refused with 413.`,
    requires: scriptedOr('input'),
    requirements,
    probe: oversizedCall(name, to),
    check: (evidence: Evidence, context: ProbeContext) => {
      const result = evidence[0]?.result;
      if (result?.kind !== 'no-response') return onResponse(name, expectStatus(413))(evidence, context);
      // A server may hang up on a body that it does not read (NS-11 names no ceiling; a sandbox has one).
      return result.because === 'reset'
        ? notApplicable('the connection was closed while the body was sent')
        : [finding('no-response', { step: name }, 'a response', result.because)];
    },
  })),
]);

export const outcomeFailureRules: readonly Rule[] = [...failureRules, ...refusalRules, ...refusedCallRules];
