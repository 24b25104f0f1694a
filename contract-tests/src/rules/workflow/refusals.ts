import { canonicalText } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { allResponses, readHeader, readMember, readResponse, type StepResponse } from '../../contract/evidence.ts';
import { type Finding, finding, notApplicable, observed } from '../../contract/finding.ts';
import type { Evidence, Probe } from '../../contract/probe.ts';
import { defineFamily } from '../../contract/rule.ts';
import { authentication, type CredentialName, credential, job, state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';
import { askedOpenly, readById, readJob, unknownJob, unlessOpen, workflow } from './jobs.ts';

const limited = send.withToken('rateLimited');

/** A refusal with this status and code. */
export const expectCode = (status: number, code: string): expect.Expectation =>
  expect.status(status, expect.member('/error/code', code));

/** The refusal of this caller, on a deployment that tells callers apart. */
function refusedTo(who: 'wrong' | CredentialName<'workflow'>, refusal: expect.Expectation) {
  return {
    requires: [...(who === 'wrong' ? [authentication] : credential('workflow', who)), ...job('api')],
    probe: (context: ProbeContext) => [askedOpenly(context), readJob('api', context, send.withToken(who))],
    check: unlessOpen(expect.on('api', refusal)),
  };
}

const noCredential = { credentials: [] };
/** Malformed bearer credentials; they are not secret, and no target accepts them. */
const malformed = {
  'another scheme': `Basic ${btoa('switchyard:wrong-credential')}`,
  'a token without a scheme': 'switchyard-wrong-credential',
  'a scheme without a token': 'Bearer',
  'a token that a program left out': 'Bearer undefined',
};
const absentOrObject: expect.MemberMatcher = {
  expected: 'absent, null or an object',
  is: (details) => details === undefined || details === null || expect.object.is(details),
};

const credentialRules = defineFamily({ ...workflow, requires: job('api') })({
  'workflow.error.has-the-envelope': {
    concern: 'errors',
    // Repeats passive.workflow.error-envelope, because its calls bring the passive rules a mock's examples of errors.
    sentence: 'An error of the workflow API has its envelope with code, message and details.',
    requirements: ['WX-ERR-01', 'WX-ERR-02', 'WX-ERR-03', 'WX-ERR-04', 'WX-ERR-05'],
    requires: [],
    requiredOf: ['mock', 'sandbox', 'live'],
    probe: [
      readById('unknown', unknownJob, { prefer: 404 }),
      readById('wrong-token', unknownJob, { ...send.withToken('wrong'), prefer: 401 }),
    ],
    check: (evidence) => {
      const refused = allResponses(evidence).filter(({ status }) => status >= 400);
      if (refused.length === 0) return notApplicable('nothing was refused');
      return refused.flatMap(
        expect.members({
          '/error': expect.object,
          '/error/code': expect.text,
          '/error/message': expect.text,
          '/error/details': absentOrObject,
        }),
      );
    },
  },
  'workflow.wrong-token.is-unauthorized': {
    concern: 'access',
    sentence: 'A wrong token is refused with 401 unauthorized.',
    requirements: ['WX-AUT-07', 'WX-OPE-01', 'WX-COD-10'],
    ...refusedTo('wrong', expectCode(401, 'unauthorized')),
  },
  'workflow.no-access.is-forbidden': {
    concern: 'access',
    sentence: 'A caller without access is refused with 403 forbidden.',
    requirements: ['WX-AUT-08', 'WX-OPE-02', 'WX-COD-11'],
    partReading: 'OP-070',
    // A caller who may read no job may also be told that there is none; 401 is for credentials that are missing or invalid.
    ...refusedTo(
      'forbidden',
      expect.all(expect.status([403, 404]), expect.asRead('OP-070', expectCode(403, 'forbidden'))),
    ),
  },
  'workflow.rate-limit.is-429': {
    concern: 'errors',
    sentence: 'A caller over the rate limit gets 429 and the time to wait.',
    requirements: ['WX-OPE-04', 'WX-COD-14', 'WX-LIM-02'],
    ...refusedTo('rateLimited', expectCode(429, 'rate_limited')),
  },
  'workflow.bearer.is-accepted': {
    sentence: 'A bearer token is accepted.',
    requirements: ['WX-AUT-01'],
    requiredOf: ['mock', 'sandbox'],
    ...expect.answers((context) => [readJob('api', context, send.withToken('main'))], expect.status(200)),
  },
  'workflow.none.is-unauthorized-or-served': {
    concern: 'access',
    sentence: 'A call without a token is refused with 401, or served where authentication is off.',
    requirements: ['WX-AUT-07', 'WX-AUT-04', 'WX-OPE-01', 'WX-COD-10'],
    requires: [authentication, ...job('api')],
    probe: (context) => [readJob('api', context, noCredential)],
    // OP-250: a self-hosted deployment may serve such calls, any other refuses them.
    check: expect.on('api', (response, context, evidence) => {
      const stated = context.workflowAuthentication;
      if (stated === 'open') return expect.status(200)(response, context, evidence);
      const isServed = response.status === 200 && stated === undefined;
      return isServed ? [] : expectCode(401, 'unauthorized')(response, context, evidence);
    }),
  },
  'workflow.none.is-one-for-all-jobs': {
    concern: 'access',
    sentence: 'A call without a token gets the same answer for every job.',
    requirements: ['WX-AUT-07', 'WX-AUT-04'],
    needs: ['workflow.job.answers-with-json'],
    requires: [authentication, ...job('save', 'api')],
    probe: (context) => [
      readJob('api', context, noCredential),
      readJob('save', context, noCredential),
      readById('unknown', unknownJob, noCredential),
    ],
    // OP-250: the response to anonymous callers is the deployment's choice, and one for all its jobs.
    check: (evidence, context) =>
      readResponse(evidence, 'api').status === 401
        ? expect.on(['save', 'unknown'], expect.status(401))(evidence, context)
        : [],
  },
  'workflow.malformed-credential.is-unauthorized': {
    concern: 'access',
    sentence: 'A malformed credential is refused with 401 unauthorized.',
    requirements: ['WX-AUT-07', 'WX-OPE-01', 'WX-COD-10'],
    requires: [authentication, ...job('api')],
    probe: (context) => [
      askedOpenly(context),
      ...Object.entries(malformed).map(([name, authorization]) =>
        readById(name, context.job('api'), { credentials: [], headers: [['Authorization', authorization]] }),
      ),
    ],
    check: unlessOpen(expect.on(Object.keys(malformed), expectCode(401, 'unauthorized'))),
  },
});

const rounds = ['first', 'second', 'third'] as const;
const ownership = ['own', 'foreign', 'unknown'] as const;
const pickIds = (context: ProbeContext) => [context.job('api'), context.job('foreign'), unknownJob];

/** In turns, each round in another order, so that a change over time is not taken for a difference between jobs. */
const limitedInTurns = (context: ProbeContext): Probe =>
  rounds.flatMap((round, turn) => {
    const steps = pickIds(context).map((id, index) => readById(`${ownership[index]}-${round}`, id, limited));
    return [...steps.slice(turn), ...steps.slice(0, turn)];
  });

/** The refusal without ids and without the seconds to wait. */
function refusalText(response: StepResponse, context: ProbeContext): string {
  const error = canonicalText(readMember(response, '/error') ?? null);
  const body = pickIds(context).reduce((text, id) => text.replaceAll(send.decodeSegment(id), '<id>'), error);
  return `${response.status} ${body.replace(/\d+/g, '<n>')}`;
}

/** The names of all headers, and how long to wait. */
function headerText(response: StepResponse): string {
  const names = [...new Set(response.headers.map(([name]) => name.toLowerCase()))].filter((name) => name !== 'date');
  return `${names.toSorted().join(' ')}; Retry-After ${readHeader(response, 'Retry-After') ?? 'absent'}`;
}

/** One finding where the texts differ by the job. What differs from call to call says nothing of a job. */
function differencesBetweenJobs(
  evidence: Evidence,
  textOf: (response: StepResponse) => readonly string[],
  whoseJobs: readonly (typeof ownership)[number][] = ownership,
): readonly Finding[] {
  const seen = whoseJobs.map(
    (whose) => new Set(rounds.flatMap((round) => textOf(readResponse(evidence, `${whose}-${round}`)))),
  );
  const [first = '', ...others] = new Set(seen.flatMap((texts) => [...texts]));
  if (others.length === 0 || seen.some(({ size }) => size > 1)) return [];
  return [finding('values-differ', { step: 'foreign-first' }, first, others.join(' | '))];
}

const limitedRules = defineFamily({
  ...workflow,
  needs: ['workflow.rate-limit.is-429'],
  requires: [...credential('workflow', 'rateLimited'), ...job('api', 'foreign')],
  probe: limitedInTurns,
})({
  'workflow.rate-limit.reveals-no-job': {
    concern: 'access',
    sentence: 'A 429 does not reveal whether the job exists.',
    requirements: ['WX-OPE-09'],
    // The caller knows its own jobs. A limit only for jobs of other callers would reveal that they exist.
    check: (evidence, context) => [
      ...differencesBetweenJobs(evidence, (one) => (one.status === 429 ? [refusalText(one, context)] : [])),
      ...differencesBetweenJobs(evidence, ({ status }) => [String(status)], ['unknown', 'foreign']),
    ],
  },
  'workflow.rate-limit.looks-the-same-for-all-jobs': {
    concern: 'access',
    sentence: 'A 429 looks the same for every job.',
    requirements: ['WX-OPE-09'],
    needs: ['workflow.rate-limit.reveals-no-job'],
    check: (evidence) => {
      if (allResponses(evidence).some(({ status }) => status !== 429))
        return notApplicable('not all of the calls were limited');
      return differencesBetweenJobs(evidence, (one) => [headerText(one)]);
    },
  },
  'workflow.rate-limit.comes-before-the-job': {
    concern: 'errors',
    sentence: 'The rate limit can answer before the job is looked up.',
    requirements: ['WX-OPE-07', 'WX-OPE-08'],
    requires: [state, ...credential('workflow', 'rateLimited'), ...job('foreign')],
    probe: (context) => [readJob('foreign', context, limited), readById('unknown', unknownJob, limited)],
    check: (evidence, context) => {
      const wrong = expect.on(['foreign', 'unknown'], expect.status([429, 404]))(evidence, context);
      if (wrong.length > 0) return wrong;
      const [foreign, unknown] = ['foreign', 'unknown'].map((name) => readResponse(evidence, name).status);
      return observed(`a foreign job is answered ${foreign}, an unknown one ${unknown}`);
    },
  },
});

export const workflowRefusalRules = [...credentialRules, ...limitedRules];
