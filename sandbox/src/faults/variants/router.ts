import { isJsonObject } from '../../../../specs/src/index.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import { replyHeader, type ServerRequest } from '../../http/messages.ts';
import { parseJson } from '../../parse-json.ts';
import { all, bodyRow, onReply, refuse, remembering, replyRow, requestRow, set } from '../builders/changes.ts';
import { type Change, group, only, type Variant, fault as variant } from '../builders/fault.ts';
import { asStillRunning } from '../builders/idempotency.ts';
import { posts, routerOperations } from '../builders/operations.ts';
import {
  asReplay,
  creditsUsed,
  isJson,
  isRefusal,
  isReplay,
  readBytes,
  readCategory,
  readJson,
  refusal,
  requestId,
  resolveHeaderName,
  withHeader,
  withJson,
  withoutHeader,
  withText,
} from '../builders/replies.ts';
import {
  hasInput,
  hasKey,
  isFrom,
  isOfModel,
  readBodyText,
  readKey,
  readModelId,
  readQuery,
  readRequestId,
  scripted,
  withHeaders,
  withoutKey,
  withoutQuery,
} from '../builders/requests.ts';
import { locRow } from '../errors.ts';

const isUnusualTag = ({ headers }: { headers: Readonly<Record<string, string>> }): boolean =>
  /^(?:W\/|\*|$)/.test(headers['if-none-match'] ?? '');

const badRequest = refuse(400, 'invalid_input');
const refuseReplay = refuse(409, 'invalid_input', isReplay);

const otherWords =
  'Das ging leider nicht.\nBitte prüfen. 請再試一次 At 12:30:05 the limit of 1024:768 was exceeded. ' +
  'See https://docs.example.test/errors/limits:4, version 10.4.2, or v2/models. ' +
  'Validation Error: "select a model from the list" (field data/items/0).';
const pageOfProxy = onReply(() => ({
  status: 404,
  headers: { 'Content-Type': 'text/html' },
  body: '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr>edge/1.27</body></html>',
}));
const wholeInput = { loc: [], msg: 'the input has to be an object', type: 'object_type' };

function isNoObject(request: ServerRequest): boolean {
  const value = parseJson(readBodyText(request));
  return value !== undefined && !isJsonObject(value);
}

/** Keeps results that others find too large to keep. */
const keepsLongResults = remembering(
  (request) => `${readKey(request)} ${readBodyText(request)}`,
  (reply) => reply.status === 200 && readBytes(reply).length > 1_000_000,
  async ({ reply }, { request, app, context }) => {
    const name = resolveHeaderName(requestId, context);
    const id = replyHeader(await app(request), name) ?? '';
    return withHeader(withoutHeader(asReplay(reply), resolveHeaderName(creditsUsed, context)), name, id);
  },
);

/** One call in flight for each caller; a further one is over the ceiling, whatever its key (NS-08). */
const oneInFlight: Change = (app, context) => {
  const busy = new Set<string>();
  return async (request) => {
    const caller = request.headers['x-api-key'] ?? request.headers['authorization'] ?? '';
    if (busy.has(caller)) {
      const refused = await app(withHeaders(request, { 'x-api-key': sandboxCredentials.router.spendCapped }));
      return refused.status === 429
        ? refused
        : refusal(refused, context, { status: 429, category: 'concurrency_limit_exceeded' });
    }
    busy.add(caller);
    try {
      return await app(request);
    } finally {
      busy.delete(caller);
    }
  };
};
const isOfStill = isOfModel('image-provider/still-2.1');

export const routerVariants: readonly Variant[] = [
  ...group({ id: 'schema-document.conditional', on: ['readSchemaDocument'], when: isUnusualTag }, [
    requestRow('strong-comparison', 'MR-SCH-12', (request) => withHeaders(request, { 'if-none-match': undefined })),
  ]),
  ...group({ id: 'run.credits', on: ['runModel'], status: 400 }, [
    replyRow('answered-with-402', 'MR-CTG-09', (reply, { context }) => {
      const isAboutCredits = readCategory(reply, context) === 'insufficient_credits';
      return isAboutCredits ? { ...reply, status: 402 } : reply;
    }),
  ]),
  ...group({ id: 'errors.validation', on: ['runModel', 'submitRequest'], status: 422, subject: 'Entries of a 422' }, [
    locRow('prefixed-loc', 'MR-ERR-13', (loc) => ['body', ...loc]),
  ]),
  ...group({ id: 'errors.detail', on: routerOperations, status: (status) => isRefusal(status) && status !== 422 }, [
    bodyRow('other-words', 'MR-ERR-02 MR-ERR-03', (body) =>
      'detail' in body ? { ...body, detail: otherWords.repeat(60) } : body,
    ),
  ]),
  ...group({ id: 'errors.unlisted', on: ['unlisted'], subject: 'Calls that are not described' }, [
    variant('as-a-page', 'MR-ERR-01 MR-HDR-01', pageOfProxy),
    variant('as-400', 'MR-ERR-01', refuse(400, 'invalid_input')),
  ]),
  // Where a call is wrong in two ways, no order of the checks is given (NS-31).
  ...group({ id: 'order', on: posts, status: isRefusal, subject: 'Two reasons to refuse a run' }, [
    variant('malformed-body-first', 'MR-CTG-01 MR-STC-01', badRequest, {
      when: (request) => request.body !== 'too-large' && parseJson(readBodyText(request)) === undefined,
    }),
    variant('unusable-key-first', 'MR-CTG-04 MR-STC-01', badRequest, {
      when: (request) => hasKey(request) && (readKey(request) === '' || readKey(request).length > 255),
    }),
  ]),
  ...group({ id: 'bodies', on: ['runModel', 'submitRequest'], status: 400 }, [
    replyRow('non-objects-as-422', 'MR-RUN-15 MR-STC-01', (reply, around) =>
      isNoObject(around.request) ? withJson(reply, { detail: [wholeInput] }, 422) : reply,
    ),
    replyRow(
      'deep-ones-echoed',
      'MR-ERR-19 MR-STC-11',
      (reply, { request }) => {
        const input = parseJson(readBodyText(request));
        return isJsonObject(input) ? withJson(reply, { detail: [{ ...wholeInput, input }] }, 422) : reply;
      },
      { when: (request) => readBodyText(request).includes('[[[[') },
    ),
  ]),
  ...group({ id: 'limits', on: routerOperations, status: 404, subject: 'A malformed id' }, [
    variant('malformed-ids-as-400', 'MR-COL-02 MR-MOD-02', refuse(400, 'invalid_input'), {
      when: (request) =>
        /[%*A-Z]|[^/]{65}/.test(readModelId(request)) ||
        (readRequestId(request) !== '' && !/^[0-9a-f-]{36}$/.test(readRequestId(request))),
    }),
  ]),
  ...group({ id: 'idempotency.record', on: ['runModel'], when: hasKey }, [
    variant('long-results-are-kept', 'MR-IDM-28', keepsLongResults),
    replyRow('replays-are-spaced', 'MR-IDM-01', (reply) =>
      isReplay(reply) && isJson(reply) ? withText(reply, JSON.stringify(readJson(reply), null, 3)) : reply,
    ),
  ]),
  ...group({ id: 'limits', on: ['runModel'] }, [
    variant('one-in-flight', 'MR-IDM-13 MR-IDM-32', oneInFlight),
    requestRow('strict-mode-alone', 'MR-RUN-08 MR-IDM-26', (request) =>
      readQuery(request).has('model_provider') ? request : withoutQuery(request, 'strict_mode'),
    ),
  ]),
  ...group({ id: 'limits', on: ['runModel', 'submitRequest'], when: (request) => readKey(request) === '' }, [
    requestRow('empty-key-is-none', 'MR-RUN-04 MR-SUB-04', withoutKey),
  ]),
  ...group({ id: 'results', on: ['runModel', 'collectRequest'], when: isOfStill, subject: 'Results' }, [
    variant(
      'linked',
      'MR-IDM-17 MR-IDM-52',
      all(refuseReplay, only({ status: 200 }, set.member('preview', 'https://cdn.example.test/p.png'))),
    ),
  ]),
  ...group({ id: 'results', on: ['runModel', 'collectRequest'], status: 200, when: isOfStill, subject: 'Results' }, [
    bodyRow('deviate', 'MR-SCH-28 MR-RUN-23', (body) => ({ ...body, seed: 'one' })),
    variant('of-another-type', 'MR-SCH-29', set.header('Content-Type', 'text/json')),
  ]),
  ...group({ id: 'idempotency.conflict', on: ['runModel'], status: 200 }, [
    replyRow('while-running', 'MR-IDM-04 MR-IDM-16', (reply, { context }) => asStillRunning(reply, context), {
      status: 409,
      when: scripted(hasInput('note', 'another')),
    }),
    variant('for-colleagues', 'MR-IDM-44', refuseReplay, { when: isFrom('colleague') }),
  ]),
];
