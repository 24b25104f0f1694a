import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { parseBody, putTogether, rewriteJson, takeApart, touches, type Where } from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { changeRequest, withQuery } from '../making/request-rewrite.ts';

const on = ['listModels'] as const;
const served: Where = { on, status: 200 };

function queryOf(request: Request): URLSearchParams {
  return new URL(request.url).searchParams;
}

const onLaterPages = (change: (body: JsonObject) => JsonValue): Decorator =>
  rewriteJson(served, (body, { request }) =>
    queryOf(request).has('cursor') && queryOf(request).has('limit') ? change(body) : body,
  );

function withOneMore(body: JsonObject): JsonValue {
  const { data, limit } = body;
  const last = Array.isArray(data) ? data.at(-1) : undefined;
  return Array.isArray(data) && data.length === limit && last !== undefined ? { ...body, data: [...data, last] } : body;
}

const restartsUnderAnotherLimit: Decorator = (app) => {
  const limits = new Map<string, string | null>();
  return async (request) => {
    if (!touches({ on }, request)) return app(request);
    const [cursor, limit] = [queryOf(request).get('cursor') ?? '', queryOf(request).get('limit')];
    const isOther = limits.has(cursor) && limits.get(cursor) !== limit;
    const url = withQuery(request, (query) => query.delete('cursor'));
    const answer = await takeApart(await app(isOther ? await changeRequest(request, { url }) : request));
    const page = parseBody(answer);
    if (isJsonObject(page) && typeof page['next_cursor'] === 'string') limits.set(page['next_cursor'], limit);
    return putTogether(answer);
  };
};

export const catalogLaterPageFaults: readonly Fault[] = [
  {
    id: 'catalog.later-page.forgets-its-limit',
    requirements: ['MR-CAT-16'],
    description: 'Every page but the first reports a limit of 20.',
    decorate: onLaterPages((body) => ({ ...body, limit: 20 })),
  },
  {
    id: 'catalog.later-page.one-too-many',
    requirements: ['MR-CAT-20'],
    description: 'A full page behind a cursor shows its last entry twice.',
    decorate: onLaterPages(withOneMore),
    trips: ['MR-CAT-19', 'MR-CAT-22'],
  },
  {
    id: 'catalog.cursor.of-another-limit-restarts',
    requirements: ['MR-CAT-52'],
    description: 'A cursor that is sent with another limit leads back to the first page.',
    decorate: restartsUnderAnotherLimit,
  },
  {
    id: 'catalog.page.of-the-usual-size-is-the-last',
    requirements: ['MR-CAT-22'],
    description: 'A page without a limit says that nothing follows.',
    decorate: rewriteJson(served, (body, { request }) =>
      queryOf(request).has('limit') ? body : { ...without(body, 'next_cursor'), has_more: false },
    ),
  },
];
