import { defineRule, type Rule } from '../../rule.ts';
import { get, step } from '../../steps.ts';
import { allOf, hasCapability, hasCredential } from '../../target.ts';
import { asNeighbour, requestNotFound, underAnotherModel } from '../status/unknown.ts';
import { submitted, unknownRequestId } from '../vocabulary/router-steps.ts';

const family = 'collect';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

export const collectUnknownRules: readonly Rule[] = [
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
