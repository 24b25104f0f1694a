import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { parseBody, putTogether, rewriteJson, takeApart, touches } from '../making/answer-rewrite.ts';
import { refuseWhen } from '../making/refuse-when.ts';
import { changeRequest, rewriteRequest, withQuery } from '../making/request-rewrite.ts';

const on = ['listModels'] as const;

function cursorOf(request: Request): string | null {
  return new URL(request.url).searchParams.get('cursor');
}

function limitOf(request: Request): number {
  return Number(new URL(request.url).searchParams.get('limit'));
}

const restartsFor = (isSuch: (cursor: string) => boolean): Decorator =>
  rewriteRequest(on, (request) => {
    const cursor = cursorOf(request);
    if (cursor === null || !isSuch(cursor)) return {};
    return { url: withQuery(request, (query) => query.delete('cursor')) };
  });

/** A cursor that was never given, but begins like one that was. */
const restartsForAltered: Decorator = (app) => {
  const given = new Set<string>();
  return async (request) => {
    if (!touches({ on }, request)) return app(request);
    const cursor = cursorOf(request);
    const isAltered =
      cursor !== null && !given.has(cursor) && [...given].some((one) => one.slice(0, 8) === cursor.slice(0, 8));
    const url = withQuery(request, (query) => query.delete('cursor'));
    const answer = await takeApart(await app(isAltered ? await changeRequest(request, { url }) : request));
    const page = parseBody(answer);
    if (isJsonObject(page) && typeof page['next_cursor'] === 'string') given.add(page['next_cursor']);
    return putTogether(answer);
  };
};

const ghost = {
  id: 'image-provider/no-longer-there',
  provider: 'image-provider',
  model: 'no-longer-there',
  billing: { charges_on_policy_rejection: 'no' },
};

export const catalogCursorFaults: readonly Fault[] = [
  {
    id: 'catalog.cursor.too-long-restarts',
    requirements: ['MR-CAT-50', 'MR-CAT-52'],
    description: 'A cursor of more than 512 characters is answered with the first page.',
    decorate: restartsFor((cursor) => cursor.length > 512),
  },
  {
    id: 'catalog.cursor.altered-restarts',
    requirements: ['MR-CAT-50', 'MR-CAT-52'],
    description: 'A cursor that was altered is answered with the first page.',
    decorate: restartsForAltered,
  },
  {
    id: 'catalog.cursor.number-restarts',
    requirements: ['MR-CAT-50', 'MR-CAT-52'],
    description: 'A number for a cursor is answered with the first page.',
    decorate: restartsFor((cursor) => /^\d+$/.test(cursor)),
  },
  {
    id: 'catalog.limit.just-above-maximum-refused',
    requirements: ['MR-CAT-13'],
    description: 'A limit of 101 is answered with 400.',
    decorate: refuseWhen(on, (request) => limitOf(request) === 101, { status: 400, category: 'invalid_input' }),
  },
  {
    id: 'catalog.limit.beyond-32-bits-selects-default',
    requirements: ['MR-CAT-13'],
    description: 'A limit that does not fit 32 bits selects the default.',
    decorate: rewriteRequest(on, (request) =>
      limitOf(request) > 2 ** 31 ? { url: withQuery(request, (query) => query.delete('limit')) } : {},
    ),
  },
  {
    id: 'catalog.limit.far-below-zero-refused',
    requirements: ['MR-CAT-15'],
    description: 'A limit of -100 is answered with 400.',
    decorate: refuseWhen(on, (request) => limitOf(request) < -1, { status: 400, category: 'invalid_input' }),
  },
  {
    id: 'catalog.entry.of-no-model',
    requirements: ['MR-CAT-02'],
    description: 'The last page lists a model that cannot be read.',
    decorate: rewriteJson({ on, status: 200 }, (page) => {
      const { data, has_more: hasMore, limit } = page;
      if (!Array.isArray(data) || hasMore !== false || data.length >= Number(limit)) return page;
      return { ...page, data: [...data, ghost] };
    }),
    trips: ['MR-MOD-04'],
  },
  {
    id: 'catalog.list.empty-for-tokens',
    requirements: ['MR-CAT-02', 'MR-AUT-04'],
    description: 'The listing is empty for whoever sends a bearer token.',
    decorate: rewriteJson({ on, status: 200 }, (page, { request }) =>
      request.headers.has('x-api-key') ? page : { data: [], has_more: false, limit: page['limit'] ?? 20 },
    ),
  },
];
