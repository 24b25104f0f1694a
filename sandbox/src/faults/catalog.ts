import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Decorator, Fault } from './decorator.ts';
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
} from './making/answer-rewrite.ts';
import { without } from './making/json-change.ts';
import { changeRequest, rewriteRequest, withQuery } from './making/request-rewrite.ts';

const listed: Where = { on: ['listModels'], status: 200 };
const refused: Where = { on: ['listModels'], status: 400 };

function changeEntries(change: (entry: JsonObject) => JsonValue): Decorator {
  return rewriteJson(listed, (page) => {
    const entries = Array.isArray(page['data']) ? page['data'] : [];
    return { ...page, data: entries.map((entry) => (isJsonObject(entry) ? change(entry) : entry)) };
  });
}

function changeBilling(change: (billing: JsonObject) => JsonObject): Decorator {
  return changeEntries((entry) => {
    const billing = entry['billing'];
    return isJsonObject(billing) ? { ...entry, billing: change(billing) } : entry;
  });
}

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

const upperCaseProviders: Decorator = (app, context) => {
  const shouted = changeEntries((entry) => {
    const provider = String(entry['provider']).toUpperCase();
    return { ...entry, provider, id: `${provider}/${String(entry['model'])}` };
  });
  const understood = rewriteRequest('router', (request) => {
    const url = new URL(request.url);
    url.pathname = url.pathname.replace(
      /^(\/v2\/models\/)([^/]+)/,
      (_, start, provider) => start + provider.toLowerCase(),
    );
    return { url: url.toString() };
  });
  return shouted(understood(app, context), context);
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

export const catalogFaults: readonly Fault[] = [
  {
    id: 'catalog.entry.id-without-provider',
    requirements: ['MR-CAT-31'],
    description: 'Listed ids hold the model alone, without its provider and slash.',
    decorate: changeEntries((entry) => ({ ...entry, id: entry['model'] ?? '' })),
  },
  {
    id: 'catalog.entry.provider-in-capitals',
    requirements: ['MR-CAT-35'],
    description: 'Listed providers are written in capitals.',
    decorate: upperCaseProviders,
    trips: ['MR-MOD-04'],
  },
  {
    id: 'catalog.entry.provider-missing',
    requirements: ['MR-CAT-34'],
    description: 'Listed entries lack the provider member.',
    decorate: changeEntries((entry) => without(entry, 'provider')),
    trips: ['MR-CAT-31'],
  },
  {
    id: 'catalog.entry.billing-missing',
    requirements: ['MR-CAT-40'],
    description: 'Listed entries lack the billing object.',
    decorate: changeEntries((entry) => without(entry, 'billing')),
  },
  {
    id: 'catalog.entry.billing-with-price',
    requirements: ['MR-CAT-41'],
    description: 'The billing object of listed entries names a price.',
    decorate: changeBilling((billing) => ({ ...billing, price_per_run: 0.04 })),
  },
  {
    id: 'catalog.entry.billing-with-usage',
    requirements: ['MR-CAT-42'],
    description: 'The billing object of listed entries counts the runs of this month.',
    decorate: changeBilling((billing) => ({ ...billing, usage: { runs_this_month: 17 } })),
  },
  {
    id: 'catalog.entry.policy-charge-as-boolean',
    requirements: ['MR-CAT-43'],
    description: 'charges_on_policy_rejection is a boolean in place of a string.',
    decorate: changeBilling((billing) => ({
      ...billing,
      charges_on_policy_rejection: billing['charges_on_policy_rejection'] === 'yes',
    })),
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
    trips: ['MR-CTG-02'],
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
