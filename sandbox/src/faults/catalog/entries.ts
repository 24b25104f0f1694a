import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { rewriteJson, type Where } from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';

const listed: Where = { on: ['listModels'], status: 200 };

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

export const catalogEntryFaults: readonly Fault[] = [
  {
    id: 'catalog.entry.id-without-provider',
    requirements: ['MR-CAT-31'],
    description: 'Listed ids hold the model alone, without its provider and slash.',
    decorate: changeEntries((entry) => ({ ...entry, id: entry['model'] ?? '' })),
    trips: ['MR-CAT-19'],
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
];
