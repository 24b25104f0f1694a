import { asObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { requestId, type ServerRequest } from '../http/messages.ts';
import {
  combineChanges,
  drop,
  failWith500,
  mapObjects,
  omitMembers,
  onEachCall,
  onJson,
  onLaterCalls,
  onRequest,
  readReply,
  rejectAs400,
  resend,
  set,
  withJson,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, restrictTo, type Variant, variant } from './builders/fault.ts';
import { caller, hasParameter, isForOneModel, readRequest, withQuery } from './builders/requests.ts';

/** Changes the list of models in a page of the catalog. */
const changeModelList = (change: (data: readonly JsonValue[], page: JsonObject) => readonly JsonValue[]): Change =>
  onJson((page) => (Array.isArray(page['data']) ? { ...page, data: [...change(page['data'], page)] } : page));

const changeModels = (change: (entry: JsonObject) => JsonValue): Change =>
  changeModelList((data) => mapObjects([...data], change));

const unknownModel = { model: 'no-longer-there', id: 'image-provider/no-longer-there', provider: 'image-provider' };
const addUnknownModel = changeModelList((data, { has_more: hasMore, limit }) =>
  hasMore === false && data.length < Number(limit) ? [...data, { ...asObject(data[0]), ...unknownModel }] : data,
);

const readLimit = (request: ServerRequest): number => Number(readRequest.query(request).get('limit') ?? Number.NaN);
const readCursor = (request: ServerRequest): string | null => readRequest.query(request).get('cursor');
const hasLimit = hasParameter('limit');

export const returnFirstPage = resend((request) => withQuery(request, { cursor: undefined }));

/** Restarts the listing if the limit differs from the one that the cursor was created with. */
const restartIfLimitChanges = onLaterCalls(
  (request, reply) =>
    String((reply === undefined ? readCursor(request) : readReply.object(reply)['next_cursor']) ?? ''),
  ({ request: first }) =>
    onRequest((request) =>
      readRequest.query(request).get('limit') === readRequest.query(first).get('limit')
        ? request
        : withQuery(request, { cursor: undefined }),
    ),
  { isRemembered: () => true },
);

/**
 * Replaces each cursor with the text that `rename` returns, and also accepts the original cursors. `before`: cursor of the
 * request; `row`: number of models in this page and those before it; `count`: number of cursors replaced so far.
 */
const replaceCursors =
  (rename: (cursor: string, page: { before: string | null; row: number; count: number }) => string): Change =>
  (app) => {
    const cursors = new Map<string, { readonly cursor: string; readonly row: number }>();
    return async (request) => {
      const before = readCursor(request);
      const original = cursors.get(before ?? '');
      const reply = await app(original === undefined ? request : withQuery(request, { cursor: original.cursor }));
      const { data, next_cursor: cursor, ...page } = readReply.object(reply);
      if (typeof cursor !== 'string' || !Array.isArray(data)) return reply;
      const row = (original?.row ?? 0) + data.length;
      const renamed = rename(cursor, { before, row, count: cursors.size });
      cursors.set(renamed, { cursor, row });
      return withJson(reply, { ...page, data, next_cursor: renamed });
    };
  };
/**
 * Uses the row number as the cursor: 1, 2, 3 and so on. After an empty page, the row number equals the request's cursor, so the
 * original cursor is kept.
 */
const useRowNumbersAsCursors = replaceCursors((cursor, { before, row }) =>
  String(row) === (before ?? '0') ? cursor : String(row),
);

const addPrice = changeModels(({ billing, ...entry }) => ({
  ...entry,
  billing: { ...asObject(billing), price_per_run: 0.04 },
}));
const capitaliseProvider = changeModels((entry) => ({ ...entry, provider: String(entry['provider']).toUpperCase() }));
const removeProviderFromId = changeModels((entry) => ({ ...entry, id: entry['model'] ?? '' }));
const returnEmptyPage = onJson(({ limit = 20 }) => ({ data: [], has_more: false, limit }));
const echoRequestedLimit = onJson((page, { request }) => {
  const limit = readLimit(request);
  return Number.isNaN(limit) ? page : { ...page, limit };
});
/** Uses `limit` instead of requested limits that match `isReplaced`. */
const replaceLimits = (limit: number, isReplaced: (limit: number) => boolean): Change =>
  onRequest((request) => (isReplaced(readLimit(request)) ? withQuery(request, { limit: String(limit) }) : request));
const readZeroAsOne = replaceLimits(1, (limit) => limit === 0);

const repeatFirstModel = changeModelList((data, { limit }) =>
  data.length < Number(limit) ? [...data, ...data.slice(0, 1)] : data,
);
const exceedLimitByOne = changeModelList((data, { limit }) => {
  const missingCount = Math.max(Number(limit) + 1 - data.length, 0);
  return [...data, ...Array.from({ length: missingCount }, () => data.slice(0, 1)).flat()];
});
const endListingEarly = onJson((page) => ({ ...omitMembers(page, 'next_cursor'), has_more: false }));
const restartRequirements = ['MR-CAT-50', 'MR-CAT-52'];

const emptyPageCursor = 'there-is-one-more-page';
/** Adds an empty page after the last one. */
const addEmptyLastPage: Change = (app) => async (request) => {
  const isLast = readCursor(request) === emptyPageCursor;
  const reply = await app(isLast ? withQuery(request, { cursor: undefined }) : request);
  const page = readReply.object(reply);
  if (page['data'] === undefined) return reply;
  if (isLast) return withJson(reply, { data: [], has_more: false, limit: page['limit'] ?? 20 });
  return page['has_more'] === false
    ? withJson(reply, { ...page, has_more: true, next_cursor: emptyPageCursor })
    : reply;
};

const emptyPagePrefix = 'after-the-empty-page.';
/** Adds an empty page with `has_more` before each page (MR-CAT-25). */
const addEmptyPageBeforeEach: Change = (app) => async (request) => {
  const cursor = readCursor(request) ?? '';
  const rest = cursor.slice(emptyPagePrefix.length);
  if (cursor === emptyPagePrefix) return app(withQuery(request, { cursor: undefined }));
  if (cursor.startsWith(emptyPagePrefix)) return app(withQuery(request, { cursor: rest }));
  const reply = await app(request);
  const empty = { ...readReply.object(reply), data: [], has_more: true, next_cursor: emptyPagePrefix + cursor };
  return reply.status === 200 ? withJson(reply, empty) : reply;
};

/** Alternates between cursors of one character and of 512, with characters that a URL must escape. */
const useShortAndLongCursors = replaceCursors((cursor, { count }) =>
  count % 2 === 0 ? String.fromCharCode(0x4e00 + count) : `${cursor}=/+&?# é`.padEnd(512, '=~'),
);

/** Omits the last model from the first pages, as if it were added during the first listings. The model can always be run. */
const hideLastModelAtFirst = onEachCall((count) =>
  changeModelList((data, { has_more: hasMore }) => (count <= 8 && hasMore === false ? data.slice(0, -1) : data)),
);

function readPageSize(limit: string | null): number {
  const requested = Number(limit ?? 20);
  return requested > 0 ? Math.min(requested, 100) : 20;
}

/** Returns half of the requested entries per page, but reports the full limit. */
const returnHalfPages: Change = combineChanges(
  onRequest((request) =>
    withQuery(request, { limit: String(Math.ceil(readPageSize(readRequest.query(request).get('limit')) / 2)) }),
  ),
  restrictTo(
    { status: 200 },
    onJson((page, { request }) => ({ ...page, limit: readPageSize(readRequest.query(request).get('limit')) })),
  ),
);

const charge = { charges_on_policy_rejection: 'by_agreement' };
const setUnknownCharge = combineChanges(
  restrictTo({ on: 'readModel' }, set.member('billing', charge)),
  restrictTo(
    { on: 'listModels' },
    changeModels((entry) => ({ ...entry, billing: charge })),
  ),
);

const useAbsoluteSchemaUrl = onJson((detail) => ({
  ...detail,
  input_schema_url: `HTTPS://schemas.example.test/v2/models/${String(detail['id'])}/openapi.json?version=4`,
}));
const addCursorToLastPage = onJson((page) => (page['has_more'] === false ? { ...page, next_cursor: 'later' } : page));
const reverseModels = changeModelList((data) => data.toReversed());
const readInvalidLimitAsDefault = onRequest((request) =>
  Number.isNaN(Number(readRequest.query(request).get('limit'))) ? withQuery(request, { limit: undefined }) : request,
);

const returnAnotherId = onJson((detail) => ({
  ...detail,
  id: `${String(detail['provider'])}/another`,
  model: 'another',
}));
const swapCharge = onJson(
  ({ charges_on_policy_rejection: charge, ...billing }) => ({
    ...billing,
    charges_on_policy_rejection: charge === 'yes' ? 'no' : 'yes',
  }),
  'billing',
);
const breakSchemaUrl = onJson((detail, { request: { origin, target } }) => ({
  ...detail,
  input_schema_url: `${origin.replace(/^http:/, 'https:')}${target}/schema.json`,
}));

export const catalogFaults: readonly Fault[] = [
  ...group({ id: 'catalog.entry', on: 'listModels', status: 200 }, [
    fault('id-without-provider', ['MR-CAT-31'], removeProviderFromId, {
      also: ['MR-CAT-19', 'MR-CAT-22'],
      when: hasParameter('cursor'),
    }),
    fault('billing-with-price', ['MR-CAT-41'], addPrice),
    fault('of-no-model', ['MR-CAT-02'], addUnknownModel, { also: ['MR-MOD-04'] }),
    fault('provider-in-capitals', ['MR-CAT-35'], capitaliseProvider, { also: ['MR-CAT-31', 'MR-MOD-04'] }),
  ]),
  ...group({ id: 'catalog.limit', on: 'listModels' }, [
    fault('text-breaks', ['MR-CAT-12'], failWith500, {
      when: (request) => /[^\d-]/.test(readRequest.query(request).get('limit') ?? ''),
    }),
    fault('default-is-ten', ['MR-CAT-12'], replaceLimits(10, Number.isNaN), { when: (request) => !hasLimit(request) }),
    fault('above-maximum-refused', ['MR-CAT-13'], rejectAs400, { when: (request) => readLimit(request) > 100 }),
    fault('zero-means-one', ['MR-CAT-14'], readZeroAsOne),
    fault('negative-refused', ['MR-CAT-15'], rejectAs400, { when: (request) => readLimit(request) < 0 }),
    fault('reported-as-asked', ['MR-CAT-16'], echoRequestedLimit, {
      also: ['MR-CAT-13', 'MR-CAT-14', 'MR-CAT-15', 'MR-CAT-29'],
      status: 200,
    }),
  ]),
  ...group({ id: 'catalog', on: 'listModels', status: 200 }, [
    fault('list.empty-for-tokens', ['MR-CAT-02', 'MR-AUT-04'], returnEmptyPage, { when: caller.hasTokenOnly }),
    fault('traversal.repeats-a-model', ['MR-CAT-19', 'MR-CAT-22'], repeatFirstModel),
    fault('page.too-many-entries', ['MR-CAT-20'], exceedLimitByOne, { also: ['MR-CAT-19'] }),
    // The self-check already derives faults with missing headers; this one is for documentation and tests of commands.
    fault('list.request-id-missing', ['MR-CAT-18', 'MR-HDR-01'], drop.header(requestId)),
    fault(
      'page.never-ends',
      ['MR-CAT-22'],
      set.member('has_more', () => true),
    ),
    fault('page.ends-early', ['MR-CAT-22'], endListingEarly),
    fault('later-page.forgets-its-limit', ['MR-CAT-16'], set.member('limit', 20), {
      when: (request) => hasLimit(request) && readCursor(request) !== null,
    }),
  ]),
  ...group({ id: 'catalog.query', on: 'listModels' }, [
    fault('unknown-parameter-breaks', ['MR-CAT-17'], failWith500, {
      when: (request) => [...readRequest.query(request).keys()].some((name) => name !== 'limit' && name !== 'cursor'),
    }),
  ]),
  ...group({ id: 'catalog.cursor', on: 'listModels' }, [
    fault(
      'second-use-breaks',
      ['MR-CAT-22'],
      onLaterCalls(
        (request) => readCursor(request) ?? '',
        () => failWith500,
      ),
    ),
    fault('is-an-offset', ['MR-CAT-07'], useRowNumbersAsCursors),
    fault('malformed-restarts', restartRequirements, returnFirstPage, { status: 400 }),
    fault('of-another-limit-restarts', ['MR-CAT-52'], restartIfLimitChanges),
    fault('malformed-category', ['MR-CAT-50', 'MR-CTG-02'], set.category('internal_error'), { status: 400 }),
  ]),
  ...group({ id: 'model.detail', on: 'readModel', status: 200 }, [
    fault('of-another-model', ['MR-MOD-04'], returnAnotherId),
    fault('billing-differs', ['MR-MOD-04'], swapCharge),
    fault('one-of-them-differs', ['MR-MOD-04'], swapCharge, { when: isForOneModel }),
    fault('billing-differs-for-tokens', ['MR-MOD-04', 'MR-AUT-04'], swapCharge, { when: caller.hasTokenOnly }),
    fault('billing-counts-calls', ['MR-CAT-42'], onJson({ calls_this_month: 1201 }, 'billing')),
  ]),
  ...group({ id: 'model.schema-url', on: 'readModel', status: 200 }, [
    fault('leads-nowhere', ['MR-MOD-08'], breakSchemaUrl),
  ]),
  ...group({ id: 'model.unknown', on: 'readModel', status: 404 }, [
    fault('answered-with-400', ['MR-MOD-09', 'MR-STC-05'], set.status(400)),
    // An empty object isn't a valid description of a model.
    fault('empty-detail', ['MR-MOD-09', 'MR-STC-05'], set.text('{}', 200), { also: ['MR-CAT-30'] }),
    fault('gone', ['MR-STC-09', 'MR-MOD-09', 'MR-STC-05'], set.status(410)),
    fault('wrong-category', ['MR-CTG-10'], set.category('request_not_found')),
  ]),
];

export const catalogVariants: readonly Variant[] = [
  ...group({ id: 'catalog', on: 'listModels' }, [
    variant('page.empty-at-the-end', addEmptyLastPage),
    variant('page.empty-with-more', addEmptyPageBeforeEach),
    variant('page.in-other-order', reverseModels, { status: 200 }),
    variant('page.short-with-more', returnHalfPages),
    variant('page.grows-meanwhile', hideLastModelAtFirst, { status: 200 }),
    variant('cursor.of-any-length', useShortAndLongCursors),
    variant('cursor.of-row-ids', useRowNumbersAsCursors),
    variant('cursor.on-the-last-page', addCursorToLastPage, { status: 200 }),
    variant('limit.text-selects-default', readInvalidLimitAsDefault),
  ]),
  ...group({ id: 'catalog.entry', on: ['listModels', 'readModel'], status: 200 }, [
    variant('unknown-charge-word', setUnknownCharge),
  ]),
  ...group({ id: 'model.schema-url', on: 'readModel', status: 200 }, [variant('present', useAbsoluteSchemaUrl)]),
];
