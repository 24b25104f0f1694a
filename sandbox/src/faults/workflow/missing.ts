import { sandboxJobs } from '../../state/jobs.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { changeStatus, rewriteAnswer, type Where, withBody } from '../making/answer-rewrite.ts';
import { setCode } from './envelope.ts';
import { main, withToken } from './tokens.ts';

const on = ['readJobWorkflow'] as const;
const missing: Where = { on, status: 404 };
const other = 'sk-sandbox-workflow-other';

/** Only answers about one of the sandbox's jobs. */
function forJob(id: string, where: Where, change: { status: number; code: string }): Decorator {
  return rewriteAnswer(where, (answer, { request }) => {
    if (!request.url.includes(id)) return answer;
    const body = { error: { code: change.code, message: 'The workflow could not be retrieved.' } };
    return { ...withBody(answer, body), status: change.status };
  });
}

export const workflowMissingFaults: readonly Fault[] = [
  {
    id: 'workflow.unknown.answered-with-400',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'],
    description: 'Jobs that are not found are answered with 400.',
    decorate: changeStatus(missing, 400),
    trips: ['WX-RTN-05'],
  },
  {
    id: 'workflow.unknown.wrong-code',
    requirements: ['WX-OPE-03', 'WX-COD-09'],
    description: 'Jobs that are not found are called job_not_found.',
    decorate: setCode(missing, 'job_not_found'),
  },
  {
    id: 'workflow.foreign.answered-with-403',
    requirements: ['WX-RTN-03'],
    description: 'A job of another account is answered with 403.',
    decorate: forJob(sandboxJobs.foreign, missing, { status: 403, code: 'forbidden' }),
  },
  {
    id: 'workflow.foreign.visible',
    requirements: ['WX-RTN-03'],
    description: 'A job of another account can be read.',
    decorate: (app, context) => {
      const asOwner = withToken((token) => token === main, other)(app, context);
      return (request) => (request.url.includes(sandboxJobs.foreign) ? asOwner(request) : app(request));
    },
  },
  {
    id: 'workflow.expired.answered-with-410',
    requirements: ['WX-RTN-04', 'WX-RTN-07'],
    description: 'A job past its retention is answered with 410.',
    decorate: forJob(sandboxJobs.expired, missing, { status: 410, code: 'not_found' }),
    trips: ['WX-COD-01', 'WX-RTN-05'],
  },
  {
    id: 'workflow.expired.visible',
    requirements: ['WX-RTN-04', 'WX-RTN-07'],
    description: 'A job past its retention can still be read.',
    decorate: (app) => (request) =>
      app(new Request(request.url.replace(sandboxJobs.expired, sandboxJobs.save), request)),
    trips: ['WX-RTN-05'],
  },
];
