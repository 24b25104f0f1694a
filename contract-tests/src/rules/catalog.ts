import { isJsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import { usualCauses } from '../contract/concerns.ts';
import { findMembers, readMember, type StepResponse } from '../contract/evidence.ts';
import { type Finding, finding, notApplicable } from '../contract/finding.ts';
import { encodeText, modelPath, onKeptConnection } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import { type Answer, type FreeContext, scenario, type TargetContext } from '../contract/scenario.ts';
import { state } from '../requires.ts';
import { inTurn } from './calls.ts';
import * as expect from './expect.ts';

const needs = ['catalog.list.answers-with-200'];
const rule = ruleIn('catalog', { needs });
const entryRule = ruleIn('catalog', { requiredOf: ['mock', 'sandbox', 'live'], needs });
const liveRule = ruleIn('catalog', { requiredOf: ['sandbox', 'live'], requires: [state], needs });
const limitRule = ruleIn('catalog', {
  requiredOf: ['sandbox', 'live'],
  requires: [state],
  needs,
  usualCause: usualCauses.limits,
});

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

/** Reads the pages in order, at most 40. */
async function readPages(server: FreeContext, limit: number): Promise<readonly Answer[]> {
  const pages = [await server.listModels(`?limit=${limit}`)];
  while (pages.length < 40) {
    const next = await pageAfter(server, pages.at(-1), `limit=${limit}&`);
    if (next === undefined) break;
    pages.push(next);
  }
  return pages;
}

/** Returns a page size that splits the catalog into several pages. */
function chooseSmallSize({ discovery }: TargetContext): number {
  return Math.min(Math.max(Math.ceil(discovery.listed.length / 4), 1), 100);
}

const listings = scenario({}, async ({ listModels }) => ({
  list: await listModels(),
  // The rule that request ids are unique also needs several responses on one connection.
  again: await inTurn([1, 2], () => listModels('?limit=1', onKeptConnection)),
}));

const everyPage = scenario({}, async (server) => ({ pages: await readPages(server, chooseSmallSize(server)) }));

function listEntries(pages: readonly Answer[]) {
  return pages.flatMap((page) =>
    readData(page).flatMap((entry, index) =>
      isJsonObject(entry) ? [{ step: page.step, pointer: `/data/${index}`, entry }] : [],
    ),
  );
}

/** Returns findings for prices and usage numbers in `billing`, which must not have any (MR-CAT-41, MR-CAT-42). */
export function findAmounts(step: string, entry: JsonValue | undefined, pointer = ''): readonly Finding[] {
  const amountName = /price|cost|amount|usage|used|usd|eur|cents|credits|fee|total|count/i;
  const amountText = /[$€£¥]\s*\d|\d\s*(?:usd|eur|gbp|cents?|credits?)\b/i;
  const isAmount = (member: string, value: JsonValue): boolean =>
    typeof value === 'number' ||
    (typeof value === 'string' && /\d/.test(value) && (amountName.test(member) || amountText.test(value)));
  const { billing = null } = isJsonObject(entry) ? entry : {};
  return findMembers({ billing }, isAmount).flatMap((found) =>
    expect.wrongAt(step, pointer + found.pointer, 'no price or usage number', String(found.value)),
  );
}

const limits = [-100, -1, 0, 1, 7, 100, 101, 1_000, 100_000, 5_000_000_000];
const pagesByLimit = scenario({}, async ({ listModels }) => ({
  withoutLimit: await listModels(),
  limit: Object.fromEntries(
    await inTurn(limits, async (limit) => [String(limit), await listModels(`?limit=${limit}`)] as const),
  ),
}));

const expectLimit = (size: number): expect.Expectation => expect.status(200, expect.member('/limit', size));
const expectEntriesAtMost =
  (limit: number): expect.Expectation =>
  (page) => {
    const { length } = readData(page);
    return length <= limit ? [] : expect.wrongAt(page.step, '/data', `at most ${limit} entries`, `${length} entries`);
  };

const firstThreePages = scenario({ requires: [state] }, async (server) => {
  const first = await server.must(server.listModels('?limit=2'), 200);
  const second = await pageAfter(server, first, 'limit=2&');
  return { first, second, third: await pageAfter(server, second, 'limit=2&') };
});

/** Maximum length of a cursor in characters (MR-CAT-04). */
const maxCursorLength = 512;

const malformedCursors = scenario({ requires: [state] }, async ({ listModels, values }) => {
  const lengths = [
    maxCursorLength + 1,
    values.number(maxCursorLength + 88, maxCursorLength + 2, 2 * maxCursorLength),
    2 * maxCursorLength,
  ];
  const tooLong = lengths.map((length) => values.text('c').padEnd(length, 'c'));
  return inTurn([values.text('not-a-cursor'), ...tooLong], (cursor) => listModels(`?cursor=${cursor}`));
});

/** Lists models with invented cursors, with a changed cursor of the first page, and with its cursor and a different limit. */
const misusedCursors = scenario({ requires: [state] }, async (server) => {
  const { listModels, must } = server;
  const first = await must(listModels('?limit=1'), 200);
  const cursor = nextCursor(first) ?? '';
  const extended = cursor === '' || cursor.length >= maxCursorLength ? '' : `${cursor}x`;
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
    return expect.wrongAt(page.step, '/data/0/id', 'an error, or a later page', `${id}, as on the first page`);
  };
}

/** Reads the catalog with two page sizes, and again if a model is missing or repeated: the catalog may change (MR-CAT-10). */
const twoPageSizes = scenario({ requires: [state] }, async (server) => {
  const small = chooseSmallSize(server);
  const readTwice = async () => {
    const reads = [await readPages(server, small), await readPages(server, small === 100 ? 50 : 100)];
    const lists = reads.map((pages) => Map.groupBy(pages.flatMap(listModelIds), (id) => id));
    const ids = new Set(lists.flatMap((list) => [...list.keys()]));
    const wrongIds = [...ids].filter((id) => lists.some((list) => list.get(id)?.length !== 1));
    const isComplete = reads.every((pages) => {
      const last = pages.at(-1);
      return last?.status === 200 && readMember(last, '/has_more') === false;
    });
    return { reads, wrongIds, isComplete };
  };
  const { reads: first, wrongIds, isComplete } = await readTwice();
  if (!isComplete || wrongIds.length === 0) return { first, isComplete, wrong: [] };
  const again = await readTwice();
  const lasting = again.isComplete ? wrongIds.filter((id) => again.wrongIds.includes(id)) : [];
  // A missing model that cannot be read is no longer in the catalog.
  const wrong = await inTurn(lasting.slice(0, 20), async (id) => {
    return { id, model: await server.model({ path: modelPath(id) }) };
  });
  return { first, again: again.reads, isComplete, wrong };
});

const appliedRule = (
  id: string,
  sentence: string,
  requirements: readonly string[],
  size: number,
  limits: readonly number[],
) =>
  limitRule(`catalog.limit.${id}`, pagesByLimit, {
    sentence,
    requirements,
    check: ({ limit }) => limits.flatMap((one) => expect.on(limit[one], expectLimit(size))),
  });

export const catalogRules = [
  ruleIn('catalog', { requiredOf: ['mock', 'sandbox', 'live'] })('catalog.list.answers-with-200', listings, {
    sentence: 'Listing the models returns 200.',
    requirements: ['MR-CAT-17'],
    check: ({ list }) => expect.on(list, expect.status(200)),
  }),
  entryRule('catalog.entry.id-joins-provider-and-model', everyPage, {
    usualCause: "the id is the provider's name for the model, or a database key",
    sentence: 'The id of a listed model is its provider and its model name, separated by a slash.',
    requirements: ['MR-CAT-31', 'MR-CAT-32'],
    check: ({ pages }) =>
      listEntries(pages).flatMap(({ step, pointer, entry: { id, provider, model } }) => {
        // The page's schema already reports missing members.
        if (typeof provider !== 'string' || typeof model !== 'string') return [];
        const wanted = `${provider}/${model}`;
        return id === wanted ? [] : expect.wrongAt(step, `${pointer}/id`, wanted, expect.jsonText(id));
      }),
  }),
  entryRule('catalog.entry.billing-names-no-amount', everyPage, {
    sentence: 'The billing member of a listed model never contains a price or a usage number.',
    usualCause: usualCauses.prices,
    requirements: ['MR-CAT-41', 'MR-CAT-42'],
    check: ({ pages }) => listEntries(pages).flatMap(({ step, entry, pointer }) => findAmounts(step, entry, pointer)),
  }),
  limitRule('catalog.limit.absent-selects-twenty', pagesByLimit, {
    sentence: 'The default limit of models on a page is 20.',
    requirements: ['MR-CAT-12'],
    check: ({ withoutLimit }) => expect.on(withoutLimit, expectLimit(20)),
  }),
  appliedRule('zero-selects-twenty', 'A limit of 0 selects the default of 20.', ['MR-CAT-14'], 20, [0]),
  appliedRule('negative-selects-twenty', 'A negative limit selects the default of 20.', ['MR-CAT-15'], 20, [-1, -100]),
  appliedRule(
    'above-hundred-is-clamped',
    'A limit above 100 is lowered to 100, and the page reports 100.',
    ['MR-CAT-13', 'MR-CAT-16', 'MR-CAT-29'],
    100,
    [101, 1_000, 100_000, 5_000_000_000],
  ),
  limitRule('catalog.limit.applied-size-is-reported', pagesByLimit, {
    sentence: 'A page reports the limit that was applied.',
    requirements: ['MR-CAT-16', 'MR-CAT-29'],
    check: ({ limit }) => [1, 7, 100].flatMap((size) => expect.on(limit[size], expectLimit(size))),
  }),
  limitRule('catalog.page.holds-no-more-than-its-limit', firstThreePages, {
    requiredOf: ['sandbox'],
    sentence: 'No page has more models than the limit, and every page reports it.',
    requirements: ['MR-CAT-16', 'MR-CAT-20'],
    check: ({ first, second, third }) => expect.on([first, second, third], expectLimit(2), expectEntriesAtMost(2)),
  }),
  liveRule('catalog.traversal.goes-on-to-its-end', everyPage, {
    sentence: 'Following next_cursor ends at a page with has_more: false.',
    requirements: ['MR-CAT-22', 'MR-CAT-25'],
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
  liveRule('catalog.traversal.shows-each-model-once', twoPageSizes, {
    sentence: 'Paging through the catalog shows each model exactly once, with every page size.',
    requirements: ['MR-CAT-22', 'MR-CAT-19', 'MR-CAT-02'],
    needs: ['catalog.traversal.goes-on-to-its-end'],
    check: ({ first, isComplete, wrong }) => {
      if (!isComplete) return notApplicable('the catalog has more pages than the gate reads');
      const at = { step: first[0]?.[0]?.step ?? '', pointer: '/data' };
      return wrong
        .filter(({ model }) => expect.hasSucceeded(model))
        .map(({ id }) =>
          finding('values-differ', at, `${id} once`, 'missing or repeated, both times that it was read'),
        );
    },
  }),
  liveRule('catalog.cursor.is-neither-offset-nor-model-id', everyPage, {
    sentence: 'A cursor is neither an offset nor a model id.',
    requirements: ['MR-CAT-07'],
    partReading: 'OP-123',
    check: ({ pages }) => {
      const withCursor = pages.filter((page) => nextCursor(page) !== undefined);
      if (withCursor.length === 0) return notApplicable('the catalog has only one page');
      const ids = new Set(pages.flatMap(listModelIds));
      const counts = withCursor.map((_, index) => withCursor.slice(0, index + 1).flatMap(readData).length);
      // A single cursor may equal the number of entries by chance, so require several. Even several may be the ids of
      // consecutive rows, so the finding relies on OP-123.
      const isOffset =
        withCursor.length > 1 && withCursor.every((page, index) => nextCursor(page) === String(counts[index]));
      const expected = 'a cursor that is neither an offset nor a model id';
      return withCursor.flatMap((page) => {
        const cursor = nextCursor(page) ?? '';
        const wrongAt = (what: string) => expect.wrongAt(page.step, '/next_cursor', expected, `${cursor}, ${what}`);
        if (ids.has(cursor)) return wrongAt('a model id');
        return isOffset ? expect.withReading('OP-123', wrongAt)('the number of entries before the next page') : [];
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
    sentence: 'Listing models with an invented cursor, or a cursor of a different limit, never returns the first page.',
    requirements: ['MR-CAT-52'],
    check: ({ first, misused }) =>
      readMember(first, '/has_more') === true
        ? expect.on(misused, notFirstPage(first))
        : notApplicable('the catalog has only one page'),
  }),
];
