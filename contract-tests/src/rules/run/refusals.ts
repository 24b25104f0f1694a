import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { requireHeader, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { post, step } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { filled } from '../vocabulary/matchers.ts';
import { invalidInputOf, malformedBody, requireCategory } from '../vocabulary/refusals.ts';
import { unknownModelOf, unknownModelPath } from '../vocabulary/router-steps.ts';

const family = 'run';
const api = 'router';
const appliesTo = hasCapability('state');

const malformed = (context: ProbeContext) => ({
  steps: [step('malformed', post('router', context.model('authored').path, { body: malformedBody }))],
});
const refused = 'run.malformed.is-refused';
const unknowns = ['unknown-provider', 'unknown-model'] as const;
const unknownModels = (context: ProbeContext) => {
  const [provider, model] = [unknownModelPath, unknownModelOf(context.model('authored'))];
  const body = { kind: 'json', value: {} } as const;
  return {
    steps: [
      step('unknown-provider', post('router', provider, { body })),
      step('unknown-model', post('router', model, { body })),
    ],
  };
};

export const runRefusalRules: readonly Rule[] = [
  defineRule({
    id: refused,
    family,
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    api,
    appliesTo,
    probe: malformed,
    judge: (evidence) => requireStatus(responseOf(evidence, 'malformed'), 400),
  }),
  defineRule({
    id: 'run.malformed.is-called-invalid-input',
    family,
    requirements: ['MR-RUN-39', 'MR-CTG-01'],
    needs: [refused],
    api,
    appliesTo,
    probe: malformed,
    judge: (evidence, context) => requireCategory(responseOf(evidence, 'malformed'), context, 'invalid_input'),
  }),
  defineRule({
    id: 'run.malformed.carries-request-id',
    family,
    requirements: ['MR-RUN-40', 'MR-HDR-01'],
    needs: [refused],
    api,
    appliesTo,
    probe: malformed,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'malformed'), headers.requestId, filled),
  }),
  defineRule({
    id: 'run.invalid.is-refused-per-field',
    family,
    requirements: ['MR-RUN-49', 'MR-SCH-27', 'MR-STC-11'],
    api,
    appliesTo: hasCapability('validation'),
    probe: (context) => {
      const model = context.model('authored');
      return {
        steps: [step('invalid', post('router', model.path, { body: { kind: 'json', value: invalidInputOf(model) } }))],
      };
    },
    judge: (evidence) => requireStatus(responseOf(evidence, 'invalid'), 422),
  }),
  defineRule({
    id: 'run.invalid.is-called-invalid-input',
    family,
    requirements: ['MR-CTG-03'],
    needs: ['run.invalid.is-refused-per-field'],
    api,
    appliesTo: hasCapability('validation'),
    probe: (context) => {
      const model = context.model('authored');
      return {
        steps: [step('invalid', post('router', model.path, { body: { kind: 'json', value: invalidInputOf(model) } }))],
      };
    },
    judge: (evidence, context) => requireCategory(responseOf(evidence, 'invalid'), context, 'invalid_input'),
  }),
  defineRule({
    id: 'run.unauthored.odd-object',
    family,
    requirements: ['MR-SCH-31', 'MR-SCH-32', 'MR-SCH-35', 'MR-STC-13'],
    api,
    cost: 'billed',
    appliesTo: hasCapability('validation'),
    probe: (context) => {
      const body = { kind: 'json', value: { a_member_no_schema_names: [1, 'two'] } } as const;
      const { unauthored } = context.survey.models;
      return { steps: unauthored === undefined ? [] : [step('odd', post('router', unauthored.path, { body }))] };
    },
    judge: (evidence) => {
      if (evidence.length === 0)
        return { kind: 'not-applicable', because: 'no model with an unauthored input was found' };
      const { status } = responseOf(evidence, 'odd');
      // The provider may refuse too (MR-SCH-32), so no answer shows for certain that the router validated.
      return { kind: 'observed', observation: `an odd object is answered with ${status}` };
    },
  }),
  defineRule({
    id: 'run.unknown.is-not-found',
    family,
    requirements: ['MR-RUN-45', 'MR-STC-05'],
    api,
    appliesTo,
    probe: unknownModels,
    judge: (evidence) => unknowns.flatMap((name) => requireStatus(responseOf(evidence, name), 404)),
  }),
  defineRule({
    id: 'run.unknown.is-called-model-not-found',
    family,
    requirements: ['MR-CTG-10'],
    needs: ['run.unknown.is-not-found'],
    api,
    appliesTo,
    probe: unknownModels,
    judge: (evidence, context) =>
      unknowns.flatMap((name) => requireCategory(responseOf(evidence, name), context, 'model_not_found')),
  }),
];
