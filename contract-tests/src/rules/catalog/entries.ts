import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import { excerpt, finding, type Matcher } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { object, text, textUpTo } from '../vocabulary/matchers.ts';
import { list } from '../vocabulary/router-steps.ts';

const needs = ['catalog.list.answers-with-200'];
const aPage = () => ({ steps: [list('list', '?limit=100')] });

type Entry = { pointer: string; members: JsonObject };

/** Only what is an object; that `data` is an array of objects is another rule's matter. */
function entriesOf(page: Answer): readonly Entry[] {
  const data = memberOf(page, '/data');
  const members = Array.isArray(data) ? data : [];
  return members.flatMap((value, index) =>
    isJsonObject(value) ? [{ pointer: `/data/${index}`, members: value }] : [],
  );
}

type MemberMatcher = Matcher<JsonValue | undefined>;

/** The page is parsed once for all its entries; a catalog may list hundreds. */
function judgeMember(page: Answer, entry: Entry, path: string, matcher: MemberMatcher): readonly Draft[] {
  const value = resolvePointer(entry.members, path);
  if (matcher.is(value)) return [];
  const actual = value === undefined ? 'absent' : excerpt(JSON.stringify(value));
  return [wrong(page, entry.pointer + path, { expected: matcher.expected, actual })];
}

function wrong(page: Answer, pointer: string, said: { expected: string; actual: string }): Draft {
  return finding('value-unexpected', { step: page.step, pointer }, said);
}

/** C-04: lower case for certain; dots, hyphens and underscores inside are tolerated as in live ids. */
const slug = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;

function slugFindings(page: Answer, entry: Entry, member: { name: string; atMost: number }): readonly Draft[] {
  const value = entry.members[member.name];
  const pointer = `${entry.pointer}/${member.name}`;
  if (typeof value !== 'string') return []; // catalog.entry.has-its-members says it
  const expected = `a lowercase slug of at most ${member.atMost} characters`;
  return slug.test(value) && value.length <= member.atMost ? [] : [wrong(page, pointer, { expected, actual: value })];
}

const amountName = /price|cost|amount|usage|used|usd|eur|cents|credits|fee|total|count/i;
const amountText = /[$€£¥]\s*\d|\d\s*(?:usd|eur|gbp|cents?|credits?)\b/i;

function isAmount(name: string, value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && /\d/.test(value) && (amountName.test(name) || amountText.test(value));
}

/** Billing facts are words and truths; numbers are what prices and usage consist of (MR-CAT-41, MR-CAT-42). */
export function amountsIn(value: JsonValue | undefined, pointer: string): readonly string[] {
  if (isAmount(pointer.split('/').at(-1) ?? '', value)) return [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => amountsIn(inner, `${pointer}/${name}`));
}

export const catalogEntryRules: readonly Rule[] = [
  defineRule({
    id: 'catalog.entry.has-its-members',
    family: 'catalog',
    requirements: ['MR-CAT-30', 'MR-CAT-34', 'MR-CAT-37', 'MR-CAT-40', 'MR-CAT-43'],
    needs,
    api: 'router',
    probe: aPage,
    judge: (evidence) => {
      const page = responseOf(evidence, 'list');
      return entriesOf(page).flatMap((entry) => [
        ...judgeMember(page, entry, '/id', text),
        ...judgeMember(page, entry, '/provider', text),
        ...judgeMember(page, entry, '/model', text),
        ...judgeMember(page, entry, '/billing', object),
        ...judgeMember(page, entry, '/billing/charges_on_policy_rejection', text),
      ]);
    },
  }),
  defineRule({
    id: 'catalog.entry.id-joins-provider-and-model',
    family: 'catalog',
    requirements: ['MR-CAT-31', 'MR-CAT-32'],
    needs,
    api: 'router',
    probe: aPage,
    judge: (evidence) => {
      const page = responseOf(evidence, 'list');
      return entriesOf(page).flatMap((entry) => {
        const wanted = `${String(entry.members['provider'])}/${String(entry.members['model'])}`;
        return [
          ...judgeMember(page, entry, '/id', textUpTo(193)),
          ...judgeMember(page, entry, '/id', { expected: wanted, is: (id) => id === wanted }),
        ];
      });
    },
  }),
  defineRule({
    id: 'catalog.entry.segments-are-slugs',
    family: 'catalog',
    requirements: ['MR-CAT-35', 'MR-CAT-36', 'MR-CAT-38', 'MR-CAT-39'],
    needs,
    api: 'router',
    probe: aPage,
    judge: (evidence) => {
      const page = responseOf(evidence, 'list');
      return entriesOf(page).flatMap((entry) => [
        ...slugFindings(page, entry, { name: 'provider', atMost: 64 }),
        ...slugFindings(page, entry, { name: 'model', atMost: 128 }),
      ]);
    },
  }),
  defineRule({
    id: 'catalog.entry.billing-names-no-amount',
    family: 'catalog',
    requirements: ['MR-CAT-41', 'MR-CAT-42'],
    needs,
    api: 'router',
    probe: aPage,
    judge: (evidence) => {
      const page = responseOf(evidence, 'list');
      return entriesOf(page).flatMap(({ pointer, members }) =>
        amountsIn(members['billing'], '/billing').map((path) => {
          const actual = String(resolvePointer(members, path));
          return wrong(page, pointer + path, { expected: 'no price or usage number', actual });
        }),
      );
    },
  }),
  defineRule({
    id: 'catalog.entry.policy-charge-words',
    family: 'catalog',
    requirements: ['MR-CAT-44'],
    needs,
    api: 'router',
    probe: aPage,
    judge: (evidence) => {
      const seen = entriesOf(responseOf(evidence, 'list')).map(({ members }) => {
        const billing = members['billing'];
        return isJsonObject(billing) ? String(billing['charges_on_policy_rejection']) : 'absent';
      });
      // The set is open: a word beyond the defined three is read as "unknown" and is no fault.
      return { kind: 'observed', observation: `words seen: ${[...new Set(seen)].sort().join(', ') || 'none'}` };
    },
  }),
];
