import { asObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { requestId, type ServerRequest } from '../http/messages.ts';
import {
  all,
  breakRow,
  breaksLater,
  drop,
  onJson,
  onRequest,
  refuse,
  replace,
  resend,
  set,
  withState,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, routerOperations, rowIn } from './builders/fault.ts';
import { mapObjects, readObject, withJson, without } from './builders/replies.ts';
import { caller, hasQuery, readQuery, withQuery, withTarget } from './builders/requests.ts';

export function changeEntries(change: (entry: JsonObject) => JsonValue): Change {
  return onJson((page) => ({ ...page, data: mapObjects(page['data'], change) }));
}

/** Rows that add members to the billing of each entry. */
const billingRow = rowIn((added: JsonObject) =>
  changeEntries((entry) => ({ ...entry, billing: { ...asObject(entry['billing']), ...added } })),
);

const inCapitals = all(
  onRequest((request) =>
    withTarget(request, (target) =>
      target.replace(/^(\/v2\/models\/)([^/?]+)/, (_, start, provider) => start + provider.toLowerCase()),
    ),
  ),
  only(
    { on: 'listModels', status: 200 },
    changeEntries((entry) => {
      const provider = String(entry['provider']).toUpperCase();
      return { ...entry, provider, id: `${provider}/${String(entry['model'])}` };
    }),
  ),
);

const ghost = {
  id: 'image-provider/no-longer-there',
  provider: 'image-provider',
  model: 'no-longer-there',
  billing: { charges_on_policy_rejection: 'no' },
};
const withGhostEntry = onJson((page) => {
  const { data, has_more: hasMore, limit } = page;
  const hasRoom = Array.isArray(data) && hasMore === false && data.length < Number(limit);
  return hasRoom ? { ...page, data: [...data, ghost] } : page;
});

const readLimit = (request: ServerRequest): number => Number(readQuery(request).get('limit') ?? Number.NaN);
const readCursor = (request: ServerRequest): string | null => readQuery(request).get('cursor');
const isLimitedLaterPage = (request: ServerRequest): boolean =>
  readCursor(request) !== null && readQuery(request).has('limit');

/** Rows that read such a limit as another one. */
const limitRow = rowIn(([isWrong, limit]: [isWrong: (limit: number) => boolean, limit: number]) =>
  onRequest((request) => (isWrong(readLimit(request)) ? withQuery(request, { limit: String(limit) }) : request)),
);
const refusedLimitRow = rowIn((isRefused: (limit: number) => boolean) =>
  only({ when: (request) => isRefused(readLimit(request)) }, refuse(400, 'invalid_input')),
);

export const firstPage = resend((request) => withQuery(request, { cursor: undefined }));

/** Cursors restart where the limit is not the one with which they were given. */
const otherLimitRestarts = withState(() => {
  const limits = new Map<string, string | null>();
  return (app) => async (request) => {
    const [limit, given] = [readQuery(request).get('limit'), limits.get(readCursor(request) ?? '')];
    const isOther = given !== undefined && given !== limit;
    const reply = await app(isOther ? withQuery(request, { cursor: undefined }) : request);
    const { next_cursor: cursor } = readObject(reply);
    if (typeof cursor === 'string') limits.set(cursor, limit);
    return reply;
  };
});

type Page = {
  readonly cursor: string;
  readonly data: readonly JsonValue[];
  /** The name with which the page was requested. */
  readonly before: string | null;
  /** The number of names so far. */
  readonly count: number;
};

/** Gives names of its own to cursors, and accepts these too. */
export const cursorsAs = (name: (page: Page) => string): Change =>
  withState(() => {
    const cursors = new Map<string, string>();
    return (app) => async (request) => {
      const before = readCursor(request);
      const known = cursors.get(before ?? '');
      const reply = await app(known === undefined ? request : withQuery(request, { cursor: known }));
      const { data, next_cursor: cursor, ...page } = readObject(reply);
      if (typeof cursor !== 'string' || !Array.isArray(data)) return reply;
      const named = name({ cursor, data, before, count: cursors.size });
      cursors.set(named, cursor);
      return withJson(reply, { ...page, data, next_cursor: named });
    };
  });
/** Cursors that look like ids of rows without gaps, counted from 1. */
export const countingCursors = cursorsAs(({ data, before }) => String(Number(before ?? 0) + data.length));

/** Rows that change the entries of a page. */
const dataRow = rowIn((change: (data: readonly JsonValue[], page: JsonObject) => readonly JsonValue[]) =>
  onJson((page) => (Array.isArray(page['data']) ? { ...page, data: [...change(page['data'], page)] } : page)),
);

const withoutNext = onJson((page) => ({ ...without(page, 'next_cursor'), has_more: false }));
const complete = 'MR-CAT-19 MR-CAT-22';
const restarts = 'MR-CAT-50 MR-CAT-52';

const idWithoutProvider = changeEntries((entry) => ({ ...entry, id: entry['model'] ?? '' }));
const emptyForTokens = onJson(({ limit = 20 }) => ({ data: [], has_more: false, limit }));

export const catalogFaults: readonly Fault[] = [
  ...group({ id: 'catalog.entry', on: 'listModels', status: 200, subject: 'Listed entries' }, [
    fault('id-without-provider', 'MR-CAT-31 also MR-CAT-19 MR-CAT-22', idWithoutProvider, { when: hasQuery('cursor') }),
    billingRow('billing-with-price', 'MR-CAT-41', { price_per_run: 0.04 }),
    billingRow('billing-with-usage', 'MR-CAT-42', { usage: { runs_this_month: 17 } }, { when: hasQuery('cursor') }),
    fault('of-no-model', 'MR-CAT-02 also MR-MOD-04', withGhostEntry),
  ]),
  ...group({ id: 'catalog', on: routerOperations }, [
    fault('entry.provider-in-capitals', 'MR-CAT-35 also MR-MOD-04', inCapitals),
    fault('list.empty-for-tokens', 'MR-CAT-02 MR-AUT-04', emptyForTokens, {
      on: 'listModels',
      status: 200,
      when: caller.hasTokenOnly,
    }),
  ]),
  ...group({ id: 'catalog.limit', on: 'listModels' }, [
    breakRow('text-breaks', 'MR-CAT-12', (request) => Number.isNaN(Number(readQuery(request).get('limit') ?? 0))),
    limitRow('default-is-ten', 'MR-CAT-12', [Number.isNaN, 10], {
      when: (request) => !readQuery(request).has('limit'),
    }),
    refusedLimitRow('just-above-maximum-refused', 'MR-CAT-13', (limit) => limit === 101),
    limitRow('beyond-32-bits-selects-default', 'MR-CAT-13', [(limit) => limit > 2 ** 31, 20]),
    limitRow('zero-means-one', 'MR-CAT-14', [(limit) => limit === 0, 1]),
    refusedLimitRow('far-below-zero-refused', 'MR-CAT-15', (limit) => limit < -1),
    fault(
      'reported-as-asked',
      'MR-CAT-16 also MR-CAT-13 MR-CAT-14 MR-CAT-15 MR-CAT-29',
      onJson((page, { request }) => {
        const limit = readLimit(request);
        return Number.isNaN(limit) ? page : { ...page, limit };
      }),
      { status: 200 },
    ),
  ]),
  ...group({ id: 'catalog', on: 'listModels', status: 200 }, [
    dataRow('traversal.repeats-a-model', complete, (data, { limit }) =>
      data.length < Number(limit) ? [...data, ...data.slice(0, 1)] : data,
    ),
    dataRow('traversal.hides-one-of-large-pages', complete, (data) => (data.length > 15 ? data.slice(0, -1) : data)),
    dataRow('page.too-many-entries', 'MR-CAT-20 also MR-CAT-19', (data, { limit }) => {
      const missing = Math.max(Number(limit) + 1 - data.length, 0);
      return [...data, ...Array.from({ length: missing }, () => data.slice(0, 1)).flat()];
    }),
    // For tests of the commands, as in model.ts.
    fault('list.request-id-missing', 'MR-CAT-18 MR-HDR-01', drop.header(requestId)),
    fault('page.never-ends', 'MR-CAT-22', replace.member('has_more', true)),
    fault('page.ends-early', 'MR-CAT-22', withoutNext),
    fault('page.of-the-usual-size-is-the-last', 'MR-CAT-22', withoutNext, {
      when: (request) => !readQuery(request).has('limit'),
    }),
    fault('later-page.forgets-its-limit', 'MR-CAT-16', set.member('limit', 20), { when: isLimitedLaterPage }),
    dataRow(
      'later-page.one-too-many',
      'MR-CAT-20 also MR-CAT-19 MR-CAT-22',
      (data, { limit }) => (data.length === limit ? [...data, ...data.slice(-1)] : data),
      { when: isLimitedLaterPage },
    ),
  ]),
  ...group({ id: 'catalog.query', on: 'listModels' }, [
    breakRow('unknown-parameter-breaks', 'MR-CAT-17', (request) =>
      [...readQuery(request).keys()].some((name) => name !== 'limit' && name !== 'cursor'),
    ),
  ]),
  ...group({ id: 'catalog.cursor', on: 'listModels', subject: 'A cursor' }, [
    fault('second-use-breaks', 'MR-CAT-22', breaksLater(readCursor)),
    fault('is-an-offset', 'MR-CAT-07', countingCursors),
    fault('malformed-restarts', restarts, firstPage, { status: 400 }),
    fault('too-long-restarts', restarts, firstPage, { when: (request) => (readCursor(request) ?? '').length > 512 }),
    fault('of-another-limit-restarts', 'MR-CAT-52', otherLimitRestarts),
    fault('malformed-category', 'MR-CAT-50 MR-CTG-02', set.category('internal_error'), { status: 400 }),
  ]),
];
