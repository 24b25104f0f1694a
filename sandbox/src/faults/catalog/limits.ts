import type { Decorator, Fault } from '../decorator.ts';
import { refusal, rewriteAnswer, rewriteJson, type Where } from '../making/answer-rewrite.ts';
import { rewriteRequest, withQuery } from '../making/request-rewrite.ts';

const listed: Where = { on: ['listModels'], status: 200 };

/** Listing requests whose `limit` fits are read as if they had asked for another size. */
function readLimitAs(fits: (limit: string | null) => boolean, size: number): Decorator {
  return rewriteRequest(['listModels'], (request) => ({
    url: withQuery(request, (query) => {
      if (fits(query.get('limit'))) query.set('limit', String(size));
    }),
  }));
}

function refuseLimit(fits: (limit: number) => boolean): Decorator {
  return rewriteAnswer({ on: ['listModels'] }, (answer, { request, context }) => {
    const limit = new URL(request.url).searchParams.get('limit');
    return limit !== null && fits(Number(limit))
      ? refusal(answer, context, { status: 400, category: 'invalid_input' })
      : answer;
  });
}

export const catalogLimitFaults: readonly Fault[] = [
  {
    id: 'catalog.limit.default-is-ten',
    requirements: ['MR-CAT-12'],
    description: 'Without a limit the page size is 10.',
    decorate: readLimitAs((limit) => limit === null, 10),
  },
  {
    id: 'catalog.limit.above-maximum-refused',
    requirements: ['MR-CAT-13'],
    description: 'A limit above 100 is answered with 400.',
    decorate: refuseLimit((limit) => limit > 100),
  },
  {
    id: 'catalog.limit.above-maximum-selects-default',
    requirements: ['MR-CAT-13'],
    description: 'A limit above 100 selects the default of 20.',
    decorate: readLimitAs((limit) => Number(limit) > 100, 20),
  },
  {
    id: 'catalog.limit.zero-means-one',
    requirements: ['MR-CAT-14'],
    description: 'limit=0 selects a page size of one.',
    decorate: readLimitAs((limit) => limit === '0', 1),
  },
  {
    id: 'catalog.limit.zero-refused',
    requirements: ['MR-CAT-14'],
    description: 'limit=0 is answered with 400.',
    decorate: refuseLimit((limit) => limit === 0),
  },
  {
    id: 'catalog.limit.negative-means-maximum',
    requirements: ['MR-CAT-15'],
    description: 'A negative limit selects a page size of 100.',
    decorate: readLimitAs((limit) => Number(limit) < 0, 100),
  },
  {
    id: 'catalog.limit.reported-as-asked',
    requirements: ['MR-CAT-16'],
    description: 'The answer repeats the limit of the request, not the one applied.',
    decorate: rewriteJson(listed, (page, { request }) => {
      const asked = new URL(request.url).searchParams.get('limit');
      return asked === null ? page : { ...page, limit: Number(asked) };
    }),
    trips: ['MR-CAT-13', 'MR-CAT-14', 'MR-CAT-15', 'MR-CAT-29'],
  },
  {
    id: 'catalog.limit.reported-above-bound',
    requirements: ['MR-CAT-29'],
    description: 'The reported limit is ten times the one applied.',
    decorate: rewriteJson(listed, (page) => ({ ...page, limit: Number(page['limit']) * 10 })),
    trips: ['MR-CAT-12', 'MR-CAT-13', 'MR-CAT-14', 'MR-CAT-15', 'MR-CAT-16'],
  },
];
