import { type Answer, exchangesOf, headerOf, memberOf, responseOf } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import type { Draft } from '../finding.ts';
import type { CredentialUse, Evidence, Exchange, Probe } from '../probe.ts';
import { finding, requireHeader, requireStatus, wholeSeconds } from '../require.ts';
import type { Rule } from '../rule.ts';
import { post, step } from '../steps.ts';
import { type CredentialName, hasCredential } from '../target.ts';
import { completed } from './vocabulary/keyed-calls.ts';
import { requireCategory } from './vocabulary/refusals.ts';
import { keyed } from './vocabulary/router-steps.ts';
import { alternate, ask, tell, tellQueue, toldPath, toldRule, untilOver } from './vocabulary/told-runs.ts';

const family = 'quotas';
const as = (who: CredentialName): readonly CredentialUse[] => [{ as: 'api-key', who }];
const solo = { credentials: as('solo') };

const failures = ['provider_error', 'content_policy_violation', 'provider_timeout', 'internal_error'];

const currentHeader = 'X-Committed-Spend-Current';
/** Other rules may have a call of this caller under way for a moment; what is never released stays. */
const untilFree = {
  repeat: {
    until: ({ result }: Exchange) => result.kind === 'response' && headerOf(result, currentHeader)?.trim() === '0',
    atMost: 8,
    everyMs: 250,
    mayNeverHold: true,
  },
} as const;

const onceOnly = { label: 'spend', to: toldPath, value: {}, parts: solo };

/** By a caller whose calls are nobody else's, so that what is committed is committed by these. */
const whileHeld = (context: ProbeContext): Probe => ({
  steps: [
    tell('before', {}, solo, completed),
    tell('held', { delay_ms: 600 }, solo),
    tell('during', {}, solo, { alongside: true, afterMs: 150 }),
    tell('after', {}, solo, untilFree),
    tellQueue('queued', { delay_ms: 60_000 }, solo),
    tell('while-queued', {}, solo),
    ask('cancel', 'cancel_url', { of: 'queued', method: 'PUT', ...solo, mustAnswer: [202] }),
    ask('withdrawn', 'status_url', { of: 'queued', ...solo, repeat: untilOver }),
    tell('after-cancellation', {}, solo, untilFree),
    ...failures.map((outcome) => tell(outcome, { outcome }, solo)),
    tell('after-failures', {}, solo, untilFree),
    ...(['first', 'again'] as const).map((name) => keyed(name, context, onceOnly)),
    tell('invalid', { outcome: 'none-of-them' }, solo),
    tell('after-unserved', {}, solo, untilFree),
  ],
});

function endOf(evidence: Evidence, name: string): number {
  const timing = exchangesOf(evidence, name).at(-1)?.timing;
  return timing === undefined ? 0 : timing.startedAtMs + timing.durationMs;
}

type Part = 'Limit' | 'Current' | 'Remaining';
function cents(evidence: Evidence, name: string, part: Part): number {
  const value = headerOf(responseOf(evidence, name), `X-Committed-Spend-${part}`);
  return value === undefined || !/^-?\d+$/.test(value.trim()) ? Number.NaN : Number(value);
}

function differs(name: string, part: Part, said: { expected: string; actual: number }): Draft {
  const at = { step: name, header: `X-Committed-Spend-${part}` };
  return finding('values-differ', at, { expected: said.expected, actual: String(said.actual) });
}

const spending: readonly Rule[] = [
  toldRule({
    id: 'quotas.spend.is-reserved-while-a-call-runs',
    family,
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    appliesTo: hasCredential('router', 'solo'),
    probe: whileHeld,
    judge: (evidence) => {
      if (endOf(evidence, 'during') > endOf(evidence, 'held'))
        return { kind: 'not-observable', because: 'the call that was held had ended before the other was answered' };
      const before = cents(evidence, 'before', 'Current');
      return ['during', 'while-queued'].flatMap((name) => {
        const current = cents(evidence, name, 'Current');
        return current > before ? [] : [differs(name, 'Current', { expected: `more than ${before}`, actual: current })];
      });
    },
  }),
  toldRule({
    id: 'quotas.spend.is-free-again-at-the-end',
    family,
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    appliesTo: hasCredential('router', 'solo'),
    probe: whileHeld,
    judge: (evidence) => {
      const before = cents(evidence, 'before', 'Current');
      return ['after', 'after-failures', 'after-cancellation', 'after-unserved'].flatMap((name) => {
        const committed = cents(evidence, name, 'Current');
        return committed <= before ? [] : [differs(name, 'Current', { expected: `${before}`, actual: committed })];
      });
    },
  }),
  toldRule({
    id: 'quotas.spend.always-adds-up',
    family,
    requirements: ['MR-HDR-17', 'MR-HDR-20', 'MR-HDR-21'],
    appliesTo: hasCredential('router', 'solo', 'spendCapped'),
    probe: (context) => ({
      steps: [
        ...whileHeld(context).steps,
        tell('capped', {}, { credentials: as('spendCapped') }, { mustAnswer: [429] }),
      ],
    }),
    judge: (evidence) =>
      ['before', 'held', 'during', 'after', 'while-queued', 'capped'].flatMap((name) => {
        const left = Math.max(0, cents(evidence, name, 'Limit') - cents(evidence, name, 'Current'));
        const actual = cents(evidence, name, 'Remaining');
        return actual === left ? [] : [differs(name, 'Remaining', { expected: String(left), actual })];
      }),
  }),
];

type Limited = {
  readonly who: 'rateLimited' | 'spendCapped' | 'noCredits';
  readonly status: readonly number[];
  readonly category: string;
  readonly requirements: readonly string[];
};
const limited: readonly Limited[] = [
  {
    who: 'rateLimited',
    status: [429],
    category: 'rate_limited',
    requirements: ['MR-IDM-10', 'MR-STC-14', 'MR-CTG-19'],
  },
  {
    who: 'spendCapped',
    status: [429],
    category: 'concurrency_limit_exceeded',
    requirements: ['MR-IDM-13', 'MR-STC-14', 'MR-CTG-13'],
  },
  {
    who: 'noCredits',
    status: [402],
    category: 'insufficient_credits',
    requirements: ['MR-SUB-15', 'MR-STC-03', 'MR-CTG-09'],
  },
];

/** A limit holds for the queue as well (C-10). */
const onSubmit: readonly Rule[] = limited.map(({ who, status, category, requirements }) =>
  toldRule({
    id: `quotas.submit.${category.replaceAll('_', '-')}`,
    family,
    requirements,
    appliesTo: hasCredential('router', who),
    probe: () => ({
      steps: [
        tellQueue('submit', {}, { credentials: as(who) }, { mustAnswer: [200, 201, 400, 402, 403, 429, 500, 503] }),
      ],
    }),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'submit');
      const unexpected = requireStatus(answer, ...status);
      if (unexpected.length > 0) return unexpected;
      const wait = who === 'rateLimited' ? requireHeader(answer, 'Retry-After', wholeSeconds) : [];
      return [...requireCategory(answer, context, category), ...wait];
    },
  }),
);

const soonMs = 400;

/** Two at once on a model that nobody else queues anything for. */
const twoWait = (): Probe => {
  const path = `/v2/models/${alternate}/outcomes/requests`;
  const request = post('router', path, { credentials: as('neighbour'), body: { kind: 'json', value: {} } });
  return { steps: [step('one', request), step('two', request, { alongside: true })] };
};

function positionOf(answer: Answer): number | undefined {
  const position = memberOf(answer, '/queue_position');
  return typeof position === 'number' ? position : undefined;
}

const positions = toldRule({
  id: 'quotas.queue.positions-count-those-ahead',
  family,
  requirements: ['MR-QUE-09', 'MR-QUE-10', 'MR-QUE-07'],
  appliesTo: hasCredential('router', 'neighbour'),
  probe: twoWait,
  judge: (evidence) => {
    const answers = ['one', 'two'].map((name) => responseOf(evidence, name));
    const status = answers.flatMap((answer) => requireStatus(answer, 201));
    if (status.length > 0) return status;
    const seen = answers.map(positionOf);
    if (seen.includes(undefined)) return { kind: 'not-observable', because: 'no position was told' };
    const told = seen.toSorted().join(' and ');
    if (new Set(seen).size === seen.length) return [];
    // Who is answered late may find the queue empty again.
    if (evidence.some(({ timing }) => timing.durationMs > soonMs))
      return { kind: 'not-observable', because: `the handles took more than ${soonMs} ms` };
    const at = { step: 'two', pointer: '/queue_position' };
    return [finding('value-unexpected', at, { expected: 'two places, for one is behind the other', actual: told })];
  },
});

export const quotaRules: readonly Rule[] = [...spending, ...onSubmit, positions];
