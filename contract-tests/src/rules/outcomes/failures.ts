import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../specs/src/index.ts';
import { readMember } from '../../contract/evidence.ts';
import { finding, notApplicable } from '../../contract/finding.ts';
import { type Check, defineFamily, type FamilyMember, type Shown, splitWords } from '../../contract/rule.ts';
import { statement } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';

/**
 * A scripted failure, or one that an input of the owner brings about, and the error that it has to become; `reading` where the
 * text gives its category no status.
 */
function failing(status: number, category: string, input: JsonObject = { outcome: category }, reading?: string) {
  const hasStatus = reading === undefined ? expect.status(status) : expect.asRead(reading, expect.status(status));
  const hasCategory = [expect.category(category), expect.member('/error_type', category)];
  return {
    requires: send.scriptedOrInputFor(input),
    probe: [send.scriptedRun('run', input)],
    check: expect.ifItFails('run', expect.on('run', hasStatus, ...hasCategory)),
    ...(reading && { partReading: reading }),
  };
}

/** The header gives the provider's status, not the router's; the status that another provider gives is not known. */
function givesUpstream(status: number): Check {
  const threeDigits = expect.header('upstreamStatus', expect.formed('three digits', /^\d{3}$/));
  const wanted = expect.header('upstreamStatus', String(status));
  return expect.on(
    'run',
    expect.either((_, { isScripted }) => isScripted, wanted, threeDigits),
  );
}

const policyViolation = { outcome: 'content_policy_violation', upstream_status: 451 };
const policy = failing(400, policyViolation.outcome, policyViolation, 'OP-018');
const refusedRequest = failing(400, 'invalid_input', { outcome: 'refused_request', upstream_status: 409 });
const providerError = failing(502, 'provider_error', { outcome: 'provider_error', upstream_status: 529 });

const refusedEntries: readonly JsonObject[] = [
  { loc: ['layers', 1, 'width'], msg: 'at least 64', type: 'layer_too_narrow', ctx: { ge: 64, unit: 'px' }, input: 12 },
  { loc: ['prompt'], msg: 'a prompt is needed', type: 'missing' },
  { loc: ['mask'], msg: 'no mask', type: 'mask_unknown', input: null },
];

/** `loc` may begin with a part of the router's own, and an echo may be left out. An entry of another type is not compared. */
const expectRelayed = (entry: JsonObject, index: number): expect.Expectation => {
  const path = Array.isArray(entry['loc']) ? entry['loc'] : [];
  return expect.where(
    (response) => readMember(response, `/detail/${index}/type`) === entry['type'],
    expect.member(`/detail/${index}/loc`, {
      expected: JSON.stringify(path),
      is: (loc) => Array.isArray(loc) && isDeepStrictEqual(loc.slice(loc.length - path.length), path),
    }),
    ...['ctx', 'input'].map((member) =>
      expect.member(`/detail/${index}/${member}`, {
        expected: entry[member] === undefined ? 'absent' : `absent or ${JSON.stringify(entry[member])}`,
        is: (value) => value === undefined || (Object.hasOwn(entry, member) && isDeepStrictEqual(value, entry[member])),
      }),
    ),
  );
};

const refusalRules = defineFamily({
  ...send.scripted,
  needs: ['outcomes.run.refused-input'],
  probe: [send.scriptedRun('run', { outcome: 'refused_input', entries: [...refusedEntries] })],
})({
  'outcomes.run.refused-input': {
    sentence: 'A run whose input the provider refuses is refused with 422 and its entries.',
    requirements: ['MR-RUN-49', 'MR-STC-11', 'MR-CTG-03'],
    reading: 'OP-107',
    check: expect.on('run', expect.error(422, 'invalid_input')),
  },
  'outcomes.run.refused-input.entries-come-as-they-are': {
    sentence: "The entries of the provider's own 422 come as they are.",
    requirements: splitWords(
      'MR-ERR-11 MR-ERR-12 MR-ERR-13 MR-ERR-14 MR-ERR-16 MR-ERR-17 MR-ERR-18 MR-ERR-19 MR-ERR-20',
    ),
    check: expect.on('run', ...refusedEntries.map(expectRelayed)),
  },
  'outcomes.run.refused-input.has-an-entry-for-each-field': {
    sentence: "The provider's own 422 has an entry for each failing field.",
    requirements: ['MR-ERR-10', 'MR-ERR-11'],
    check: expect.on(
      'run',
      expect.member('/detail', {
        expected: `an array of ${refusedEntries.length} entries`,
        is: (detail) => Array.isArray(detail) && detail.length === refusedEntries.length,
      }),
    ),
  },
});

let oversized = new Uint8Array();

/** A body above the size limit that the owner states, to the run or to the queue. No run is due, so it is sent early. */
function tooLarge(name: string, tail = ''): Partial<FamilyMember> & Shown {
  return {
    cost: 'billed',
    requires: statement('ceiling'),
    probe: ({ authored, ceiling = 0 }) => {
      // No UTF-8; made once, for a gate may run many times in a process.
      if (oversized.length !== ceiling + 1) oversized = new Uint8Array(ceiling + 1).fill(0xff);
      const body = { kind: 'bytes', bytes: oversized } as const;
      return [
        send.step(name, send.post(authored.path + tail, { body }), { mayStayUnanswered: true, ...send.rejected }),
      ];
    },
    check: (evidence, context) => {
      const result = evidence[0]?.result;
      if (result?.kind !== 'no-response') return expect.on(name, expect.status(413))(evidence, context);
      // A server may hang up on a body that it does not read.
      return result.because === 'reset'
        ? notApplicable('the connection was closed while the body was sent')
        : [finding('no-response', { step: name }, 'a response', result.because)];
    },
  };
}

const failureRules = defineFamily(send.scripted)({
  'outcomes.run.policy': {
    sentence: "A run that the provider's policy rejects is refused with 400 content_policy_violation.",
    requirements: ['MR-CTG-06', 'MR-RUN-38', 'MR-STC-01'],
    ...policy,
  },
  'outcomes.run.policy.upstream-status': {
    ...policy,
    sentence: 'A policy rejection names the status of the provider.',
    requirements: ['MR-HDR-05', 'MR-RUN-41'],
    needs: ['outcomes.run.policy'],
    check: givesUpstream(451),
  },
  'outcomes.run.refused-request': {
    sentence: 'A run whose request the provider refuses is refused with 400.',
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    reading: 'OP-096',
    ...refusedRequest,
  },
  'outcomes.run.refused-request.upstream-status': {
    ...refusedRequest,
    sentence: 'A request that the provider refused names the status of the provider.',
    requirements: ['MR-HDR-05', 'MR-RUN-41'],
    needs: ['outcomes.run.refused-request'],
    check: givesUpstream(409),
  },
  'outcomes.run.provider-error': {
    sentence: 'A run whose provider fails answers 502 provider_error.',
    requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    ...providerError,
  },
  'outcomes.run.provider-error.upstream-status': {
    ...providerError,
    sentence: 'A failure of the provider names the status of the provider.',
    requirements: ['MR-HDR-05', 'MR-RUN-56'],
    needs: ['outcomes.run.provider-error'],
    check: givesUpstream(529),
  },
  'outcomes.run.uninterpretable': {
    sentence: 'A run whose provider answers something unreadable answers 502 provider_error.',
    requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    ...failing(502, 'provider_error', { outcome: 'uninterpretable' }),
  },
  'outcomes.run.provider-timeout': {
    sentence: 'A run whose provider takes too long answers 504 provider_timeout.',
    requirements: ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'],
    ...failing(504, 'provider_timeout', undefined, 'OP-018'),
  },
  'outcomes.run.deadline': {
    sentence: "A run that passes the router's own deadline answers 504 deadline_exceeded.",
    requirements: ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
    ...failing(504, 'deadline_exceeded', send.lostWork),
  },
  'outcomes.run.internal-error': {
    sentence: 'A run on which the router fails answers 500 internal_error.',
    requirements: ['MR-CTG-15', 'MR-STC-15'],
    ...failing(500, 'internal_error', undefined, 'OP-018'),
  },
  'outcomes.run.unavailable': {
    sentence: 'A run while the service is unavailable answers 503 service_unavailable.',
    requirements: ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
    ...failing(503, 'service_unavailable'),
  },
  'outcomes.run.invalid-input-costs-nothing': {
    concern: 'spending',
    sentence: 'A run with an invalid input is not charged.',
    requires: send.scriptedOr('input'),
    requirements: ['MR-STC-12'],
    probe: [send.scriptedRun('run', { outcome: 'succeed', credits_used: 'seven' }, {}, { mustBeRejected: true })],
    check: expect.on('run', expect.status(422, expect.noHeader('creditsUsed'))),
  },
  'outcomes.run.lost-work-gives-no-collect-hint': {
    sentence: 'A 504 whose work is lost gives no hint to collect it later.',
    requirements: ['MR-RUN-60', 'MR-IDM-07'],
    needs: ['outcomes.run.deadline'],
    ...expect.answers([send.scriptedRun('run', send.lostWork)], expect.noHeader('Retry-After')),
  },
  'outcomes.run.body-above-the-ceiling': {
    sentence: 'A run with a body above the size limit is refused with 413.',
    requirements: ['MR-RUN-48', 'MR-STC-10'],
    ...tooLarge('run'),
  },
  'outcomes.submit.body-above-the-ceiling': {
    sentence: 'A submission with a body above the size limit is refused with 413.',
    requirements: ['MR-SUB-19', 'MR-STC-10'],
    ...tooLarge('submit', '/requests'),
  },
});

export const outcomeFailureRules = [...failureRules, ...refusalRules];
