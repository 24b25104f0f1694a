import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { findMembers, readMember } from '../../contract/evidence.ts';
import { excerpt, type Finding, observed } from '../../contract/finding.ts';
import { onKeptConnection } from '../../contract/requests.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type ResponsesOf, scenario } from '../../contract/scenario.ts';
import { state } from '../../requires.ts';
import * as expect from '../expect.ts';
import { repeatedIds } from '../passive/identifiers.ts';
import { everyPage, expectEntriesAtMost, expectLimit, needsPages, readData } from './cursors.ts';

const pageRule = ruleIn('catalog', { requiredOf: ['mock', 'sandbox', 'live'] });

const listings = scenario({}, async ({ listModels }) => ({
  list: await listModels(),
  one: await listModels('?limit=1'),
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
  three: await listModels('?limit=3'),
  seven: await listModels('?limit=7'),
  hundred: await listModels('?limit=100'),
  hundredAndOne: await listModels('?limit=101'),
  thousand: await listModels('?limit=1000'),
  hundredThousand: await listModels('?limit=100000'),
  beyond32Bits: await listModels('?limit=5000000000'),
}));

const keptConnection = scenario({}, async ({ listModels }) => ({
  first: await listModels('?limit=1', onKeptConnection),
  second: await listModels('?limit=1', onKeptConnection),
  third: await listModels('?limit=1', onKeptConnection),
}));

const oddQueries = scenario({}, async ({ listModels, values }) => ({
  textLimit: await listModels(`?limit=${values.text('many')}`),
  unknownParameter: await listModels(`?limit=1&${values.text('no_such_parameter')}=1`),
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
  pageRule('catalog.page.has-its-members', listings, {
    // Repeats passive.body.catalog-page, because the rules about several pages depend on these members.
    sentence: 'A page of the catalog has data, has_more, limit and next_cursor with the documented types.',
    requirements: ['MR-CAT-19', 'MR-CAT-21', 'MR-CAT-26', 'MR-CAT-28'],
    needs: ['catalog.list.answers-with-200'],
    check: ({ one }) =>
      expect.on(
        one,
        expect.members({
          '/data': expect.array,
          '/has_more': { expected: 'a boolean', is: (value) => typeof value === 'boolean' },
          '/limit': { expected: 'an integer', is: Number.isInteger },
          // OP-046: another rule checks null.
          '/next_cursor': { expected: 'absent, null or a string', is: (value) => typeof (value ?? '') === 'string' },
        }),
      ),
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
  entryRule('catalog.entry.policy-charge-words', everyPage, {
    sentence: 'The values of charges_on_policy_rejection are recorded, not judged.',
    requirements: ['MR-CAT-44'],
    check: ({ pages }) => {
      const seen = pages.flatMap(listEntries).map(({ members }) => {
        const { billing } = members;
        const word = isJsonObject(billing) && billing['charges_on_policy_rejection'];
        return typeof word === 'string' ? word : 'absent';
      });
      // The set is open: clients treat any value other than the three defined ones as "unknown".
      return observed(excerpt(`values seen: ${[...new Set(seen)].sort().join(', ') || 'none'}`));
    },
  }),
  limitRule('catalog.connection.each-request-has-its-own-id', keptConnection, {
    concern: 'form',
    sentence: 'Requests on one keep-alive connection have different request ids.',
    requirements: ['MR-HDR-03'],
    needs: ['catalog.list.answers-with-200'],
    check: ({ first, second, third }, context) => repeatedIds([first, second, third], context),
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
      // A limit above the maximum may be rejected or reduced, but never applied (MR-CAT-29).
      ...expect.on(
        hundredAndOne,
        expect.where(
          ({ status }) => status === 200,
          expect.member('/limit', { expected: 'at most 100', is: (limit) => !(Number(limit) > 100) }),
        ),
      ),
    ],
  }),
  limitRule('catalog.page.shorter-than-the-catalog-says-so', limitQueries, {
    sentence: 'Every page before the last one has has_more: true.',
    requirements: ['MR-CAT-22'],
    usualCause: usualCauses.paging,
    check: ({ hundred, one, withoutLimit }) => {
      const isShorter = (page: Answer) => page.status === 200 && readData(page).length < readData(hundred).length;
      return expect.on([one, withoutLimit].filter(isShorter), expect.member('/has_more', true));
    },
  }),
  limitRule('catalog.page.holds-no-more-than-its-limit', limitQueries, {
    sentence: 'A page has no more models than its limit.',
    requirements: ['MR-CAT-20'],
    requires: [],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: ({ withoutLimit, one, three }) =>
      [withoutLimit, one, three].flatMap((page) => {
        const limit = readMember(page, '/limit');
        return page.status === 200 && typeof limit === 'number' ? expect.on(page, expectEntriesAtMost(limit)) : [];
      }),
  }),
  limitRule('catalog.limit.text', oddQueries, {
    sentence: 'The response to a limit that is not a number is recorded, not judged.',
    observes: true,
    requirements: ['MR-CAT-12'],
    check: ({ textLimit }) => expect.recordAnswer(textLimit, 'limit=many', 'OP-030'),
  }),
  limitRule('catalog.query.unknown-parameter', oddQueries, {
    sentence: 'The response to a listing with an unknown query parameter is recorded, not judged.',
    observes: true,
    requirements: ['MR-CAT-17'],
    check: ({ unknownParameter }) => expect.recordAnswer(unknownParameter, 'an unknown parameter', 'OP-029'),
  }),
];
