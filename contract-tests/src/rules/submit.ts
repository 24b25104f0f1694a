import { headerOf, memberOf, responseOf } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import type { Probe } from '../probe.ts';
import { absent, requireHeader, requireMember, requireStatus } from '../require.ts';
import { defineRule, type Rule } from '../rule.ts';
import { post, step } from '../steps.ts';
import { allOf, hasCapability, hasCredential } from '../target.ts';
import { invalidInputOf, malformedBody, requireCategory } from './run/refusals.ts';
import { replayMark, requireConflict, requireNotReplayed } from './run/retries.ts';
import { absoluteUrl, atLeastZero, exactly, filled, lowercaseUuid, optional, text } from './vocabulary/matchers.ts';
import { keyed, seed, submit, unknownModelPath } from './vocabulary/router-steps.ts';

const family = 'submit';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const created = 'submit.handle.is-created';
const needs = [created];
const submitOne = (context: ProbeContext): Probe => ({ steps: [submit('submit', context.model('authored'))] });

const handleRules: readonly Rule[] = [
  defineRule({
    id: created,
    family,
    requirements: ['MR-SUB-10', 'MR-QUE-30'],
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => requireStatus(responseOf(evidence, 'submit'), 201),
  }),
  defineRule({
    id: 'submit.handle.carries-request-id-header',
    family,
    requirements: ['MR-SUB-11', 'MR-HDR-01'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'submit'), headers.requestId, filled),
  }),
  defineRule({
    id: 'submit.handle.names-request-and-status',
    family,
    requirements: ['MR-QUE-01', 'MR-QUE-02', 'MR-QUE-03'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => [
      ...requireMember(responseOf(evidence, 'submit'), '/request_id', lowercaseUuid),
      ...requireMember(responseOf(evidence, 'submit'), '/status', text),
    ],
  }),
  defineRule({
    id: 'submit.handle.gives-absolute-urls',
    family,
    requirements: ['MR-QUE-18', 'MR-QUE-21', 'MR-QUE-24'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) =>
      ['status_url', 'response_url', 'cancel_url'].flatMap((member) =>
        requireMember(responseOf(evidence, 'submit'), `/${member}`, absoluteUrl),
      ),
  }),
  defineRule({
    id: 'submit.handle.position-is-never-negative',
    family,
    requirements: ['MR-QUE-07', 'MR-QUE-08'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => requireMember(responseOf(evidence, 'submit'), '/queue_position', optional(atLeastZero)),
  }),
  defineRule({
    id: 'submit.handle.has-no-error-type',
    family,
    requirements: ['MR-QUE-28'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => requireMember(responseOf(evidence, 'submit'), '/error_type', absent),
  }),
];

const refusalRules: readonly Rule[] = [
  defineRule({
    id: 'submit.invalid.is-refused-at-once',
    family,
    requirements: ['MR-SUB-07', 'MR-SUB-08'],
    api,
    appliesTo: hasCapability('validation'),
    probe: (context) => {
      const model = context.model('authored');
      const body = { kind: 'json', value: invalidInputOf(model) } as const;
      return { steps: [submit('invalid', model, { body })] };
    },
    judge: (evidence) => requireStatus(responseOf(evidence, 'invalid'), 422),
  }),
  defineRule({
    id: 'submit.malformed.is-refused',
    family,
    requirements: ['MR-SUB-13', 'MR-CTG-01', 'MR-STC-01'],
    api,
    appliesTo,
    probe: (context) => {
      const to = `${context.model('authored').path}/requests`;
      return { steps: [step('malformed', post(api, to, malformedBody === undefined ? {} : { body: malformedBody }))] };
    },
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'malformed');
      const status = requireStatus(answer, 400);
      return status.length > 0 ? status : requireCategory(answer, context, 'invalid_input');
    },
  }),
  defineRule({
    id: 'submit.unknown.is-not-found',
    family,
    requirements: ['MR-SUB-17', 'MR-CTG-10', 'MR-STC-05'],
    api,
    appliesTo,
    probe: () => ({
      steps: [step('unknown', post(api, `${unknownModelPath}/requests`, { body: { kind: 'json', value: {} } }))],
    }),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'unknown');
      const status = requireStatus(answer, 404);
      return status.length > 0 ? status : requireCategory(answer, context, 'model_not_found');
    },
  }),
  defineRule({
    id: 'submit.credits.are-lacking',
    family,
    requirements: ['MR-SUB-15', 'MR-STC-03', 'MR-CTG-09'],
    api,
    cost,
    appliesTo: hasCredential(api, 'noCredits'),
    probe: (context) => ({
      steps: [submit('submit', context.model('authored'), { credentials: [{ as: 'api-key', who: 'noCredits' }] })],
    }),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'submit');
      const status = requireStatus(answer, 402);
      return status.length > 0 ? status : requireCategory(answer, context, 'insufficient_credits');
    },
  }),
];

const resubmitted = (label: string) => (context: ProbeContext) => {
  const { path, input } = context.model('authored');
  const call = { label, to: `${path}/requests`, value: input };
  return { steps: [seed, keyed('first', context, call, { mustAnswer: [201] }), keyed('again', context, call)] };
};
const again = 'submit.retry.gives-the-same-handle';

const retryRules: readonly Rule[] = [
  defineRule({
    id: again,
    family,
    requirements: ['MR-SUB-12', 'MR-IDM-01'],
    needs,
    api,
    cost,
    appliesTo,
    probe: resubmitted('submit-retry'),
    judge: (evidence) => {
      const answer = responseOf(evidence, 'again');
      const status = requireStatus(answer, 201);
      const wanted = memberOf(responseOf(evidence, 'first'), '/request_id');
      if (status.length > 0 || wanted === undefined) return status;
      return requireMember(answer, '/request_id', exactly(wanted));
    },
  }),
  defineRule({
    id: 'submit.retry.is-marked-replayed',
    family,
    requirements: ['MR-SUB-12', 'MR-HDR-14'],
    needs: [again],
    api,
    cost,
    appliesTo,
    probe: resubmitted('submit-marked'),
    judge: (evidence) => [
      ...requireNotReplayed(responseOf(evidence, 'first')),
      ...requireHeader(responseOf(evidence, 'again'), 'Idempotent-Replayed', replayMark),
    ],
  }),
  defineRule({
    id: 'submit.retry.with-another-body-conflicts',
    family,
    requirements: ['MR-SUB-18', 'MR-IDM-16', 'MR-IDM-27', 'MR-STC-06', 'MR-CTG-04'],
    needs,
    api,
    cost,
    appliesTo,
    probe: (context) => {
      const { path, input } = context.model('unauthored');
      const call = { label: 'submit-conflict', to: `${path}/requests`, value: input };
      const changed = { ...call, value: { ...input, note_of_another_call: 'changed' } };
      return { steps: [seed, keyed('first', context, call, { mustAnswer: [201] }), keyed('again', context, changed)] };
    },
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'again'), context),
  }),
];

const binaryRule = defineRule({
  id: 'submit.binary.byte-returning-model',
  family,
  requirements: ['MR-SUB-10'],
  api,
  cost,
  appliesTo: allOf(appliesTo, hasCredential(api, 'main')),
  probe: (context) => ({ steps: [submit('submit', context.model('binary'))] }),
  judge: (evidence, { headers }) => {
    const answer = responseOf(evidence, 'submit');
    // The documents are silent; live services were seen to refuse models that return bytes.
    return {
      kind: 'observed',
      observation: `answered with ${answer.status} ${headerOf(answer, headers.errorType) ?? ''}`.trim(),
    };
  },
});

export const submitRules: readonly Rule[] = [...handleRules, ...refusalRules, ...retryRules, binaryRule];
