import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Answer } from '../../contract/answer.ts';
import { findMembers, readMember } from '../../contract/evidence.ts';
import { excerpt, type Finding, observed } from '../../contract/finding.ts';
import { onKeptConnection } from '../../contract/requests.ts';
import { rule } from '../../contract/rule.ts';
import { scenario } from '../../contract/scenario.ts';
import { usualCauses } from '../../contract/usual-causes.ts';
import type { Values } from '../../contract/values.ts';
import { state } from '../../requires.ts';
import * as expect from '../expect.ts';
import { repeatedIds } from '../passive/identifiers.ts';
import { everyPage, readData } from './walks.ts';

const everywhere = { requiredOf: ['mock', 'sandbox', 'live'] } as const;
export const needsPages = ['catalog.list.answers-with-200', 'catalog.page.has-its-members'];

const usual = scenario({}, async ({ listModels }) => ({ list: await listModels() }));
const ofOne = scenario({}, async ({ listModels }) => ({ list: await listModels('?limit=1') }));

const pageRules = [
  rule('catalog.list.answers-with-200', usual, {
    ...everywhere,
    sentence: 'Listing the models answers 200.',
    requirements: ['MR-CAT-17'],
    check: ({ list }) => expect.on(list, expect.status(200)),
  }),
  rule('catalog.page.has-its-members', ofOne, {
    ...everywhere,
    // Repeats passive.body.catalog-page, because the rules on several pages mean nothing without these members.
    sentence: 'A page of the catalog holds data, has_more, limit and next_cursor, each of its type.',
    requirements: ['MR-CAT-19', 'MR-CAT-21', 'MR-CAT-26', 'MR-CAT-28'],
    needs: ['catalog.list.answers-with-200'],
    check: ({ list }) =>
      expect.on(
        list,
        expect.members({
          '/data': expect.array,
          '/has_more': { expected: 'a boolean', is: (value) => typeof value === 'boolean' },
          '/limit': { expected: 'an integer', is: Number.isInteger },
          // OP-046: null is another rule's.
          '/next_cursor': { expected: 'absent, null or a string', is: (value) => typeof (value ?? '') === 'string' },
        }),
      ),
  }),
];

type ListedEntry = { readonly pointer: string; readonly members: JsonObject };

function listEntries(page: Answer): readonly ListedEntry[] {
  return readData(page).flatMap((value, index) =>
    isJsonObject(value) ? [{ pointer: `/data/${index}`, members: value }] : [],
  );
}

function idFindings({ pointer, members }: ListedEntry, { step }: Answer): readonly Finding[] {
  const { provider, model } = members;
  // Members that are missing are findings of the page's schema.
  if (typeof provider !== 'string' || typeof model !== 'string') return [];
  const wanted = `${provider}/${model}`;
  return members['id'] === wanted ? [] : expect.wrongAt(step, `${pointer}/id`, wanted, expect.jsonText(members['id']));
}

const amountName = /price|cost|amount|usage|used|usd|eur|cents|credits|fee|total|count/i;
const amountText = /[$€£¥]\s*\d|\d\s*(?:usd|eur|gbp|cents?|credits?)\b/i;

/** Numbers in billing facts, which are words and booleans: prices and usage are numbers (MR-CAT-41, MR-CAT-42). */
export function amountFindings(step: string, entry: JsonValue | undefined, pointer: string): readonly Finding[] {
  const billing = isJsonObject(entry) ? entry['billing'] : undefined;
  const amounts = billing === undefined ? [] : findMembers({ billing }, isAmount);
  return amounts.flatMap((found) =>
    expect.wrongAt(step, pointer + found.pointer, 'no price or usage number', String(found.value)),
  );
}

function isAmount(name: string, value: JsonValue): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && /\d/.test(value) && (amountName.test(name) || amountText.test(value));
}

/** Entries of every page that is read: what is wrong with one entry shows on its own page only. */
const entry = { ...everywhere, needs: ['catalog.list.answers-with-200'] } as const;

const entryRules = [
  rule('catalog.entry.id-joins-provider-and-model', everyPage, {
    ...entry,
    sentence: 'The id of a listed model is its provider and its model name, joined by a slash.',
    usualCause: 'the id is the name at the provider, or a key of the database',
    requirements: ['MR-CAT-31', 'MR-CAT-32'],
    check: ({ pages }) => pages.flatMap((page) => listEntries(page).flatMap((one) => idFindings(one, page))),
  }),
  rule('catalog.entry.billing-names-no-amount', everyPage, {
    ...entry,
    sentence: 'The billing of a listed model never names a price.',
    usualCause: 'the entry is made from the price list, with its amounts',
    requirements: ['MR-CAT-41', 'MR-CAT-42'],
    check: ({ pages }) =>
      pages.flatMap((page) =>
        listEntries(page).flatMap(({ members, pointer }) => amountFindings(page.step, members, pointer)),
      ),
  }),
  rule('catalog.entry.policy-charge-words', everyPage, {
    ...entry,
    sentence: 'A listed model says in charges_on_policy_rejection whether a policy rejection is charged.',
    requirements: ['MR-CAT-44'],
    check: ({ pages }) => {
      const seen = pages.flatMap(listEntries).map(({ members }) => {
        const { billing } = members;
        const word = isJsonObject(billing) && billing['charges_on_policy_rejection'];
        return typeof word === 'string' ? word : 'absent';
      });
      // The set is open: a word beyond the three defined ones is read as "unknown".
      return observed(excerpt(`words seen: ${[...new Set(seen)].sort().join(', ') || 'none'}`));
    },
  }),
];

export function expectEntriesAtMost(limit: number): expect.Expectation {
  return (page) => {
    const { length } = readData(page);
    return length <= limit ? [] : expect.wrongAt(page.step, '/data', `at most ${limit} entries`, `${length} entries`);
  };
}

const expectOwnLimit: expect.Expectation = (page, context) => {
  const limit = readMember(page, '/limit');
  return page.status === 200 && typeof limit === 'number' ? expectEntriesAtMost(limit)(page, context) : [];
};

export const expectLimit = (size: number): expect.Expectation => expect.status(200, expect.member('/limit', size));

/** A limit above the maximum is refused or reduced: more than 100 cannot be applied (MR-CAT-29). */
const expectNoLargerLimit = expect.where(
  (page) => page.status === 200 && Number(readMember(page, '/limit')) > 100,
  expect.member('/limit', 100),
);

/** One page for each of these limits; an empty one is left out of the call. */
const limited = (...limits: readonly string[]) =>
  scenario({}, async ({ listModels }) => {
    const pages: Answer[] = [];
    for (const limit of limits) pages.push(await listModels(limit === '' ? '' : `?limit=${limit}`));
    return { pages };
  });

const onKept = scenario({}, async ({ listModels }) => ({
  first: await listModels('?limit=1', onKeptConnection),
  second: await listModels('?limit=1', onKeptConnection),
  third: await listModels('?limit=1', onKeptConnection),
}));

const oddQuery = (makeQuery: (values: Values) => string) =>
  scenario({}, async ({ listModels, values }) => ({ odd: await listModels(makeQuery(values)) }));

// A mock repeats one example whatever the limit.
const shared = {
  needs: needsPages,
  requires: [state],
  requiredOf: ['sandbox', 'live'],
  usualCause: usualCauses.limits,
} as const;

const limitRules = [
  rule('catalog.connection.each-request-has-its-own-id', onKept, {
    ...shared,
    concern: 'form',
    sentence: 'Requests over one kept connection have different request ids.',
    requirements: ['MR-HDR-03'],
    needs: ['catalog.list.answers-with-200'],
    check: ({ first, second, third }, context) => repeatedIds([first, second, third], context),
  }),
  rule('catalog.limit.absent-selects-twenty', limited(''), {
    ...shared,
    sentence: 'Without a limit a page holds up to 20 models and reports the limit 20.',
    requirements: ['MR-CAT-12'],
    check: ({ pages }) => expect.on(pages, expectLimit(20)),
  }),
  // The last one does not fit 32 bits.
  rule('catalog.limit.above-hundred-is-clamped', limited('101', '1000', '100000', '5000000000'), {
    ...shared,
    sentence: 'A limit above 100 is lowered to 100.',
    requirements: ['MR-CAT-13'],
    check: ({ pages }) => expect.on(pages, expectLimit(100)),
  }),
  rule('catalog.limit.zero-selects-twenty', limited('0'), {
    ...shared,
    sentence: 'A limit of 0 selects 20.',
    requirements: ['MR-CAT-14'],
    check: ({ pages }) => expect.on(pages, expectLimit(20)),
  }),
  rule('catalog.limit.negative-selects-twenty', limited('-1', '-100'), {
    ...shared,
    sentence: 'A negative limit selects 20.',
    requirements: ['MR-CAT-15'],
    check: ({ pages }) => expect.on(pages, expectLimit(20)),
  }),
  rule('catalog.limit.applied-size-is-reported', limited('1', '7', '100', '101'), {
    ...shared,
    sentence: 'A page reports the limit that was applied.',
    requirements: ['MR-CAT-16', 'MR-CAT-29'],
    check: ({ pages: [one, seven, hundred, more] }) => [
      ...expect.on(one, expectLimit(1)),
      ...expect.on(seven, expectLimit(7)),
      ...expect.on(hundred, expectLimit(100)),
      ...expect.on(more, expectNoLargerLimit),
    ],
  }),
  rule('catalog.page.holds-no-more-than-its-limit', limited('', '1', '3'), {
    ...everywhere,
    needs: needsPages,
    usualCause: usualCauses.limits,
    sentence: 'A page holds no more models than its limit.',
    requirements: ['MR-CAT-20'],
    check: ({ pages }) => expect.on(pages, expectOwnLimit),
  }),
  rule(
    'catalog.limit.text',
    oddQuery(({ text }) => `?limit=${text('many')}`),
    {
      ...shared,
      sentence: 'The response to a limit that is not a number is noted.',
      observes: true,
      requirements: ['MR-CAT-12'],
      check: ({ odd }) => expect.leftOpen(odd, `limit=many is answered with ${odd.status} (OP-030)`),
    },
  ),
  rule(
    'catalog.query.unknown-parameter',
    oddQuery(({ text }) => `?limit=1&${text('no_such_parameter')}=1`),
    {
      ...shared,
      sentence: 'The response to a listing with an unknown query parameter is recorded.',
      observes: true,
      requirements: ['MR-CAT-17'],
      check: ({ odd }) => expect.leftOpen(odd, `an unknown parameter is answered with ${odd.status} (OP-029)`),
    },
  ),
];

export const catalogPageRules = [...pageRules, ...entryRules, ...limitRules];
