import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { requestId, type ServerRequest } from '../http/messages.ts';
import { all, breakRow, onJson, onRequest, refuse, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, rowIn } from './builders/fault.ts';
import { routerOperations } from './builders/operations.ts';
import { mapObjects } from './builders/replies.ts';
import { lacksHeader, readQuery, withQuery, withTarget } from './builders/requests.ts';

export function changeEntries(change: (entry: JsonObject) => JsonValue): Change {
  return onJson((page) => ({ ...page, data: mapObjects(page['data'], change) }));
}

function changeBilling(change: (billing: JsonObject) => JsonObject): Change {
  return changeEntries((entry) =>
    isJsonObject(entry['billing']) ? { ...entry, billing: change(entry['billing']) } : entry,
  );
}

const billingFault = rowIn(changeBilling);

const entriesInCapitals = changeEntries((entry) => {
  const provider = String(entry['provider']).toUpperCase();
  return { ...entry, provider, id: `${provider}/${String(entry['model'])}` };
});

const providersInLowerCase = onRequest((request) =>
  withTarget(request, (target) =>
    target.replace(/^(\/v2\/models\/)([^/?]+)/, (_, start, provider) => start + provider.toLowerCase()),
  ),
);

const ghost = {
  id: 'image-provider/no-longer-there',
  provider: 'image-provider',
  model: 'no-longer-there',
  billing: { charges_on_policy_rejection: 'no' },
};

/** Reads the limit of a listing request as another one; undefined leaves it as it is. */
const readLimitFault = rowIn((change: (limit: string | null) => number | undefined) =>
  onRequest((request) =>
    withQuery(request, (query) => {
      const limit = change(query.get('limit'));
      if (limit !== undefined) query.set('limit', String(limit));
    }),
  ),
);

const askedLimit = (request: ServerRequest): number => Number(readQuery(request).get('limit') ?? Number.NaN);
const refusedLimitFault = rowIn((fits: (limit: number) => boolean) =>
  only({ when: (request) => fits(askedLimit(request)) }, refuse(400, 'invalid_input')),
);

const limitAsAsked = onJson((page, { request }) => {
  const limit = askedLimit(request);
  return Number.isNaN(limit) ? page : { ...page, limit };
});

const withGhostEntry = onJson((page) => {
  const { data, has_more: hasMore, limit } = page;
  const hasRoom = Array.isArray(data) && hasMore === false && data.length < Number(limit);
  return hasRoom ? { ...page, data: [...data, ghost] } : page;
});

const emptyPage = onJson(({ limit = 20 }) => ({ data: [], has_more: false, limit }));
const idWithoutProvider = changeEntries((entry) => ({ ...entry, id: entry['model'] ?? '' }));
const inCapitals = all(providersInLowerCase, only({ on: ['listModels'], status: 200 }, entriesInCapitals));

const isLaterPage = (request: ServerRequest): boolean => readQuery(request).has('cursor');

const isKept = ({ headers }: ServerRequest): boolean => headers['connection']?.toLowerCase() === 'keep-alive';

const isInWords = (request: ServerRequest): boolean => Number.isNaN(Number(readQuery(request).get('limit') ?? 0));

export const catalogFaults: readonly Fault[] = [
  ...group({ id: 'catalog.connection', on: ['listModels'], when: isKept }, [
    fault('one-id-for-all', 'MR-HDR-03', set.header(requestId, 'req-1')),
  ]),
  ...group({ id: 'catalog.entry', on: ['listModels'], status: 200, subject: 'Listed entries' }, [
    fault('id-without-provider', 'MR-CAT-31 also MR-CAT-19', idWithoutProvider),
    billingFault('billing-with-price', 'MR-CAT-41', (fee) => ({ ...fee, price_per_run: 0.04 })),
    billingFault('billing-with-usage', 'MR-CAT-42', (billing) => ({ ...billing, usage: { runs_this_month: 17 } })),
    fault('of-no-model', 'MR-CAT-02 also MR-MOD-04', withGhostEntry),
  ]),
  ...group(
    { id: 'catalog.later-page', on: ['listModels'], status: 200, when: isLaterPage, subject: 'Entries of later pages' },
    [
      fault('id-without-provider', 'MR-CAT-31 also MR-CAT-19 MR-CAT-22', idWithoutProvider),
      billingFault('billing-with-price', 'MR-CAT-41', (fee) => ({ ...fee, price_per_run: 0.04 })),
    ],
  ),
  ...group({ id: 'catalog', on: routerOperations }, [
    fault('entry.provider-in-capitals', 'MR-CAT-35 also MR-MOD-04', inCapitals),
    fault('list.empty-for-tokens', 'MR-CAT-02 MR-AUT-04', emptyPage, {
      on: ['listModels'],
      status: 200,
      when: lacksHeader('x-api-key'),
    }),
  ]),
  ...group({ id: 'catalog.limit', on: ['listModels'] }, [
    breakRow('text-breaks', 'MR-CAT-12', isInWords),
    readLimitFault('default-is-ten', 'MR-CAT-12', (limit) => (limit === null ? 10 : undefined)),
    refusedLimitFault('above-maximum-refused', 'MR-CAT-13', (limit) => limit > 100),
    readLimitFault('above-maximum-selects-default', 'MR-CAT-13', (limit) => (Number(limit) > 100 ? 20 : undefined)),
    refusedLimitFault('just-above-maximum-refused', 'MR-CAT-13', (limit) => limit === 101),
    readLimitFault('beyond-32-bits-selects-default', 'MR-CAT-13', (limit) =>
      Number(limit) > 2 ** 31 ? 20 : undefined,
    ),
    readLimitFault('zero-means-one', 'MR-CAT-14', (limit) => (limit === '0' ? 1 : undefined)),
    refusedLimitFault('zero-refused', 'MR-CAT-14', (limit) => limit === 0),
    readLimitFault('negative-means-maximum', 'MR-CAT-15', (limit) => (Number(limit) < 0 ? 100 : undefined)),
    refusedLimitFault('far-below-zero-refused', 'MR-CAT-15', (limit) => limit < -1),
    fault('reported-as-asked', 'MR-CAT-16 also MR-CAT-13 MR-CAT-14 MR-CAT-15 MR-CAT-29', limitAsAsked, { status: 200 }),
  ]),
];
