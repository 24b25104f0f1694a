import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  measureJson,
  readOwnCatalog,
} from '../../../specs/src/index.ts';
import { errorType } from '../http/messages.ts';
import { parseJson } from '../parse-json.ts';
import { breakRow, drop, onRequest, refuse, resend, set } from './builders/changes.ts';
import { type Fault, fault, group, type OperationId, only, rowIn } from './builders/fault.ts';
import { readObject } from './builders/replies.ts';
import {
  asEmptyRun,
  hasKey,
  isOfOneModel,
  isUuid,
  readBodyText,
  readKey,
  readModelId,
  readQuery,
  readRequestId,
  type When,
  withBody,
  withoutKey,
} from './builders/requests.ts';
import { firstEntryOnly } from './errors.ts';

/** Rows of such bodies that are run as an empty input of a model that accepts one. */
const bodyAcceptedRow = rowIn((isSent: (text: string) => boolean) =>
  only({ status: [400, 422], when: (request) => isSent(readBodyText(request)) }, resend(asEmptyRun)),
);

const isEmpty = (text: string): boolean => text.trim() === '';
const isMalformed = (text: string): boolean => !isEmpty(text) && parseJson(text) === undefined;
const isCut = (text: string): boolean => isMalformed(text) && parseJson(`${text}}`) !== undefined;
const isFollowedByMore = (text: string): boolean =>
  isMalformed(text) && parseJson(text.slice(0, text.lastIndexOf('}') + 1)) !== undefined;

function areAllOf(types: readonly string[], { detail }: JsonObject): boolean {
  const isOf = (entry: JsonValue): boolean => isJsonObject(entry) && types.includes(String(entry['type']));
  return Array.isArray(detail) && detail.length > 0 && detail.every(isOf);
}

/** Rows of inputs that only break constraints of these types, and are run like the bodies above. */
const overlookedRow = rowIn((types: readonly string[]) =>
  only({ status: 422, reply: (reply) => areAllOf(types, readObject(reply)) }, resend(asEmptyRun)),
);

const hasKeyOfLength =
  (from: number, to: number = from): When =>
  (request) =>
    hasKey(request) && readKey(request).length >= from && readKey(request).length <= to;

/** Runs a call whose key is refused without its key. */
const withoutItsKey = onRequest(withoutKey);
const broken = refuse(500, 'internal_error');
const badRequest = refuse(400, 'invalid_input');

/** Both operations that start a run, with their requirements on body, key, refusals, and inputs. */
const starts = [
  {
    on: 'runModel',
    name: 'run',
    body: 'MR-RUN-15',
    key: 'MR-RUN-04',
    refusal: 'MR-RUN-38',
    input: 'MR-SCH-27 MR-RUN-49',
  },
  {
    on: 'submitRequest',
    name: 'submit',
    body: 'MR-SUB-06',
    key: 'MR-SUB-04',
    refusal: 'MR-SUB-13',
    input: 'MR-SUB-07 MR-SUB-08',
  },
] as const;

const startFaults = starts.flatMap(({ on, name, body, key, refusal, input }) => [
  ...group({ id: `bodies.${name}`, on: [on] }, [
    bodyAcceptedRow('array-accepted', `${body} ${refusal}`, (text) => Array.isArray(parseJson(text))),
    bodyAcceptedRow('null-accepted', `${body} ${refusal}`, (text) => parseJson(text) === null),
    bodyAcceptedRow('empty-accepted', `${body} ${refusal}`, isEmpty),
    bodyAcceptedRow('cut-accepted', `${body} ${refusal}`, isCut),
    bodyAcceptedRow('followed-by-more-accepted', `${body} ${refusal}`, isFollowedByMore),
    bodyAcceptedRow('latin1-accepted', `${body} ${refusal}`, (text) => text.includes('\uFFFD')),
    breakRow('deep-ones-break', body, ({ body }) => body !== 'too-large' && measureJson(body).deepest > 100),
  ]),
  ...group({ id: `limits.${name}-key`, on: [on] }, [
    fault('of-256-accepted', key, withoutItsKey, { when: hasKeyOfLength(256) }),
    fault('empty-accepted', key, withoutItsKey, { when: hasKeyOfLength(0) }),
    fault('of-255-refused', name === 'run' ? `${key} also MR-IDM-32` : key, badRequest, {
      when: hasKeyOfLength(255),
      status: [200, 201],
    }),
    fault('too-long-as-500', `${key} ${refusal}`, broken, { when: hasKeyOfLength(256, Number.POSITIVE_INFINITY) }),
    breakRow('odd-characters-break', key, (request) => /[^\x21-\x7e]/.test(readKey(request))),
  ]),
  ...group({ id: `${name}.constraints`, on: [on] }, [
    overlookedRow('enumerations-overlooked', input, ['enum', 'union_mismatch']),
    overlookedRow('upper-bounds-overlooked', input, ['less_than_equal', 'less_than']),
    overlookedRow('lower-bounds-overlooked', input, ['greater_than_equal', 'greater_than']),
    overlookedRow('longest-texts-overlooked', input, ['string_too_long']),
    overlookedRow('shortest-texts-overlooked', input, ['string_too_short']),
    overlookedRow('patterns-overlooked', input, ['string_pattern_mismatch']),
    overlookedRow('further-members-overlooked', input, ['extra_forbidden']),
    overlookedRow('longest-lists-overlooked', input, ['too_long']),
  ]),
]);

/** Ids of models and requests beyond what this server reads without breaking. */
const isOddModel: When = (request) => /%|\*|[A-Z]{3}|[^/]{65}/.test(readModelId(request));
const isOddRequest: When = (request) => !isUuid(readRequestId(request));

const modelCalls: readonly [on: OperationId, name: string, requirement: string][] = [
  ['readModel', 'read', 'MR-MOD-09'],
  ['runModel', 'run', 'MR-RUN-45'],
  ['readSchemaDocument', 'schema-document', 'MR-SCH-20'],
  ['submitRequest', 'submit', 'MR-SUB-17'],
  ['collectRequest', 'collect', 'MR-COL-15'],
  ['readStatus', 'status', 'MR-STA-08'],
  ['cancelRequest', 'cancel', 'MR-CAN-18'],
];

const idFaults = modelCalls.flatMap(([on, name, requirement]) => [
  ...group({ id: 'limits.model-id', on: [on], status: 404, when: isOddModel }, [
    fault(`odd-breaks-${name}`, `${requirement} MR-STC-05`, broken),
  ]),
  ...group({ id: 'limits.request-id', on: [on], status: [400, 404], when: isOddRequest }, [
    ...(['collect', 'status'].includes(name) ? [fault(`odd-breaks-${name}`, requirement, broken)] : []),
    ...(name === 'cancel' ? [fault('odd-breaks-cancel', `${requirement} also MR-CAN-15`, broken)] : []),
  ]),
]);

const knownProviders = new Set(readOwnCatalog().map(({ id }) => id.split('/')[0]));
const hasKnownProvider: When = (request) => knownProviders.has(readModelId(request).split('/')[0]);

const parameters = ['model_provider', 'fallback_provider', 'strict_mode'];
const hasUnknownParameter: When = (request) =>
  [...readQuery(request).keys()].some((name) => !parameters.includes(name));

const leftOutForOneModel = resend((request) => withBody(request, { input: 'anything' }));

/** Faults of calls that a server has to refuse, or that it may break on. */
export const inputFaults: readonly Fault[] = [
  ...startFaults,
  ...idFaults,
  ...group({ id: 'bodies.run', on: 'runModel' }, [
    breakRow('label-breaks', 'MR-RUN-15', ({ headers }) =>
      /^(?!application\/json)./.test(headers['content-type'] ?? ''),
    ),
  ]),
  ...group({ id: 'submit.invalid', on: 'submitRequest', status: 422, subject: 'The 422 of a submission' }, [
    fault('of-one-model-admitted', 'MR-SUB-07 MR-SUB-08', resend(asEmptyRun), { when: isOfOneModel }),
    fault('wrong-category', 'MR-CTG-03', set.header(errorType, 'validation_error')),
    fault('first-field-only', 'MR-SUB-09 MR-ERR-11', firstEntryOnly),
  ]),
  ...group({ id: 'run', on: 'runModel' }, [
    fault('malformed.wrong-category', 'MR-CTG-01 also MR-CTG-09 MR-HDR-11 MR-RUN-38', set.category('provider_error'), {
      status: 400,
    }),
    fault('invalid.answered-with-400', 'MR-RUN-49 MR-STC-11 also MR-HDR-11 MR-STC-12', badRequest, { status: 422 }),
    fault('invalid.wrong-category', 'MR-CTG-03 also MR-HDR-11', set.header(errorType, 'validation_error'), {
      status: 422,
    }),
    fault('invalid.first-field-only', 'MR-ERR-11 MR-ERR-10', firstEntryOnly, { status: 422 }),
    fault('unknown.wrong-category', 'MR-CTG-10', set.category('invalid_input'), { status: 404 }),
    fault('unknown.of-a-known-provider', 'MR-RUN-45 MR-STC-05 MR-CTG-10', badRequest, {
      status: 404,
      when: hasKnownProvider,
    }),
    fault('validation.left-out-for-one-model', 'MR-SCH-27 MR-RUN-49', leftOutForOneModel, {
      status: 422,
      when: isOfOneModel,
    }),
    breakRow('query.unknown-parameter-breaks', 'MR-RUN-02', hasUnknownParameter),
    fault('rate-limit.wrong-category', 'MR-RUN-51 MR-IDM-10 MR-CTG-19', set.category('quota_exceeded'), {
      status: 429,
    }),
    fault('rate-limit.no-retry-after', 'MR-IDM-11', drop.header('Retry-After'), { status: 429 }),
    fault('spend-cap.let-through-as-rate', 'MR-IDM-13', set.category('rate_limited'), {
      status: 429,
      sentence: 'The 429 of a run above the cap is called rate_limited.',
    }),
    fault('credits.unnamed', 'MR-CTG-09', refuse(403, 'forbidden'), {
      category: 'insufficient_credits',
      sentence: 'A run without credits is called forbidden, with 403.',
    }),
  ]),
];
