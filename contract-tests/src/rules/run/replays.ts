import { headerOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { finding, requireHeader, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { requireSameResult } from '../vocabulary/byte-comparison.ts';
import { completed, isReplay, replayMark, requireNotReplayed, underOneKey } from '../vocabulary/keyed-calls.ts';
import { keyed, run, seed } from '../vocabulary/router-steps.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const replayed = 'run.retry.is-answered-again';

const retried = (context: ProbeContext): Probe => underOneKey(context, 'run-retry');
const oftener = ['second', 'third', 'fourth'] as const;
const oftenRetried = (context: ProbeContext): Probe => {
  const { path, input } = context.model('authored');
  const call = { label: 'run-often', to: path, value: input };
  return {
    steps: [seed, keyed('first', context, call, completed), ...oftener.map((name) => keyed(name, context, call))],
  };
};

export const runReplayRules: readonly Rule[] = [
  defineRule({
    id: replayed,
    family,
    requirements: ['MR-IDM-01', 'MR-RUN-34'],
    api,
    cost,
    appliesTo,
    probe: retried,
    judge: (evidence) => requireStatus(responseOf(evidence, 'again'), 200),
  }),
  defineRule({
    id: 'run.retry.is-marked-replayed',
    family,
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    needs: [replayed],
    api,
    cost,
    appliesTo,
    probe: retried,
    judge: (evidence) => requireHeader(responseOf(evidence, 'again'), 'Idempotent-Replayed', replayMark),
  }),
  defineRule({
    id: 'run.retry.repeats-the-result',
    family,
    requirements: ['MR-IDM-01'],
    needs: [replayed],
    api,
    cost,
    appliesTo,
    probe: retried,
    judge: (evidence) => requireSameResult(responseOf(evidence, 'again'), responseOf(evidence, 'first')),
  }),
  defineRule({
    id: 'run.retry.is-replayed-each-time',
    family,
    requirements: ['MR-IDM-01', 'MR-IDM-02'],
    needs: [replayed],
    api,
    cost,
    appliesTo,
    probe: oftenRetried,
    judge: (evidence) =>
      oftener.flatMap((name) => {
        const answer = responseOf(evidence, name);
        const status = requireStatus(answer, 200);
        if (status.length > 0) return status;
        return [
          ...requireHeader(answer, 'Idempotent-Replayed', replayMark),
          ...requireSameResult(answer, responseOf(evidence, 'first')),
        ];
      }),
  }),
  defineRule({
    id: 'run.retry.never-repeats-credits-used',
    family,
    requirements: ['MR-HDR-27'],
    needs: [replayed],
    api,
    cost,
    appliesTo,
    probe: retried,
    judge: (evidence, { headers }) => {
      const again = responseOf(evidence, 'again');
      const value = isReplay(again) ? headerOf(again, headers.creditsUsed) : undefined;
      const at = { step: 'again', header: headers.creditsUsed };
      return value === undefined
        ? []
        : [finding('header-unexpected', at, { expected: 'absent on a replay', actual: value })];
    },
  }),
  defineRule({
    id: 'run.first.is-not-marked-replayed',
    family,
    requirements: ['MR-HDR-14'],
    api,
    cost,
    appliesTo,
    probe: (context) => {
      const model = context.model('authored');
      const call = { label: 'run-first', to: model.path, value: model.input };
      return { steps: [seed, keyed('first', context, call, completed), run('unkeyed', model)] };
    },
    judge: (evidence) => ['first', 'unkeyed'].flatMap((name) => requireNotReplayed(responseOf(evidence, name))),
  }),
  defineRule({
    id: 'run.retry.another-key-runs-anew',
    family,
    requirements: ['MR-IDM-32'],
    api,
    cost,
    appliesTo,
    probe: (context) => {
      const { path, input } = context.model('authored');
      const [one, two] = ['run-key-one', 'run-key-two'].map((label) => ({ label, to: path, value: input }));
      if (one === undefined || two === undefined) return { steps: [] };
      return { steps: [seed, keyed('first', context, one, completed), keyed('second', context, two)] };
    },
    judge: (evidence) => requireNotReplayed(responseOf(evidence, 'second')),
  }),
];
