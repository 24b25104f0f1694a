import { sandboxCredentials } from '../http/authentication.ts';
import type { ServerRequest } from '../http/messages.ts';
import { sandboxJobs } from '../state/jobs.ts';
import {
  bodyRow,
  changeHeader,
  type JsonChange,
  onMember,
  onReply,
  onRequest,
  remembering,
  set,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { readObject, withHeader, withJson } from './builders/replies.ts';
import { isOfJob, isOfWorkflow, lacksHeader, readJobId, withHeaders, withTarget } from './builders/requests.ts';

export const changeError = (change: JsonChange): Change => onMember('error', change);
const errorFault = rowIn(changeError);

const { main, other } = sandboxCredentials.workflow;

const setCode = (code: string | number): Change => changeError({ code });

const asAccount = (token: string): Change =>
  onRequest((request) => withHeaders(request, { authorization: `Bearer ${token}` }));

/** For the `when` of a selector. */
function hasToken(picks: (token: string) => boolean): (request: ServerRequest) => boolean {
  return ({ headers: { authorization } }) =>
    authorization !== undefined && picks(authorization.replace(/^Bearer /, ''));
}

const foreign = { on: ['readJobWorkflow'], when: isOfJob(sandboxJobs.foreign) } as const;
const expired = {
  id: 'workflow.expired',
  on: ['readJobWorkflow', 'lookUpJob'],
  when: isOfJob(sandboxJobs.expired),
} as const;
const asSavedJob = onRequest((request) =>
  withTarget(request, (target) => target.replace(sandboxJobs.expired, sandboxJobs.save)),
);

/** An error with this status and code. */
function errorReply(status: number, code: string): Change {
  const error = { code, message: 'The workflow could not be retrieved.' };
  return set.text(JSON.stringify({ error }), status);
}

const waitLonger = changeHeader('Retry-After', (seconds) => String(Number(seconds ?? 0) + 60));

const withWorkflow = onReply(async (reply, { request, app }) => {
  const { workflow = null } = readObject(await app(withTarget(request, (target) => `${target}/workflow`)));
  return withJson(reply, { id: readJobId(request), job: { workflow } });
});

/** Once its owner read a job, any account gets the same. */
const keptForAll = remembering(
  readJobId,
  ({ status }) => status === 200,
  async (first, { request, app }) => {
    const reply = await app(request);
    return reply.status === 404 ? first.reply : reply;
  },
);

const credentialInHeader = onReply((reply, { request }) =>
  withHeader(reply, 'X-Asked-With', request.headers['authorization'] ?? ''),
);

const generic = 'Something went wrong. Please try again later.';
const trace =
  'TypeError: no such job\n    at findJob (/app/src/jobs.js:41:13)\n    at async handle (/app/src/app.js:7:3)';
const innerMessages = [
  ['an-address', 'The store at 10.1.4.22:5432 did not answer.'],
  ['a-query', 'SELECT workflow FROM jobs WHERE id = $1 failed.'],
  ['a-trace', trace],
  ['an-exception', 'java.util.concurrent.TimeoutException while reading the job'],
  ['an-inner-host', 'No answer from job-store.internal.'],
  ['a-file', 'Cannot read /var/lib/jobs/17.json.'],
] as const;

/** An unexpected failure; no call causes one, so an id that is odd stands for it. */
function failure(code: string, message: string, details?: string): Change {
  const error = { code, message, ...(details === undefined ? {} : { details: { stack: details } }) };
  return set.text(JSON.stringify({ error }), 500);
}
const isNumber = (request: ServerRequest): boolean => /^\d+$/.test(readJobId(request));
const isNoUuid = (request: ServerRequest): boolean => !/^[0-9a-f-]{36}$/.test(readJobId(request));
const isKnown = (token: string): boolean => Object.values<string>(sandboxCredentials.workflow).includes(token);

const withoutCredential = [
  [403, 'forbidden'],
  [404, 'not_found'],
  [500, 'upstream_error'],
] as const;
const badRequest = errorReply(400, 'bad_request');
const hasOtherScheme = ({ headers }: ServerRequest): boolean => /^(?!bearer\b)./i.test(headers['authorization'] ?? '');

export const workflowAccessFaults: readonly Fault[] = [
  ...group({ id: 'workflow.wrong-token', on: ['readJobWorkflow'], status: 401, subject: 'A wrong token' }, [
    fault('wrong-code', 'WX-AUT-07 WX-COD-10', setCode('invalid_token')),
    fault('accepted', 'WX-AUT-07', asAccount(main), {
      when: hasToken((token) => !isKnown(token)),
    }),
  ]),
  ...group({ id: 'workflow.no-access', on: ['readJobWorkflow'], subject: 'An account without access' }, [
    fault('let-in', 'WX-AUT-08', asAccount(main), { when: hasToken((token) => token.endsWith('-forbidden')) }),
  ]),
  ...group({ id: 'workflow', on: ['readJobWorkflow'] }, [
    fault(
      'bearer.refused',
      'WX-AUT-01 also WX-COD-09 WX-COD-11 WX-COD-14 WX-COD-15 WX-JWF-04 WX-JWF-32 WX-RTN-05',
      onRequest((request) => withHeaders(request, { authorization: undefined })),
    ),
    fault('none.let-in-to-one-job', 'WX-AUT-07', asAccount(main), {
      when: (request) => isOfJob(sandboxJobs.save)(request) && lacksHeader('authorization')(request),
    }),
    ...withoutCredential.map(([status, code]) =>
      fault(`none.answered-with-${status}`, 'WX-AUT-07 WX-OPE-01', errorReply(status, code), {
        status: 401,
        when: lacksHeader('authorization'),
      }),
    ),
    fault('none.unknown-jobs-are-told', 'WX-AUT-07', asAccount(main), {
      when: (request) =>
        lacksHeader('authorization')(request) && !Object.values<string>(sandboxJobs).includes(readJobId(request)),
    }),
    fault('malformed-credential.accepted', 'WX-AUT-07', asAccount(main), { when: hasOtherScheme }),
    fault('malformed-credential.answered-with-400', 'WX-AUT-07', badRequest, { status: 401, when: hasOtherScheme }),
    fault('unknown.odd-id-breaks', 'WX-RTN-02 WX-OPE-03', errorReply(500, 'upstream_error'), {
      status: 404,
      when: isNoUuid,
    }),
    // Only rules over every exchange of a check find this one: no other rule looks for it.
    fault('answer.tells-the-credential', 'WX-AUT-01', credentialInHeader, {
      status: 200,
      when: ({ headers }) => headers['authorization'] !== undefined,
    }),
  ]),
  ...group({ id: 'workflow.rate-limit', on: ['readJobWorkflow'], status: 429, subject: 'The 429' }, [
    fault('wrong-code', 'WX-OPE-04 WX-COD-14', setCode('too_many_requests')),
  ]),
  ...group({ id: 'workflow.rate-limit', ...foreign, status: 429, subject: 'The 429 for a job of another account' }, [
    errorFault('tells-the-owner', 'WX-OPE-09', { details: { owner: 'another' } }),
    fault('after-the-job', 'WX-OPE-07 WX-OPE-08 also WX-OPE-09', errorReply(403, 'forbidden'), {
      sentence: 'The 429 for a job of another account is replaced by a 403.',
    }),
    fault('foreign-waits-longer', 'WX-OPE-09', waitLonger),
  ]),
  ...group({ id: 'workflow.rate-limit', on: ['readJobWorkflow'], subject: 'The limit' }, [
    fault('spares-unknown-jobs', 'WX-OPE-09', errorReply(404, 'not_found'), {
      status: 429,
      when: (request) => !Object.values<string>(sandboxJobs).includes(readJobId(request)),
    }),
  ]),
  ...group({ id: 'workflow.unknown', on: ['readJobWorkflow'], status: 404, subject: 'A job that is not found' }, [
    fault('answered-with-400', 'WX-RTN-02 WX-OPE-03 WX-COD-09 also WX-RTN-05', set.status(400)),
    fault('wrong-code', 'WX-OPE-03 WX-COD-09', setCode('job_not_found')),
  ]),
  ...group({ id: 'workflow.foreign', ...foreign, status: 404, subject: 'A job of another account' }, [
    fault('answered-with-403', 'WX-RTN-03', errorReply(403, 'forbidden')),
    fault('visible', 'WX-RTN-03', asAccount(other), { when: hasToken((token) => token === main) }),
  ]),
  ...group({ id: 'workflow.foreign', on: ['readJobWorkflow'] }, [
    fault('read-after-its-owner', 'WX-RTN-03', keptForAll),
  ]),
  ...group({ id: 'workflow.lookup', on: ['lookUpJob'], subject: 'A look-up of a job' }, [
    fault('does-not-know-an-own-job', 'WX-RTN-01 WX-RTN-05', set.status(404), { when: isOfJob(sandboxJobs.api) }),
    fault('holds-the-workflow', 'WX-JWF-33', withWorkflow, { status: 200 }),
  ]),
  ...group({ ...expired, subject: 'An expired job' }, [
    fault('answered-with-410', 'WX-RTN-04 WX-RTN-07 also WX-COD-01 WX-RTN-05', errorReply(410, 'not_found'), {
      on: ['readJobWorkflow'],
      status: 404,
    }),
    fault('workflow-outlives-its-job', 'WX-RTN-05 WX-RTN-06 also WX-COD-09', asSavedJob),
    fault('visible', 'WX-RTN-04 WX-RTN-07 also WX-RTN-05', asSavedJob),
  ]),
  ...group({ id: 'workflow.failure', on: ['readJobWorkflow'], status: 404, when: isNumber, subject: 'A failure' }, [
    ...innerMessages.map(([name, message]) =>
      fault(`tells-${name}`, 'WX-COD-22 WX-COD-23 also WX-RTN-02', failure('upstream_error', message)),
    ),
    fault('unknown-code', 'WX-OPE-05 WX-COD-15 also WX-RTN-02', failure('internal', generic)),
    fault('tells-a-trace-in-details', 'WX-COD-23 also WX-RTN-02', failure('upstream_error', generic, trace)),
  ]),
  ...group({ id: 'workflow.error', on: ['readJobWorkflow'], subject: 'A refusal' }, [
    errorFault('tells-a-trace', 'WX-ERR-04', { message: trace }, { status: 404 }),
    fault('unauthorized-under-another-code', 'WX-AUT-07 WX-COD-10', setCode('forbidden'), { status: 401 }),
    fault('forbidden-under-another-code', 'WX-OPE-02 WX-COD-11', setCode('access_denied'), { status: 403 }),
  ]),
  ...group({ id: 'errors.unlisted', on: ['unlisted'], status: 404, when: isOfWorkflow, subject: 'An unknown path' }, [
    bodyRow('tells-the-workflow-credential', 'WX-AUT-01', (_, { request }) => ({
      error: { code: 'not_found', message: `Nothing for ${request.headers['authorization']} here.` },
    })),
  ]),
  ...group({ id: 'workflow.error', on: ['unlisted'], subject: 'An unknown path' }, [
    errorFault('unlisted-tells-a-trace', 'WX-ERR-04', { message: trace }),
  ]),
];
