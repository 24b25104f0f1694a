import type { JsonObject } from '../../../../specs/src/index.ts';
import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { requireHeader, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { hasCredential } from '../../target.ts';
import { requireSameBytes, requireSameResult } from '../vocabulary/byte-comparison.ts';
import { completed, isReplay, replayMark, requireConflict, requireNotReplayed } from '../vocabulary/keyed-calls.ts';
import { keyed, seed } from '../vocabulary/router-steps.ts';
import { toldPath, toldRule } from '../vocabulary/told-runs.ts';

const family = 'idempotency';

const twice =
  (name: string, value: JsonObject, mustAnswer: readonly number[] = [200]) =>
  (context: ProbeContext): Probe => {
    const call = { label: `key-${name}`, to: toldPath, value };
    return { steps: [seed, keyed('first', context, call, { mustAnswer }), keyed('again', context, call)] };
  };

/** Succeeded, and nothing of it is left to repeat: waiting does not help (MR-IDM-17). */
const unreplayable = [
  { name: 'oversized', input: { size_bytes: 1_200_000 }, requirements: ['MR-IDM-28', 'MR-IDM-53'] },
  {
    name: 'failed-copy',
    input: { assets: [{ hosting: 'hosted_24h' }, { hosting: 'failed_copy' }] },
    requirements: ['MR-IDM-30', 'MR-IDM-52'],
  },
  {
    name: 'provider-asset',
    input: { assets: [{ hosting: 'provider' }] },
    requirements: ['MR-IDM-30', 'MR-IDM-52'],
  },
  {
    name: 'lost-handle',
    input: { outcome: 'deadline_exceeded', collectable: false },
    requirements: ['MR-IDM-53'],
  },
];

/** The same kinds of call where nothing stands in the way. */
const replayable = [
  { name: 'long', input: { size_bytes: 200_000 }, requirements: ['MR-IDM-01'] },
  { name: 'hosted-asset', input: { assets: [{ hosting: 'hosted_24h' }] }, requirements: ['MR-IDM-52', 'MR-AST-17'] },
  { name: 'inline-asset', input: { assets: [{ hosting: 'inline' }] }, requirements: ['MR-IDM-01'] },
  { name: 'file', input: { media_type: 'image/png' }, requirements: ['MR-IDM-01'] },
];

/** What a provider said of the request is on record like any answer (MR-RUN-42, MR-RUN-50). */
const recordedFailures = [
  { name: 'policy', outcome: 'content_policy_violation', status: 400, requirements: ['MR-RUN-42'] },
  { name: 'refused-input', outcome: 'refused_input', status: 422, requirements: ['MR-RUN-50'] },
];

const unreplayableRules: readonly Rule[] = unreplayable.map(({ name, input, requirements }) =>
  toldRule({
    id: `idempotency.record.${name}-cannot-be-replayed`,
    family,
    requirements: [...requirements, 'MR-IDM-17', 'MR-CTG-05'],
    probe: twice(name, input, [200, 504]),
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'again'), context),
  }),
);

const replayableRules: readonly Rule[] = replayable.map(({ name, input, requirements }) =>
  toldRule({
    id: `idempotency.record.${name}-is-replayed`,
    family,
    requirements: [...requirements, 'MR-HDR-14'],
    probe: twice(name, input),
    judge: (evidence) => {
      const again = responseOf(evidence, 'again');
      const status = requireStatus(again, 200);
      if (status.length > 0) return status;
      return [
        ...requireHeader(again, 'Idempotent-Replayed', replayMark),
        ...requireSameResult(again, responseOf(evidence, 'first')),
      ];
    },
  }),
);

const failureRules: readonly Rule[] = recordedFailures.map(({ name, outcome, status, requirements }) =>
  toldRule({
    id: `idempotency.record.${name}-is-repeated`,
    family,
    requirements: [...requirements, 'MR-IDM-01'],
    probe: twice(name, { outcome }, [status]),
    judge: (evidence) => {
      const again = responseOf(evidence, 'again');
      // The header is allowed there, not asked for: only another answer would be a breach.
      return isReplay(again)
        ? [...requireStatus(again, status), ...requireSameBytes(again, responseOf(evidence, 'first'))]
        : requireStatus(again, status);
    },
  }),
);

const by = (who: 'solo' | 'neighbour' | 'main') => ({ credentials: [{ as: 'api-key', who }] }) as const;

/** The same key and call, from three callers who share nothing. */
const scoped = (context: ProbeContext): Probe => {
  const call = { label: 'key-scopes', to: toldPath, value: { outcome: 'echo', note: 'whose' } };
  return {
    steps: [
      seed,
      keyed('solo', context, { ...call, parts: by('solo') }, completed),
      keyed('solo-again', context, { ...call, parts: by('solo') }),
      keyed('main', context, call),
      keyed('neighbour', context, { ...call, parts: by('neighbour') }),
      keyed('other-body', context, { ...call, value: { note: 'else' }, parts: by('solo') }),
    ],
  };
};

const scopeRules: readonly Rule[] = [
  toldRule({
    id: 'idempotency.scope.user-without-workspace',
    family,
    requirements: ['MR-IDM-41'],
    appliesTo: hasCredential('router', 'solo'),
    probe: scoped,
    judge: (evidence) => {
      const again = responseOf(evidence, 'solo-again');
      const status = requireStatus(again, 200);
      return status.length > 0 ? status : requireHeader(again, 'Idempotent-Replayed', replayMark);
    },
  }),
  toldRule({
    id: 'idempotency.scope.user-and-workspace-are-two',
    family,
    requirements: ['MR-IDM-41', 'MR-IDM-40', 'MR-IDM-45'],
    appliesTo: hasCredential('router', 'solo', 'neighbour'),
    probe: scoped,
    judge: (evidence) =>
      ['main', 'neighbour'].flatMap((name) => {
        const answer = responseOf(evidence, name);
        return [...requireStatus(answer, 200), ...requireNotReplayed(answer)];
      }),
  }),
  toldRule({
    id: 'idempotency.scope.user-conflicts-with-himself',
    family,
    requirements: ['MR-IDM-41', 'MR-IDM-16', 'MR-IDM-27'],
    appliesTo: hasCredential('router', 'solo'),
    probe: scoped,
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'other-body'), context),
  }),
];

/** One key on both routes of a model: the paths differ (MR-IDM-25). */
const pathRule = toldRule({
  id: 'idempotency.path.queue-and-run-conflict',
  family,
  requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18'],
  probe: (context) => {
    const call = { label: 'key-paths', to: toldPath, value: { note: 'run' } };
    return {
      steps: [
        seed,
        keyed('run', context, call, completed),
        keyed('submit', context, { ...call, to: `${toldPath}/requests` }),
      ],
    };
  },
  judge: (evidence, context) => requireConflict(responseOf(evidence, 'submit'), context),
});

export const idempotencyRecordRules: readonly Rule[] = [
  ...unreplayableRules,
  ...replayableRules,
  ...failureRules,
  ...scopeRules,
  pathRule,
];
