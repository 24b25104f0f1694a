import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { brandedName, requestId } from '../http/messages.ts';
import {
  failWith500,
  isErrorStatus,
  mapObjects,
  onJson,
  onReply,
  set,
  withHeader,
  withText,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, routerOperations, startOperations } from './builders/fault.ts';
import { isForWorkflowApi, readRequest } from './builders/requests.ts';

const stackTrace =
  'Traceback (most recent call last):\n  File "/srv/router/run.py", line 12, in run\nValueError: no such limit';

/** Requirements that every error with a missing or wrong category violates. */
const categoryRequirements = [
  ...['MR-CTG-06', 'MR-CTG-07', 'MR-CTG-08', 'MR-CTG-15', 'MR-CTG-16', 'MR-CTG-18', 'MR-RUN-38'],
];

const hasEnvelope = (status: number): boolean => isErrorStatus(status) && status !== 422;

const changeDetail = (change: (entries: readonly JsonValue[]) => JsonValue): Change =>
  onJson((body) => ({ ...body, detail: change(Array.isArray(body['detail']) ? body['detail'] : []) }));

export const keepFirstEntry = changeDetail((entries) => entries.slice(0, 1));

/** Changes each entry of a 422. */
export const changeEntries = (change: (entry: JsonObject) => JsonValue): Change =>
  changeDetail((entries) => mapObjects([...entries], change));

export const changeLoc = (change: (loc: readonly JsonValue[]) => JsonValue): Change =>
  changeEntries((entry) => ({ ...entry, loc: change(Array.isArray(entry['loc']) ? entry['loc'] : []) }));

// The 409 of a cancellation is not an error and has its own body.
const renameCategory = onJson((body) =>
  'error_type' in body && 'detail' in body ? { ...body, error_type: `router_${String(body['error_type'])}` } : body,
);
const echoCredential = onJson((body, { request }) => ({
  ...body,
  detail: `Rejected for ${readRequest.credential(request)}.`,
}));
const reuseIdOfCaller = onReply((reply, { request, context }) => {
  const callerId = request.headers[brandedName(requestId, context.brand).toLowerCase()];
  return callerId === undefined ? reply : withHeader(reply, requestId, callerId);
});
const returnDebugPage = onReply((reply) =>
  withHeader(withText(reply, `<html><body><pre>${stackTrace}</pre></body></html>`), 'Content-Type', 'text/html'),
);
const joinLocWithDots = changeLoc((loc) => [['body', ...loc].join('.')]);
const countLocFrom1 = changeLoc((loc) => loc.map((part) => (typeof part === 'number' ? part + 1 : part)));
const sqlMessage = "SELECT id FROM models WHERE id = 'x' returned no row.";

const unavailableRequirements = [
  ...['MR-CAT-55', 'MR-MOD-12', 'MR-SCH-22', 'MR-SUB-20', 'MR-COL-19', 'MR-STA-10', 'MR-CAN-19', 'MR-RUN-57'],
  ...['MR-STC-17', 'MR-CTG-18'],
];

export const errorFaults: readonly Fault[] = [
  ...group({ id: 'dependencies', on: routerOperations, status: 503 }, [
    fault('unavailable-is-500', unavailableRequirements, failWith500),
  ]),
  ...group({ id: 'errors', on: routerOperations }, [
    fault('category.differs-in-body', ['MR-ERR-06'], renameCategory, {
      also: categoryRequirements,
      status: hasEnvelope,
    }),
    fault('detail.tells-the-credential', ['MR-ERR-03'], echoCredential, {
      status: (status) => hasEnvelope(status) && status !== 409,
    }),
    fault('request-id.constant', ['MR-HDR-03'], set.header(requestId, 'request-1')),
    fault('request-id.from-the-caller', ['MR-HDR-03'], reuseIdOfCaller),
    fault('detail.tells-a-query', ['MR-ERR-03'], set.member('detail', sqlMessage), { status: 404 }),
    fault('detail.tells-a-trace', ['MR-ERR-03'], set.member('detail', stackTrace), { status: [500, 502, 503, 504] }),
    fault('header.tells-a-trace', ['MR-ERR-03'], set.header('X-Debug', 'ValueError: no such model at (run.py:12)'), {
      status: 404,
    }),
    fault('unlisted.tells-a-trace-in-a-page', ['MR-ERR-03'], returnDebugPage, {
      on: 'unlisted',
      status: 404,
      when: (request) => !isForWorkflowApi(request),
    }),
  ]),
  ...group({ id: 'errors.validation', on: startOperations, status: 422 }, [
    fault('detail-empty', ['MR-ERR-10', 'MR-ERR-11'], set.member('detail', []), { also: ['MR-ERR-13', 'MR-ERR-14'] }),
    fault('loc-dotted', ['MR-ERR-13'], joinLocWithDots, { also: ['MR-ERR-11', 'MR-ERR-14'] }),
    fault('loc-counts-from-1', ['MR-ERR-14'], countLocFrom1),
  ]),
];
