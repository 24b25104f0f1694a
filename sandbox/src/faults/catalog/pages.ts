import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import {
  dropHeader,
  putTogether,
  refusal,
  rewriteAnswer,
  rewriteJson,
  setCategory,
  takeApart,
  touches,
  type Where,
} from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { changeRequest, rewriteRequest, withQuery } from '../making/request-rewrite.ts';

const listed: Where = { on: ['listModels'], status: 200 };
const refused: Where = { on: ['listModels'], status: 400 };

const restartOnBadCursor: Decorator = (app) => async (request) => {
  const untouched = request.clone();
  const response = await app(request);
  if (response.status !== 400 || !touches(refused, untouched)) return response;
  return app(await changeRequest(untouched, { url: withQuery(untouched, (query) => query.delete('cursor')) }));
};

const padding = '~'.repeat(600);
const padCursors: Decorator = (app, context) => {
  const padded = rewriteJson(listed, (page) =>
    typeof page['next_cursor'] === 'string' ? { ...page, next_cursor: page['next_cursor'] + padding } : page,
  );
  const unpadded = rewriteRequest(['listModels'], (request) => ({
    url: withQuery(request, (query) => {
      const cursor = query.get('cursor');
      if (cursor?.endsWith(padding)) query.set('cursor', cursor.slice(0, -padding.length));
    }),
  }));
  return padded(unpadded(app, context), context);
};

const repeatLastEntry: Decorator = (app) => async (request) => {
  const untouched = request.clone();
  const response = await app(request);
  if (response.status !== 200 || !touches(listed, untouched)) return response;
  const answer = await takeApart(response);
  const page: unknown = JSON.parse(new TextDecoder().decode(answer.body));
  if (!isJsonObject(page) || !Array.isArray(page['data'])) return putTogether(answer);
  const [first] = page['data'];
  const missing = Number(page['limit']) + 1 - page['data'].length;
  const extra = first === undefined ? [] : Array.from({ length: Math.max(missing, 0) }, () => first);
  return putTogether({
    ...answer,
    body: new TextEncoder().encode(JSON.stringify({ ...page, data: [...page['data'], ...extra] })),
  });
};

/** The listing with this query, as the healthy application gives it. */
async function listed200(app: Parameters<Decorator>[0], request: Request, change: (query: URLSearchParams) => void) {
  return app(await changeRequest(request, { url: withQuery(request, change) }));
}

/** The second entry of a page with more than one is left out. */
const skipsOne = rewriteJson(listed, (page) => {
  const data = Array.isArray(page['data']) ? page['data'] : [];
  return data.length > 2 && data.length < 20 ? { ...page, data: data.toSpliced(1, 1) } : page;
});

/** A page begins with the last entry of the page before. */
const overlaps: Decorator = (app) => {
  let last: unknown;
  return async (request) => {
    const isNext = new URL(request.url).searchParams.has('cursor');
    const touched = touches(listed, request);
    const response = await app(request);
    if (!touched || response.status !== 200) return response;
    const answer = await takeApart(response);
    const page: unknown = JSON.parse(new TextDecoder().decode(answer.body));
    if (!isJsonObject(page) || !Array.isArray(page['data'])) return putTogether(answer);
    const data = isNext && last !== undefined ? [last, ...page['data'].slice(1)] : page['data'];
    last = page['data'].at(-1);
    return putTogether({ ...answer, body: new TextEncoder().encode(JSON.stringify({ ...page, data })) });
  };
};

/** Whatever the cursor, the second page comes. */
const stuckAtTwo: Decorator = (app) => {
  let second: string | undefined;
  return async (request) => {
    const cursor = new URL(request.url).searchParams.get('cursor');
    if (cursor === null || !touches(listed, request)) return app(request);
    const response = await listed200(app, request, () => undefined);
    if (response.status === 200) second ??= cursor;
    return second === undefined || response.status !== 200 || cursor === second
      ? response
      : listed200(app, request, (query) => query.set('cursor', second ?? cursor));
  };
};

export const catalogPageFaults: readonly Fault[] = [
  {
    id: 'catalog.traversal.skips-a-model',
    requirements: ['MR-CAT-19', 'MR-CAT-22'],
    description: 'A page leaves out one of its models.',
    decorate: skipsOne,
  },
  {
    id: 'catalog.traversal.pages-overlap',
    requirements: ['MR-CAT-19', 'MR-CAT-22'],
    description: 'A page begins with the last model of the page before, in place of its own first one.',
    decorate: overlaps,
  },
  {
    id: 'catalog.traversal.stuck-at-the-second-page',
    requirements: ['MR-CAT-22'],
    description: 'Every cursor gives the second page.',
    decorate: stuckAtTwo,
  },
  {
    id: 'catalog.page.data-by-id',
    requirements: ['MR-CAT-19'],
    description: 'data is an object keyed by id in place of an array.',
    decorate: rewriteJson(listed, (page) => ({ ...page, data: { models: page['data'] ?? [] } })),
  },
  {
    id: 'catalog.page.has-more-as-text',
    requirements: ['MR-CAT-21'],
    description: 'has_more is the word true or false in place of a boolean.',
    decorate: rewriteJson(listed, (page) => ({ ...page, has_more: String(page['has_more']) })),
  },
  {
    id: 'catalog.page.limit-as-text',
    requirements: ['MR-CAT-28'],
    description: 'The reported limit is a string.',
    decorate: rewriteJson(listed, (page) => ({ ...page, limit: String(page['limit']) })),
  },
  {
    id: 'catalog.page.too-many-entries',
    requirements: ['MR-CAT-20'],
    description: 'A page holds one entry more than the limit it reports.',
    decorate: repeatLastEntry,
    trips: ['MR-CAT-19'],
  },
  {
    id: 'catalog.page.never-ends',
    requirements: ['MR-CAT-22'],
    description: 'has_more is true on the last page too.',
    decorate: rewriteJson(listed, (page) => ({ ...page, has_more: true })),
  },
  {
    id: 'catalog.page.ends-early',
    requirements: ['MR-CAT-22'],
    description: 'has_more is false although another page follows.',
    decorate: rewriteJson(listed, (page) => ({ ...without(page, 'next_cursor'), has_more: false })),
  },
  {
    id: 'catalog.cursor.too-long',
    requirements: ['MR-CAT-27'],
    description: 'next_cursor is longer than 512 characters.',
    decorate: padCursors,
  },
  {
    id: 'catalog.cursor.as-number',
    requirements: ['MR-CAT-26'],
    description: 'next_cursor is a page number in place of a string.',
    decorate: rewriteJson(listed, (page) => ('next_cursor' in page ? { ...page, next_cursor: 2 } : page)),
  },
  {
    id: 'catalog.cursor.malformed-restarts',
    requirements: ['MR-CAT-50', 'MR-CAT-52'],
    description: 'A malformed cursor is answered with the first page.',
    decorate: restartOnBadCursor,
  },
  {
    id: 'catalog.cursor.malformed-as-not-found',
    requirements: ['MR-CAT-50'],
    description: 'A malformed cursor is answered with 404.',
    decorate: rewriteAnswer(refused, (answer, { context }) =>
      refusal(answer, context, { status: 404, category: 'model_not_found' }),
    ),
    trips: ['MR-CTG-02'],
  },
  {
    id: 'catalog.cursor.malformed-category',
    requirements: ['MR-CAT-50', 'MR-CTG-02'],
    description: 'The 400 of a malformed cursor is called internal_error.',
    decorate: setCategory(refused, 'internal_error'),
  },
  {
    id: 'catalog.list.request-id-missing',
    requirements: ['MR-CAT-18', 'MR-HDR-01'],
    description: 'The listing carries no request id.',
    decorate: dropHeader(listed, { branded: 'Request-Id' }),
  },
  {
    id: 'catalog.list.created-status',
    requirements: ['MR-CAT-17'],
    description: 'A successful listing is answered with 203.',
    decorate: rewriteAnswer(listed, (answer) => ({ ...answer, status: 203 })),
    trips: ['MR-AUT-02', 'MR-AUT-04'],
  },
];
