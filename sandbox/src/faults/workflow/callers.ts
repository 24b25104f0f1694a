import { sandboxJobs } from '../../state/jobs.ts';
import type { App, Decorator, Fault } from '../decorator.ts';
import { putTogether, rewriteAnswer, takeApart, touches, withHeader, withText } from '../making/answer-rewrite.ts';
import { changeRequest } from '../making/request-rewrite.ts';
import { main } from './tokens.ts';

const on = ['readJobWorkflow'] as const;

function jobOf(request: Request): string {
  return new URL(request.url).pathname.split('/')[4] ?? '';
}

/** What the owner read is kept by the job alone. */
const keptForAll: Decorator = (app: App) => {
  const kept = new Map<string, Response>();
  return async (request) => {
    if (!touches({ on }, request)) return app(request);
    const response = await app(request);
    if (response.status === 200) kept.set(jobOf(request), response.clone());
    const known = kept.get(jobOf(request));
    return response.status === 404 && known !== undefined ? known.clone() : response;
  };
};

const lookupForgets =
  (job: string): Decorator =>
  (app) =>
  async (request) => {
    const response = await app(request);
    if (!new URL(request.url).pathname.endsWith(`/jobs/${job}`)) return response;
    return putTogether({ ...(await takeApart(response)), status: 404 });
  };

const letsNobodyIn: Decorator = (app) => async (request) => {
  const isSuch = touches({ on }, request) && jobOf(request) === sandboxJobs.save;
  if (!isSuch || request.headers.has('authorization')) return app(request);
  return app(await changeRequest(request, { headers: { authorization: `Bearer ${main}` } }));
};

const respelt = (job: string): Decorator =>
  rewriteAnswer({ on, status: 200 }, (answer, { request }) =>
    jobOf(request) === job ? withText(answer, new TextDecoder().decode(answer.body).replaceAll('é', 'e')) : answer,
  );

const verbatim = [
  { name: 'save', requirements: ['WX-JWF-07', 'WX-JWF-11'] },
  { name: 'api', requirements: ['WX-JWF-07', 'WX-JWF-15'] },
  { name: 'unreadable', requirements: ['WX-JWF-07', 'WX-JWF-30'] },
  { name: 'deleted', requirements: ['WX-JWF-07', 'WX-JWF-31'] },
] as const;

export const workflowCallerFaults: readonly Fault[] = [
  {
    id: 'workflow.foreign.read-after-its-owner',
    requirements: ['WX-RTN-03'],
    description: 'Once its owner read a job, every account gets its workflow.',
    decorate: keptForAll,
  },
  {
    id: 'workflow.lookup.does-not-know-an-own-job',
    requirements: ['WX-RTN-01', 'WX-RTN-05'],
    description: 'The look-up of a job says 404 while its workflow is there.',
    decorate: lookupForgets(sandboxJobs.api),
  },
  {
    id: 'workflow.rate-limit.foreign-waits-longer',
    requirements: ['WX-OPE-09'],
    description: 'Who asks for the job of another account is told to wait for a minute more.',
    decorate: rewriteAnswer({ on, status: 429 }, (answer, { request }) => {
      const wait = Number(answer.headers.get('retry-after') ?? 0) + 60;
      return jobOf(request) === sandboxJobs.foreign ? withHeader(answer, 'Retry-After', String(wait)) : answer;
    }),
  },
  {
    id: 'workflow.none.let-in-to-one-job',
    requirements: ['WX-AUT-07'],
    description: 'A saved workflow is given to who sends no credential, any other is not.',
    decorate: letsNobodyIn,
  },
  ...verbatim.map(({ name, requirements }) => ({
    id: `workflow.${name}.letters-lost`,
    requirements,
    description: 'Of the letters in a workflow only the plain ones are kept.',
    decorate: respelt(sandboxJobs[name]),
  })),
];
