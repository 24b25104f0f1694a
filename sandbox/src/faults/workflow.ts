import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { sandboxCredentials, workflowAccounts } from '../http/authentication.ts';
import { extraDataCanary, sandboxJobs } from '../state/jobs.ts';
import {
  isErrorStatus,
  type JsonChange,
  omitMembers,
  onEachCall,
  onJson,
  onReply,
  onRequest,
  onText,
  readReply,
  set,
  withHeader,
  withJson,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, type Variant, variant } from './builders/fault.ts';
import { caller, isUuid, type RequestCondition, readRequest, withHeaders, withTarget } from './builders/requests.ts';

const changeError = (change: JsonChange): Change => onJson(change, 'error');
const setCode = (code: string): Change => changeError({ code });

/** Replaces the reply with an error of the workflow API. */
const replyWithWorkflowError = (status: number, code: string): Change =>
  set.text(JSON.stringify({ error: { code, message: 'The workflow could not be retrieved.' } }), status);

const { main, other } = sandboxCredentials.workflow;
const readAsAccount = (token: string): Change =>
  onRequest((request) => withHeaders(request, { authorization: `Bearer ${token}` }));

const hasNoToken: RequestCondition = (request) => !caller.hasToken(request);
const isDeniedAccount: RequestCondition = (request) =>
  workflowAccounts.get(readRequest.credential(request))?.access === 'denied';
const hasUnknownToken: RequestCondition = (request) =>
  caller.hasToken(request) &&
  !Object.values<string>(sandboxCredentials.workflow).includes(readRequest.credential(request));
const isForJob =
  (id: string): RequestCondition =>
  (request) =>
    readRequest.jobId(request) === id;
const isForUnknownJob: RequestCondition = (request) =>
  !Object.values<string>(sandboxJobs).includes(readRequest.jobId(request));
const isForForeignJob = isForJob(sandboxJobs.foreign);
const isForExpiredJob = isForJob(sandboxJobs.expired);
const hasMalformedId: RequestCondition = (request) => !isUuid(readRequest.jobId(request));
const hasNumericId: RequestCondition = (request) => /^\d+$/.test(readRequest.jobId(request));

const returnSavedJob = onRequest((request) =>
  withTarget(request, (target) => target.replace(sandboxJobs.expired, sandboxJobs.save)),
);

const addWorkflowToJob = onReply(async (reply, { request, app }) => {
  const { workflow = null } = readReply.object(await app(withTarget(request, (target) => `${target}/workflow`)));
  return withJson(reply, { id: readRequest.jobId(request), job: { workflow } });
});

const echoCredentialInHeader = onReply((reply, { request }) =>
  withHeader(reply, 'X-Asked-With', request.headers['authorization']),
);

const ignoreToken = onRequest((request) => withHeaders(request, { authorization: undefined }));
const workflowReadRequirements = ['WX-COD-09', 'WX-COD-11', 'WX-COD-14', 'WX-COD-15', 'WX-JWF-04', 'WX-RTN-05'];

const genericMessage = 'Something went wrong. Please try again later.';
const stackTrace =
  'TypeError: no such job\n    at findJob (/app/src/jobs.js:41:13)\n    at async handle (/app/src/app.js:7:3)';
const sqlMessage = 'SELECT workflow FROM jobs WHERE id = $1 failed.';

/** Replaces the reply with a 500. Used for calls with a number as the job id, because the healthy sandbox never returns a 500. */
const replyWith500 = (error: JsonObject): Change => set.text(JSON.stringify({ error }), 500);

const raiseRetryAfter = set.header('Retry-After', (seconds) => String(Number(seconds) + 60));
const replyWithStackTrace = replyWith500({
  code: 'upstream_error',
  message: genericMessage,
  details: { stack: stackTrace },
});

/** Changes the workflow in replies with this format. */
const changeWorkflow = (format: 'save' | 'api', change: (workflow: JsonObject) => JsonValue): Change =>
  onJson((body) => {
    const { workflow } = body;
    return body['format'] === format && isJsonObject(workflow) ? { ...body, workflow: change(workflow) } : body;
  });

const changeNodes = (change: (nodes: readonly JsonObject[]) => readonly JsonObject[]): Change =>
  changeWorkflow('save', (workflow) => {
    const nodes = Array.isArray(workflow['nodes']) ? workflow['nodes'].filter(isJsonObject) : [];
    return { ...workflow, nodes: [...change(nodes)] };
  });

/** Removes nodes whose type matches from a saved workflow. */
const removeNodes = (type: RegExp): Change =>
  changeNodes((nodes) => nodes.filter((node) => !type.test(String(node['type']))));

const addNoteNode = changeWorkflow('api', (workflow) => ({
  ...workflow,
  99: { class_type: 'Note', inputs: { text: 'Keep the seed.' } },
}));
const removeSourceNode = changeWorkflow('api', (workflow) => {
  const isKept = (id: string): boolean => asObject(workflow[id])['class_type'] !== 'EmptyLatent';
  return Object.fromEntries(Object.entries(workflow).filter(([id]) => isKept(id)));
});

const addReadCount = onEachCall((count) => onJson({ read: count }, 'workflow'));
const echoRequestedFormat = onJson((body, { request }) => ({
  ...body,
  format: readRequest.query(request).get('format') ?? body['format'] ?? '',
}));
const leakedExtraData: JsonObject = { credential: extraDataCanary };
const replyWith404 = replyWithWorkflowError(404, 'not_found');
const verbatimRequirements = ['WX-JWF-07', 'WX-JWF-11', 'WX-JWF-15', 'WX-JWF-30', 'WX-JWF-31'];

/** Parses and prints the JSON, which rounds 64-bit seeds. */
const roundSeeds = onText((text) => JSON.stringify(JSON.parse(text)));
const removeLayout = changeNodes((nodes) => nodes.map((node) => omitMembers(node, 'pos')));
const returnSavedShape = changeWorkflow('api', (workflow) => ({ nodes: Object.values(workflow), links: [] }));

const rejectAsMalformed = set.text('{"error": {"code": "invalid_id", "message": "This is not a job id."}}', 400);

function reverseMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [name, reverseMembers(member)]);
  return Object.fromEntries(members.toReversed());
}

const addDetailsOfNodes = changeError((error, { request }) => ({
  ...error,
  message: `There are no details about the job ${readRequest.jobId(request)}.`,
  details: { '12': [{ field: 'steps', reason: 'too many' }] },
}));
/** Uses a message that begins with the name of an exception class. */
const nameExceptionClass = changeError({ message: 'LookupError: no such job', details: null });
const addExtraData = changeWorkflow('save', (workflow) => ({ ...workflow, extra_data: { seed: 1 } }));
const reverseEverySecondReply = onEachCall((count) =>
  onJson((body) => (count % 2 === 0 ? reverseMembers(body) : body)),
);

export const workflowFaults: readonly Fault[] = [
  ...group({ id: 'workflow', on: 'readJobWorkflow' }, [
    fault('wrong-token.wrong-code', ['WX-AUT-07', 'WX-COD-10'], setCode('invalid_token'), { status: 401 }),
    fault('wrong-token.accepted', ['WX-AUT-07'], readAsAccount(main), { when: hasUnknownToken }),
    fault('foreign.visible', ['WX-RTN-03'], readAsAccount(other), {
      when: (request) => isForForeignJob(request) && readRequest.credential(request) === main,
    }),
    fault('no-access.let-in', ['WX-AUT-08'], readAsAccount(main), { when: isDeniedAccount }),
    fault('no-access.wrong-code', ['WX-OPE-02', 'WX-COD-11'], setCode('access_denied'), { status: 403 }),
    fault('bearer.refused', ['WX-AUT-01'], ignoreToken, { also: workflowReadRequirements }),
    fault('none.unknown-jobs-are-told', ['WX-AUT-07'], readAsAccount(main), {
      when: (request) => hasNoToken(request) && isForUnknownJob(request),
    }),
    fault('none.answered-with-404', ['WX-AUT-07', 'WX-OPE-01'], replyWithWorkflowError(404, 'not_found'), {
      status: 401,
      when: hasNoToken,
    }),
    // Only rules that read all exchanges of a check detect this fault.
    fault('answer.tells-the-credential', ['WX-AUT-01'], echoCredentialInHeader, { status: 200 }),
    fault('error.tells-a-trace', ['WX-ERR-04'], changeError({ message: stackTrace }), { status: 404 }),
  ]),
  ...group({ id: 'workflow.rate-limit', on: 'readJobWorkflow', status: 429 }, [
    fault('wrong-code', ['WX-OPE-04', 'WX-COD-14'], setCode('too_many_requests')),
    fault('after-the-job', ['WX-OPE-07', 'WX-OPE-08'], replyWithWorkflowError(403, 'forbidden'), {
      also: ['WX-OPE-09'],
      when: isForForeignJob,
    }),
    fault('foreign-waits-longer', ['WX-OPE-09'], raiseRetryAfter, { when: isForForeignJob }),
    fault('spares-unknown-jobs', ['WX-OPE-09'], replyWithWorkflowError(404, 'not_found'), { when: isForUnknownJob }),
  ]),
  ...group({ id: 'workflow', on: 'readJobWorkflow', status: 404 }, [
    fault('unknown.answered-with-400', ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'], set.status(400), {
      also: ['WX-RTN-05'],
    }),
    fault('unknown.odd-id-breaks', ['WX-RTN-02', 'WX-OPE-03'], replyWithWorkflowError(500, 'upstream_error'), {
      when: hasMalformedId,
    }),
  ]),
  ...group({ id: 'workflow.lookup', on: 'lookUpJob' }, [
    fault('does-not-know-an-own-job', ['WX-RTN-01', 'WX-RTN-05'], set.status(404), { when: isForJob(sandboxJobs.api) }),
    fault('holds-the-workflow', ['WX-JWF-33'], addWorkflowToJob, { status: 200 }),
  ]),
  ...group({ id: 'workflow.expired', on: 'readJobWorkflow', when: isForExpiredJob }, [
    fault('answered-with-410', ['WX-RTN-04', 'WX-RTN-07'], replyWithWorkflowError(410, 'not_found'), {
      also: ['WX-COD-01', 'WX-RTN-05'],
      status: 404,
    }),
    fault('workflow-outlives-its-job', ['WX-RTN-05', 'WX-RTN-06'], returnSavedJob, { also: ['WX-COD-09'] }),
  ]),
  ...group({ id: 'workflow.failure', on: 'readJobWorkflow', status: 404, when: hasNumericId }, [
    fault('tells-a-query', ['WX-COD-22', 'WX-COD-23'], replyWith500({ code: 'upstream_error', message: sqlMessage }), {
      also: ['WX-RTN-02'],
    }),
    fault('unknown-code', ['WX-OPE-05', 'WX-COD-15'], replyWith500({ code: 'internal', message: genericMessage }), {
      also: ['WX-RTN-02'],
    }),
    fault('tells-a-trace-in-details', ['WX-COD-23'], replyWithStackTrace, { also: ['WX-RTN-02'] }),
  ]),
  ...group({ id: 'workflow.job', on: 'readJobWorkflow', status: 200 }, [
    fault('always-api', ['WX-JWF-25'], set.member('format', 'api')),
    fault('always-save', ['WX-JWF-25', 'WX-JWF-27'], set.member('format', 'save'), { also: ['WX-JWF-32'] }),
    fault('format-as-asked', ['WX-JWF-24'], echoRequestedFormat),
    fault('extra-data-inside', ['WX-JWF-19'], onJson({ extra_data: leakedExtraData }, 'workflow')),
    fault('written-anew-each-time', ['WX-JWF-07'], addReadCount),
    fault('seeds-rounded', verbatimRequirements, roundSeeds),
  ]),
  ...group({ id: 'workflow.save', on: 'readJobWorkflow', status: 200 }, [
    fault('layout-lost', ['WX-JWF-12', 'WX-JWF-11'], removeLayout),
    fault('notes-lost', ['WX-JWF-13'], removeNodes(/note/i)),
    fault('set-and-get-expanded', ['WX-JWF-14'], removeNodes(/^[SG]etNode$/)),
  ]),
  ...group({ id: 'workflow.api', on: 'readJobWorkflow', status: 200 }, [
    fault('in-the-other-shape', ['WX-JWF-15', 'WX-JWF-18'], returnSavedShape),
    fault('notes-kept', ['WX-JWF-16'], addNoteNode),
    fault('source-left-out', ['WX-JWF-17', 'WX-JWF-15'], removeSourceNode),
  ]),
  ...group({ id: 'workflow.fallback', on: 'readJobWorkflow' }, [
    fault('unreadable-is-404', ['WX-JWF-30', 'WX-JWF-32'], replyWith404, { when: isForJob(sandboxJobs.unreadable) }),
    fault('deleted-is-404', ['WX-JWF-31', 'WX-JWF-32'], replyWith404, { when: isForJob(sandboxJobs.deleted) }),
  ]),
];

export const workflowVariants: readonly Variant[] = [
  ...group({ id: 'workflow', on: 'readJobWorkflow' }, [
    variant('error.details-by-node', addDetailsOfNodes, { status: isErrorStatus }),
    variant('error.names-a-class', nameExceptionClass, { status: [401, 403, 404] }),
    variant('none.self-hosted', readAsAccount(main), { when: hasNoToken }),
    variant('open.to-any-token', readAsAccount(main), { on: ['readJobWorkflow', 'lookUpJob'] }),
    variant('lookup.not-served', set.status(404), { on: 'lookUpJob', status: 200 }),
    variant('unknown.malformed-as-400', rejectAsMalformed, { status: 404, when: hasMalformedId }),
  ]),
  ...group({ id: 'workflow.job', on: 'readJobWorkflow', status: 200 }, [
    variant('further-members', onJson({ more: { data: 1 }, token_count: 7, 'extra-data': [] }, 'workflow')),
    variant('members-in-another-order', reverseEverySecondReply),
    variant('saved-extra-data', addExtraData),
    variant('empty', set.member('workflow', {})),
  ]),
];
