import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { brandedName, requestId, type ServerRequest } from '../http/messages.ts';
import { bodyRow, onJson, onReply, refuse, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { routerOperations } from './builders/operations.ts';
import { isRefusal, mapObjects, withHeader, withText } from './builders/replies.ts';
import { isOfRouter } from './builders/requests.ts';

/** Changes errors only: the 409 of a cancellation has a body of its own. */
const changeErrors = (change: (error: JsonObject) => JsonValue): Change =>
  onJson((body) => ('error_type' in body && 'detail' in body ? change(body) : body));

const trace =
  'Traceback (most recent call last):\n  File "/srv/router/run.py", line 12, in run\nValueError: no such limit';

/** Violated by any error whose body names no category, or a wrong one; and where the header names none. */
const categories = 'MR-COL-17 MR-CTG-06 MR-CTG-07 MR-CTG-08 MR-CTG-15 MR-CTG-16 MR-CTG-18 MR-RUN-38';

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
const inDetail = set.member('detail', trace);
const inHeader = set.header('X-Debug', 'ValueError: no such model at (run.py:12)');
const debugPage = onReply((reply) =>
  withHeader(withText(reply, `<html><body><pre>${trace}</pre></body></html>`), 'Content-Type', 'text/html'),
);
const wrongBody = changeErrors((error) => ({ ...error, error_type: `router_${String(error['error_type'])}` }));

const interrupted =
  'MR-CAT-55 MR-MOD-12 MR-SCH-22 MR-SUB-20 MR-COL-19 MR-STA-10 MR-CAN-19 MR-RUN-57 MR-STC-17 MR-CTG-18';

export const errorFaults: readonly Fault[] = [
  ...group({ id: 'dependencies', on: routerOperations, status: 503, subject: 'An unavailable dependency' }, [
    fault('unavailable-is-500', interrupted, refuse(500, 'internal_error')),
  ]),
  ...group({ id: 'errors', on: routerOperations, status: isOfEnvelope, subject: 'Router errors' }, [
    fault('category.differs-in-body', `MR-ERR-06 also ${categories}`, wrongBody),
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
    fault('detail-empty', 'MR-ERR-10 MR-ERR-11', set.member('detail', [])),
    fault('first-field-only', 'MR-ERR-11', firstEntryOnly),
    locRow('loc-inside-out', 'MR-ERR-13 also MR-ERR-14', (loc) => loc.toReversed()),
    locRow('loc-dotted', 'MR-ERR-13 also MR-ERR-11 MR-ERR-14', (loc) => [['body', ...loc].join('.')]),
    locRow('loc-counts-from-1', 'MR-ERR-14', (loc) => loc.map((part) => (typeof part === 'number' ? part + 1 : part))),
    locRow('loc-index-as-text', 'MR-ERR-14', (loc) => loc.map(String)),
  ]),
];
