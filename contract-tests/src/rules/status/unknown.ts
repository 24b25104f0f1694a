import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, step, stepFrom, textFrom, urlFrom } from '../../steps.ts';
import { allOf, hasCapability, hasCredential } from '../../target.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { otherModelPath, submitted, unknownRequestId } from '../vocabulary/router-steps.ts';

const family = 'status';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

/** 404 and, as the id names no request of this caller under this model, request_not_found (C-15). */
export function requestNotFound(evidence: Evidence, name: string, context: ProbeContext): readonly Draft[] {
  const answer = responseOf(evidence, name);
  const status = requireStatus(answer, 404);
  return status.length > 0 ? status : requireCategory(answer, context, 'request_not_found');
}

/** The URL of the submitted request, asked for with the credential of another workspace. */
export function asNeighbour(name: string, member: string, method: string): Step {
  return stepFrom(name, (earlier): ProbeRequest => {
    const to = urlFrom(earlier, 'submit', `/${member}`);
    return { api, method, to, credentials: [{ as: 'api-key', who: 'neighbour' }] };
  });
}

/** The submitted request's id below the path of another model. */
export function underAnotherModel(name: string, context: ProbeContext, tail: string): Step {
  const path = otherModelPath(context, context.model('authored'));
  return stepFrom(name, (earlier) => get(api, `${path}/requests/${textFrom(earlier, 'submit', '/request_id')}${tail}`));
}

export const statusUnknownRules: readonly Rule[] = [
  defineRule({
    id: 'status.unknown.is-not-found',
    family,
    requirements: ['MR-STA-08', 'MR-CTG-24', 'MR-STC-05'],
    api,
    appliesTo,
    probe: (context): Probe => ({
      steps: [step('unknown', get(api, `${context.model('authored').path}/requests/${unknownRequestId}/status`))],
    }),
    judge: (evidence, context) => requestNotFound(evidence, 'unknown', context),
  }),
  defineRule({
    id: 'status.foreign.is-not-found',
    family,
    requirements: ['MR-CTG-24'],
    api,
    cost,
    appliesTo: allOf(appliesTo, hasCredential(api, 'neighbour')),
    probe: (context) => ({ steps: [submitted(context), asNeighbour('foreign', 'status_url', 'GET')] }),
    judge: (evidence, context) => requestNotFound(evidence, 'foreign', context),
  }),
  defineRule({
    id: 'status.other-model.is-not-found',
    family,
    requirements: ['MR-CTG-24'],
    api,
    cost,
    appliesTo,
    probe: (context) => ({ steps: [submitted(context), underAnotherModel('misplaced', context, '/status')] }),
    judge: (evidence, context) => requestNotFound(evidence, 'misplaced', context),
  }),
];
