import { resolvePointer } from '../../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { finding, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, step } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { amountsIn } from '../catalog/entries.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { list, modelPath } from '../vocabulary/router-steps.ts';

const family = 'model';
const api = 'router';
const appliesTo = hasCapability('state');
const modelsAtMost = 24;

/** Of a large catalog a sample from its beginning to its end. */
function sampled({ survey }: ProbeContext): readonly string[] {
  const ids = survey.listed.filter((id) => id.includes('/'));
  const every = Math.max(1, ids.length / modelsAtMost);
  const places = Array.from({ length: Math.min(ids.length, modelsAtMost) }, (_, index) => Math.floor(index * every));
  return [...new Set([...places.flatMap((place) => ids[place] ?? []), ...ids.slice(-1)])];
}

const eachDetail = (context: ProbeContext): Probe => ({
  steps: [list('list', '?limit=100'), ...sampled(context).map((id) => step(id, get(api, modelPath(id))))],
});

function entryOf(evidence: Evidence, id: string) {
  const data = memberOf(responseOf(evidence, 'list'), '/data');
  return (Array.isArray(data) ? data : []).find((entry) => resolvePointer(entry, '/id') === id);
}

function agrees(evidence: Evidence, id: string): readonly Draft[] {
  const [answer, entry] = [responseOf(evidence, id), entryOf(evidence, id)];
  if (answer.status !== 200 || entry === undefined) return [];
  return ['/id', '/provider', '/model', '/billing/charges_on_policy_rejection'].flatMap((pointer) => {
    const wanted = resolvePointer(entry, pointer);
    return typeof wanted === 'string' ? requireMember(answer, pointer, exactly(wanted)) : [];
  });
}

function amountsOf(answer: Answer): readonly Draft[] {
  return amountsIn(memberOf(answer, '/billing'), '/billing').map((pointer) => {
    const said = { expected: 'no price or usage number', actual: String(memberOf(answer, pointer)) };
    return finding('value-unexpected', { step: answer.step, pointer }, said);
  });
}

export const listedModelRules: readonly Rule[] = [
  defineRule({
    id: 'model.listed.can-be-read',
    family,
    requirements: ['MR-CAT-02', 'MR-MOD-04'],
    api,
    appliesTo,
    probe: eachDetail,
    judge: (evidence, context) => sampled(context).flatMap((id) => requireStatus(responseOf(evidence, id), 200)),
  }),
  defineRule({
    id: 'model.listed.agree-with-their-details',
    family,
    requirements: ['MR-MOD-04'],
    needs: ['model.detail.agrees-with-the-listing', 'model.listed.can-be-read'],
    api,
    appliesTo,
    probe: eachDetail,
    judge: (evidence, context) => sampled(context).flatMap((id) => agrees(evidence, id)),
  }),
  defineRule({
    id: 'model.listed.details-name-no-amount',
    family,
    requirements: ['MR-CAT-41', 'MR-CAT-42', 'MR-MOD-04'],
    needs: ['model.listed.can-be-read'],
    api,
    appliesTo,
    probe: eachDetail,
    judge: (evidence, context) => sampled(context).flatMap((id) => amountsOf(responseOf(evidence, id))),
  }),
  defineRule({
    id: 'model.listed.are-there-for-every-credential-form',
    family,
    requirements: ['MR-CAT-02', 'MR-AUT-04'],
    api,
    appliesTo,
    probe: () => ({
      steps: [
        list('key', '?limit=1', { credentials: [{ as: 'api-key', who: 'main' }] }),
        list('token', '?limit=1', { credentials: [{ as: 'bearer', who: 'main' }] }),
      ],
    }),
    judge: (evidence) => {
      if (responseOf(evidence, 'token').status !== 200) return [];
      const [first, other] = ['key', 'token'].map((name) => memberOf(responseOf(evidence, name), '/data'));
      if (!Array.isArray(first) || first.length === 0) return { kind: 'not-observable', because: 'no model is listed' };
      return Array.isArray(other) && other.length > 0
        ? []
        : requireMember(responseOf(evidence, 'token'), '/data', {
            expected: 'models as under the key',
            is: () => false,
          });
    },
  }),
];
