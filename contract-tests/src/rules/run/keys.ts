import { responseOf, textOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { finding, requireHeader, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { allOf, type CredentialName, hasCapability, hasCredential } from '../../target.ts';
import { replayMark, requireNotReplayed, underOneKey } from '../vocabulary/keyed-calls.ts';
import { invalidInputOf, malformedBody } from '../vocabulary/refusals.ts';
import { freshKey, keyed, seed } from '../vocabulary/router-steps.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

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

function byAnother(context: ProbeContext, label: string, who: CredentialName): Probe {
  return underOneKey(context, label, { next: { parts: { credentials: [{ as: 'api-key', who }] } } });
}

export const runKeyRules: readonly Rule[] = [
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
      const cutOff = { parts: { body: malformedBody } };
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
