import { type Answer, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Verdict } from '../../finding.ts';
import type { Probe } from '../../probe.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { requireConflict, underOneKey } from '../vocabulary/keyed-calls.ts';
import { otherInputOf } from '../vocabulary/model-schema.ts';
import { otherModelPath } from '../vocabulary/router-steps.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

function otherBody(context: ProbeContext): Probe {
  return underOneKey(context, 'run-other-body', { next: { value: otherInputOf(context.model('authored')) } });
}

/** A model that takes any object can be asked with the other's input, so only the key can be the reason of a refusal. */
function otherModel(context: ProbeContext): Probe {
  const { id, path, input } = context.model('authored');
  const { unauthored } = context.survey.models;
  if (unauthored !== undefined) {
    return underOneKey(context, 'run-other-model', {
      first: { to: unauthored.path, value: input },
      next: { to: path },
    });
  }
  return underOneKey(context, 'run-other-model', { next: { to: otherModelPath(context, { id }) } });
}

/** Where the second model refused the body itself, nothing is known of the key (NS-31). */
function conflictVerdict(answer: Answer, context: ProbeContext): Verdict {
  const isOfTheBody = answer.status === 422 && context.survey.models.unauthored === undefined;
  return isOfTheBody
    ? { kind: 'not-observable', because: 'the second model takes another input' }
    : requireConflict(answer, context);
}

function otherQuery(context: ProbeContext): Probe {
  const { path } = context.model('authored');
  return underOneKey(context, 'run-other-query', { next: { to: `${path}?strict_mode=true` } });
}

export const runConflictRules: readonly Rule[] = [
  { id: 'run.retry.with-another-body-conflicts', part: 'MR-IDM-27', probe: otherBody },
  { id: 'run.retry.with-another-query-conflicts', part: 'MR-IDM-26', probe: otherQuery },
  { id: 'run.retry.on-another-model-conflicts', part: 'MR-IDM-25', probe: otherModel },
].map(({ id, part, probe }) =>
  defineRule({
    id,
    family,
    requirements: [part, 'MR-IDM-16', 'MR-RUN-46', 'MR-STC-06', 'MR-CTG-04'],
    api,
    cost,
    appliesTo,
    probe,
    judge: (evidence, context) => conflictVerdict(responseOf(evidence, 'again'), context),
  }),
);
