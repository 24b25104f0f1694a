import { type Answer, headerOf, mediaTypeOf, memberOf, responseOf } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import type { Draft, Verdict } from '../finding.ts';
import type { Evidence, Probe } from '../probe.ts';
import { finding, requireHeader, requireStatus, wholeSeconds } from '../require.ts';
import { defineRule, type Rule } from '../rule.ts';
import { get, step } from '../steps.ts';
import { allOf, hasCapability, hasCredential } from '../target.ts';
import { statusMembers } from './status/answers.ts';
import { asNeighbour, requestNotFound, underAnotherModel } from './status/unknown.ts';
import { requireSameBytes, sameBytes, withoutSignatures } from './vocabulary/byte-comparison.ts';
import { filled, nosniff } from './vocabulary/matchers.ts';
import { follow, polled, run, submitted, unknownRequestId } from './vocabulary/router-steps.ts';

const family = 'collect';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const pending = 'collect.pending.answers-with-202';
const collected = 'collect.result.answers-with-200';

const early = (context: ProbeContext): Probe => ({
  steps: [submitted(context), follow('collect', 'response_url'), follow('status', 'status_url')],
});
const toTheEnd = (context: ProbeContext): Probe => ({
  steps: [submitted(context), polled(), follow('collect', 'response_url')],
});
const bothWays = (context: ProbeContext): Probe => ({
  steps: [...toTheEnd(context).steps, run('run', context.model('authored'))],
});

/** What of the pending answer a rule judges, unless the model was done before it could be collected early. */
function whilePending(evidence: Evidence, judge: (answer: Answer) => readonly Draft[]): Verdict {
  const answer = responseOf(evidence, 'collect');
  if (answer.status !== 202 && memberOf(responseOf(evidence, 'status'), '/status') === 'COMPLETED') {
    return { kind: 'not-observable', because: 'completed before it could be collected early' };
  }
  return judge(answer);
}

function mediaTypeFindings(evidence: Evidence): readonly Draft[] {
  const [collectedAs, ranAs] = [responseOf(evidence, 'collect'), responseOf(evidence, 'run')].map(mediaTypeOf);
  if (collectedAs === ranAs) return [];
  const at = { step: 'collect', header: 'Content-Type' };
  return [finding('media-type-unexpected', at, { expected: ranAs ?? 'absent', actual: collectedAs ?? 'absent' })];
}

const pendingRules: readonly Rule[] = [
  defineRule({
    id: pending,
    family,
    requirements: ['MR-COL-09', 'MR-QUE-23'],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence) => whilePending(evidence, (answer) => requireStatus(answer, 202)),
  }),
  defineRule({
    id: 'collect.pending.is-the-status-response',
    family,
    requirements: ['MR-COL-10'],
    needs: [pending],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence) => whilePending(evidence, statusMembers),
  }),
  defineRule({
    id: 'collect.pending.says-when-to-try-again',
    family,
    requirements: ['MR-COL-12', 'MR-HDR-15'],
    needs: [pending],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence) => whilePending(evidence, (answer) => requireHeader(answer, 'Retry-After', wholeSeconds)),
  }),
  defineRule({
    id: 'collect.pending.carries-request-id-header',
    family,
    requirements: ['MR-COL-11', 'MR-HDR-01'],
    needs: [pending],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence, { headers }) =>
      whilePending(evidence, (answer) => requireHeader(answer, headers.requestId, filled)),
  }),
];

const resultRules: readonly Rule[] = [
  defineRule({
    id: collected,
    family,
    requirements: ['MR-COL-04', 'MR-QUE-23'],
    api,
    cost,
    appliesTo,
    probe: toTheEnd,
    judge: (evidence) => {
      const end = memberOf(responseOf(evidence, 'end'), '/error_type');
      if (end !== undefined) return { kind: 'not-observable', because: 'the request did not succeed' };
      return requireStatus(responseOf(evidence, 'collect'), 200);
    },
  }),
  defineRule({
    id: 'collect.result.carries-request-id-header',
    family,
    requirements: ['MR-COL-07', 'MR-HDR-01'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: toTheEnd,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'collect'), headers.requestId, filled),
  }),
  defineRule({
    id: 'collect.result.forbids-sniffing',
    family,
    requirements: ['MR-COL-08', 'MR-HDR-22'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: toTheEnd,
    judge: (evidence) => requireHeader(responseOf(evidence, 'collect'), 'X-Content-Type-Options', nosniff),
  }),
  defineRule({
    id: 'collect.result.keeps-the-media-type',
    family,
    requirements: ['MR-COL-05'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: bothWays,
    judge: mediaTypeFindings,
  }),
  defineRule({
    id: 'collect.result.equals-the-synchronous-bytes',
    family,
    requirements: ['MR-COL-06'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: bothWays,
    judge: (evidence) => {
      const [collect, run] = [responseOf(evidence, 'collect'), responseOf(evidence, 'run')];
      return sameBytes(collect, run) ? [] : requireSameBytes(withoutSignatures(collect), withoutSignatures(run));
    },
  }),
  defineRule({
    id: 'collect.result.second-time',
    family,
    requirements: ['MR-COL-04'],
    needs: [collected],
    api,
    cost,
    appliesTo,
    probe: (context) => ({ steps: [...toTheEnd(context).steps, follow('again', 'response_url')] }),
    judge: (evidence, { headers }) => {
      const again = responseOf(evidence, 'again');
      const category = headerOf(again, headers.errorType) ?? '';
      return { kind: 'observed', observation: `a second collect is answered with ${again.status} ${category} (NS-21)` };
    },
  }),
];

const unknownRules: readonly Rule[] = [
  defineRule({
    id: 'collect.unknown.is-not-found',
    family,
    requirements: ['MR-COL-15', 'MR-CTG-24', 'MR-STC-05'],
    api,
    appliesTo,
    probe: (context) => ({
      steps: [step('unknown', get(api, `${context.model('authored').path}/requests/${unknownRequestId}`))],
    }),
    judge: (evidence, context) => requestNotFound(evidence, 'unknown', context),
  }),
  defineRule({
    id: 'collect.foreign.is-not-found',
    family,
    requirements: ['MR-CTG-24'],
    api,
    cost,
    appliesTo: allOf(appliesTo, hasCredential(api, 'neighbour')),
    probe: (context) => ({ steps: [submitted(context), asNeighbour('foreign', 'response_url', 'GET')] }),
    judge: (evidence, context) => requestNotFound(evidence, 'foreign', context),
  }),
  defineRule({
    id: 'collect.other-model.is-not-found',
    family,
    requirements: ['MR-CTG-24'],
    api,
    cost,
    appliesTo,
    probe: (context) => ({ steps: [submitted(context), underAnotherModel('misplaced', context, '')] }),
    judge: (evidence, context) => requestNotFound(evidence, 'misplaced', context),
  }),
];

export const collectRules: readonly Rule[] = [...pendingRules, ...resultRules, ...unknownRules];
