import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { CredentialUse, Evidence, Probe } from '../../probe.ts';
import { requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { step } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { list } from '../vocabulary/router-steps.ts';
import { callOf, calls, eachOperation } from './operations.ts';

const family = 'authentication';
const api = 'router';
const appliesTo = hasCapability('authentication');

function listWith(...credentials: readonly CredentialUse[]): Probe {
  return { steps: [list('list', '', { credentials })] };
}

function answersWith(evidence: Evidence, status: number): readonly Draft[] {
  return requireStatus(responseOf(evidence, 'list'), status);
}

/** AUT-06 and AUT-07 ask for both; a proxy in front may answer for the server, and is judged like it. */
function unauthorised(evidence: Evidence, name: string, context: ProbeContext): readonly Draft[] {
  return requireCategory(responseOf(evidence, name), context, 'unauthorized');
}

const none = 'authentication.none.is-refused';
const wrong = 'authentication.wrong.is-refused';
const wrongKey: CredentialUse = { as: 'api-key', who: 'wrong' };
const wrongToken: CredentialUse = { as: 'bearer', who: 'wrong' };

const refusalRules: readonly Rule[] = [
  ...calls.map((call) =>
    defineRule({
      id: `${none}.${call.name}`,
      family,
      requirements: ['MR-AUT-01', 'MR-AUT-06', 'MR-STC-02', call.requirement],
      api,
      probe: (context) => ({ steps: [step('call', callOf(call, context, []))] }),
      judge: (evidence) => requireStatus(responseOf(evidence, 'call'), 401),
    }),
  ),
  defineRule({
    id: 'authentication.none.is-called-unauthorized',
    family,
    requirements: ['MR-AUT-06', 'MR-CTG-11'],
    needs: calls.map(({ name }) => `${none}.${name}`),
    api,
    probe: eachOperation([]),
    judge: (evidence, context) => calls.flatMap(({ name }) => unauthorised(evidence, name, context)),
  }),
  defineRule({
    id: `${wrong}.key`,
    family,
    requirements: ['MR-AUT-07', 'MR-STC-02', ...calls.map(({ requirement }) => requirement)],
    api,
    appliesTo,
    probe: eachOperation([wrongKey]),
    judge: (evidence) => calls.flatMap(({ name }) => requireStatus(responseOf(evidence, name), 401)),
  }),
  defineRule({
    id: `${wrong}.token`,
    family,
    requirements: ['MR-AUT-07', 'MR-STC-02', ...calls.map(({ requirement }) => requirement)],
    api,
    appliesTo,
    probe: eachOperation([wrongToken]),
    judge: (evidence) => calls.flatMap(({ name }) => requireStatus(responseOf(evidence, name), 401)),
  }),
  defineRule({
    id: 'authentication.wrong.is-called-unauthorized',
    family,
    requirements: ['MR-AUT-07', 'MR-CTG-11'],
    needs: [`${wrong}.key`],
    api,
    appliesTo,
    probe: eachOperation([wrongKey]),
    judge: (evidence, context) => calls.flatMap(({ name }) => unauthorised(evidence, name, context)),
  }),
];

const acceptanceRules: readonly Rule[] = [
  defineRule({
    id: 'authentication.api-key.is-accepted',
    family,
    requirements: ['MR-AUT-02', 'MR-AUT-10'],
    api,
    probe: () => listWith({ as: 'api-key', who: 'main' }),
    judge: (evidence) => answersWith(evidence, 200),
  }),
  defineRule({
    id: 'authentication.bearer.is-accepted',
    family,
    requirements: ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'],
    api,
    probe: () => listWith({ as: 'bearer', who: 'main' }),
    judge: (evidence) => answersWith(evidence, 200),
  }),
  defineRule({
    id: 'authentication.precedence.good-key-beside-wrong-token',
    family,
    requirements: ['MR-AUT-05'],
    needs: ['authentication.api-key.is-accepted'],
    api,
    appliesTo,
    probe: () => listWith({ as: 'api-key', who: 'main' }, wrongToken),
    judge: (evidence) => answersWith(evidence, 200),
  }),
  defineRule({
    id: 'authentication.precedence.wrong-key-beside-good-token',
    family,
    requirements: ['MR-AUT-05'],
    needs: ['authentication.bearer.is-accepted', `${wrong}.key`],
    api,
    appliesTo,
    probe: () => listWith(wrongKey, { as: 'bearer', who: 'main' }),
    judge: (evidence) => answersWith(evidence, 401),
  }),
];

export const authenticationCredentialRules: readonly Rule[] = [...refusalRules, ...acceptanceRules];
