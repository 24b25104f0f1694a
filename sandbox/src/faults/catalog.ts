import { asObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { requestId, type ServerRequest } from '../http/messages.ts';
import {
  all,
  drop,
  failWith500,
  mapObjects,
  onEachCall,
  onJson,
  onRequest,
  read,
  refuse,
  remember,
  resend,
  set,
  withJson,
  without,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, type Variant, variant } from './builders/fault.ts';
import { caller, hasQuery, isOfOneModel, sent, withQuery } from './builders/requests.ts';

/** Changes the entries of a page. */
const changeData = (change: (data: readonly JsonValue[], page: JsonObject) => readonly JsonValue[]): Change =>
  onJson((page) => (Array.isArray(page['data']) ? { ...page, data: [...change(page['data'], page)] } : page));

const changeEntries = (change: (entry: JsonObject) => JsonValue): Change =>
  changeData((data) => mapObjects([...data], change));

const unknownModel = { model: 'no-longer-there', id: 'image-provider/no-longer-there', provider: 'image-provider' };
const withUnknownModel = changeData((data, { has_more: hasMore, limit }) =>
  hasMore === false && data.length < Number(limit) ? [...data, { ...asObject(data[0]), ...unknownModel }] : data,
);

const readLimit = (request: ServerRequest): number => Number(sent.query(request).get('limit') ?? Number.NaN);
const readCursor = (request: ServerRequest): string | null => sent.query(request).get('cursor');
const hasLimit = hasQuery('limit');

export const firstPage = resend((request) => withQuery(request, { cursor: undefined }));

/** Restarts the listing if the limit differs from the one that the cursor was created with. */
const otherLimitRestarts = remember(
  (request, reply) => String((reply === undefined ? readCursor(request) : read.object(reply)['next_cursor']) ?? ''),
  ({ request: first }) =>
    onRequest((request) =>
      sent.query(request).get('limit') === sent.query(first).get('limit')
        ? request
        : withQuery(request, { cursor: undefined }),
    ),
  { isKept: () => true },
);

/**
 * Replaces each cursor with the text that `name` returns; accepts the replacements and the original cursors. `before`: cursor of the
 * request; `row`: number of entries in this page and those before it; `count`: number of cursors so far.
 */
const cursorsAs =
  (name: (cursor: string, page: { before: string | null; row: number; count: number }) => string): Change =>
  (app) => {
    const cursors = new Map<string, { readonly cursor: string; readonly row: number }>();
    return async (request) => {
      const before = readCursor(request);
      const known = cursors.get(before ?? '');
      const reply = await app(known === undefined ? request : withQuery(request, { cursor: known.cursor }));
      const { data, next_cursor: cursor, ...page } = read.object(reply);
      if (typeof cursor !== 'string' || !Array.isArray(data)) return reply;
      const row = (known?.row ?? 0) + data.length;
      const named = name(cursor, { before, row, count: cursors.size });
      cursors.set(named, { cursor, row });
      return withJson(reply, { ...page, data, next_cursor: named });
    };
  };
/** Cursors that look like consecutive row ids, starting at 1. An empty page would get the cursor before it. */
const countingCursors = cursorsAs((cursor, { before, row }) =>
  String(row) === (before ?? '0') ? cursor : String(row),
);

const withPrice = changeEntries(({ billing, ...entry }) => ({
  ...entry,
  billing: { ...asObject(billing), price_per_run: 0.04 },
}));
const inCapitals = changeEntries((entry) => ({ ...entry, provider: String(entry['provider']).toUpperCase() }));
const idWithoutProvider = changeEntries((entry) => ({ ...entry, id: entry['model'] ?? '' }));
const empty = onJson(({ limit = 20 }) => ({ data: [], has_more: false, limit }));
const limitAsSent = onJson((page, { request }) => {
  const limit = readLimit(request);
  return Number.isNaN(limit) ? page : { ...page, limit };
});
/** Replaces limits that match `isReplaced`. */
const readAs = (limit: number, isReplaced: (limit: number) => boolean): Change =>
  onRequest((request) => (isReplaced(readLimit(request)) ? withQuery(request, { limit: String(limit) }) : request));
const readZeroAsOne = readAs(1, (limit) => limit === 0);
const badRequest = refuse(400, 'invalid_input');

const repeatsAModel = changeData((data, { limit }) =>
  data.length < Number(limit) ? [...data, ...data.slice(0, 1)] : data,
);
const oneMoreThanTheLimit = changeData((data, { limit }) => {
  const missing = Math.max(Number(limit) + 1 - data.length, 0);
  return [...data, ...Array.from({ length: missing }, () => data.slice(0, 1)).flat()];
});
const endsEarly = onJson((page) => ({ ...without(page, 'next_cursor'), has_more: false }));
const restarts = ['MR-CAT-50', 'MR-CAT-52'];

const lastMarker = 'there-is-one-more-page';
/** Adds an empty page after the last one. */
const emptyAtTheEnd: Change = (app) => async (request) => {
  const isLast = readCursor(request) === lastMarker;
  const reply = await app(isLast ? withQuery(request, { cursor: undefined }) : request);
  const page = read.object(reply);
  if (page['data'] === undefined) return reply;
  if (isLast) return withJson(reply, { data: [], has_more: false, limit: page['limit'] ?? 20 });
  return page['has_more'] === false ? withJson(reply, { ...page, has_more: true, next_cursor: lastMarker }) : reply;
};

const emptyMarker = 'after-the-empty-page.';
/** Adds an empty page with `has_more` before each page (MR-CAT-25). */
const emptyBeforeEach: Change = (app) => async (request) => {
  const cursor = readCursor(request) ?? '';
  const rest = cursor.slice(emptyMarker.length);
  if (cursor === emptyMarker) return app(withQuery(request, { cursor: undefined }));
  if (cursor.startsWith(emptyMarker)) return app(withQuery(request, { cursor: rest }));
  const reply = await app(request);
  const empty = { ...read.object(reply), data: [], has_more: true, next_cursor: emptyMarker + cursor };
  return reply.status === 200 ? withJson(reply, empty) : reply;
};

/** Alternates between the shortest and the longest cursors, with characters that a URL must escape. */
const shortAndLongCursors = cursorsAs((cursor, { count }) =>
  count % 2 === 0 ? String.fromCharCode(0x4e00 + count) : `${cursor}=/+&?# é`.padEnd(512, '=~'),
);

/** Omits the last model from the first pages, as if it were added during the first listings. Runs of the model always work. */
const growing = onEachCall((count) =>
  changeData((data, { has_more: hasMore }) => (count <= 8 && hasMore === false ? data.slice(0, -1) : data)),
);

function readPageSize(limit: string | null): number {
  const wanted = Number(limit ?? 20);
  return wanted > 0 ? Math.min(wanted, 100) : 20;
}

/** Returns half of the requested entries per page, but reports the full limit. */
const shortPages: Change = all(
  onRequest((request) =>
    withQuery(request, { limit: String(Math.ceil(readPageSize(sent.query(request).get('limit')) / 2)) }),
  ),
  only(
    { status: 200 },
    onJson((page, { request }) => ({ ...page, limit: readPageSize(sent.query(request).get('limit')) })),
  ),
);

const charge = { charges_on_policy_rejection: 'by_agreement' };
const unknownCharge = all(
  only({ on: 'readModel' }, set.member('billing', charge)),
  only(
    { on: 'listModels' },
    changeEntries((entry) => ({ ...entry, billing: charge })),
  ),
);

const withSchemaUrl = onJson((detail) => ({
  ...detail,
  input_schema_url: `HTTPS://schemas.example.test/v2/models/${String(detail['id'])}/openapi.json?version=4`,
}));
const cursorForLater = onJson((page) => (page['has_more'] === false ? { ...page, next_cursor: 'later' } : page));
const inOtherOrder = changeData((data) => data.toReversed());
const textSelectsDefault = onRequest((request) =>
  Number.isNaN(Number(sent.query(request).get('limit'))) ? withQuery(request, { limit: undefined }) : request,
);

const ofAnotherModel = onJson((detail) => ({
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
const leadsNowhere = onJson((detail, { request: { origin, target } }) => ({
  ...detail,
  input_schema_url: `${origin.replace(/^http:/, 'https:')}${target}/schema.json`,
}));

export const catalogFaults: readonly Fault[] = [
  ...group({ id: 'catalog.entry', on: 'listModels', status: 200 }, [
    fault('id-without-provider', ['MR-CAT-31'], idWithoutProvider, {
      also: ['MR-CAT-19', 'MR-CAT-22'],
      when: hasQuery('cursor'),
    }),
    fault('billing-with-price', ['MR-CAT-41'], withPrice),
    fault('of-no-model', ['MR-CAT-02'], withUnknownModel, { also: ['MR-MOD-04'] }),
    fault('provider-in-capitals', ['MR-CAT-35'], inCapitals, { also: ['MR-CAT-31', 'MR-MOD-04'] }),
  ]),
  ...group({ id: 'catalog.limit', on: 'listModels' }, [
    fault('text-breaks', ['MR-CAT-12'], failWith500, {
      when: (request) => /[^\d-]/.test(sent.query(request).get('limit') ?? ''),
    }),
    fault('default-is-ten', ['MR-CAT-12'], readAs(10, Number.isNaN), { when: (request) => !hasLimit(request) }),
    fault('above-maximum-refused', ['MR-CAT-13'], badRequest, { when: (request) => readLimit(request) > 100 }),
    fault('zero-means-one', ['MR-CAT-14'], readZeroAsOne),
    fault('negative-refused', ['MR-CAT-15'], badRequest, { when: (request) => readLimit(request) < 0 }),
    fault('reported-as-asked', ['MR-CAT-16'], limitAsSent, {
      also: ['MR-CAT-13', 'MR-CAT-14', 'MR-CAT-15', 'MR-CAT-29'],
      status: 200,
    }),
  ]),
  ...group({ id: 'catalog', on: 'listModels', status: 200 }, [
    fault('list.empty-for-tokens', ['MR-CAT-02', 'MR-AUT-04'], empty, { when: caller.hasTokenOnly }),
    fault('traversal.repeats-a-model', ['MR-CAT-19', 'MR-CAT-22'], repeatsAModel),
    fault('page.too-many-entries', ['MR-CAT-20'], oneMoreThanTheLimit, { also: ['MR-CAT-19'] }),
    // The self-check already derives faults with missing headers; this one is for documentation and tests of commands.
    fault('list.request-id-missing', ['MR-CAT-18', 'MR-HDR-01'], drop.header(requestId)),
    fault(
      'page.never-ends',
      ['MR-CAT-22'],
      set.member('has_more', () => true),
    ),
    fault('page.ends-early', ['MR-CAT-22'], endsEarly),
    fault('later-page.forgets-its-limit', ['MR-CAT-16'], set.member('limit', 20), {
      when: (request) => hasLimit(request) && readCursor(request) !== null,
    }),
  ]),
  ...group({ id: 'catalog.query', on: 'listModels' }, [
    fault('unknown-parameter-breaks', ['MR-CAT-17'], failWith500, {
      when: (request) => [...sent.query(request).keys()].some((name) => name !== 'limit' && name !== 'cursor'),
    }),
  ]),
  ...group({ id: 'catalog.cursor', on: 'listModels' }, [
    fault(
      'second-use-breaks',
      ['MR-CAT-22'],
      remember(
        (request) => readCursor(request) ?? '',
        () => failWith500,
      ),
    ),
    fault('is-an-offset', ['MR-CAT-07'], countingCursors),
    fault('malformed-restarts', restarts, firstPage, { status: 400 }),
    fault('of-another-limit-restarts', ['MR-CAT-52'], otherLimitRestarts),
    fault('malformed-category', ['MR-CAT-50', 'MR-CTG-02'], set.category('internal_error'), { status: 400 }),
  ]),
  ...group({ id: 'model.detail', on: 'readModel', status: 200 }, [
    fault('of-another-model', ['MR-MOD-04'], ofAnotherModel),
    fault('billing-differs', ['MR-MOD-04'], swapCharge),
    fault('one-of-them-differs', ['MR-MOD-04'], swapCharge, { when: isOfOneModel }),
    fault('billing-differs-for-tokens', ['MR-MOD-04', 'MR-AUT-04'], swapCharge, { when: caller.hasTokenOnly }),
    fault('billing-counts-calls', ['MR-CAT-42'], onJson({ calls_this_month: 1201 }, 'billing')),
  ]),
  ...group({ id: 'model.schema-url', on: 'readModel', status: 200 }, [
    fault('leads-nowhere', ['MR-MOD-08'], leadsNowhere),
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
    variant('page.empty-at-the-end', emptyAtTheEnd),
    variant('page.empty-with-more', emptyBeforeEach),
    variant('page.in-other-order', inOtherOrder, { status: 200 }),
    variant('page.short-with-more', shortPages),
    variant('page.grows-meanwhile', growing, { status: 200 }),
    variant('cursor.of-any-length', shortAndLongCursors),
    variant('cursor.of-row-ids', countingCursors),
    variant('cursor.on-the-last-page', cursorForLater, { status: 200 }),
    variant('limit.text-selects-default', textSelectsDefault),
  ]),
  ...group({ id: 'catalog.entry', on: ['listModels', 'readModel'], status: 200 }, [
    variant('unknown-charge-word', unknownCharge),
  ]),
  ...group({ id: 'model.schema-url', on: 'readModel', status: 200 }, [variant('present', withSchemaUrl)]),
];
