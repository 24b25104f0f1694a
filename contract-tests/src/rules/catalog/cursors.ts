import { readMember, readResponse, type StepResponse, wasAnswered } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import type { ProbeRequest } from '../../contract/probe.ts';
import { type Check, defineFamily, type Family } from '../../contract/rule.ts';
import { state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';
import { expectEntriesAtMost, expectLimit, needsPages } from './pages.ts';
import { everyPage, listModelIds, listPages, nextCursor, pageAfter, pageNames, readData } from './walks.ts';

const catalog: Family = { needs: needsPages, requires: [state] };

const expectNewCursor: expect.Expectation = (page, _, evidence) => {
  if (readMember(page, '/has_more') !== true) return [];
  const cursor = nextCursor(page);
  // C-37: without a cursor callers cannot keep paging, as the text asks them to.
  if (cursor === undefined) return expect.wrongAt(page.step, '/next_cursor', 'a cursor beside has_more', 'absent');
  const earlier = listPages(evidence).slice(0, pageNames.indexOf(page.step));
  const isKnown = earlier.some((other) => nextCursor(other) === cursor);
  return isKnown ? expect.wrongAt(page.step, '/next_cursor', 'a cursor not given before', cursor) : [];
};

/** A cursor may be refused for any reason; it must not lead back to the first page (MR-CAT-52). */
const expectNotFirstPage: expect.Expectation = (page, _, evidence) => {
  const [id] = listModelIds(page);
  if (page.status !== 200 || id === undefined || id !== listModelIds(readResponse(evidence, 'first'))[0]) return [];
  return expect.wrongAt(page.step, '/data/0/id', 'a refusal, or a page after the first', `${id}, as on the first page`);
};

/** One number that counts the entries before it may be chance; several may still be ids of rows without gaps (NS-123). */
const checkOpaque: Check = (evidence) => {
  const pages = listPages(evidence).filter((page) => nextCursor(page) !== undefined);
  if (pages.length === 0) return notApplicable('the catalog has one page only');
  const ids = new Set(listPages(evidence).flatMap(listModelIds));
  const counts = pages.map((_, index) => pages.slice(0, index + 1).flatMap(readData).length);
  const isOffset = pages.length > 1 && pages.every((page, index) => nextCursor(page) === String(counts[index]));
  return pages.flatMap((page) => {
    const cursor = nextCursor(page) ?? '';
    if (!isOffset && !ids.has(cursor)) return [];
    const actual = isOffset ? `${cursor}, the number of entries before the next page` : `${cursor}, a model id`;
    const found = expect.wrongAt(
      page.step,
      '/next_cursor',
      'a cursor that is neither an offset nor a model id',
      actual,
    );
    return isOffset ? found.map((one) => ({ ...one, reading: 'NS-123' })) : found;
  });
};

const laterPages = [
  { ...send.list('first', '?limit=2'), mustAnswer: [200] },
  pageAfter('first', 'second', 'limit=2&'),
  pageAfter('second', 'third', 'limit=2&'),
  pageAfter('first', 'with-another-limit', 'limit=3&'),
  pageAfter('first', 'without-a-limit', ''),
];

const longest = 512;
const tooLong = [longest + 1, longest + 88, 2 * longest];
const malformed = [send.list('malformed', '?cursor=not-a-cursor')];

/** Made from the first page: what a client might mistake for a cursor, or make of one. */
const inventions: Readonly<Record<string, (page: StepResponse) => string | undefined>> = {
  'an offset': () => '1',
  'an id': (page) => listModelIds(page)[0],
  'a cursor cut short': (page) => nextCursor(page)?.slice(0, -1),
  'a cursor with more behind it': (page) => {
    const cursor = nextCursor(page);
    return cursor === undefined || cursor.length >= longest ? undefined : `${cursor}x`;
  },
};

export const catalogCursorRules = [
  ...defineFamily({ ...catalog, requiredOf: ['sandbox', 'live'] })({
    'catalog.traversal.goes-on-to-its-end': {
      sentence: 'Following next_cursor ends at a page without has_more.',
      requirements: ['MR-CAT-22', 'MR-CAT-25'],
      probe: everyPage,
      check: expect.ifSent(pageNames, expect.status(200, expectNewCursor)),
    },
    'catalog.cursor.is-neither-offset-nor-model-id': {
      sentence: 'A cursor is neither the number of entries before it nor a model id.',
      requirements: ['MR-CAT-07'],
      partReading: 'NS-123',
      probe: everyPage,
      check: checkOpaque,
    },
    'catalog.traversal.announces-the-next-page': {
      sentence: 'A page of one model says has_more where the catalog lists another.',
      requirements: ['MR-CAT-22'],
      probe: [send.list('all', '?limit=100'), send.list('one', '?limit=1')],
      check: expect.unless(
        (evidence) => readData(readResponse(evidence, 'all')).length < 2,
        'the catalog fits one page of one entry',
        expect.on('one', expect.member('/has_more', true)),
      ),
    },
    'catalog.cursor.malformed-is-refused': {
      sentence: 'A malformed cursor is refused with 400 invalid_input.',
      requirements: ['MR-CAT-50', 'MR-CTG-02', 'MR-STC-01'],
      ...expect.answers(malformed, expect.error(400, 'invalid_input')),
    },
    'catalog.cursor.malformed-never-restarts': {
      sentence: 'A malformed cursor never gives the first page again.',
      requirements: ['MR-CAT-52'],
      ...expect.answers(
        malformed,
        expect.statusThat((status) => status < 200 || status > 299, 'a refusal'),
      ),
    },
    'catalog.cursor.used-twice': {
      sentence: 'What a cursor gives when it is used twice is noted.',
      observes: true,
      requirements: ['MR-CAT-22'],
      probe: [send.list('first', '?limit=1'), ...['once', 'twice'].map((name) => pageAfter('first', name, 'limit=1&'))],
      check: expect.leftOpen(['once', 'twice'], (evidence) => {
        const [once, twice] = ['once', 'twice'].map((name) =>
          wasAnswered(evidence, name) ? String(readResponse(evidence, name).status) : 'not asked',
        );
        return `one cursor used twice is answered with ${once}, then ${twice}`;
      }),
    },
    'catalog.cursor.too-long-is-refused': {
      sentence: 'A cursor longer than 512 characters is refused with 400 invalid_input.',
      requirements: ['MR-CAT-04', 'MR-CAT-50', 'MR-CTG-02'],
      probe: tooLong.map((length) => send.list(`${length}`, `?cursor=${'c'.repeat(length)}`)),
      check: expect.on(tooLong.map(String), expect.error(400, 'invalid_input')),
    },
  }),
  ...defineFamily(catalog)({
    'catalog.page.shorter-than-the-catalog-says-so': {
      sentence: 'A page that does not end the catalog says has_more.',
      requirements: ['MR-CAT-22'],
      probe: [send.list('all', '?limit=100'), send.list('of-one', '?limit=1'), send.list('of-the-default-size')],
      check: expect.on(['of-one', 'of-the-default-size'], (page, _, evidence) =>
        page.status === 200 && readData(page).length < readData(readResponse(evidence, 'all')).length
          ? expect.member('/has_more', true)(page)
          : [],
      ),
    },
    'catalog.cursor.made-up-never-restarts': {
      sentence: 'A made-up cursor never gives the first page again.',
      requirements: ['MR-CAT-52'],
      probe: [
        { ...send.list('first', '?limit=1'), mustAnswer: [200] },
        ...Object.entries(inventions).map(([name, make]) =>
          send.step(name, (earlier): ProbeRequest | undefined => {
            const cursor = make(readResponse(earlier, 'first')) ?? '';
            return cursor === ''
              ? undefined
              : send.get('router', `/v2/models?limit=1&cursor=${send.encodeText(cursor)}`);
          }),
        ),
      ],
      check: expect.unless(
        (evidence) => readMember(readResponse(evidence, 'first'), '/has_more') !== true,
        'the catalog has one page only',
        expect.ifSent(Object.keys(inventions), expectNotFirstPage),
      ),
    },
    'catalog.limit.holds-on-later-pages': {
      sentence: 'The limit holds on later pages too.',
      requirements: ['MR-CAT-16', 'MR-CAT-20'],
      probe: laterPages,
      check: expect.ifSent(['second', 'third'], expectLimit(2), expectEntriesAtMost(2)),
    },
    'catalog.cursor.under-another-limit-never-restarts': {
      sentence: 'A cursor used under another limit never gives the first page again.',
      requirements: ['MR-CAT-52'],
      probe: laterPages,
      check: expect.ifSent(['with-another-limit', 'without-a-limit'], expectNotFirstPage),
    },
  }),
];
