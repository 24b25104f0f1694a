import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import type { Probe } from '../../probe.ts';
import { equalTo, finding, forbidHeader, requireHeader, requireMember, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { tell, toldRule } from '../vocabulary/told-runs.ts';

const family = 'outcomes';

export type Failure = {
  readonly name: string;
  readonly input: JsonObject;
  readonly status: number;
  readonly category: string;
  readonly requirements: readonly string[];
  /** What the provider said; undefined where no provider said anything. */
  readonly upstream?: number;
};

/** Failures of provider and router on the synchronous route. */
const failures: readonly Failure[] = [
  {
    name: 'policy',
    input: { outcome: 'content_policy_violation' },
    status: 400,
    category: 'content_policy_violation',
    requirements: ['MR-CTG-06', 'MR-RUN-38', 'MR-STC-01'],
    upstream: 400,
  },
  {
    name: 'refused-request',
    input: { outcome: 'refused_request', upstream_status: 409 },
    status: 400,
    category: 'invalid_input',
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    upstream: 409,
  },
  {
    name: 'provider-error',
    input: { outcome: 'provider_error', upstream_status: 529 },
    status: 502,
    category: 'provider_error',
    requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    upstream: 529,
  },
  {
    name: 'uninterpretable',
    input: { outcome: 'uninterpretable' },
    status: 502,
    category: 'provider_error',
    requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    upstream: 200,
  },
  {
    name: 'provider-timeout',
    input: { outcome: 'provider_timeout' },
    status: 504,
    category: 'provider_timeout',
    requirements: ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'],
  },
  {
    name: 'deadline',
    input: { outcome: 'deadline_exceeded', collectable: false },
    status: 504,
    category: 'deadline_exceeded',
    requirements: ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
  },
  {
    name: 'internal-error',
    input: { outcome: 'internal_error' },
    status: 500,
    category: 'internal_error',
    requirements: ['MR-CTG-15', 'MR-STC-15'],
  },
  {
    name: 'unavailable',
    input: { outcome: 'service_unavailable' },
    status: 503,
    category: 'service_unavailable',
    requirements: ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
  },
];

const ruleOf = ({ name }: Failure): string => `outcomes.run.${name}`;

function failed(failure: Failure): readonly Rule[] {
  const probe = (): Probe => ({ steps: [tell('run', failure.input)] });
  const said = toldRule({
    id: ruleOf(failure),
    family,
    requirements: failure.requirements,
    probe,
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'run');
      const status = requireStatus(answer, failure.status);
      if (status.length > 0) return status;
      return [
        ...requireCategory(answer, context, failure.category),
        ...requireMember(answer, '/error_type', equalTo(failure.category)),
      ];
    },
  });
  return failure.upstream === undefined ? [said] : [said, upstream(failure, probe, String(failure.upstream))];
}

/** `X-Service-Upstream-Status` is what the provider said, not what the router makes of it. */
function upstream(failure: Failure, probe: () => Probe, expected: string): Rule {
  const onStatus = failure.status === 502 ? 'MR-RUN-56' : 'MR-RUN-41';
  return toldRule({
    id: `${ruleOf(failure)}.upstream-status`,
    family,
    requirements: ['MR-HDR-05', onStatus],
    needs: [ruleOf(failure)],
    probe,
    judge: (evidence, { headers }) =>
      requireHeader(responseOf(evidence, 'run'), headers.upstreamStatus, {
        expected,
        is: (value) => value.trim() === expected,
      }),
  });
}

const refusedEntries: readonly JsonObject[] = [
  { loc: ['layers', 1, 'width'], msg: 'at least 64', type: 'layer_too_narrow', ctx: { ge: 64, unit: 'px' }, input: 12 },
  { loc: ['prompt'], msg: 'a prompt is needed', type: 'missing' },
  { loc: ['mask'], msg: 'no mask', type: 'mask_unknown', input: null },
];

/** `loc` may begin with a part of the router's own; an echo may be left out; a type of its own comes with its own bounds. */
function relayed(answer: Answer, entry: JsonObject, index: number): readonly Draft[] {
  if (memberOf(answer, `/detail/${index}/type`) !== entry['type']) return [];
  const wanted = entry['loc'];
  const path = Array.isArray(wanted) ? wanted : [];
  return [
    ...requireMember(answer, `/detail/${index}/loc`, {
      expected: JSON.stringify(path),
      is: (loc) => Array.isArray(loc) && isDeepStrictEqual(loc.slice(loc.length - path.length), path),
    }),
    ...['ctx', 'input'].flatMap((member) =>
      requireMember(answer, `/detail/${index}/${member}`, {
        expected: entry[member] === undefined ? 'absent' : `absent or ${JSON.stringify(entry[member])}`,
        is: (value) => value === undefined || (Object.hasOwn(entry, member) && isDeepStrictEqual(value, entry[member])),
      }),
    ),
  ];
}

const refused = (): Probe => ({ steps: [tell('run', { outcome: 'refused_input', entries: [...refusedEntries] })] });
const refusal = 'outcomes.run.refused-input';

const refusalRules: readonly Rule[] = [
  toldRule({
    id: refusal,
    family,
    requirements: ['MR-RUN-49', 'MR-STC-11', 'MR-CTG-03'],
    probe: refused,
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'run');
      const status = requireStatus(answer, 422);
      return status.length > 0 ? status : requireCategory(answer, context, 'invalid_input');
    },
  }),
  toldRule({
    id: 'outcomes.run.refused-input.entries-come-as-they-are',
    family,
    requirements: [
      'MR-ERR-11',
      'MR-ERR-12',
      'MR-ERR-13',
      'MR-ERR-14',
      'MR-ERR-16',
      'MR-ERR-17',
      'MR-ERR-18',
      'MR-ERR-19',
      'MR-ERR-20',
    ],
    needs: [refusal],
    probe: refused,
    judge: (evidence) => refusedEntries.flatMap((entry, index) => relayed(responseOf(evidence, 'run'), entry, index)),
  }),
  toldRule({
    id: 'outcomes.run.refused-input.has-an-entry-for-each-field',
    family,
    requirements: ['MR-ERR-10', 'MR-ERR-11'],
    needs: [refusal],
    probe: refused,
    judge: (evidence) =>
      requireMember(responseOf(evidence, 'run'), '/detail', {
        expected: `an array of ${refusedEntries.length} entries`,
        is: (detail) => Array.isArray(detail) && detail.length === refusedEntries.length,
      }),
  }),
];

const notBilled = toldRule({
  id: 'outcomes.run.invalid-input-costs-nothing',
  family,
  requirements: ['MR-STC-12'],
  probe: () => ({ steps: [tell('run', { outcome: 'succeed', credits_used: 'seven' })] }),
  judge: (evidence, { headers }) => {
    const answer = responseOf(evidence, 'run');
    const status = requireStatus(answer, 422);
    return status.length > 0 ? status : forbidHeader(answer, headers.creditsUsed);
  },
});

const noHint = toldRule({
  id: 'outcomes.run.lost-work-gives-no-collect-hint',
  family,
  requirements: ['MR-RUN-60', 'MR-IDM-07'],
  needs: ['outcomes.run.deadline'],
  probe: () => ({ steps: [tell('run', { outcome: 'deadline_exceeded', collectable: false })] }),
  judge: (evidence) => forbidHeader(responseOf(evidence, 'run'), 'Retry-After'),
});

let filled: Uint8Array | undefined;
/** Ten megabytes and a byte, no UTF-8: made once, for a gate may run many times in a process. */
function oversized(): Uint8Array {
  filled ??= new Uint8Array(10 * 1024 * 1024 + 1).fill(0xff);
  return filled;
}
const tooLarge: readonly Rule[] = [
  { name: 'run', tail: '', requirements: ['MR-RUN-48', 'MR-STC-10'] },
  { name: 'submit', tail: '/requests', requirements: ['MR-SUB-19', 'MR-STC-10'] },
].map(({ name, tail, requirements }) =>
  toldRule({
    id: `outcomes.${name}.body-above-the-ceiling`,
    family,
    requirements,
    probe: () => ({
      steps: [
        {
          name,
          request: () => ({ ...largeRequest(tail), body: { kind: 'bytes', bytes: oversized() } }),
          mayStayUnanswered: true,
        },
      ],
    }),
    judge: (evidence) => {
      const [exchange] = evidence;
      // A server may hang up on a body that it will not read (NS-11 names no ceiling; a sandbox has one).
      if (exchange?.result.kind === 'no-response') {
        const { because } = exchange.result;
        return because === 'reset'
          ? { kind: 'not-observable', because: 'the connection was closed while the body was sent' }
          : [finding('no-response', { step: name }, { expected: 'an answer', actual: because })];
      }
      return requireStatus(responseOf(evidence, name), 413);
    },
  }),
);

function largeRequest(tail: string) {
  return { api: 'router', method: 'POST', to: `/v2/models/sandbox/outcomes${tail}` } as const;
}

export const outcomeFailureRules: readonly Rule[] = [
  ...failures.flatMap(failed),
  ...refusalRules,
  notBilled,
  noHint,
  ...tooLarge,
];
