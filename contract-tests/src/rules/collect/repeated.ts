import { memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, Repeat } from '../../probe.ts';
import { requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { requireSameBytes, withoutSignatures } from '../vocabulary/byte-comparison.ts';
import { follow, keyed, polled, run, seed, submitted } from '../vocabulary/router-steps.ts';

const family = 'collect';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const needs = ['collect.result.answers-with-200'];

const underAKey = (context: ProbeContext): Probe => {
  const model = context.model('authored');
  const call = { label: 'collect-keyed', to: `${model.path}/requests`, value: model.input };
  return {
    steps: [
      seed,
      keyed('submit', context, call, { mustAnswer: [201] }),
      polled(),
      follow('collect', 'response_url'),
      run('run', model),
    ],
  };
};

const twice = (context: ProbeContext): Probe => ({
  steps: [submitted(context), polled(), follow('collect', 'response_url'), follow('again', 'response_url')],
});

const whileItRuns: Repeat = {
  until: ({ result }) => result.kind === 'response' && result.status !== 202,
  atMost: 160,
  everyMs: 100,
};

/** The result itself is polled for: 202 until it is there, and nothing in between. */
const collectedOnly = (context: ProbeContext): Probe => ({
  steps: [
    submitted(context),
    follow('collect', 'response_url', { repeat: whileItRuns }),
    follow('status', 'status_url'),
  ],
});

function alike(evidence: Evidence, one: string, other: string): readonly Draft[] {
  const [answer, wanted] = [responseOf(evidence, one), responseOf(evidence, other)];
  // Whether a result can be collected twice is open (NS-21).
  if (answer.status !== 200 || wanted.status !== 200) return [];
  return requireSameBytes(withoutSignatures(answer), withoutSignatures(wanted));
}

export const collectRepeatedRules: readonly Rule[] = [
  defineRule({
    id: 'collect.result.of-a-keyed-submission-is-the-same',
    family,
    requirements: ['MR-COL-06'],
    needs,
    api,
    cost,
    appliesTo,
    probe: underAKey,
    judge: (evidence) => alike(evidence, 'collect', 'run'),
  }),
  defineRule({
    id: 'collect.result.is-the-same-each-time',
    family,
    requirements: ['MR-COL-06'],
    needs,
    api,
    cost,
    appliesTo,
    probe: twice,
    judge: (evidence) => alike(evidence, 'again', 'collect'),
  }),
  defineRule({
    id: 'collect.pending.until-the-result-is-there',
    family,
    requirements: ['MR-COL-09', 'MR-COL-04'],
    needs,
    api,
    cost,
    appliesTo,
    probe: collectedOnly,
    judge: (evidence) => {
      const error = memberOf(responseOf(evidence, 'status'), '/error_type');
      if (error !== undefined) return { kind: 'not-observable', because: 'the request did not succeed' };
      return requireStatus(responseOf(evidence, 'collect'), 200);
    },
  }),
];
