import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import {
  dropHeader,
  headerOf,
  parseBody,
  rewriteAnswer,
  rewriteJson,
  setHeader,
  type Where,
  withBody,
  withHeader,
} from '../making/answer-rewrite.ts';
import { changeMember, dropMember } from '../making/json-change.ts';

const refused: Where = { on: 'router', status: (status) => status >= 400 && status !== 422 };

/** Errors only: the 409 of a cancellation has a body of its own. */
function changeErrors(change: (error: JsonObject) => JsonValue): Decorator {
  return rewriteJson(refused, (body) => ('error_type' in body && 'detail' in body ? change(body) : body));
}

const callersId: Decorator = rewriteAnswer({ on: 'router' }, (answer, { request, context }) => {
  const name = headerOf({ branded: 'Request-Id' }, context);
  const sent = request.headers.get(name);
  return sent === null ? answer : withHeader(answer, name, sent);
});

const tellsCredential: Decorator = rewriteAnswer(refused, (answer, { request }) => {
  const body = parseBody(answer);
  const credential = request.headers.get('x-api-key') ?? request.headers.get('authorization') ?? 'none';
  return isJsonObject(body) && 'detail' in body
    ? withBody(answer, { ...body, detail: `Refused for ${credential}.` })
    : answer;
});

const trace =
  'Traceback (most recent call last):\n  File "/srv/router/run.py", line 12, in run\nValueError: no such limit';

export const errorEnvelopeFaults: readonly Fault[] = [
  {
    id: 'errors.envelope.detail-missing',
    requirements: ['MR-ERR-02'],
    description: 'Errors have no detail.',
    decorate: changeErrors(({ detail: _, ...error }) => error),
  },
  {
    id: 'errors.envelope.detail-as-object',
    requirements: ['MR-ERR-02'],
    description: 'The detail of errors is an object.',
    decorate: changeMember(refused, 'detail', (detail) => ({ message: detail })),
  },
  {
    id: 'errors.envelope.type-missing',
    requirements: ['MR-ERR-05'],
    description: 'Errors have no error_type in their body.',
    decorate: dropMember(refused, 'error_type'),
    trips: ['MR-COL-17', 'MR-CTG-06', 'MR-CTG-07', 'MR-CTG-08', 'MR-CTG-15', 'MR-CTG-16', 'MR-CTG-18', 'MR-RUN-38'],
  },
  {
    id: 'errors.envelope.of-the-other-api',
    requirements: ['MR-ERR-01'],
    description: 'Errors of the router have the envelope of the workflow API.',
    decorate: changeErrors((error) => ({ error: { code: error['error_type'] ?? '', message: error['detail'] ?? '' } })),
    trips: ['MR-COL-17', 'MR-CTG-06', 'MR-CTG-07', 'MR-CTG-08', 'MR-CTG-15', 'MR-CTG-16', 'MR-CTG-18', 'MR-RUN-38'],
  },
  {
    id: 'errors.envelope.as-problem',
    requirements: ['MR-ERR-01'],
    description: 'Errors are problem documents.',
    decorate: changeErrors((error) => ({ type: 'about:blank', title: error['detail'] ?? '' })),
    trips: ['MR-COL-17', 'MR-CTG-06', 'MR-CTG-07', 'MR-CTG-08', 'MR-CTG-15', 'MR-CTG-16', 'MR-CTG-18', 'MR-RUN-38'],
  },
  {
    id: 'errors.category.differs-in-body',
    requirements: ['MR-ERR-06'],
    description: 'The body of errors names another category than the header.',
    decorate: changeErrors((error) => ({ ...error, error_type: `router_${String(error['error_type'])}` })),
    trips: ['MR-COL-17', 'MR-CTG-06', 'MR-CTG-07', 'MR-CTG-08', 'MR-CTG-15', 'MR-CTG-16', 'MR-CTG-18', 'MR-RUN-38'],
  },
  {
    id: 'errors.category.not-in-header',
    requirements: ['MR-HDR-04'],
    description: 'Errors carry no category header.',
    decorate: dropHeader(refused, { branded: 'Error-Type' }),
    trips: [
      'MR-CAT-09',
      'MR-CAT-50',
      'MR-COL-17',
      'MR-CTG-01',
      'MR-CTG-05',
      'MR-CTG-06',
      'MR-CTG-07',
      'MR-CTG-08',
      'MR-CTG-09',
      'MR-CTG-10',
      'MR-CTG-11',
      'MR-CTG-12',
      'MR-CTG-15',
      'MR-CTG-16',
      'MR-CTG-17',
      'MR-CTG-18',
      'MR-CTG-19',
      'MR-CTG-24',
      'MR-HDR-11',
      'MR-IDM-04',
      'MR-IDM-13',
      'MR-IDM-16',
      'MR-IDM-48',
      'MR-RUN-38',
    ],
  },
  {
    id: 'errors.request-id.missing',
    requirements: ['MR-HDR-01'],
    description: 'Errors carry no request id.',
    decorate: dropHeader({ on: 'router', status: (status) => status >= 400 }, { branded: 'Request-Id' }),
  },
  {
    id: 'errors.request-id.constant',
    requirements: ['MR-HDR-03'],
    description: 'Every answer carries the same request id.',
    decorate: setHeader({ on: 'router' }, { branded: 'Request-Id' }, 'request-1'),
  },
  {
    id: 'errors.request-id.from-the-caller',
    requirements: ['MR-HDR-03'],
    description: 'A request id that the caller sends is taken over.',
    decorate: callersId,
  },
  {
    id: 'errors.detail.tells-the-credential',
    requirements: ['MR-ERR-03'],
    description: 'The detail of errors repeats the credential.',
    decorate: tellsCredential,
  },
  {
    id: 'errors.detail.tells-a-trace',
    requirements: ['MR-ERR-03'],
    description: 'The detail of a 400 is the trace of a program.',
    decorate: rewriteJson({ on: 'router', status: 400 }, (body) => ({ ...body, detail: trace })),
  },
];
