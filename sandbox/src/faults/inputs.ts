import { asObject, type JsonValue } from '../../../specs/src/index.ts';
import { errorType, type Reply, type ServerRequest } from '../http/messages.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { parseJson } from '../parse-json.ts';
import {
  drop,
  failWith500,
  onRequest,
  readReply,
  rejectAs400,
  replyWithError,
  resend,
  set,
} from './builders/changes.ts';
import {
  type Change,
  type Fault,
  fault,
  group,
  restrictTo,
  routerOperations,
  startOperations,
} from './builders/fault.ts';
import {
  hasKey,
  isDeeplyNested,
  isForOneModel,
  isUuid,
  type RequestCondition,
  readRequest,
  withBody,
  withoutKey,
} from './builders/requests.ts';
import { keepFirstEntry } from './errors.ts';

/** Changes a call into one of the outcome model with an empty input and no key, which is always accepted. */
function toEmptyRun(request: ServerRequest): ServerRequest {
  const target = request.target.replace(/^(\/v2\/models\/)[^/]+\/[^/?]+/, (_, start) => start + outcomeModelIds.main);
  return withoutKey(withBody({ ...request, target }, '{}'));
}

/** Accepts invalid bodies that match `isAccepted`: sends an empty input to a model that allows it instead. */
const acceptBodies = (isAccepted: (text: string) => boolean): Change =>
  restrictTo({ status: [400, 422], when: (request) => isAccepted(readRequest.text(request)) }, resend(toEmptyRun));
const acceptArrays = acceptBodies((text) => Array.isArray(parseJson(text)));
const acceptEmpty = acceptBodies((text) => text.trim() === '');
const acceptTruncated = acceptBodies((text) => parseJson(text) === undefined && parseJson(`${text}}`) !== undefined);
const acceptLatin1 = acceptBodies((text) => text.includes('\uFFFD'));

/** Accepts inputs that only violate constraints of these types. */
function acceptInvalid(...types: readonly string[]): Change {
  const isIgnored = (entry: JsonValue): boolean => types.includes(String(asObject(entry)['type']));
  const reply = (one: Reply): boolean => {
    const { detail } = readReply.object(one);
    return Array.isArray(detail) && detail.length > 0 && detail.every(isIgnored);
  };
  return restrictTo({ status: 422, reply }, resend(toEmptyRun));
}

const hasKeyOfLength =
  (length: number): RequestCondition =>
  (request) =>
    hasKey(request) && readRequest.key(request).length === length;

const ignoreKey = onRequest(withoutKey);

/** The requirements of both operations that start a run, by subject. */
const startRequirements = [
  {
    on: 'runModel',
    name: 'run',
    body: 'MR-RUN-15',
    key: 'MR-RUN-04',
    rejection: 'MR-RUN-38',
    input: ['MR-SCH-27', 'MR-RUN-49'],
  },
  {
    on: 'submitRequest',
    name: 'submit',
    body: 'MR-SUB-06',
    key: 'MR-SUB-04',
    rejection: 'MR-SUB-13',
    input: ['MR-SUB-07', 'MR-SUB-08'],
  },
] as const;

const faultsOfStartOperations = startRequirements.flatMap(({ on, name, body, key, rejection, input }) => [
  ...group({ id: `bodies.${name}`, on }, [
    fault('array-accepted', [body, rejection], acceptArrays),
    fault('empty-accepted', [body, rejection], acceptEmpty),
    fault('cut-accepted', [body, rejection], acceptTruncated),
    fault('latin1-accepted', [body, rejection], acceptLatin1),
    fault('deep-ones-break', [body], failWith500, {
      when: isDeeplyNested,
    }),
  ]),
  ...group({ id: `limits.${name}-key`, on }, [
    fault('of-256-accepted', [key], ignoreKey, { when: hasKeyOfLength(256) }),
    fault('empty-accepted', [key], ignoreKey, { when: hasKeyOfLength(0) }),
    fault('of-255-refused', [key], rejectAs400, {
      also: name === 'run' ? ['MR-IDM-32'] : [],
      when: hasKeyOfLength(255),
      status: [200, 201],
    }),
    fault('odd-characters-break', [key], failWith500, {
      when: (request) => /[^\x21-\x7e]/.test(readRequest.key(request)),
    }),
  ]),
  ...group({ id: `${name}.constraints`, on }, [
    fault('enumerations-overlooked', input, acceptInvalid('enum', 'union_mismatch')),
    fault('lower-bounds-overlooked', input, acceptInvalid('greater_than_equal', 'greater_than')),
    fault('further-members-overlooked', input, acceptInvalid('extra_forbidden')),
  ]),
]);

/** True for model ids that may crash a server, because they contain characters that ids never have, or are very long. */
const hasOddModelId: RequestCondition = (request) => /%|\*|[A-Z]{3}|[^/]{65}/.test(readRequest.modelId(request));
const hasOddRequestId: RequestCondition = (request) => !isUuid(readRequest.requestId(request));

const requestIdRequirements = ['MR-COL-15', 'MR-STA-08', 'MR-CAN-18'];
const modelIdRequirements = ['MR-STC-05', 'MR-MOD-09', 'MR-RUN-45', 'MR-SCH-20', 'MR-SUB-17', ...requestIdRequirements];
const parameters = ['model_provider', 'fallback_provider', 'strict_mode'];
const hasUnknownParameter: RequestCondition = (request) =>
  [...readRequest.query(request).keys()].some((name) => !parameters.includes(name));
const replaceInput = resend((request) => withBody(request, { input: 'anything' }));

/** Faults in the handling of calls that a server must reject, or that may crash it. */
export const inputFaults: readonly Fault[] = [
  ...faultsOfStartOperations,
  ...group({ id: 'limits', on: ['collectRequest', 'readStatus', 'cancelRequest'] }, [
    fault('model-id.odd-ones-break', modelIdRequirements, failWith500, {
      on: routerOperations,
      status: 404,
      when: hasOddModelId,
    }),
    fault('request-id.odd-ones-break', requestIdRequirements, failWith500, {
      also: ['MR-CAN-15'],
      status: [400, 404],
      when: hasOddRequestId,
    }),
  ]),
  ...group({ id: 'bodies.run', on: 'runModel' }, [
    fault('label-breaks', ['MR-RUN-15'], failWith500, {
      when: ({ headers }) => /^(?!application\/json)./.test(headers['content-type'] ?? ''),
    }),
  ]),
  ...group({ id: 'run', on: 'runModel' }, [
    fault('malformed.wrong-category', ['MR-CTG-01'], set.category('provider_error'), {
      also: ['MR-CTG-09', 'MR-HDR-11', 'MR-RUN-38'],
      status: 400,
    }),
    fault('invalid.answered-with-400', ['MR-RUN-49', 'MR-STC-11'], rejectAs400, { also: ['MR-HDR-11'], status: 422 }),
    fault('invalid.wrong-category', ['MR-CTG-03'], set.header(errorType, 'validation_error'), {
      also: ['MR-HDR-11'],
      status: 422,
    }),
    fault('invalid.first-field-only', ['MR-ERR-11', 'MR-ERR-10', 'MR-SUB-09'], keepFirstEntry, {
      on: startOperations,
      status: 422,
    }),
    fault('unknown.answered-with-400', ['MR-RUN-45', 'MR-STC-05', 'MR-CTG-10'], rejectAs400, { status: 404 }),
    fault('validation.left-out-for-one-model', ['MR-SCH-27', 'MR-RUN-49'], replaceInput, {
      status: 422,
      when: isForOneModel,
    }),
    fault('query.unknown-parameter-breaks', ['MR-RUN-02'], failWith500, { when: hasUnknownParameter }),
    fault('rate-limit.wrong-category', ['MR-RUN-51', 'MR-IDM-10', 'MR-CTG-19'], set.category('quota_exceeded'), {
      status: 429,
    }),
    fault('rate-limit.no-retry-after', ['MR-IDM-11'], drop.header('Retry-After'), { status: 429 }),
    fault('credits.unnamed', ['MR-CTG-09'], replyWithError(403, 'forbidden'), { category: 'insufficient_credits' }),
  ]),
];
