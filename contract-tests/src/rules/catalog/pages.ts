import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { findMembers } from '../../contract/evidence.ts';
import type { Finding } from '../../contract/finding.ts';
import { onKeptConnection } from '../../contract/requests.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type ResponsesOf, scenario } from '../../contract/scenario.ts';
import { state } from '../../requires.ts';
import { inTurn } from '../calls.ts';
import * as expect from '../expect.ts';
import { everyPage, expectLimit, needsPages, readData } from './cursors.ts';

const pageRule = ruleIn('catalog', { requiredOf: ['mock', 'sandbox', 'live'] });

const listings = scenario({}, async ({ listModels }) => ({
  list: await listModels(),
  // The rule that request ids are unique also reads responses on one connection.
  again: await inTurn([1, 2], () => listModels('?limit=1', onKeptConnection)),
}));

type ListedEntry = { readonly step: string; readonly pointer: string; readonly members: JsonObject };

function listEntries(page: Answer): readonly ListedEntry[] {
  return readData(page).flatMap((value, index) =>
    isJsonObject(value) ? [{ step: page.step, pointer: `/data/${index}`, members: value }] : [],
  );
}

/** Returns findings for prices and usage numbers in `billing`, which must not have any (MR-CAT-41, MR-CAT-42). */
export function amountFindings(step: string, entry: JsonValue | undefined, pointer: string): readonly Finding[] {
  const billing = isJsonObject(entry) ? entry['billing'] : undefined;
  const amountName = /price|cost|amount|usage|used|usd|eur|cents|credits|fee|total|count/i;
  const amountText = /[$€£¥]\s*\d|\d\s*(?:usd|eur|gbp|cents?|credits?)\b/i;
  const isAmount = (member: string, value: JsonValue): boolean =>
    typeof value === 'number' ||
    (typeof value === 'string' && /\d/.test(value) && (amountName.test(member) || amountText.test(value)));
  const amounts = billing === undefined ? [] : findMembers({ billing }, isAmount);
  return amounts.flatMap((found) =>
    expect.wrongAt(step, pointer + found.pointer, 'no price or usage number', String(found.value)),
  );
}

const entryRule = ruleIn('catalog', {
  requiredOf: ['mock', 'sandbox', 'live'],
  needs: ['catalog.list.answers-with-200'],
});

/** Pages with different limits; without state, a mock returns the same example for each. */
const limitQueries = scenario({}, async ({ listModels }) => ({
  withoutLimit: await listModels(),
  zero: await listModels('?limit=0'),
  minusOne: await listModels('?limit=-1'),
  minusHundred: await listModels('?limit=-100'),
  one: await listModels('?limit=1'),
  seven: await listModels('?limit=7'),
  hundred: await listModels('?limit=100'),
  hundredAndOne: await listModels('?limit=101'),
  thousand: await listModels('?limit=1000'),
  hundredThousand: await listModels('?limit=100000'),
  beyond32Bits: await listModels('?limit=5000000000'),
}));

const limitRule = ruleIn('catalog', {
  needs: needsPages,
  requires: [state],
  requiredOf: ['sandbox', 'live'],
  usualCause: usualCauses.limits,
});

const appliedRule = (
  id: string,
  sentence: string,
  requirement: string,
  limit: number,
  ...calls: readonly (keyof ResponsesOf<typeof limitQueries>)[]
) =>
  limitRule(`catalog.limit.${id}`, limitQueries, {
    sentence,
    requirements: [requirement],
    check: (pages) => calls.flatMap((call) => expect.on(pages[call], expectLimit(limit))),
  });

const tooLarge = ['hundredAndOne', 'thousand', 'hundredThousand', 'beyond32Bits'] as const;

export const catalogPageRules = [
  pageRule('catalog.list.answers-with-200', listings, {
    sentence: 'Listing the models returns 200.',
    requirements: ['MR-CAT-17'],
    check: ({ list }) => expect.on(list, expect.status(200)),
  }),
  entryRule('catalog.entry.id-joins-provider-and-model', everyPage, {
    usualCause: "the id is the provider's name for the model, or a database key",
    sentence: 'The id of a listed model is its provider and its model name, separated by a slash.',
    requirements: ['MR-CAT-31', 'MR-CAT-32'],
    check: ({ pages }) =>
      pages.flatMap(listEntries).flatMap(({ step, pointer, members: { id, provider, model } }) => {
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
    check: ({ pages }) =>
      pages.flatMap(listEntries).flatMap(({ step, members, pointer }) => amountFindings(step, members, pointer)),
  }),
  appliedRule('absent-selects-twenty', 'The default limit is 20.', 'MR-CAT-12', 20, 'withoutLimit'),
  appliedRule('above-hundred-is-clamped', 'A limit above 100 is lowered to 100.', 'MR-CAT-13', 100, ...tooLarge),
  appliedRule('zero-selects-twenty', 'A limit of 0 selects the default.', 'MR-CAT-14', 20, 'zero'),
  appliedRule(
    'negative-selects-twenty',
    'A negative limit selects the default.',
    'MR-CAT-15',
    20,
    'minusOne',
    'minusHundred',
  ),
  limitRule('catalog.limit.applied-size-is-reported', limitQueries, {
    sentence: 'A page reports the limit that was applied.',
    requirements: ['MR-CAT-16', 'MR-CAT-29'],
    check: ({ one, seven, hundred, hundredAndOne }) => [
      ...expect.on(one, expectLimit(1)),
      ...expect.on(seven, expectLimit(7)),
      ...expect.on(hundred, expectLimit(100)),
      // Another rule reports a limit that is rejected.
      ...expect.on(
        hundredAndOne,
        expect.where(({ status }) => status === 200, expectLimit(100)),
      ),
    ],
  }),
];
