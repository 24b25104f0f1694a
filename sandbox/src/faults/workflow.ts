import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { extraDataCanary, sandboxJobs } from '../state/jobs.ts';
import type { Decorator, Fault } from './decorator.ts';
import {
  changeStatus,
  dropHeader,
  rewriteAnswer,
  rewriteJson,
  setHeader,
  type Where,
  withBody,
} from './making/answer-rewrite.ts';
import { dropMember, setMember, without } from './making/json-change.ts';
import { rewriteRequest } from './making/request-rewrite.ts';

const on = ['readJobWorkflow'] as const;
const found: Where = { on, status: 200 };
const missing: Where = { on, status: 404 };
const limited: Where = { on, status: 429 };
const refused: Where = { on, status: (status) => status >= 400 };

function changeErrors(where: Where, change: (error: JsonObject) => JsonValue): Decorator {
  return rewriteJson(where, (body) => (isJsonObject(body['error']) ? { ...body, error: change(body['error']) } : body));
}

const setCode = (where: Where, code: string): Decorator => changeErrors(where, (error) => ({ ...error, code }));

/** Only answers about one of the sandbox's jobs. */
function forJob(id: string, where: Where, change: { status: number; code: string }): Decorator {
  return rewriteAnswer(where, (answer, { request }) => {
    if (!request.url.includes(id)) return answer;
    const body = { error: { code: change.code, message: 'The workflow could not be retrieved.' } };
    return { ...withBody(answer, body), status: change.status };
  });
}

function withToken(wanted: (token: string) => boolean, token: string): Decorator {
  return rewriteRequest(on, (request) => {
    const sent = request.headers.get('authorization')?.replace(/^Bearer /, '');
    return sent !== undefined && wanted(sent) ? { headers: { authorization: `Bearer ${token}` } } : {};
  });
}

const leak: JsonObject = { credential: extraDataCanary };
const main = 'sk-sandbox-workflow-main';
const other = 'sk-sandbox-workflow-other';

const answerFaults: readonly Fault[] = [
  {
    id: 'workflow.job.as-text',
    requirements: ['WX-JWF-04'],
    description: 'A workflow is sent as plain text.',
    decorate: setHeader(found, 'Content-Type', 'text/plain'),
  },
  {
    id: 'workflow.job.answered-with-202',
    requirements: ['WX-JWF-04'],
    description: 'A workflow is answered with 202.',
    decorate: changeStatus(found, 202),
    trips: ['WX-AUT-01'],
  },
  {
    id: 'workflow.job.workflow-as-text',
    requirements: ['WX-JWF-05'],
    description: 'The workflow is a string that holds JSON.',
    decorate: rewriteJson(found, (body) => ({ ...body, workflow: JSON.stringify(body['workflow']) })),
  },
  {
    id: 'workflow.job.workflow-missing',
    requirements: ['WX-JWF-05'],
    description: 'The workflow stands at the top of the answer.',
    decorate: rewriteJson(found, (body) => {
      const workflow = body['workflow'];
      return isJsonObject(workflow) ? { ...workflow, ...without(body, 'workflow') } : body;
    }),
  },
  {
    id: 'workflow.job.format-missing',
    requirements: ['WX-JWF-09'],
    description: 'The answer does not name its format.',
    decorate: dropMember(found, 'format'),
  },
  {
    id: 'workflow.job.third-format',
    requirements: ['WX-JWF-10'],
    description: 'The format is called litegraph.',
    decorate: setMember(found, 'format', 'litegraph'),
  },
  {
    id: 'workflow.job.always-api',
    requirements: ['WX-JWF-25'],
    description: 'A pinned job answers with format api.',
    decorate: setMember(found, 'format', 'api'),
  },
  {
    id: 'workflow.job.always-save',
    requirements: ['WX-JWF-25', 'WX-JWF-27'],
    description: 'A submitted job answers with format save.',
    decorate: setMember(found, 'format', 'save'),
  },
  {
    id: 'workflow.job.format-as-asked',
    requirements: ['WX-JWF-24'],
    description: 'A query parameter chooses the format.',
    decorate: rewriteJson(found, (body, { request }) => {
      const format = new URL(request.url).searchParams.get('format');
      return format === null ? body : { ...body, format };
    }),
  },
  {
    id: 'workflow.job.extra-data-on-top',
    requirements: ['WX-JWF-19'],
    description: 'The answer holds the extra_data of the submission.',
    decorate: setMember(found, 'extra_data', leak),
  },
  {
    id: 'workflow.job.extra-data-inside',
    requirements: ['WX-JWF-19'],
    description: 'The workflow holds the extra_data of the submission.',
    decorate: rewriteJson(found, (body) => {
      const workflow = isJsonObject(body['workflow']) ? body['workflow'] : {};
      return { ...body, workflow: { ...workflow, extra_data: leak } };
    }),
  },
];

const missingFaults: readonly Fault[] = [
  {
    id: 'workflow.unknown.answered-with-400',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'],
    description: 'Jobs that are not found are answered with 400.',
    decorate: changeStatus(missing, 400),
    trips: ['WX-RTN-03', 'WX-RTN-04'],
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
  },
  {
    id: 'workflow.expired.visible',
    requirements: ['WX-RTN-04', 'WX-RTN-07'],
    description: 'A job past its retention can still be read.',
    decorate: (app) => (request) =>
      app(new Request(request.url.replace(sandboxJobs.expired, sandboxJobs.save), request)),
  },
];

const errorFaults: readonly Fault[] = [
  {
    id: 'workflow.error.of-the-other-api',
    requirements: ['WX-ERR-01', 'WX-ERR-02'],
    description: 'Errors of the workflow API have the envelope of the router.',
    decorate: rewriteJson(refused, (body) => {
      const error = isJsonObject(body['error']) ? body['error'] : {};
      return { detail: error['message'] ?? '', error_type: error['code'] ?? '' };
    }),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
  {
    id: 'workflow.error.code-missing',
    requirements: ['WX-ERR-03'],
    description: 'Errors have no code.',
    decorate: changeErrors(refused, (error) => without(error, 'code')),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
  {
    id: 'workflow.error.code-as-number',
    requirements: ['WX-ERR-03'],
    description: 'The code of errors is their status.',
    decorate: changeErrors(refused, (error) => ({ ...error, code: 400 })),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
  {
    id: 'workflow.error.message-missing',
    requirements: ['WX-ERR-04'],
    description: 'Errors have no message.',
    decorate: changeErrors(refused, (error) => without(error, 'message')),
  },
  {
    id: 'workflow.error.details-as-list',
    requirements: ['WX-ERR-05'],
    description: 'The details of errors are a list.',
    decorate: changeErrors(refused, (error) => ({ ...error, details: [] })),
  },
  {
    id: 'workflow.error.as-text',
    requirements: ['WX-ERR-02'],
    description: 'The error is a sentence.',
    decorate: rewriteJson(refused, (body) => ({
      error: isJsonObject(body['error']) ? (body['error']['message'] ?? '') : '',
    })),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
];

const accessFaults: readonly Fault[] = [
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
    trips: ['WX-JWF-04', 'WX-COD-09', 'WX-COD-11', 'WX-COD-14'],
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

export const workflowFaults: readonly Fault[] = [...answerFaults, ...missingFaults, ...errorFaults, ...accessFaults];
