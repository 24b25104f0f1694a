import { headerOf, responseOf } from '../../answer.ts';
import { requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { post, step } from '../../steps.ts';
import { allOf, hasCapability, hasCredential } from '../../target.ts';
import { invalidInputOf, malformedBody, requireCategory } from '../vocabulary/refusals.ts';
import { submit, unknownModelOf, unknownModelPath } from '../vocabulary/router-steps.ts';

const family = 'submit';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

export const submitRefusalRules: readonly Rule[] = [
  defineRule({
    id: 'submit.invalid.is-refused-at-once',
    family,
    requirements: ['MR-SUB-07', 'MR-SUB-08', 'MR-SUB-09'],
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
      return { steps: [step('malformed', post(api, to, { body: malformedBody }))] };
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
    probe: (context) => {
      const body = { kind: 'json', value: {} } as const;
      const model = unknownModelOf(context.model('authored'));
      return {
        steps: [
          step('unknown-provider', post(api, `${unknownModelPath}/requests`, { body })),
          step('unknown-model', post(api, `${model}/requests`, { body })),
        ],
      };
    },
    judge: (evidence, context) =>
      ['unknown-provider', 'unknown-model'].flatMap((name) => {
        const answer = responseOf(evidence, name);
        const status = requireStatus(answer, 404);
        return status.length > 0 ? status : requireCategory(answer, context, 'model_not_found');
      }),
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
  defineRule({
    id: 'submit.binary.byte-returning-model',
    family,
    requirements: ['MR-SUB-10'],
    api,
    cost,
    appliesTo: allOf(appliesTo, hasCredential(api, 'main')),
    probe: ({ survey }) => {
      const { binary } = survey.models;
      return { steps: binary === undefined ? [] : [submit('submit', binary)] };
    },
    judge: (evidence, { headers }) => {
      if (evidence.length === 0) return { kind: 'not-applicable', because: 'no model that returns bytes was found' };
      const answer = responseOf(evidence, 'submit');
      // The documents are silent; live services were seen to refuse models that return bytes.
      return {
        kind: 'observed',
        observation: `answered with ${answer.status} ${headerOf(answer, headers.errorType) ?? ''}`.trim(),
      };
    },
  }),
];
