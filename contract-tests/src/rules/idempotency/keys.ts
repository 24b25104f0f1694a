import { memberOf, responseOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { finding, requireHeader, requireMember, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { post, stepFrom } from '../../steps.ts';
import { hasCredential } from '../../target.ts';
import { completed, isReplay, replayMark, requireConflict, requireNotReplayed } from '../vocabulary/keyed-calls.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { freshKey, keyed, seed, unknownModelOf } from '../vocabulary/router-steps.ts';
import { alternate, toldPath, toldRule } from '../vocabulary/told-runs.ts';

const family = 'idempotency';
const queuePath = `${toldPath}/requests`;
const otherPath = `/v2/models/${alternate}/outcomes`;
const asNeighbour = { credentials: [{ as: 'api-key', who: 'neighbour' }] } as const;
const longestKey = 255;

/** As many characters as a key may have, all but the last the same. */
const longKey = (name: string, last: 'a' | 'A' | 'b', context: ProbeContext): Step =>
  stepFrom(name, (earlier): ProbeRequest => {
    const key = `${freshKey(earlier, context, 'key-long').padEnd(longestKey - 1, '-')}${last}`;
    const headers = [['Idempotency-Key', key] as const];
    return post('router', toldPath, { headers, body: { kind: 'json', value: { note: 'long key' } } });
  });

function ranAnew(evidence: Evidence, ...names: readonly string[]): readonly Draft[] {
  return names.flatMap((name) => {
    const answer = responseOf(evidence, name);
    return [...requireStatus(answer, 200), ...requireNotReplayed(answer)];
  });
}

/** Nobody stands in the way of the key, whatever else may be wrong with the answer. */
function isFree(evidence: Evidence, ...names: readonly string[]): readonly Draft[] {
  return names.flatMap((name) => {
    const answer = responseOf(evidence, name);
    const said = { expected: 'a key that is free', actual: String(answer.status) };
    const refused = answer.status === 409 ? [finding('status-unexpected', { step: name }, said)] : [];
    return [...refused, ...requireNotReplayed(answer)];
  });
}

const keyRules: readonly Rule[] = [
  toldRule({
    id: 'idempotency.key.long-ones-are-told-apart',
    family,
    requirements: ['MR-IDM-32', 'MR-IDM-01'],
    probe: (context) => ({
      steps: [
        seed,
        longKey('one', 'a', context),
        longKey('another', 'b', context),
        longKey('in-capitals', 'A', context),
        longKey('one-again', 'a', context),
      ],
    }),
    judge: (evidence) => {
      const again = responseOf(evidence, 'one-again');
      const repeated = again.status === 200 ? requireHeader(again, 'Idempotent-Replayed', replayMark) : [];
      return [...ranAnew(evidence, 'one', 'another', 'in-capitals'), ...requireStatus(again, 200), ...repeated];
    },
  }),
];

type Change = {
  readonly name: string;
  readonly requirement: string;
  readonly next: { readonly to?: string; readonly value?: unknown };
  readonly first?: string;
};
const note = 'twenty-six letters, no less';

/** Differences that only a whole comparison sees: the same length, the same names, the same provider. */
const changes: readonly Change[] = [
  { name: 'body-of-the-same-length', requirement: 'MR-IDM-27', next: { value: { note: `${note.slice(0, -1)}S` } } },
  {
    name: 'query-of-the-same-names',
    requirement: 'MR-IDM-26',
    first: `${toldPath}?strict_mode=true`,
    next: { to: `${toldPath}?strict_mode=false` },
  },
  {
    name: 'query-that-names-a-fallback',
    requirement: 'MR-IDM-26',
    next: { to: `${toldPath}?fallback_provider=${alternate}` },
  },
  {
    name: 'query-that-names-a-provider',
    requirement: 'MR-IDM-26',
    next: { to: `${toldPath}?model_provider=${alternate}` },
  },
];

const conflictRules: readonly Rule[] = [
  ...changes.map(({ name, requirement, first, next }) =>
    toldRule({
      id: `idempotency.conflict.${name}`,
      family,
      requirements: [requirement, 'MR-IDM-16', 'MR-CTG-04', 'MR-IDM-01', 'MR-HDR-14'],
      probe: (context) => {
        const call = { label: `key-${name}`, to: first ?? toldPath, value: { note } };
        return {
          steps: [
            seed,
            keyed('first', context, call, completed),
            keyed('changed', context, { ...call, ...next }),
            keyed('changed-again', context, { ...call, ...next }),
            keyed('restored', context, call),
          ],
        };
      },
      judge: (evidence, context) => {
        const restored = responseOf(evidence, 'restored');
        const conflicts = ['changed', 'changed-again'].map((name) => responseOf(evidence, name));
        const conflict = conflicts.flatMap((answer) => requireConflict(answer, context));
        if (conflict.length > 0) return conflict;
        const marked = conflicts.flatMap(requireNotReplayed);
        if (marked.length > 0) return marked;
        // What differed was refused; the original is still there to be repeated.
        const status = requireStatus(restored, 200);
        return status.length > 0 ? status : requireHeader(restored, 'Idempotent-Replayed', replayMark);
      },
    }),
  ),
  toldRule({
    id: 'idempotency.conflict.submission-to-another-model',
    family,
    requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18', 'MR-IDM-01', 'MR-SUB-12', 'MR-HDR-14'],
    probe: (context) => {
      const call = { label: 'key-two-queues', to: queuePath, value: {} };
      return {
        steps: [
          seed,
          keyed('first', context, call, { mustAnswer: [201] }),
          keyed('elsewhere', context, { ...call, to: `${otherPath}/requests` }),
          keyed('restored', context, call),
        ],
      };
    },
    judge: (evidence, context) => {
      const conflict = requireConflict(responseOf(evidence, 'elsewhere'), context);
      if (conflict.length > 0) return conflict;
      const [first, restored] = [responseOf(evidence, 'first'), responseOf(evidence, 'restored')];
      const [status, id] = [requireStatus(restored, 201), memberOf(first, '/request_id')];
      if (status.length > 0 || id === undefined) return status;
      return [
        ...requireMember(restored, '/request_id', exactly(id)),
        ...requireHeader(restored, 'Idempotent-Replayed', replayMark),
      ];
    },
  }),
];

type Rejection = { readonly name: string; readonly to?: (context: ProbeContext) => string; readonly value: unknown };
const rejections: readonly Rejection[] = [
  { name: 'run-of-invalid-input', value: { delay_ms: 'soon' } },
  { name: 'submission-of-invalid-input', to: () => queuePath, value: { delay_ms: 'soon' } },
  { name: 'run-of-an-unknown-model', to: () => unknownModelOf({ provider: 'sandbox' }), value: {} },
];

const rejectionRules: readonly Rule[] = rejections.map(({ name, to, value }) =>
  toldRule({
    id: `idempotency.rejection.${name}-leaves-the-key-free`,
    family,
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    probe: (context) => {
      const label = `key-${name}`;
      const isQueued = name.startsWith('submission');
      return {
        steps: [
          seed,
          keyed('rejected', context, { label, to: to?.(context) ?? toldPath, value }, { mustAnswer: [404, 422] }),
          keyed('rejected-again', context, { label, to: to?.(context) ?? toldPath, value }),
          keyed('accepted', context, { label, to: isQueued ? queuePath : toldPath, value: { note: 'better' } }),
        ],
      };
    },
    judge: (evidence) => {
      const answer = responseOf(evidence, 'accepted');
      // What was never dispatched left no record to be repeated.
      const again = requireNotReplayed(responseOf(evidence, 'rejected-again'));
      return [...again, ...requireStatus(answer, 200, 201), ...requireNotReplayed(answer)];
    },
  }),
);

const scoped = (context: ProbeContext): Probe => {
  const run = { label: 'key-foreign-run', to: toldPath, value: { note: 'mine', delay_ms: 600 } };
  const mine = { to: toldPath, value: { note: 'mine' } };
  const theirs = { to: toldPath, value: { note: 'theirs' }, parts: asNeighbour };
  const queued = { label: 'key-foreign-queue', to: queuePath, value: { note: 'mine' } };
  return {
    steps: [
      seed,
      keyed('mine', context, run),
      keyed('theirs-meanwhile', context, { ...run, parts: asNeighbour }, { alongside: true, afterMs: 150 }),
      keyed('theirs-first', context, { ...theirs, label: 'key-foreign-two' }),
      keyed('mine-second', context, { ...mine, label: 'key-foreign-two' }),
      keyed('mine-first', context, { ...mine, label: 'key-foreign-three' }),
      keyed('theirs-second', context, { ...theirs, label: 'key-foreign-three' }),
      keyed('queued', context, queued, { mustAnswer: [201] }),
      keyed('theirs-queued', context, { ...queued, parts: asNeighbour }),
    ],
  };
};

const scopeRules: readonly Rule[] = [
  toldRule({
    id: 'idempotency.scope.workspaces-do-not-wait-for-each-other',
    family,
    requirements: ['MR-IDM-40', 'MR-IDM-32', 'MR-HDR-14'],
    appliesTo: hasCredential('router', 'neighbour'),
    probe: scoped,
    judge: (evidence) => isFree(evidence, 'theirs-meanwhile'),
  }),
  toldRule({
    id: 'idempotency.scope.workspaces-do-not-conflict',
    family,
    requirements: ['MR-IDM-40', 'MR-HDR-14'],
    appliesTo: hasCredential('router', 'neighbour'),
    probe: scoped,
    judge: (evidence) => isFree(evidence, 'theirs-first', 'mine-second', 'mine-first', 'theirs-second'),
  }),
  toldRule({
    id: 'idempotency.scope.workspaces-queue-apart',
    family,
    requirements: ['MR-IDM-40', 'MR-HDR-14'],
    appliesTo: hasCredential('router', 'neighbour'),
    probe: scoped,
    judge: (evidence) => {
      const [mine, theirs] = [responseOf(evidence, 'queued'), responseOf(evidence, 'theirs-queued')];
      const status = [...requireStatus(theirs, 201), ...requireNotReplayed(theirs)];
      const [id, other] = [memberOf(mine, '/request_id'), memberOf(theirs, '/request_id')];
      if (status.length > 0 || id === undefined || id !== other) return status;
      const at = { step: 'theirs-queued', pointer: '/request_id' };
      return [finding('value-unexpected', at, { expected: 'a request of its own', actual: 'that of a neighbour' })];
    },
  }),
];

/** A replayed handle is as good as the first: its URLs lead to the same request. */
const replayedHandle = toldRule({
  id: 'idempotency.submission.replayed-handle-leads-to-its-request',
  family,
  requirements: ['MR-SUB-12', 'MR-QUE-20', 'MR-QUE-23'],
  probe: (context) => {
    const call = { label: 'key-handle', to: queuePath, value: {} };
    const followed = (name: string, member: string): Step =>
      stepFrom(name, (earlier) => {
        const url = memberOf(responseOf(earlier, 'again'), `/${member}`);
        return typeof url === 'string' && URL.canParse(url) ? { api: 'router', method: 'GET', to: url } : undefined;
      });
    return {
      steps: [
        seed,
        keyed('first', context, call, { mustAnswer: [201] }),
        keyed('again', context, call, { mustAnswer: [200, 201] }),
        followed('status', 'status_url'),
      ],
    };
  },
  judge: (evidence) => {
    if (!isReplay(responseOf(evidence, 'again'))) return { kind: 'not-observable', because: 'nothing was replayed' };
    if (!wasAnswered(evidence, 'status') || responseOf(evidence, 'status').status < 300) return [];
    return requireStatus(responseOf(evidence, 'status'), 200);
  },
});

export const idempotencyKeyRules: readonly Rule[] = [
  ...keyRules,
  ...conflictRules,
  ...rejectionRules,
  ...scopeRules,
  replayedHandle,
];
