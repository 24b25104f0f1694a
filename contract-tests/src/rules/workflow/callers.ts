import { type Answer, headerOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { CredentialUse, Evidence, Probe, Step } from '../../probe.ts';
import { finding, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, step } from '../../steps.ts';
import { allOf, hasCapability, hasCredential, hasJob, type JobName } from '../../target.ts';
import { readJob, unknownJob, workflowOf } from './steps.ts';

const family = 'workflow';
const api = 'workflow';
const needs = ['workflow.job.answers-with-json'];

const asOther: readonly CredentialUse[] = [{ as: 'bearer', who: 'other' }];
const limited: readonly CredentialUse[] = [{ as: 'bearer', who: 'rateLimited' }];
const nobody = { credentials: [] };

/** Their owner reads them first: whatever is kept of that is for the owner. */
const ownThenOther = (context: ProbeContext): Probe => ({
  steps: [
    readJob('save', context),
    readJob('api', context),
    workflowOf('save-of-another', context.job('save'), { credentials: asOther }),
    workflowOf('api-of-another', context.job('api'), { credentials: asOther }),
    readJob('foreign', context),
  ],
});

const lookups = ['api', 'save', 'foreign', 'expired'] as const;

const lookUp = (name: JobName, context: ProbeContext): Step =>
  step(`look-up-${name}`, get(api, `/api/v2/jobs/${encodeURIComponent(context.job(name))}`));

/** Only whether there is such a job: what a look-up tells is not shown (NS-54, C-63). */
function requireParity(evidence: Evidence, name: JobName): readonly Draft[] {
  const [workflow, job] = [responseOf(evidence, name), responseOf(evidence, `look-up-${name}`)];
  const isThere = { 200: true, 404: false } as const;
  const [there, known] = [workflow, job].map(({ status }) =>
    status === 200 || status === 404 ? isThere[status] : undefined,
  );
  if (there === undefined || known === undefined || there === known) return [];
  const said = { expected: `${workflow.status}, as the workflow`, actual: String(job.status) };
  return [finding('values-differ', { step: `look-up-${name}` }, said)];
}

const rounds = ['first', 'second', 'third'] as const;
const subjects = ['own', 'foreign', 'unknown'] as const;

/** In turns, so that what only changes with time is not taken for a difference between jobs. */
const limitedInTurns = (context: ProbeContext): Probe => {
  const ids = { own: context.job('api'), foreign: context.job('foreign'), unknown: unknownJob };
  return {
    steps: rounds.flatMap((round) =>
      subjects.map((subject) => workflowOf(`${subject}-${round}`, ids[subject], { credentials: limited })),
    ),
  };
};

/** The names of all headers, and how long to wait. */
function outsideOf(answer: Answer): string {
  const names = [...new Set(answer.headers.map(([name]) => name.toLowerCase()))].filter((name) => name !== 'date');
  return `${names.toSorted().join(' ')}; Retry-After ${headerOf(answer, 'Retry-After') ?? 'absent'}`;
}

/** How all its refusals look, when they all look alike. */
function constantLook(evidence: Evidence, subject: (typeof subjects)[number]): string | undefined {
  const looks = new Set(rounds.map((round) => outsideOf(responseOf(evidence, `${subject}-${round}`))));
  return looks.size === 1 ? [...looks][0] : undefined;
}

const both = (context: ProbeContext): Probe => ({
  steps: [workflowOf('api', context.job('api'), nobody), workflowOf('save', context.job('save'), nobody)],
});

export const workflowCallerRules: readonly Rule[] = [
  defineRule({
    id: 'workflow.foreign.stays-so-after-its-owner-read-it',
    family,
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    needs,
    api,
    appliesTo: allOf(hasCapability('state'), hasCredential(api, 'other'), hasJob('save', 'api', 'foreign')),
    probe: ownThenOther,
    judge: (evidence) =>
      ['save-of-another', 'api-of-another', 'foreign'].flatMap((name) =>
        requireStatus(responseOf(evidence, name), 404),
      ),
  }),
  defineRule({
    id: 'workflow.lookup.finds-the-same-jobs',
    family,
    requirements: ['WX-RTN-01', 'WX-RTN-03', 'WX-RTN-05', 'WX-RTN-06'],
    needs,
    api,
    appliesTo: allOf(hasCapability('state'), hasJob(...lookups)),
    probe: (context) => ({ steps: lookups.flatMap((name) => [readJob(name, context), lookUp(name, context)]) }),
    judge: (evidence) => lookups.flatMap((name) => requireParity(evidence, name)),
  }),
  defineRule({
    id: 'workflow.rate-limit.looks-the-same-for-all-jobs',
    family,
    requirements: ['WX-OPE-09'],
    needs: ['workflow.rate-limit.reveals-no-job'],
    api,
    appliesTo: allOf(hasCredential(api, 'rateLimited'), hasJob('api', 'foreign')),
    probe: limitedInTurns,
    judge: (evidence) => {
      const isLimited = subjects.every((one) =>
        rounds.every((round) => responseOf(evidence, `${one}-${round}`).status === 429),
      );
      if (!isLimited) return { kind: 'not-observable', because: 'not all of the calls were limited' };
      const looks = subjects.flatMap((one) => constantLook(evidence, one) ?? []);
      if (looks.length < subjects.length || new Set(looks).size === 1) return [];
      const [own = '', ...others] = looks;
      return [finding('values-differ', { step: 'foreign-first' }, { expected: own, actual: others.join(' | ') })];
    },
  }),
  defineRule({
    id: 'workflow.none.is-one-for-all-jobs',
    family,
    requirements: ['WX-AUT-07', 'WX-AUT-04'],
    needs,
    api,
    appliesTo: allOf(hasCapability('authentication'), hasJob('save', 'api')),
    probe: both,
    judge: (evidence) => {
      // C-50: whether nobody may read is the deployment's affair, and one for all its jobs.
      const { status } = responseOf(evidence, 'api');
      return status === 401 ? requireStatus(responseOf(evidence, 'save'), 401) : [];
    },
  }),
];
