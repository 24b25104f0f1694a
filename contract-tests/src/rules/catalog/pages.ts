import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { allResponses, findMembers, readMember, readResponse, type StepResponse } from '../../contract/evidence.ts';
import { excerpt, type Finding, observed } from '../../contract/finding.ts';
import { defineFamily, type Family, type Shown } from '../../contract/rule.ts';
import { state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';
import { haveOwnIds } from '../passive/identifiers.ts';
import { everyPage, pageNames, readData } from './walks.ts';

const catalog: Family = { requiredOf: ['mock', 'sandbox', 'live'] };
export const needsPages = ['catalog.list.answers-with-200', 'catalog.page.has-its-members'];

const pageRules = defineFamily(catalog)({
  'catalog.list.answers-with-200': {
    sentence: 'Listing the models answers 200.',
    requirements: ['MR-CAT-17'],
    ...expect.answers([send.list('list')], expect.status(200)),
  },
  'catalog.page.has-its-members': {
    // Repeats passive.body.catalog-page, because the rules on several pages mean nothing without these members.
    sentence: 'A page of the catalog holds data, has_more, limit and next_cursor, each of its type.',
    requirements: ['MR-CAT-19', 'MR-CAT-21', 'MR-CAT-26', 'MR-CAT-28'],
    needs: ['catalog.list.answers-with-200'],
    ...expect.answers(
      [send.list('list', '?limit=1')],
      expect.members({
        '/data': expect.array,
        '/has_more': { expected: 'a boolean', is: (value) => typeof value === 'boolean' },
        '/limit': { expected: 'an integer', is: Number.isInteger },
        // OP-046: null is another rule's.
        '/next_cursor': { expected: 'absent, null or a string', is: (value) => typeof (value ?? '') === 'string' },
      }),
    ),
  },
});

type ListedEntry = { readonly pointer: string; readonly members: JsonObject };

function listEntries(page: StepResponse): readonly ListedEntry[] {
  return readData(page).flatMap((value, index) =>
    isJsonObject(value) ? [{ pointer: `/data/${index}`, members: value }] : [],
  );
}

const onEachEntry = (check: (entry: ListedEntry, page: StepResponse) => readonly Finding[]): expect.FindingsCheck =>
  expect.ifSent(pageNames, (page) => listEntries(page).flatMap((entry) => check(entry, page)));

function idFindings({ pointer, members }: ListedEntry, { step }: StepResponse): readonly Finding[] {
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
const entry: Family = { ...catalog, needs: ['catalog.list.answers-with-200'], probe: everyPage };

const entryRules = defineFamily(entry)({
  'catalog.entry.id-joins-provider-and-model': {
    sentence: 'The id of a listed model is its provider and its model name, joined by a slash.',
    requirements: ['MR-CAT-31', 'MR-CAT-32'],
    check: onEachEntry(idFindings),
  },
  'catalog.entry.billing-names-no-amount': {
    sentence: 'The billing of a listed model never names a price.',
    requirements: ['MR-CAT-41', 'MR-CAT-42'],
    check: onEachEntry(({ members, pointer }, { step }) => amountFindings(step, members, pointer)),
  },
  'catalog.entry.policy-charge-words': {
    sentence: 'A listed model says in charges_on_policy_rejection whether a policy rejection is charged.',
    requirements: ['MR-CAT-44'],
    check: (evidence) => {
      const seen = allResponses(evidence)
        .flatMap(listEntries)
        .map(({ members }) => {
          const { billing } = members;
          const word = isJsonObject(billing) && billing['charges_on_policy_rejection'];
          return typeof word === 'string' ? word : 'absent';
        });
      // The set is open: a word beyond the three defined ones is read as "unknown".
      return observed(excerpt(`words seen: ${[...new Set(seen)].sort().join(', ') || 'none'}`));
    },
  },
});

export function expectEntriesAtMost(limit: number): expect.Expectation {
  return (page) => {
    const { length } = readData(page);
    return length <= limit ? [] : expect.wrongAt(page.step, '/data', `at most ${limit} entries`, `${length} entries`);
  };
}

const expectOwnLimit: expect.Expectation = (page, context, evidence) => {
  const limit = readMember(page, '/limit');
  return page.status === 200 && typeof limit === 'number' ? expectEntriesAtMost(limit)(page, context, evidence) : [];
};

export const expectLimit = (size: number): expect.Expectation => expect.status(200, expect.member('/limit', size));

/** A limit above the maximum is refused or reduced: more than 100 cannot be applied (MR-CAT-29). */
const expectNoLargerLimit = expect.where(
  (page) => page.status === 200 && Number(readMember(page, '/limit')) > 100,
  expect.member('/limit', 100),
);

function limited(size: number, ...asked: readonly string[]): Shown {
  const probe = asked.map((limit) => send.list(`limit ${limit}`, limit === '' ? '' : `?limit=${limit}`));
  return expect.answers(probe, expectLimit(size));
}

function noted(name: string, query: string, word: (status: number) => string): Shown {
  return {
    probe: [send.list(name, query)],
    check: expect.leftOpen(name, (evidence) => word(readResponse(evidence, name).status)),
  };
}

// A mock repeats one example whatever the limit.
const limitRules = defineFamily({ ...catalog, needs: needsPages, requires: [state], requiredOf: ['sandbox', 'live'] })({
  'catalog.connection.each-request-has-its-own-id': {
    sentence: 'Requests over one kept connection have different request ids.',
    requirements: ['MR-HDR-03'],
    needs: ['catalog.list.answers-with-200'],
    probe: ['first', 'second', 'third'].map((name) => send.list(name, '?limit=1', send.onKeptConnection)),
    check: haveOwnIds,
  },
  'catalog.limit.absent-selects-twenty': {
    sentence: 'Without a limit a page holds up to 20 models and reports the limit 20.',
    requirements: ['MR-CAT-12'],
    ...limited(20, ''),
  },
  'catalog.limit.above-hundred-is-clamped': {
    sentence: 'A limit above 100 is lowered to 100.',
    requirements: ['MR-CAT-13'],
    // The last one does not fit 32 bits.
    ...limited(100, '101', '1000', '100000', '5000000000'),
  },
  'catalog.limit.zero-selects-twenty': {
    sentence: 'A limit of 0 selects 20.',
    requirements: ['MR-CAT-14'],
    ...limited(20, '0'),
  },
  'catalog.limit.negative-selects-twenty': {
    sentence: 'A negative limit selects 20.',
    requirements: ['MR-CAT-15'],
    ...limited(20, '-1', '-100'),
  },
  'catalog.limit.applied-size-is-reported': {
    sentence: 'A page reports the limit that was applied.',
    requirements: ['MR-CAT-16', 'MR-CAT-29'],
    probe: ['1', '7', '100', '101'].map((limit) => send.list(limit, `?limit=${limit}`)),
    check: (evidence, context) => [
      ...[1, 7, 100].flatMap((size) => expect.on(String(size), expectLimit(size))(evidence, context)),
      ...expect.on('101', expectNoLargerLimit)(evidence, context),
    ],
  },
  'catalog.page.holds-no-more-than-its-limit': {
    sentence: 'A page holds no more models than its limit.',
    requirements: ['MR-CAT-20'],
    requiredOf: ['mock', 'sandbox', 'live'],
    requires: [],
    ...expect.answers(
      [send.list('default'), send.list('one', '?limit=1'), send.list('three', '?limit=3')],
      expectOwnLimit,
    ),
  },
  'catalog.limit.text': {
    sentence: 'What a limit that is no number does is noted.',
    observes: true,
    requirements: ['MR-CAT-12'],
    ...noted('text', '?limit=many', (status) => `limit=many is answered with ${status} (OP-030)`),
  },
  'catalog.query.unknown-parameter': {
    sentence: 'What an unknown query parameter does to a listing is noted.',
    observes: true,
    requirements: ['MR-CAT-17'],
    ...noted(
      'unknown',
      '?limit=1&no_such_parameter=1',
      (status) => `an unknown parameter is answered with ${status} (OP-029)`,
    ),
  },
});

export const catalogPageRules = [...pageRules, ...entryRules, ...limitRules];
