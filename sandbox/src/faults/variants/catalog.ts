import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Variant } from '../decorator.ts';
import { parseBody, putTogether, rewriteJson, takeApart, touches, withBody } from '../making/answer-rewrite.ts';
import { changeRequest, withQuery } from '../making/request-rewrite.ts';

const on = ['listModels'] as const;
const lastMarker = 'there-is-one-more-page';

function cursorOf(request: Request): string | null {
  return new URL(request.url).searchParams.get('cursor');
}

/** The last entry is followed by a page without any. */
const emptyAtTheEnd: Decorator = (app) => async (request) => {
  if (!touches({ on }, request)) return app(request);
  const isLast = cursorOf(request) === lastMarker;
  const url = withQuery(request, (query) => query.delete('cursor'));
  const answer = await takeApart(await app(isLast ? await changeRequest(request, { url }) : request));
  const page = parseBody(answer);
  if (!isJsonObject(page) || page['data'] === undefined) return putTogether(answer);
  const { limit = 20, has_more: hasMore } = page;
  if (isLast) return putTogether(withBody(answer, { data: [], has_more: false, limit }));
  return putTogether(
    hasMore === false ? withBody(answer, { ...page, has_more: true, next_cursor: lastMarker }) : answer,
  );
};

/** As long as a cursor may be, of characters that an address has to escape. */
const longCursors: Decorator = (app) => {
  const short = new Map<string, string>();
  return async (request) => {
    if (!touches({ on }, request)) return app(request);
    const known = short.get(cursorOf(request) ?? '');
    const url = known === undefined ? request.url : withQuery(request, (query) => query.set('cursor', known));
    const answer = await takeApart(await app(await changeRequest(request, { url })));
    const page = parseBody(answer);
    const cursor = isJsonObject(page) ? page['next_cursor'] : undefined;
    if (!isJsonObject(page) || typeof cursor !== 'string') return putTogether(answer);
    const long = `${cursor}=/+&?# é`.padEnd(512, '=~');
    short.set(long, cursor);
    return putTogether(withBody(answer, { ...page, next_cursor: long }));
  };
};

export const catalogVariants: readonly Variant[] = [
  {
    id: 'catalog.page.empty-at-the-end',
    requirements: ['MR-CAT-25', 'MR-CAT-22'],
    description: 'The last page is an empty one.',
    decorate: emptyAtTheEnd,
  },
  {
    id: 'catalog.cursor.of-512-characters',
    requirements: ['MR-CAT-27'],
    description: 'Cursors are 512 characters long and full of punctuation.',
    decorate: longCursors,
  },
  {
    id: 'catalog.cursor.on-the-last-page',
    requirements: ['MR-CAT-22', 'MR-CAT-26'],
    description: 'The last page gives a cursor too, for whoever comes back later.',
    decorate: rewriteJson({ on, status: 200 }, (page) =>
      page['has_more'] === false ? { ...page, next_cursor: 'come-back-later' } : page,
    ),
  },
];
