import { type JsonValue, resolvePointer } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { readMember, type StepResponse } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding, notApplicable } from '../../contract/finding.ts';
import { encodeText, modelPath } from '../../contract/requests.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type FreeContext, scenario, type TargetContext } from '../../contract/scenario.ts';
import { state } from '../../requires.ts';
import { inTurn } from '../calls.ts';
import * as expect from '../expect.ts';

export function readData(page: StepResponse): readonly JsonValue[] {
  const data = readMember(page, '/data');
  return Array.isArray(data) ? data : [];
}

function listModelIds(page: StepResponse): readonly string[] {
  return readData(page)
    .map((entry) => resolvePointer(entry, '/id'))
    .filter((id) => typeof id === 'string');
}

/** Returns the cursor of the next page; undefined on the last page. */
function nextCursor(page: StepResponse): string | undefined {
  const cursor = readMember(page, '/next_cursor');
  return readMember(page, '/has_more') !== false && typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

/** Returns the next page; undefined if there is none. `query` must end with `&`. */
async function pageAfter(
  { listModels }: FreeContext,
  before: Answer | undefined,
  query: string,
): Promise<Answer | undefined> {
  const cursor = before && nextCursor(before);
  return cursor === undefined ? undefined : listModels(`?${query}cursor=${encodeText(cursor)}`);
}

/** Reads the pages in order, at most 40. `limit` is the page size. */
async function walkBy(server: FreeContext, limit: number): Promise<readonly Answer[]> {
  const pages = [await server.listModels(`?limit=${limit}`)];
  while (pages.length < 40) {
    const next = await pageAfter(server, pages.at(-1), `limit=${limit}&`);
    if (next === undefined) break;
    pages.push(next);
  }
  return pages;
}

/** Returns a page size that splits the catalog into several pages. */
function smallSize({ discovery }: TargetContext): number {
  return Math.min(Math.max(Math.ceil(discovery.listed.length / 4), 1), 100);
}

/** Walk through the catalog that all rules about single pages share. */
export const everyPage = scenario({}, async (server) => ({ pages: await walkBy(server, smallSize(server)) }));

/** Returns the ids listed by a walk; undefined if it stopped before the last page. */
function listWalkedIds(pages: readonly Answer[]): readonly string[] | undefined {
  const last = pages.at(-1);
  const isWhole = last !== undefined && last.status === 200 && readMember(last, '/has_more') === false;
  return isWhole ? pages.flatMap(listModelIds) : undefined;
}

export const needsPages = ['catalog.list.answers-with-200'];

function expectEntriesAtMost(limit: number): expect.Expectation {
  return (page) => {
    const { length } = readData(page);
    return length <= limit ? [] : expect.wrongAt(page.step, '/data', `at most ${limit} entries`, `${length} entries`);
  };
}

export const expectLimit = (size: number): expect.Expectation => expect.status(200, expect.member('/limit', size));

const paged = { requires: [state] } as const;

/** Maximum length of a cursor in characters (MR-CAT-04). */
const longest = 512;

const malformedCursors = scenario(paged, async ({ listModels, values }) => {
  const lengths = [longest + 1, values.number(longest + 88, longest + 2, 2 * longest), 2 * longest];
  const tooLong = lengths.map((length) => values.text('c').padEnd(length, 'c'));
  return inTurn([values.text('not-a-cursor'), ...tooLong], (cursor) => listModels(`?cursor=${cursor}`));
});

const laterPages = scenario(paged, async (server) => {
  const first = await server.must(server.listModels('?limit=2'), 200);
  const second = await pageAfter(server, first, 'limit=2&');
  return { first, second, third: await pageAfter(server, second, 'limit=2&') };
});

/**
 * Lists models with cursors that are invented or derived from the first page, as a client might do by mistake, and with
 * the cursor of the first page and a different limit.
 */
const misusedCursors = scenario(paged, async (server) => {
  const { listModels, must } = server;
  const first = await must(listModels('?limit=1'), 200);
  const cursor = nextCursor(first) ?? '';
  const extended = cursor === '' || cursor.length >= longest ? '' : `${cursor}x`;
  const cursors = ['1', listModelIds(first)[0] ?? '', cursor.slice(0, -1), extended].filter((one) => one !== '');
  const invented = await inTurn(cursors, (one) => listModels(`?limit=1&cursor=${encodeText(one)}`));
  const withOtherLimits = await inTurn(['limit=3&', ''], (query) => pageAfter(server, first, query));
  return { first, misused: [...invented, ...withOtherLimits] };
});

/** A cursor may be rejected for any reason, but must not return the first page (MR-CAT-52). */
function notFirstPage(first: Answer): expect.Expectation {
  return (page) => {
    const [id] = listModelIds(page);
    if (page.status !== 200 || id === undefined || id !== listModelIds(first)[0]) return [];
    const actual = `${id}, as on the first page`;
    return expect.wrongAt(page.step, '/data/0/id', 'an error, or a later page', actual);
  };
}

type Round = { readonly small: readonly Answer[]; readonly large: readonly Answer[] };
/** A model that is missing from one walk of the round, or listed several times in one walk. */
type Difference = { readonly id: string; readonly missingIn?: keyof Round };

function listDifferences(round: Round): readonly Difference[] | undefined {
  const [small, large] = [listWalkedIds(round.small), listWalkedIds(round.large)];
  if (small === undefined || large === undefined) return undefined;
  const repeated = [small, large].flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...new Set(large)].filter((id) => !small.includes(id)).map((id) => ({ id, missingIn: 'small' }) as const),
    ...[...new Set(small)].filter((id) => !large.includes(id)).map((id) => ({ id, missingIn: 'large' }) as const),
    ...[...new Set(repeated)].map((id) => ({ id })),
  ];
}

/** The catalog may change during a walk (MR-CAT-10), so only differences in both rounds count. */
const twoWalksTwice = scenario({ requires: [state] }, async (server) => {
  const small = smallSize(server);
  const walkBoth = async (): Promise<Round> => ({
    small: await walkBy(server, small),
    large: await walkBy(server, small === 100 ? 50 : 100),
  });
  const first = await walkBoth();
  const firstDifferences = listDifferences(first);
  if (firstDifferences === undefined || firstDifferences.length === 0) return { first, second: undefined, lasting: [] };
  const second = await walkBoth();
  const secondDifferences = listDifferences(second) ?? [];
  const isLasting = (one: Difference) =>
    secondDifferences.some(({ id, missingIn }) => id === one.id && missingIn === one.missingIn);
  const lasting = await inTurn(firstDifferences.filter(isLasting).slice(0, 20), async (one) => {
    // A missing model that cannot be read is no longer in the catalog.
    const isMissing = one.missingIn !== undefined;
    return { ...one, read: isMissing ? await server.model({ path: modelPath(one.id) }) : undefined };
  });
  return { first, second, lasting };
});

function describeDifference(first: Round, { id, missingIn }: Difference): Finding {
  const at = { step: first[missingIn ?? 'small'][0]?.step ?? '', pointer: '/data' };
  const [expected, actual] =
    missingIn === undefined
      ? [`${excerpt(id)} once`, 'several times']
      : [`${excerpt(id)} in the catalog: GET ${modelPath(id)} answers 200`, 'on no page'];
  return finding('values-differ', at, expected, `${actual} in two walks`);
}

const rule = ruleIn('catalog', { needs: needsPages });
const liveRule = ruleIn('catalog', { requiredOf: ['sandbox', 'live'], needs: needsPages });

export const catalogCursorRules = [
  liveRule('catalog.traversal.goes-on-to-its-end', everyPage, {
    sentence: 'Following next_cursor ends at a page with has_more: false.',
    requirements: ['MR-CAT-22', 'MR-CAT-25'],
    requires: [state],
    check: ({ pages }) =>
      pages.flatMap((page, index) => {
        if (page.status !== 200) return expect.on(page, expect.status(200));
        if (readMember(page, '/has_more') !== true) return [];
        const cursor = nextCursor(page);
        // OP-237: without a cursor, callers cannot follow the instruction to read the next page.
        if (cursor === undefined)
          return expect.wrongAt(page.step, '/next_cursor', 'a cursor, because has_more is true', 'absent');
        const isKnown = pages.slice(0, index).some((other) => nextCursor(other) === cursor);
        return isKnown ? expect.wrongAt(page.step, '/next_cursor', 'a cursor that no earlier page had', cursor) : [];
      }),
  }),
  liveRule('catalog.cursor.is-neither-offset-nor-model-id', everyPage, {
    sentence: 'A cursor is neither an offset nor a model id.',
    requirements: ['MR-CAT-07'],
    partReading: 'OP-123',
    requires: [state],
    check: ({ pages }) => {
      const withCursor = pages.filter((page) => nextCursor(page) !== undefined);
      if (withCursor.length === 0) return notApplicable('the catalog has only one page');
      const ids = new Set(pages.flatMap(listModelIds));
      const counts = withCursor.map((_, index) => withCursor.slice(0, index + 1).flatMap(readData).length);
      // A single cursor may equal the number of entries by chance, so require several. Even several may be the ids of
      // consecutive rows, so the finding relies on OP-123.
      const isOffset =
        withCursor.length > 1 && withCursor.every((page, index) => nextCursor(page) === String(counts[index]));
      return withCursor.flatMap((page) => {
        const cursor = nextCursor(page) ?? '';
        if (!isOffset && !ids.has(cursor)) return [];
        const actual = isOffset ? `${cursor}, the number of entries before the next page` : `${cursor}, a model id`;
        const expected = 'a cursor that is neither an offset nor a model id';
        const found = expect.wrongAt(page.step, '/next_cursor', expected, actual);
        return isOffset ? found.map((one) => ({ ...one, reading: 'OP-123' })) : found;
      });
    },
  }),
  liveRule('catalog.cursor.malformed-is-refused', malformedCursors, {
    usualCause: usualCauses.cursors,
    sentence: 'A cursor that is malformed or longer than 512 characters is rejected with 400 invalid_input.',
    requirements: ['MR-CAT-04', 'MR-CAT-50', 'MR-CAT-52', 'MR-CTG-02', 'MR-STC-01'],
    check: (pages) => expect.on(pages, expect.error(400, 'invalid_input')),
  }),
  rule('catalog.cursor.misused-never-restarts', misusedCursors, {
    usualCause: usualCauses.cursors,
    sentence: 'A cursor that is made up, or used with a different limit, never leads back to the first page.',
    requirements: ['MR-CAT-52'],
    check: ({ first, misused }) =>
      readMember(first, '/has_more') === true
        ? expect.on(misused, notFirstPage(first))
        : notApplicable('the catalog has only one page'),
  }),
  rule('catalog.page.holds-no-more-than-its-limit', laterPages, {
    usualCause: usualCauses.limits,
    sentence: 'No page has more models than the limit, and every page reports it.',
    requirements: ['MR-CAT-16', 'MR-CAT-20'],
    check: ({ first, second, third }) => expect.on([first, second, third], expectLimit(2), expectEntriesAtMost(2)),
  }),
  liveRule('catalog.traversal.shows-each-model-once', twoWalksTwice, {
    sentence: 'Paging through the catalog shows each model exactly once.',
    requirements: ['MR-CAT-22', 'MR-CAT-19', 'MR-CAT-02'],
    needs: ['catalog.traversal.goes-on-to-its-end'],
    check: ({ first, lasting }) =>
      listDifferences(first) === undefined
        ? notApplicable('the catalog has more pages than the gate reads')
        : lasting
            .filter(({ missingIn, read }) => missingIn === undefined || expect.hasSucceeded(read))
            .map((one) => describeDifference(first, one)),
  }),
];
