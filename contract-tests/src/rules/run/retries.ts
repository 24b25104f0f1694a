import { type Answer, headerOf, responseOf, textOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest } from '../../probe.ts';
import { finding, type Matcher, requireHeader, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { allOf, type CredentialName, hasCapability, hasCredential } from '../../target.ts';
import { requireSameBytes } from '../vocabulary/byte-comparison.ts';
import { freshKey, keyed, run, seed } from '../vocabulary/router-steps.ts';
import { invalidInputOf, malformedBody, requireCategory } from './refusals.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const completed = { mustAnswer: [200] };
const replayed = 'run.retry.is-answered-again';

type Call = { readonly to: string; readonly value: unknown; readonly parts?: Partial<ProbeRequest> };

/** Two calls under one key; the second may differ from the first in whatever `second` names. */
function underOneKey(context: ProbeContext, label: string, second: { first?: Call; next?: Partial<Call> } = {}): Probe {
  const model = context.model('authored');
  const first = { label, ...(second.first ?? { to: model.path, value: model.input }) };
  return {
    steps: [seed, keyed('first', context, first, completed), keyed('again', context, { ...first, ...second.next })],
  };
}

const retried = (context: ProbeContext): Probe => underOneKey(context, 'run-retry');

export function isReplay(answer: Answer): boolean {
  return headerOf(answer, 'Idempotent-Replayed')?.trim().toLowerCase() === 'true';
}

export const replayMark: Matcher<string> = {
  expected: 'true',
  is: (value) => value.trim().toLowerCase() === 'true',
};

/** Absent and `false` mean the same (C-23). */
export function requireNotReplayed(answer: Answer): readonly Draft[] {
  const at = { step: answer.step, header: 'Idempotent-Replayed' };
  return isReplay(answer) ? [finding('header-unexpected', at, { expected: 'absent or false', actual: 'true' })] : [];
}

export function requireConflict(answer: Answer, context: ProbeContext): readonly Draft[] {
  const status = requireStatus(answer, 409);
  return status.length > 0 ? status : requireCategory(answer, context, 'invalid_input');
}

/** MR-IDM-39: neither a header nor the body of an answer gives the key back. */
function echoFindings(evidence: Evidence, key: string): readonly Draft[] {
  const expected = 'no Idempotency-Key in the answer';
  return evidence.slice(1).flatMap(({ step }): readonly Draft[] => {
    const answer = responseOf(evidence, step);
    const header = answer.headers.find(([, value]) => value.includes(key));
    if (header !== undefined)
      return [finding('secret-echoed', { step, header: header[0] }, { expected, actual: header[1] })];
    return textOf(answer).includes(key) ? [finding('secret-echoed', { step }, { expected, actual: 'the key' })] : [];
  });
}

/** The unauthored model takes any object, so only the key can be the reason of a refusal. */
function otherBody(context: ProbeContext): Probe {
  const { path, input } = context.model('unauthored');
  const next = { value: { ...input, note_of_another_call: 'changed' } };
  return underOneKey(context, 'run-other-body', { first: { to: path, value: input }, next });
}

function otherModel(context: ProbeContext): Probe {
  const { path, input } = context.model('authored');
  const first = { to: context.model('unauthored').path, value: input };
  return underOneKey(context, 'run-other-model', { first, next: { to: path } });
}

function otherQuery(context: ProbeContext): Probe {
  const { path } = context.model('authored');
  return underOneKey(context, 'run-other-query', { next: { to: `${path}?strict_mode=true` } });
}

function byAnother(context: ProbeContext, label: string, who: CredentialName): Probe {
  return underOneKey(context, label, { next: { parts: { credentials: [{ as: 'api-key', who }] } } });
}

const replayRules: readonly Rule[] = [
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
    judge: (evidence) => requireSameBytes(responseOf(evidence, 'again'), responseOf(evidence, 'first')),
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

const conflictRules: readonly Rule[] = [
  { id: 'run.retry.with-another-body-conflicts', part: 'MR-IDM-27', probe: otherBody },
  { id: 'run.retry.with-another-query-conflicts', part: 'MR-IDM-26', probe: otherQuery },
  { id: 'run.retry.on-another-model-conflicts', part: 'MR-IDM-25', probe: otherModel },
].map(({ id, part, probe }) =>
  defineRule({
    id,
    family,
    requirements: [part, 'MR-IDM-16', 'MR-RUN-46', 'MR-STC-06', 'MR-CTG-04'],
    api,
    cost,
    appliesTo,
    probe,
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'again'), context),
  }),
);

const scopeRules: readonly Rule[] = [
  defineRule({
    id: 'run.retry.never-crosses-workspaces',
    family,
    requirements: ['MR-IDM-40'],
    api,
    cost,
    appliesTo: allOf(appliesTo, hasCredential(api, 'neighbour')),
    probe: (context) => byAnother(context, 'run-neighbour', 'neighbour'),
    judge: (evidence) => {
      const again = responseOf(evidence, 'again');
      return [...requireStatus(again, 200), ...requireNotReplayed(again)];
    },
  }),
  defineRule({
    id: 'run.retry.is-shared-within-a-workspace',
    family,
    requirements: ['MR-IDM-40', 'MR-IDM-44'],
    api,
    cost,
    appliesTo: allOf(appliesTo, hasCredential(api, 'colleague')),
    probe: (context) => byAnother(context, 'run-colleague', 'colleague'),
    judge: (evidence) => {
      const again = responseOf(evidence, 'again');
      return again.status === 200
        ? requireHeader(again, 'Idempotent-Replayed', replayMark)
        : requireStatus(again, 200, 409);
    },
  }),
  defineRule({
    id: 'run.retry.rejection-releases-the-key',
    family,
    requirements: ['MR-IDM-33'],
    api,
    appliesTo: hasCapability('state', 'validation'),
    probe: (context) => {
      const model = context.model('authored');
      const call = { label: 'run-released', to: model.path, value: invalidInputOf(model) };
      const cutOff = malformedBody === undefined ? {} : { parts: { body: malformedBody } };
      const refusedFirst = { mustAnswer: [400] };
      return {
        steps: [seed, keyed('first', context, { ...call, ...cutOff }, refusedFirst), keyed('again', context, call)],
      };
    },
    judge: (evidence) => {
      const again = responseOf(evidence, 'again');
      if (again.status !== 409) return [];
      return [finding('status-unexpected', { step: 'again' }, { expected: 'the key free again', actual: '409' })];
    },
  }),
  defineRule({
    id: 'run.retry.key-is-never-echoed',
    family,
    requirements: ['MR-IDM-39'],
    api,
    appliesTo: hasCapability('state', 'validation'),
    probe: (context) => {
      const model = context.model('authored');
      const call = { label: 'run-echo', to: model.path, value: invalidInputOf(model) };
      return { steps: [seed, keyed('refused', context, call)] };
    },
    judge: (evidence, context) => echoFindings(evidence, freshKey(evidence, context, 'run-echo')),
  }),
  defineRule({
    id: 'run.retry.key-is-not-in-the-result',
    family,
    requirements: ['MR-IDM-39'],
    api,
    cost,
    appliesTo,
    probe: (context) => underOneKey(context, 'run-result-echo'),
    judge: (evidence, context) => echoFindings(evidence, freshKey(evidence, context, 'run-result-echo')),
  }),
];

export const runRetryRules: readonly Rule[] = [...replayRules, ...conflictRules, ...scopeRules];
