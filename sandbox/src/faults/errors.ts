import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { brandedName, requestId } from '../http/messages.ts';
import { bodyRow, onJson, onReply, refuse, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, posts, routerOperations, rowIn } from './builders/fault.ts';
import { isRefusal, mapObjects, withHeader, withText } from './builders/replies.ts';
import { isOfRouter, readCredential } from './builders/requests.ts';

const trace =
  'Traceback (most recent call last):\n  File "/srv/router/run.py", line 12, in run\nValueError: no such limit';

/** Violated by any error whose body has no category, or a wrong one, and by a header without one. */
const categories = 'MR-COL-17 MR-CTG-06 MR-CTG-07 MR-CTG-08 MR-CTG-15 MR-CTG-16 MR-CTG-18 MR-RUN-38';

const hasEnvelope = (status: number): boolean => isRefusal(status) && status !== 422;

const changeDetail = (change: (entries: readonly JsonValue[]) => JsonValue): Change =>
  onJson((body) => ({ ...body, detail: change(Array.isArray(body['detail']) ? body['detail'] : []) }));

export const firstEntryOnly = changeDetail((entries) => entries.slice(0, 1));

const changeEntries = (change: (entry: JsonObject) => JsonValue): Change =>
  changeDetail((entries) => mapObjects([...entries], change));

/** Rows that change each entry of a 422. */
export const entryRow = rowIn(changeEntries);

export const changeLoc = (change: (loc: readonly JsonValue[]) => JsonValue): Change =>
  changeEntries((entry) => ({ ...entry, loc: change(Array.isArray(entry['loc']) ? entry['loc'] : []) }));

const locRow = rowIn(changeLoc);

/** Rows that send the credential back in a header, in this form. */
const echoedRow = rowIn((form: (credential: string) => string) =>
  onReply((reply, { request }) => {
    const credential = readCredential(request);
    return credential === '' ? reply : withHeader(reply, 'X-Caller', form(credential));
  }),
);

/** Details that leak something of the server's inside. */
const innerDetails = [
  ['a-host', 'No route on router-7.prod.svc.cluster.local for this path.'],
  ['an-address', 'The catalog at 192.168.7.14 has no such model.'],
  ['a-query', "SELECT id FROM models WHERE id = 'x' returned no row."],
  ['an-exception', 'KeyError: no such model'],
  ['a-file', 'No entry in /etc/router/models.yaml.'],
  ['an-error-code', 'getaddrinfo ENOTFOUND catalog'],
] as const;

const debugPage = onReply((reply) =>
  withHeader(withText(reply, `<html><body><pre>${trace}</pre></body></html>`), 'Content-Type', 'text/html'),
);

const interrupted =
  'MR-CAT-55 MR-MOD-12 MR-SCH-22 MR-SUB-20 MR-COL-19 MR-STA-10 MR-CAN-19 MR-RUN-57 MR-STC-17 MR-CTG-18';

export const errorFaults: readonly Fault[] = [
  ...group({ id: 'dependencies', on: routerOperations, status: 503, subject: 'An unavailable dependency' }, [
    fault('unavailable-is-500', interrupted, refuse(500, 'internal_error')),
  ]),
  ...group({ id: 'errors', on: routerOperations, subject: 'Router errors' }, [
    // The 409 of a cancellation is not an error: it has a body of its own.
    bodyRow(
      'category.differs-in-body',
      `MR-ERR-06 also ${categories}`,
      (body) =>
        'error_type' in body && 'detail' in body
          ? { ...body, error_type: `router_${String(body['error_type'])}` }
          : body,
      { status: hasEnvelope },
    ),
    bodyRow(
      'detail.tells-the-credential',
      'MR-ERR-03',
      (body, { request }) => ({ ...body, detail: `Refused for ${readCredential(request)}.` }),
      { status: hasEnvelope, reply: (reply) => reply.status !== 409 },
    ),
    echoedRow('credential.in-base64', 'MR-ERR-03', btoa, { status: isRefusal }),
    echoedRow('credential.reversed-case', 'MR-ERR-03', (text) => text.toUpperCase(), { status: isRefusal }),
    fault('request-id.constant', 'MR-HDR-03', set.header(requestId, 'request-1')),
    fault(
      'request-id.from-the-caller',
      'MR-HDR-03',
      onReply((reply, { request, context }) => {
        const sent = request.headers[brandedName(requestId, context.brand).toLowerCase()];
        return sent === undefined ? reply : withHeader(reply, requestId, sent);
      }),
    ),
  ]),
  ...group({ id: 'errors.detail', on: routerOperations }, [
    ...innerDetails.map(([name, detail]) =>
      fault(`tells-${name}`, 'MR-ERR-03', set.member('detail', detail), { status: 404 }),
    ),
    fault('tells-a-trace', 'MR-ERR-03', set.member('detail', trace), { status: [500, 502, 503, 504] }),
    entryRow('tells-a-place-in-an-entry', 'MR-ERR-03', (entry) => ({ ...entry, msg: 'validator.py:112 refused it' }), {
      status: 422,
    }),
    fault('tells-a-trace-in-a-header', 'MR-ERR-03', set.header('X-Debug', 'ValueError: no such model at (run.py:12)'), {
      status: 404,
    }),
    fault('tells-a-trace-in-another-member', 'MR-ERR-03', set.member('debug', { trace }), { status: 404 }),
  ]),
  ...group({ id: 'errors.unlisted', on: 'unlisted', status: 404, when: isOfRouter, subject: 'An unknown path' }, [
    fault('tells-a-trace-in-a-page', 'MR-ERR-03', debugPage),
    fault('wrong-method-tells-a-trace', 'MR-ERR-03', set.member('detail', trace), { status: 405 }),
  ]),
  ...group({ id: 'errors.validation', on: posts, status: 422, subject: 'The detail of a 422' }, [
    fault('detail-empty', 'MR-ERR-10 MR-ERR-11', set.member('detail', [])),
    locRow('loc-inside-out', 'MR-ERR-13 also MR-ERR-14', (loc) => loc.toReversed()),
    locRow('loc-dotted', 'MR-ERR-13 also MR-ERR-11 MR-ERR-14', (loc) => [['body', ...loc].join('.')]),
    locRow('loc-counts-from-1', 'MR-ERR-14', (loc) => loc.map((part) => (typeof part === 'number' ? part + 1 : part))),
  ]),
];
