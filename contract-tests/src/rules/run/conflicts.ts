import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { requireConflict, underOneKey } from '../vocabulary/keyed-calls.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

/** The unauthored model takes any object, so only the key can be the reason of a refusal. */
function otherBody(context: ProbeContext): Probe {
  const { path, input } = context.model('unauthored');
  const next = { value: { ...input, note_of_another_call: 'changed' } };
  return underOneKey(context, 'run-other-body', { first: { to: path, value: input }, next });
}

function otherModel(context: ProbeContext): Probe {
  const { path, input } = context.model('authored');
  const first = { to: context.model('unauthored').path, value: input };
  return underOneKey(context, 'run-other-model', { first, next: { to: path } });
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
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'again'), context),
  }),
);
