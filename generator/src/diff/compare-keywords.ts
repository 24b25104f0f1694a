import {
  asObject,
  canonicalText,
  checkedFormats,
  isLimit,
  type JsonValue,
  limitKeywords,
  resolvePointer,
} from '../../../specs/src/index.ts';
import type { ChangeFacts, ChangeRuleId } from './change.ts';
import { childPointer, type Located, rawSchema } from './documents.ts';
import { describeClauses, describeTextChange, describeTurn, quote, quoteJson, readOnlyRequired } from './words.ts';

/** The known effect of a change, which narrows the evidence of its place. */
export type KnownEffect = {
  /** False if the change is known to lose no value. */
  readonly isNarrower?: boolean;
  /** False if the change certainly adds no value. */
  readonly isWider?: boolean;
  /** True for bounds that only differ in digits that a double rounds, which subsumption can't detect. */
  readonly isRounded?: boolean;
};
export type Report = (rule: ChangeRuleId, facts: ChangeFacts, effect?: KnownEffect) => void;

/** A keyword of a schema; `value` has all digits of large integers. */
type Stated = { readonly word: string; readonly value: JsonValue; readonly pointer: string };
/** Describes the change of keywords, from their joined values or from each of them. */
type Describe = (
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  lost: readonly Stated[],
  added: readonly Stated[],
) => string;

const as =
  (noun: string): Describe =>
  (before, after) =>
    describeTurn(noun, before, after);

/** Keywords that reject no value. */
const annotations: readonly (readonly [words: readonly string[], rule: ChangeRuleId, describe: Describe])[] = [
  // A default may be a string that looks like another value.
  [['default'], 'default-changed', (before, after) => describeTurn('default', before, after, quoteJson)],
  [['description'], 'description-changed', describeTextChange],
  [['title'], 'description-changed', as('title')],
  [['examples', 'example'], 'examples-changed', () => 'example changed'],
  [
    ['deprecated'],
    'deprecation-changed',
    (_, after) => (after ? 'deprecated now (still works)' : 'no longer deprecated'),
  ],
  [['format'], 'format-changed', describeFormat],
];
/** Keywords that reject values. An exclusive bound is compared with the inclusive one. */
const constraints: readonly (readonly [words: readonly string[], describe: Describe])[] = [
  [['minimum', 'exclusiveMinimum'], as('minimum')],
  [['maximum', 'exclusiveMaximum'], as('maximum')],
  [['minLength'], as('minimum length')],
  [['maxLength'], as('maximum length')],
  [['minItems'], as('minimum number of items')],
  [['maxItems'], as('maximum number of items')],
  [['minProperties'], as('minimum number of properties')],
  [['maxProperties'], as('maximum number of properties')],
  [['multipleOf'], as('step size')],
  [['pattern'], as('pattern')],
  [['uniqueItems'], (_, after) => (after === true ? 'items must differ now' : 'items may be the same now')],
  [['not'], describeNot],
  [['dependentRequired'], describeDependents],
  [['if', 'then', 'else'], describeCondition],
  ...[
    ...['minContains', 'maxContains', 'contains', 'propertyNames'],
    ...['dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ].map((word): [string[], Describe] => [[word], as(`constraint \`${word}\``)]),
];
const comparedWords = [...annotations, ...constraints].flatMap(([words]) => words);

function describeFormat(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const note = isCheckedFormat(before, after) ? 'not checked by default' : 'never checked';
  return `${describeTurn('format', before, after)} (${note})`;
}

function describeNot(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before !== undefined && after !== undefined) return describeTurn('constraint `not`', before, after);
  const schema = before ?? after ?? true;
  const turn = before === undefined ? 'no longer allowed' : 'allowed now';
  const names = readOnlyRequired(schema)?.map((name) => quote(name));
  if (names === undefined) return `${turn}: ${describeClauses(schema, 'given')}`;
  return `${names.join(' and ')}${names.length > 1 ? ' together' : ''} ${names.length > 1 ? 'are' : 'is'} ${turn}`;
}

function describeDependents(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const list = (one: JsonValue | undefined, other: JsonValue | undefined, verb: string): string[] =>
    Object.entries(asObject(one)).flatMap(([name, needed]) => {
      const known = [asObject(other)[name] ?? []].flat();
      const names = [needed].flat().flatMap((one) => (known.includes(one) ? [] : [quote(String(one))]));
      return names.length === 0 ? [] : [`${quote(name)} ${verb} ${names.join(' and ')}`];
    });
  return [...list(after, before, 'now needs'), ...list(before, after, 'no longer needs')].join('; ');
}

function describeCondition(...[, , lost, added]: Parameters<Describe>): string {
  const describe = (stated: readonly Stated[]): string => {
    const parts = ['if', 'then', 'else'].flatMap((word) =>
      stated.flatMap(({ word: own, value }) =>
        own === word ? [`${word} ${describeClauses(value, word === 'if' ? 'given' : 'required')}`] : [],
      ),
    );
    // The same schema may apply to a value twice.
    return [...new Set(parts)].join(', ');
  };
  if (lost.length === 0) return `new condition: ${describe(added)}`;
  if (added.length === 0) return `condition removed: ${describe(lost)}`;
  return `condition changed from "${describe(lost)}" to "${describe(added)}"`;
}

/**
 * Compares keywords of schemas that apply to the same values. Types, listed values, members, items and alternatives are
 * compared as shapes instead.
 */
export function compareKeywords(old: readonly Located[], now: readonly Located[], report: Report): void {
  const [before, after] = [readStated(old, comparedWords), readStated(now, comparedWords)];
  const print = ({ word, value }: Stated): string => `${word} ${canonicalText(value)}`;
  const without = (some: readonly Stated[], others: readonly Stated[]): Stated[] => {
    const texts = new Set(others.map(print));
    return some.filter((one) => !texts.has(print(one)));
  };
  const [allLost, allAdded] = [without(before, after), without(after, before)];
  const compare = (words: readonly string[], describe: Describe, rule: ChangeRuleId | undefined): void => {
    const [lost = [], added = []] = [allLost, allAdded].map((all) => all.filter(({ word }) => words.includes(word)));
    const pointer = (added[0] ?? lost[0])?.pointer;
    if (pointer === undefined) return;
    const [was, is] = [joinValues(lost), joinValues(added)];
    const facts = { pointer, before: was, after: is, message: describe(was, is, lost, added) };
    const round = ({ value }: Stated): number => Number(JSON.stringify(value));
    // Two large integers may be the same double.
    const isRounded = added.some((one) => lost.some((old) => one.word === old.word && round(one) === round(old)));
    if (rule === undefined)
      report(`constraint-${lost.length === 0 ? 'added' : added.length === 0 ? 'removed' : 'changed'}`, facts, {
        isRounded,
      });
    else report(rule === 'format-changed' && !isCheckedFormat(was, is) ? 'format-noted' : rule, facts);
  };
  for (const [words, rule, describe] of annotations) compare(words, describe, rule);
  for (const [words, describe] of constraints) compare(words, describe, undefined);
}

function isCheckedFormat(...values: readonly (JsonValue | undefined)[]): boolean {
  return values.flat().some((value) => checkedFormats.some((name) => name === value));
}

/** Returns the given keywords of schemas. */
export function readStated(parts: readonly Located[], words: readonly string[]): Stated[] {
  return parts.flatMap((part) => {
    const { root, exact } = part.document;
    const raw = asObject(rawSchema(part));
    const rounded = root === exact ? raw : asObject(resolvePointer(root, part.pointer));
    return words.flatMap((word): Stated[] => {
      const value = raw[word];
      const isIgnored = limitKeywords.has(word) && !isLimit(word, rounded[word] ?? null);
      return value === undefined || isIgnored ? [] : [{ word, value, pointer: childPointer(part, word) }];
    });
  });
}

function joinValues(stated: readonly Stated[]): JsonValue | undefined {
  const values = stated.map(({ word, value }) =>
    word.startsWith('exclusive') ? `${JSON.stringify(value)} (exclusive)` : value,
  );
  // A reference and its target may have the same keyword.
  const distinct = [...new Map(values.map((value) => [canonicalText(value), value])).values()];
  return distinct.length > 1 ? distinct : distinct[0];
}
