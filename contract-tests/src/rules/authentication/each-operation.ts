import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { CredentialUse, Evidence, Probe } from '../../probe.ts';
import { finding, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { step } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { calls, eachOperation } from './operations.ts';

const family = 'authentication';
const api = 'router';
const appliesTo = hasCapability('authentication');
const wrongKey: CredentialUse = { as: 'api-key', who: 'wrong' };
const wrongToken: CredentialUse = { as: 'bearer', who: 'wrong' };
const key: CredentialUse = { as: 'api-key', who: 'main' };
const token: CredentialUse = { as: 'bearer', who: 'main' };

/** Whatever else may be wrong with the call, the credential is good. */
function letIn(evidence: Evidence): readonly Draft[] {
  return calls.flatMap(({ name }) => {
    const { status } = responseOf(evidence, name);
    if (status !== 401) return [];
    return [finding('status-unexpected', { step: name }, { expected: 'the credential accepted', actual: '401' })];
  });
}

function turnedAway(evidence: Evidence): readonly Draft[] {
  return calls.flatMap(({ name }) => requireStatus(responseOf(evidence, name), 401));
}

type EachRule = {
  readonly id: string;
  readonly requirements: readonly string[];
  /** What the listing alone shows of it. */
  readonly needs: string;
  readonly uses: readonly CredentialUse[];
  readonly judge: (evidence: Evidence) => readonly Draft[];
};

/** What the listing shows of a credential holds for all eight operations. */
const onEach: readonly EachRule[] = [
  {
    id: 'authentication.bearer.is-accepted.everywhere',
    requirements: ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'],
    needs: 'authentication.bearer.is-accepted',
    uses: [token],
    judge: letIn,
  },
  {
    id: 'authentication.precedence.good-key-beside-wrong-token.everywhere',
    requirements: ['MR-AUT-05'],
    needs: 'authentication.precedence.good-key-beside-wrong-token',
    uses: [key, wrongToken],
    judge: letIn,
  },
  {
    id: 'authentication.precedence.wrong-key-beside-good-token.everywhere',
    requirements: ['MR-AUT-05'],
    needs: 'authentication.precedence.wrong-key-beside-good-token',
    uses: [wrongKey, token],
    judge: turnedAway,
  },
];

/** A good key with more behind it: whoever compares only the beginning lets it in. */
const lengthened = (context: ProbeContext): Probe => ({
  steps: (['api-key', 'bearer'] as const).map((as) =>
    step(as, { api, method: 'GET', to: context.model('authored').path, credentials: [{ as, who: 'lengthened' }] }),
  ),
});

const alike = [
  { name: 'key in capitals', use: { as: 'api-key', who: 'recased' } },
  { name: 'token in capitals', use: { as: 'bearer', who: 'recased' } },
  { name: 'empty key', use: { as: 'api-key', who: 'empty' } },
] as const;

/** Not the credential, however near to it. */
const nearlyRight = (context: ProbeContext): Probe => ({
  steps: alike.map(({ name, use }) =>
    step(name, { api, method: 'GET', to: context.model('authored').path, credentials: [use] }),
  ),
});

export const authenticationOperationRules: readonly Rule[] = [
  ...onEach.map(({ id, requirements, needs, uses, judge }) =>
    defineRule({
      id,
      family,
      requirements,
      needs: needs === undefined ? [] : [needs],
      api,
      appliesTo,
      probe: eachOperation(uses),
      judge,
    }),
  ),
  defineRule({
    id: 'authentication.wrong.is-refused.key-with-more-behind-it',
    family,
    requirements: ['MR-AUT-07', 'MR-STC-02', 'MR-MOD-10'],
    api,
    appliesTo,
    probe: lengthened,
    judge: (evidence) => ['api-key', 'bearer'].flatMap((name) => requireStatus(responseOf(evidence, name), 401)),
  }),
  defineRule({
    id: 'authentication.wrong.is-refused.however-alike',
    family,
    requirements: ['MR-AUT-07', 'MR-AUT-06'],
    needs: ['authentication.wrong.is-refused.key'],
    api,
    appliesTo,
    probe: nearlyRight,
    judge: (evidence) => alike.flatMap(({ name }) => requireStatus(responseOf(evidence, name), 401)),
  }),
];
