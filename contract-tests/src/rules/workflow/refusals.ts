import type { ProbeContext } from '../../context.ts';
import { allResponses, headerOf, jsonOf, memberOf, responseOf, type StepResponse, textOf } from '../../evidence.ts';
import { type Finding, finding, notObservable, observed } from '../../finding.ts';
import type { Evidence, Probe, Step } from '../../probe.ts';
import { defineFamily, type Rule } from '../../rule.ts';
import { get, step } from '../../steps.ts';
import {
  type AppliesTo,
  allOf,
  always,
  type CredentialName,
  hasCapability,
  hasCredential,
  hasJob,
  type JobName,
} from '../../target.ts';
import { type Expectation, expectMember, expectMembers, expectStatus, onResponse } from '../builders/expectations.ts';
import { exactly, type MemberMatcher, object, text } from '../builders/matchers.ts';
import { probeOf, withToken } from '../builders/router-steps.ts';
import { isFound, readById, readJob, readJobs, state, unknownJob, workflow } from './jobs.ts';

const limited = withToken('rateLimited');
const rateLimit = 'workflow.rate-limit.is-429';

const expectCode = (status: number, code: string): Expectation =>
  expectStatus(status, expectMember('/error/code', exactly(code)));

type Refusal = {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly appliesTo: AppliesTo;
  readonly who: CredentialName | 'wrong';
  readonly status: number;
  readonly code: string;
};
const byCredential: readonly Refusal[] = [
  {
    id: 'workflow.wrong-token.is-unauthorized',
    requirements: ['WX-AUT-07', 'WX-OPE-01', 'WX-COD-10'],
    appliesTo: hasCapability('authentication'),
    who: 'wrong',
    status: 401,
    code: 'unauthorized',
  },
  {
    id: 'workflow.no-access.is-forbidden',
    requirements: ['WX-AUT-08', 'WX-OPE-02', 'WX-COD-11'],
    appliesTo: hasCredential('workflow', 'forbidden'),
    who: 'forbidden',
    status: 403,
    code: 'forbidden',
  },
  {
    id: rateLimit,
    requirements: ['WX-OPE-04', 'WX-COD-14', 'WX-LIM-02'],
    appliesTo: hasCredential('workflow', 'rateLimited'),
    who: 'rateLimited',
    status: 429,
    code: 'rate_limited',
  },
];

const noCredential = { credentials: [] };
const absentOrObject: MemberMatcher = {
  expected: 'absent, null or an object',
  is: (details) => details === undefined || details === null || object.is(details),
};

const credentialRules = defineFamily({ ...workflow, appliesTo: hasJob('api') }, [
  {
    // Repeats passive.workflow.error-envelope, because its calls bring the passive rules a mock's examples of errors.
    id: 'workflow.error.has-the-envelope',
    requirements: ['WX-ERR-01', 'WX-ERR-02', 'WX-ERR-03', 'WX-ERR-04', 'WX-ERR-05'],
    appliesTo: always,
    requiredOf: ['mock', 'sandbox', 'live'],
    probe: probeOf(
      readById('unknown', unknownJob, { prefer: 404 }),
      readById('wrong-token', unknownJob, { ...withToken('wrong'), prefer: 401 }),
    ),
    check: (evidence) => {
      const refused = allResponses(evidence).filter(({ status }) => status >= 400);
      if (refused.length === 0) return notObservable('nothing was refused');
      return refused.flatMap(
        expectMembers({
          '/error': object,
          '/error/code': text,
          '/error/message': text,
          '/error/details': absentOrObject,
        }),
      );
    },
  },
  ...byCredential.map(({ id, requirements, appliesTo, who, status, code }) => ({
    id,
    requirements,
    appliesTo: allOf(appliesTo, hasJob('api')),
    probe: (context: ProbeContext) => ({ steps: [readJob('api', context, withToken(who))] }),
    check: onResponse('api', expectCode(status, code)),
  })),
  {
    id: 'workflow.bearer.is-accepted',
    requirements: ['WX-AUT-01'],
    requiredOf: ['mock', 'sandbox'],
    probe: (context) => ({ steps: [readJob('api', context, withToken('main'))] }),
    check: onResponse('api', expectStatus(200)),
  },
  {
    id: 'workflow.none.without-credential',
    requirements: ['WX-AUT-04'],
    appliesTo: allOf(hasCapability('authentication'), hasJob('api')),
    probe: (context) => ({ steps: [readJob('api', context, noCredential)] }),
    // C-50: a self-hosted deployment accepts such calls, any other refuses them.
    check: (evidence) => observed(`a call without credential is answered with ${responseOf(evidence, 'api').status}`),
  },
  {
    id: 'workflow.none.is-one-for-all-jobs',
    requirements: ['WX-AUT-07', 'WX-AUT-04'],
    needs: [isFound],
    appliesTo: allOf(hasCapability('authentication'), hasJob('save', 'api')),
    probe: (context) => ({
      steps: [readJob('api', context, noCredential), readJob('save', context, noCredential)],
    }),
    // C-50: the answer to anonymous callers is the deployment's choice, and one for all its jobs.
    check: (evidence, context) =>
      responseOf(evidence, 'api').status === 401 ? onResponse('save', expectStatus(401))(evidence, context) : [],
  },
]);

const limitedIds = (context: ProbeContext): readonly string[] => [
  context.job('api'),
  context.job('foreign'),
  unknownJob,
];

/** The refusal without ids and without the seconds to wait. */
function refusalText(response: StepResponse, ids: readonly string[]): string {
  const error = JSON.stringify(memberOf(response, '/error') ?? null);
  const body = ids.reduce((text, id) => text.replaceAll(id, '<id>'), error);
  return `${response.status} ${body.replace(/\d+/g, '<n>')}`;
}

const rounds = ['first', 'second', 'third'] as const;
const ownership = ['own', 'foreign', 'unknown'] as const;

/** In turns, so that a change over time is not taken for a difference between jobs. */
const limitedInTurns = (context: ProbeContext): Probe => ({
  steps: rounds.flatMap((round) =>
    limitedIds(context).map((id, index) => readById(`${ownership[index]}-${round}`, id, limited)),
  ),
});

/** The names of all headers, and how long to wait. */
function headerText(response: StepResponse): string {
  const names = [...new Set(response.headers.map(([name]) => name.toLowerCase()))].filter((name) => name !== 'date');
  return `${names.toSorted().join(' ')}; Retry-After ${headerOf(response, 'Retry-After') ?? 'absent'}`;
}

/** What the headers of all three refusals have in common; undefined when they differ among themselves. */
function constantHeaders(evidence: Evidence, whose: (typeof ownership)[number]): string | undefined {
  const texts = new Set(rounds.map((round) => headerText(responseOf(evidence, `${whose}-${round}`))));
  return texts.size === 1 ? [...texts][0] : undefined;
}

const limitedRules = defineFamily(
  {
    ...workflow,
    needs: [rateLimit],
    appliesTo: allOf(hasCredential('workflow', 'rateLimited'), hasJob('api', 'foreign')),
  },
  [
    {
      id: 'workflow.rate-limit.reveals-no-job',
      requirements: ['WX-OPE-09'],
      probe: (context) => ({
        steps: [
          readJob('api', context, limited),
          readJob('foreign', context, limited),
          readById('unknown', unknownJob, limited),
        ],
      }),
      check: (evidence, context) => {
        const refused = allResponses(evidence).filter(({ status }) => status === 429);
        const texts = [...new Set(refused.map((response) => refusalText(response, limitedIds(context))))];
        if (texts.length <= 1) return [];
        const difference = { expected: texts[0] ?? '', actual: texts.slice(1).join(' | ') };
        return [finding('values-differ', { step: 'foreign' }, difference)];
      },
    },
    {
      id: 'workflow.rate-limit.looks-the-same-for-all-jobs',
      requirements: ['WX-OPE-09'],
      needs: ['workflow.rate-limit.reveals-no-job'],
      probe: limitedInTurns,
      check: (evidence) => {
        if (allResponses(evidence).some(({ status }) => status !== 429))
          return notObservable('not all of the calls were limited');
        const texts = ownership.flatMap((whose) => constantHeaders(evidence, whose) ?? []);
        if (texts.length < ownership.length || new Set(texts).size === 1) return [];
        const [own = '', ...others] = texts;
        return [finding('values-differ', { step: 'foreign-first' }, { expected: own, actual: others.join(' | ') })];
      },
    },
    {
      id: 'workflow.rate-limit.comes-before-the-job',
      requirements: ['WX-OPE-07', 'WX-OPE-08'],
      appliesTo: allOf(state, hasCredential('workflow', 'rateLimited'), hasJob('foreign')),
      probe: (context) => ({
        steps: [readJob('foreign', context, limited), readById('unknown', unknownJob, limited)],
      }),
      check: (evidence, context) => {
        const wrong = onResponse(['foreign', 'unknown'], expectStatus([429, 404]))(evidence, context);
        if (wrong.length > 0) return wrong;
        const [foreign, unknown] = ['foreign', 'unknown'].map((name) => responseOf(evidence, name).status);
        return observed(`a foreign job is answered ${foreign}, an unknown one ${unknown}`);
      },
    },
  ],
);

type Missing = {
  readonly name: 'unknown' | 'foreign' | 'expired';
  readonly requirements: readonly string[];
  readonly appliesTo: AppliesTo;
};
const missing: readonly Missing[] = [
  { name: 'unknown', requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'], appliesTo: state },
  { name: 'foreign', requirements: ['WX-RTN-03', 'WX-COD-09'], appliesTo: allOf(state, hasJob('foreign')) },
  {
    name: 'expired',
    requirements: ['WX-RTN-04', 'WX-RTN-07', 'WX-COD-09'],
    appliesTo: allOf(state, hasJob('expired')),
  },
];

function idOf(name: Missing['name'], context: ProbeContext): string {
  return name === 'unknown' ? unknownJob : context.job(name);
}

/** What tells two refusals apart, without the job's own id. */
function appearance(evidence: Evidence, name: string, id: string): string {
  const response = responseOf(evidence, name);
  const body = jsonOf(response).kind === 'json' ? JSON.stringify(memberOf(response, '/error')) : textOf(response);
  return `${response.status} ${headerOf(response, 'content-type') ?? ''} ${body.replaceAll(id, '<id>')}`;
}

const lookups = ['api', 'save', 'foreign', 'expired'] as const satisfies readonly JobName[];

const lookUp = (name: JobName, context: ProbeContext): Step =>
  step(`look-up-${name}`, get('workflow', `/api/v2/jobs/${encodeURIComponent(context.job(name))}`));

/** Whether the job itself exists like its workflow; what else its route gives is not documented (NS-54, C-63). */
function lookupFindings(evidence: Evidence, name: JobName): readonly Finding[] {
  const [ofWorkflow, ofJob] = [responseOf(evidence, name).status, responseOf(evidence, `look-up-${name}`).status];
  if (ofWorkflow === ofJob || ![ofWorkflow, ofJob].every((status) => status === 200 || status === 404)) return [];
  const difference = { expected: `${ofWorkflow}, as the workflow`, actual: String(ofJob) };
  return [finding('values-differ', { step: `look-up-${name}` }, difference)];
}

const otherAccount = withToken('other');

const missingRules = defineFamily({ ...workflow, appliesTo: state, needs: [isFound] }, [
  ...missing.map(({ name, requirements, appliesTo }) => ({
    id: `workflow.${name}.is-not-found`,
    requirements,
    appliesTo,
    needs: [],
    requiredOf: name === 'unknown' ? (['sandbox', 'live'] as const) : (['sandbox'] as const),
    probe: (context: ProbeContext) => ({ steps: [readById(name, idOf(name, context))] }),
    check: onResponse(name, expectCode(404, 'not_found')),
  })),
  {
    id: 'workflow.missing.appearance',
    requirements: ['WX-RTN-01'],
    needs: missing.map(({ name }) => `workflow.${name}.is-not-found`),
    appliesTo: allOf(state, hasJob('foreign', 'expired')),
    probe: (context) => ({ steps: missing.map(({ name }) => readById(name, idOf(name, context))) }),
    check: (evidence, context) => {
      const seen = missing.map(({ name }) => appearance(evidence, name, idOf(name, context)));
      // Status and code are required; the wording is not.
      return new Set(seen).size === 1
        ? observed('unknown, foreign and expired jobs look the same')
        : observed(`refusals differ: ${seen.join(' | ')}`);
    },
  },
  {
    id: 'workflow.foreign.stays-so-after-its-owner-read-it',
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    appliesTo: allOf(state, hasCredential('workflow', 'other'), hasJob('save', 'api', 'foreign')),
    // The owner reads first: what a cache keeps of that is for the owner.
    probe: (context) => ({
      steps: [
        ...readJobs('save', 'api')(context).steps,
        readById('save-of-another', context.job('save'), otherAccount),
        readById('api-of-another', context.job('api'), otherAccount),
        readJob('foreign', context),
      ],
    }),
    check: onResponse(['save-of-another', 'api-of-another', 'foreign'], expectStatus(404)),
  },
  {
    id: 'workflow.lookup.finds-the-same-jobs',
    requirements: ['WX-RTN-01', 'WX-RTN-03', 'WX-RTN-05', 'WX-RTN-06'],
    appliesTo: allOf(state, hasJob(...lookups)),
    probe: (context) => ({ steps: lookups.flatMap((name) => [readJob(name, context), lookUp(name, context)]) }),
    check: (evidence) => lookups.flatMap((name) => lookupFindings(evidence, name)),
  },
]);

export const workflowRefusalRules: readonly Rule[] = [...credentialRules, ...limitedRules, ...missingRules];
