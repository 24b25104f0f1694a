import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { type App, requestId, type ServerRequest } from '../http/messages.ts';
import { breakRow, breaksLater, drop, onJson, onRequest, replace, resend, set, withState } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { readObject, withJson, without } from './builders/replies.ts';
import { readQuery, withoutQuery, withQuery } from './builders/requests.ts';

const readCursor = (request: ServerRequest): string | null => readQuery(request).get('cursor');
const hasNoLimit = (request: ServerRequest): boolean => !readQuery(request).has('limit');
const isLimitedLaterPage = (request: ServerRequest): boolean => readCursor(request) !== null && !hasNoLimit(request);

/** Answers such cursors with the first page. */
const restartFault = rowIn((picks: (cursor: string) => boolean) =>
  onRequest((request) => (picks(readCursor(request) ?? '') ? withoutQuery(request, 'cursor') : request)),
);

/** Restarts where `picks` says so of a request, given the cursors handed out before and the limits they came with. */
const restartsKnowing = (picks: (request: ServerRequest, limits: Map<string, string | null>) => boolean): Change =>
  withState(() => {
    const limits = new Map<string, string | null>();
    return (app) => async (request) => {
      const reply = await app(picks(request, limits) ? withoutQuery(request, 'cursor') : request);
      const { next_cursor: cursor } = readObject(reply);
      if (typeof cursor === 'string') limits.set(cursor, readQuery(request).get('limit'));
      return reply;
    };
  });

/** True of a cursor that was never given, but begins like one that was. */
function isAltered(request: ServerRequest, given: Map<string, unknown>): boolean {
  const cursor = readCursor(request);
  return (
    cursor !== null && !given.has(cursor) && [...given.keys()].some((one) => one.slice(0, 8) === cursor.slice(0, 8))
  );
}

function hasOtherLimit(request: ServerRequest, limits: Map<string, string | null>): boolean {
  const cursor = readCursor(request) ?? '';
  return limits.has(cursor) && limits.get(cursor) !== readQuery(request).get('limit');
}

type Page = {
  readonly cursor: string;
  readonly data: readonly JsonValue[];
  /** The name with which the page was asked for. */
  readonly before: string | null;
  /** The number of names so far. */
  readonly count: number;
};

/** Gives names of its own to cursors, and takes these too. */
export const cursorsAs = (name: (page: Page) => string): Change =>
  withState(() => {
    const cursors = new Map<string, string>();
    return (app) => async (request) => {
      const before = readCursor(request);
      const known = cursors.get(before ?? '');
      const reply = await app(
        known === undefined ? request : withQuery(request, (query) => query.set('cursor', known)),
      );
      const { data, next_cursor: cursor, ...page } = readObject(reply);
      if (typeof cursor !== 'string' || !Array.isArray(data)) return reply;
      const named = name({ cursor, data, before, count: cursors.size });
      cursors.set(named, cursor);
      return withJson(reply, { ...page, data, next_cursor: named });
    };
  });
/** Also what ids of rows look like that are counted from 1 without gaps. */
export const countingCursors = cursorsAs(({ data, before }) => String(Number(before ?? 0) + data.length));
const lastIds = cursorsAs(({ data }) => String(Object(data.at(-1)).id));

const changeData = (change: (data: readonly JsonValue[], page: JsonObject) => readonly JsonValue[]): Change =>
  onJson((page) => (Array.isArray(page['data']) ? { ...page, data: [...change(page['data'], page)] } : page));

const dataFault = rowIn(changeData);

const overlapping: Change = withState(() => {
  let last: JsonValue | undefined;
  return onJson((page, { request }) => {
    if (!Array.isArray(page['data'])) return page;
    const data = readCursor(request) !== null && last !== undefined ? [last, ...page['data'].slice(1)] : page['data'];
    last = page['data'].at(-1);
    return { ...page, data };
  });
});

/** Any cursor leads to the second page. */
const stuckAtTwo: Change = (app: App) => {
  let second: string | undefined;
  return async (request) => {
    const cursor = readCursor(request);
    if (cursor === null) return app(request);
    const reply = await app(request);
    if (reply.status === 200) second ??= cursor;
    return second === undefined || reply.status !== 200 || cursor === second
      ? reply
      : app(withQuery(request, (query) => query.set('cursor', second ?? cursor)));
  };
};
const restarts = 'MR-CAT-50 MR-CAT-52';
export const firstPage = resend((request) => withoutQuery(request, 'cursor'));

const complete = 'MR-CAT-19 MR-CAT-22';
const withoutNext = onJson((page) => ({ ...without(page, 'next_cursor'), has_more: false }));

const oneTooMany = changeData((data, { limit }) => {
  const missing = Math.max(Number(limit) + 1 - data.length, 0);
  return [...data, ...Array.from({ length: missing }, () => data.slice(0, 1)).flat()];
});
const lastTwice = changeData((data, { limit }) => (data.length === limit ? [...data, ...data.slice(-1)] : data));

export const catalogPagingFaults: readonly Fault[] = [
  ...group({ id: 'catalog', on: ['listModels'], status: 200 }, [
    dataFault('traversal.skips-a-model', complete, (data) =>
      data.length > 2 && data.length < 20 ? data.toSpliced(1, 1) : data,
    ),
    dataFault('traversal.repeats-a-model', complete, (data, { limit }) =>
      data.length > 0 && data.length < Number(limit) ? [...data, ...data.slice(0, 1)] : data,
    ),
    dataFault('traversal.hides-one-of-large-pages', complete, (data) => (data.length > 15 ? data.slice(0, -1) : data)),
    fault('traversal.pages-overlap', complete, overlapping),
    fault('traversal.stuck-at-the-second-page', 'MR-CAT-22', stuckAtTwo),
    fault('page.too-many-entries', 'MR-CAT-20 also MR-CAT-19', oneTooMany),
    // For tests of the commands, as in model.ts.
    fault('list.request-id-missing', 'MR-CAT-18 MR-HDR-01', drop.header(requestId)),
    fault('page.never-ends', 'MR-CAT-22', replace.member('has_more', true)),
    fault('page.ends-early', 'MR-CAT-22', withoutNext),
    fault('page.of-the-usual-size-is-the-last', 'MR-CAT-22', withoutNext, { when: hasNoLimit }),
    fault('later-page.forgets-its-limit', 'MR-CAT-16', set.member('limit', 20), { when: isLimitedLaterPage }),
    fault('later-page.one-too-many', 'MR-CAT-20 also MR-CAT-19 MR-CAT-22', lastTwice, { when: isLimitedLaterPage }),
  ]),
  ...group({ id: 'catalog.query', on: ['listModels'] }, [
    breakRow('unknown-parameter-breaks', 'MR-CAT-17', (request) =>
      [...readQuery(request).keys()].some((name) => name !== 'limit' && name !== 'cursor'),
    ),
  ]),
  ...group({ id: 'catalog.cursor', on: ['listModels'], subject: 'A cursor' }, [
    fault('second-use-breaks', 'MR-CAT-22', breaksLater(readCursor)),
    fault('is-an-offset', 'MR-CAT-07', countingCursors),
    fault('is-the-last-model-id', 'MR-CAT-07', lastIds),
    fault('malformed-restarts', restarts, firstPage, { status: 400 }),
    restartFault('too-long-restarts', restarts, (cursor) => cursor.length > 512),
    fault('altered-restarts', restarts, restartsKnowing(isAltered)),
    restartFault('number-restarts', restarts, (cursor) => /^\d+$/.test(cursor)),
    fault('of-another-limit-restarts', 'MR-CAT-52', restartsKnowing(hasOtherLimit)),
    fault('malformed-category', 'MR-CAT-50 MR-CTG-02', set.category('internal_error'), { status: 400 }),
  ]),
];
