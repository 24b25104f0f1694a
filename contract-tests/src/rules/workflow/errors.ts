import { type Answer, allResponses, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { CredentialUse, Probe } from '../../probe.ts';
import { finding, requireHeader, requireMember, requireStatus, wholeSeconds } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { type AppliesTo, allOf, hasCapability, hasCredential, hasJob } from '../../target.ts';
import { exactly, object, text } from '../vocabulary/matchers.ts';
import { readJob, unknownJob, workflowOf } from './steps.ts';

const family = 'workflow';
const api = 'workflow';
const jobHeld = hasJob('api');
const limited: readonly CredentialUse[] = [{ as: 'bearer', who: 'rateLimited' }];
const rateLimit = 'workflow.rate-limit.is-429';

const refusals = (): Probe => ({
  steps: [
    workflowOf('unknown', unknownJob, { prefer: 404 }),
    workflowOf('wrong-token', unknownJob, { credentials: [{ as: 'bearer', who: 'wrong' }], prefer: 401 }),
  ],
});

function refused(answers: readonly Answer[]): readonly Answer[] {
  return answers.filter(({ status }) => status >= 400);
}

function coded(answer: Answer, status: number, code: string): readonly Draft[] {
  const wrongStatus = requireStatus(answer, status);
  return wrongStatus.length > 0 ? wrongStatus : requireMember(answer, '/error/code', exactly(code));
}

type Refusal = {
  id: string;
  requirements: readonly string[];
  appliesTo: AppliesTo;
  who: CredentialUse[];
  status: number;
  code: string;
};
const byCredential: readonly Refusal[] = [
  {
    id: 'workflow.wrong-token.is-unauthorized',
    requirements: ['WX-AUT-07', 'WX-OPE-01', 'WX-COD-10'],
    appliesTo: allOf(hasCapability('authentication'), jobHeld),
    who: [{ as: 'bearer', who: 'wrong' }],
    status: 401,
    code: 'unauthorized',
  },
  {
    id: 'workflow.no-access.is-forbidden',
    requirements: ['WX-AUT-08', 'WX-OPE-02', 'WX-COD-11'],
    appliesTo: allOf(hasCredential(api, 'forbidden'), jobHeld),
    who: [{ as: 'bearer', who: 'forbidden' }],
    status: 403,
    code: 'forbidden',
  },
  {
    id: rateLimit,
    requirements: ['WX-OPE-04', 'WX-COD-14', 'WX-LIM-02'],
    appliesTo: allOf(hasCredential(api, 'rateLimited'), jobHeld),
    who: [{ as: 'bearer', who: 'rateLimited' }],
    status: 429,
    code: 'rate_limited',
  },
];

const limitedOnEach = (context: ProbeContext): Probe => ({
  steps: [
    readJob('api', context, { credentials: limited }),
    readJob('foreign', context, { credentials: limited }),
    workflowOf('unknown', unknownJob, { credentials: limited }),
  ],
});

/** Everything of the refusal but ids and the seconds left to wait. */
function refusalText(answer: Answer, ids: readonly string[]): string {
  const body = ids.reduce(
    (seen, id) => seen.replaceAll(id, '<id>'),
    JSON.stringify(memberOf(answer, '/error') ?? null),
  );
  return `${answer.status} ${body.replace(/\d+/g, '<n>')}`;
}

export const workflowErrorRules: readonly Rule[] = [
  defineRule({
    id: 'workflow.error.has-the-envelope',
    family,
    requirements: ['WX-ERR-01', 'WX-ERR-02', 'WX-ERR-03', 'WX-ERR-04', 'WX-ERR-05'],
    api,
    probe: refusals,
    judge: (evidence) => {
      const answers = refused(allResponses(evidence));
      if (answers.length === 0) return { kind: 'not-observable', because: 'nothing was refused' };
      return answers.flatMap((answer) => [
        ...requireMember(answer, '/error', object),
        ...requireMember(answer, '/error/code', text),
        ...requireMember(answer, '/error/message', text),
        ...requireMember(answer, '/error/details', {
          expected: 'absent, null or an object',
          is: (details) => details === undefined || details === null || object.is(details),
        }),
      ]);
    },
  }),
  ...byCredential.map(({ id, requirements, appliesTo, who, status, code }) =>
    defineRule({
      id,
      family,
      requirements,
      api,
      appliesTo,
      probe: (context) => ({ steps: [readJob('api', context, { credentials: who })] }),
      judge: (evidence) => coded(responseOf(evidence, 'api'), status, code),
    }),
  ),
  defineRule({
    id: 'workflow.rate-limit.says-when-to-retry',
    family,
    requirements: ['WX-OPE-06', 'WX-COD-21'],
    needs: [rateLimit],
    api,
    appliesTo: allOf(hasCredential(api, 'rateLimited'), jobHeld),
    probe: (context) => ({ steps: [readJob('api', context, { credentials: limited })] }),
    judge: (evidence) => requireHeader(responseOf(evidence, 'api'), 'Retry-After', wholeSeconds),
  }),
  defineRule({
    id: 'workflow.rate-limit.reveals-no-job',
    family,
    requirements: ['WX-OPE-09'],
    needs: [rateLimit],
    api,
    appliesTo: allOf(hasCredential(api, 'rateLimited'), hasJob('api', 'foreign')),
    probe: limitedOnEach,
    judge: (evidence, context) => {
      const limitedAnswers = allResponses(evidence).filter(({ status }) => status === 429);
      const ids = [context.job('api'), context.job('foreign'), unknownJob];
      const texts = [...new Set(limitedAnswers.map((answer) => refusalText(answer, ids)))];
      if (texts.length <= 1) return [];
      return [
        finding('values-differ', { step: 'foreign' }, { expected: texts[0] ?? '', actual: texts.slice(1).join(' | ') }),
      ];
    },
  }),
  defineRule({
    id: 'workflow.bearer.is-accepted',
    family,
    requirements: ['WX-AUT-01'],
    api,
    appliesTo: jobHeld,
    probe: (context) => ({ steps: [readJob('api', context, { credentials: [{ as: 'bearer', who: 'main' }] })] }),
    judge: (evidence) => requireStatus(responseOf(evidence, 'api'), 200),
  }),
  defineRule({
    id: 'workflow.none.without-credential',
    family,
    requirements: ['WX-AUT-04'],
    api,
    appliesTo: allOf(hasCapability('authentication'), jobHeld),
    probe: (context) => ({ steps: [readJob('api', context, { credentials: [] })] }),
    judge: (evidence) => {
      const answer = responseOf(evidence, 'api');
      // C-50: a self-hosted deployment lets such calls in, any other refuses them.
      const observation = `a call without credential is answered with ${answer.status}`;
      return { kind: 'observed', observation };
    },
  }),
];
