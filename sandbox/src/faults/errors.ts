import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { brandedName, errorType, requestId, type ServerRequest } from '../http/messages.ts';
import { bodyRow, changeMember, drop, onJson, onReply, refuse, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { routerOperations } from './builders/operations.ts';
import { isRefusal, mapObjects, withHeader, without, withText } from './builders/replies.ts';
import { isOfRouter } from './builders/requests.ts';

/** Changes errors only: the 409 of a cancellation has a body of its own. */
const changeErrors = (change: (error: JsonObject) => JsonValue): Change =>
  onJson((body) => ('error_type' in body && 'detail' in body ? change(body) : body));

const trace =
  'Traceback (most recent call last):\n  File "/srv/router/run.py", line 12, in run\nValueError: no such limit';

/** Violated by any error whose body names no category, or a wrong one; and where the header names none. */
const categories = 'MR-COL-17 MR-CTG-06 MR-CTG-07 MR-CTG-08 MR-CTG-15 MR-CTG-16 MR-CTG-18 MR-RUN-38';
const headerCategories =
  'MR-CAT-09 MR-CAT-50 MR-CTG-01 MR-CTG-05 MR-CTG-09 MR-CTG-10 MR-CTG-11 MR-CTG-12 MR-CTG-17 MR-CTG-19 MR-CTG-24 ' +
  'MR-HDR-11 MR-IDM-04 MR-IDM-13 MR-IDM-16 MR-IDM-48';

const isOfEnvelope = (status: number): boolean => isRefusal(status) && status !== 422;

export const changeDetail = (change: (entries: readonly JsonValue[]) => JsonValue): Change =>
  onJson((body) => ({ ...body, detail: change(Array.isArray(body['detail']) ? body['detail'] : []) }));

export const firstEntryOnly = changeDetail((entries) => entries.slice(0, 1));

const changeEntries = (change: (entry: JsonObject) => JsonValue): Change =>
  changeDetail((entries) => mapObjects([...entries], change));

export const entryRow = rowIn(changeEntries);

export const changeLoc = (change: (loc: readonly JsonValue[]) => JsonValue): Change =>
  changeEntries((entry) => ({ ...entry, loc: change(Array.isArray(entry['loc']) ? entry['loc'] : []) }));

export const locRow = rowIn(changeLoc);

const invalid = { on: ['runModel', 'submitRequest'], status: 422 } as const;

const requestIdOfCaller = onReply((reply, { request, context }) => {
  const sent = request.headers[brandedName(requestId, context.brand).toLowerCase()];
  return sent === undefined ? reply : withHeader(reply, requestId, sent);
});

const readCredential = ({ headers }: ServerRequest): string =>
  (headers['x-api-key'] ?? headers['authorization'] ?? '').replace(/^Bearer /, '');

const credentialInDetail = onJson((body, { request }) =>
  'detail' in body ? { ...body, detail: `Refused for ${readCredential(request)}.` } : body,
);

const echoedFault = rowIn((form: (credential: string) => string) =>
  onReply((reply, { request }) => {
    const credential = readCredential(request);
    return credential === '' ? reply : withHeader(reply, 'X-Caller', form(credential));
  }),
);

const noRoute = 'No route on router-7.prod.svc.cluster.local for this path.';
const innerDetails = [
  ['an-address', 'The catalog at 192.168.7.14 has no such model.'],
  ['a-query', "SELECT id FROM models WHERE id = 'x' returned no row."],
  ['an-exception', 'KeyError: no such model'],
  ['a-file', 'No entry in /etc/router/models.yaml.'],
  ['an-error-code', 'getaddrinfo ENOTFOUND catalog'],
] as const;
const withPlace = (entry: JsonObject): JsonObject => ({ ...entry, msg: 'validator.py:112 refused it' });
const badGateway = set.status(502);
const inDetail = set.member('detail', trace);
const inHeader = set.header('X-Debug', 'ValueError: no such model at (run.py:12)');
const debugPage = onReply((reply) =>
  withHeader(withText(reply, `<html><body><pre>${trace}</pre></body></html>`), 'Content-Type', 'text/html'),
);

const withoutDetail = changeErrors((error) => without(error, 'detail'));
const byField = changeDetail((entries) => ({ fields: [...entries] }));
const asProblem = changeErrors((error) => ({ type: 'about:blank', title: error['detail'] ?? '' }));
const otherEnvelope = changeErrors(({ error_type: code = '', detail: message = '' }) => ({ error: { code, message } }));
const wrongBody = changeErrors((error) => ({ ...error, error_type: `router_${String(error['error_type'])}` }));
const detailAsObject = changeMember('detail', (message) => ({ message }));

const interrupted =
  'MR-CAT-55 MR-MOD-12 MR-SCH-22 MR-SUB-20 MR-COL-19 MR-STA-10 MR-CAN-19 MR-RUN-57 MR-STC-17 MR-CTG-18';

export const errorFaults: readonly Fault[] = [
  // Failures of what an operation depends on, which only a scripted outcome brings about.
  ...group({ id: 'dependencies', on: ['listModels', 'readModel', 'readSchemaDocument'], status: 500 }, [
    fault('internal-error-is-502', 'MR-STC-15 MR-CTG-15', badGateway),
  ]),
  ...group({ id: 'dependencies', on: routerOperations, status: 503, subject: 'An unavailable dependency' }, [
    fault('unavailable-is-500', interrupted, refuse(500, 'internal_error')),
  ]),
  ...group({ id: 'dependencies', on: ['readJobWorkflow'], status: 500 }, [
    fault('upstream-error-is-502', 'WX-COD-15', badGateway),
  ]),
  ...group({ id: 'errors', on: routerOperations, status: isOfEnvelope, subject: 'Router errors' }, [
    fault('envelope.detail-missing', 'MR-ERR-02', withoutDetail),
    fault('envelope.detail-as-object', 'MR-ERR-02', detailAsObject),
    fault('envelope.type-missing', `MR-ERR-05 also ${categories}`, drop.member('error_type')),
    fault('envelope.of-the-other-api', `MR-ERR-01 also ${categories}`, otherEnvelope),
    fault('envelope.as-problem', `MR-ERR-01 also ${categories}`, asProblem),
    fault('category.differs-in-body', `MR-ERR-06 also ${categories}`, wrongBody),
    fault('category.not-in-header', `MR-HDR-04 also ${categories} ${headerCategories}`, drop.header(errorType)),
    fault('detail.tells-the-credential', 'MR-ERR-03', credentialInDetail),
  ]),
  ...group(
    { id: 'errors.credential', on: routerOperations, status: isRefusal, subject: 'Refusals tell the credential' },
    [
      echoedFault('in-base64', 'MR-ERR-03', btoa),
      echoedFault('in-hexadecimal', 'MR-ERR-03', (text) => Buffer.from(text).toString('hex')),
      echoedFault('reversed-case', 'MR-ERR-03', (text) => text.toUpperCase()),
    ],
  ),
  ...group({ id: 'errors.request-id', on: routerOperations }, [
    fault('missing', 'MR-HDR-01', drop.header(requestId), { status: isRefusal }),
    fault('constant', 'MR-HDR-03', set.header(requestId, 'request-1')),
    fault('from-the-caller', 'MR-HDR-03', requestIdOfCaller),
  ]),
  ...group({ id: 'errors.detail', on: routerOperations }, [
    ...[400, 401, 403, 404, 409, 410, 413, 429, 500, 502, 503, 504].map((status) =>
      fault(`tells-a-trace-with-${status}`, 'MR-ERR-03', set.member('detail', trace), { status }),
    ),
    ...innerDetails.map(([name, detail]) =>
      fault(`tells-${name}`, 'MR-ERR-03', set.member('detail', detail), { status: 404 }),
    ),
    entryRow('tells-a-place-in-an-entry', 'MR-ERR-03', withPlace, { status: 422 }),
    fault('tells-a-trace-in-a-header', 'MR-ERR-03', inHeader, { status: 404 }),
    fault('tells-a-trace-in-another-member', 'MR-ERR-03', set.member('debug', { trace }), { status: 404 }),
  ]),
  ...group({ id: 'errors.unlisted', on: ['unlisted'], status: 404, when: isOfRouter, subject: 'An unknown path' }, [
    fault('tells-a-trace', 'MR-ERR-03', inDetail),
    fault('tells-a-host', 'MR-ERR-03', set.member('detail', noRoute)),
    fault('tells-a-trace-in-a-page', 'MR-ERR-03', debugPage),
    bodyRow('tells-the-credential', 'MR-ERR-03', (body, { request }) => ({
      ...body,
      detail: `Nothing for ${readCredential(request)} here.`,
    })),
    fault('wrong-method-tells-a-trace', 'MR-ERR-03', inDetail, { status: 405 }),
  ]),
  ...group({ id: 'errors.validation', ...invalid, subject: 'The detail of a 422' }, [
    fault('detail-as-text', 'MR-ERR-10 also MR-ERR-11', set.member('detail', 'The input is invalid.')),
    fault('detail-by-field', 'MR-ERR-10 also MR-ERR-11', byField),
    fault('detail-empty', 'MR-ERR-10 MR-ERR-11', set.member('detail', [])),
    fault('first-field-only', 'MR-ERR-11', firstEntryOnly),
    locRow('loc-as-text', 'MR-ERR-12 also MR-ERR-11', (loc) => loc.join('.')),
    locRow('loc-inside-out', 'MR-ERR-13 also MR-ERR-14', (loc) => loc.toReversed()),
    locRow('loc-dotted', 'MR-ERR-13 also MR-ERR-11 MR-ERR-14', (loc) => [['body', ...loc].join('.')]),
    locRow('loc-counts-from-1', 'MR-ERR-14', (loc) => loc.map((part) => (typeof part === 'number' ? part + 1 : part))),
    locRow('loc-index-as-text', 'MR-ERR-14', (loc) => loc.map(String)),
    entryRow('msg-missing', 'MR-ERR-15', (entry) => without(entry, 'msg')),
    entryRow('type-as-number', 'MR-ERR-16', (entry) => ({ ...entry, type: 12 })),
    entryRow('ctx-null', 'MR-ERR-17', (entry) => ({ ...entry, ctx: null })),
  ]),
  ...group({ id: 'errors.validation', ...invalid, subject: 'A 422' }, [
    fault('category-in-body', 'MR-ERR-22', set.member('error_type', 'invalid_input')),
    fault('category-not-in-header', 'MR-ERR-21 MR-HDR-04 also MR-CTG-03 MR-HDR-11', drop.header(errorType)),
    fault('category-empty', 'MR-ERR-21 MR-HDR-04 also MR-CTG-03 MR-HDR-11', set.header(errorType, '')),
    fault('request-id-missing', 'MR-HDR-01', drop.header(requestId)),
  ]),
];
