import { headerOf, jsonOf, memberOf, responseOf, textOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, Step } from '../../probe.ts';
import { requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { type AppliesTo, allOf, hasCapability, hasJob } from '../../target.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { readJob, unknownJob, workflowOf } from './steps.ts';

const family = 'workflow';
const api = 'workflow';
const appliesTo = hasCapability('state');

type Missing = {
  name: string;
  requirements: readonly string[];
  appliesTo: AppliesTo;
  read: (context: ProbeContext) => Step;
};
const kinds: readonly Missing[] = [
  {
    name: 'unknown',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'],
    appliesTo,
    read: () => workflowOf('unknown', unknownJob),
  },
  {
    name: 'foreign',
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    appliesTo: allOf(appliesTo, hasJob('foreign')),
    read: (context) => readJob('foreign', context),
  },
  {
    name: 'expired',
    requirements: ['WX-RTN-04', 'WX-RTN-07', 'WX-COD-09'],
    appliesTo: allOf(appliesTo, hasJob('expired')),
    read: (context) => readJob('expired', context),
  },
];

function notFound(evidence: Evidence, name: string): readonly Draft[] {
  const answer = responseOf(evidence, name);
  const status = requireStatus(answer, 404);
  return status.length > 0 ? status : requireMember(answer, '/error/code', exactly('not_found'));
}

const readEach = (context: ProbeContext): Probe => ({ steps: kinds.map(({ read }) => read(context)) });

/** What a caller can tell two refusals apart by, the job's own id left out. */
function appearance(evidence: Evidence, name: string, id: string): string {
  const answer = responseOf(evidence, name);
  const body = jsonOf(answer).kind === 'json' ? JSON.stringify(memberOf(answer, '/error')) : textOf(answer);
  return `${answer.status} ${headerOf(answer, 'content-type') ?? ''} ${body.replaceAll(id, '<id>')}`;
}

export const workflowMissingRules: readonly Rule[] = [
  ...kinds.map((kind) =>
    defineRule({
      id: `workflow.${kind.name}.is-not-found`,
      family,
      requirements: kind.requirements,
      api,
      appliesTo: kind.appliesTo,
      probe: (context) => ({ steps: [kind.read(context)] }),
      judge: (evidence) => notFound(evidence, kind.name),
    }),
  ),
  defineRule({
    id: 'workflow.missing.appearance',
    family,
    requirements: ['WX-RTN-01'],
    needs: kinds.map(({ name }) => `workflow.${name}.is-not-found`),
    api,
    appliesTo: allOf(appliesTo, hasJob('foreign', 'expired')),
    probe: readEach,
    judge: (evidence, context) => {
      const ids = [unknownJob, context.job('foreign'), context.job('expired')];
      const seen = kinds.map(({ name }, index) => appearance(evidence, name, ids[index] ?? ''));
      // Status and code are required; that the wording tells nothing either is not said anywhere.
      const alike = new Set(seen).size === 1;
      const observation = alike
        ? 'unknown, foreign and expired jobs look the same'
        : `refusals differ: ${seen.join(' | ')}`;
      return { kind: 'observed', observation };
    },
  }),
];
