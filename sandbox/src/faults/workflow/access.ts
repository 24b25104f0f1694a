import { sandboxJobs } from '../../state/jobs.ts';
import type { Fault } from '../decorator.ts';
import { changeStatus, dropHeader, setHeader, type Where } from '../making/answer-rewrite.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';
import { changeErrors, setCode } from './envelope.ts';
import { main, withToken } from './tokens.ts';

const on = ['readJobWorkflow'] as const;
const limited: Where = { on, status: 429 };

export const workflowAccessFaults: readonly Fault[] = [
  {
    id: 'workflow.wrong-token.answered-with-403',
    requirements: ['WX-AUT-07', 'WX-OPE-01', 'WX-COD-10'],
    description: 'A wrong token is answered with 403.',
    decorate: changeStatus({ on, status: 401 }, 403),
  },
  {
    id: 'workflow.wrong-token.wrong-code',
    requirements: ['WX-AUT-07', 'WX-COD-10'],
    description: 'A wrong token is called invalid_token.',
    decorate: setCode({ on, status: 401 }, 'invalid_token'),
  },
  {
    id: 'workflow.wrong-token.accepted',
    requirements: ['WX-AUT-07'],
    description: 'Any token is good enough.',
    decorate: withToken((token) => !token.startsWith('sk-sandbox-workflow-'), main),
  },
  {
    id: 'workflow.no-access.answered-with-404',
    requirements: ['WX-AUT-08', 'WX-OPE-02', 'WX-COD-11'],
    description: 'An account without access is answered with 404.',
    decorate: changeStatus({ on, status: 403 }, 404),
  },
  {
    id: 'workflow.no-access.let-in',
    requirements: ['WX-AUT-08'],
    description: 'An account without access may read workflows.',
    decorate: withToken((token) => token.endsWith('-forbidden'), main),
  },
  {
    id: 'workflow.bearer.refused',
    requirements: ['WX-AUT-01'],
    description: 'Bearer tokens are overlooked.',
    decorate: rewriteRequest(on, () => ({ headers: { authorization: undefined } })),
    trips: ['WX-COD-09', 'WX-COD-11', 'WX-COD-14', 'WX-JWF-04', 'WX-JWF-32', 'WX-RTN-05'],
  },
  {
    id: 'workflow.rate-limit.answered-with-503',
    requirements: ['WX-OPE-04', 'WX-COD-14', 'WX-LIM-02'],
    description: 'A used-up rate is answered with 503.',
    decorate: changeStatus(limited, 503),
  },
  {
    id: 'workflow.rate-limit.wrong-code',
    requirements: ['WX-OPE-04', 'WX-COD-14'],
    description: 'A used-up rate is called too_many_requests.',
    decorate: setCode(limited, 'too_many_requests'),
  },
  {
    id: 'workflow.rate-limit.no-retry-after',
    requirements: ['WX-OPE-06', 'WX-COD-21'],
    description: 'The 429 does not say when to retry.',
    decorate: dropHeader(limited, 'Retry-After'),
  },
  {
    id: 'workflow.rate-limit.retry-after-as-date',
    requirements: ['WX-COD-21'],
    description: 'Retry-After of the 429 is a date.',
    decorate: setHeader(limited, 'Retry-After', 'Tue, 01 Jan 2030 00:01:00 GMT'),
  },
  {
    id: 'workflow.rate-limit.tells-the-owner',
    requirements: ['WX-OPE-09'],
    description: 'The 429 for a job of another account says so.',
    decorate: (app, context) => {
      const telling = changeErrors(limited, (error) => ({ ...error, details: { owner: 'another account' } }))(
        app,
        context,
      );
      return (request) => (request.url.includes(sandboxJobs.foreign) ? telling(request) : app(request));
    },
  },
];
