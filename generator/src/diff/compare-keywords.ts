import { asObject, canonicalText, checkedFormats, type JsonValue, limitKeywords } from '../../../specs/src/index.ts';
import type { ChangeFacts, ChangeRuleId, Evidence } from './change.ts';
import { childPointer, type LocatedSchema, rawSchema, type SchemaVersions } from './documents.ts';
import { describeTextChange, describeValueChange, quoteJson } from './words.ts';

/**
 * Reports a change, and returns false if it has no effect. `own`: whether this change removes or adds values. By default it may do
 * both.
 */
export type Report = (rule: ChangeRuleId, facts: ChangeFacts, own?: Partial<Evidence>) => boolean;

/** A keyword of a schema. In `value`, integers beyond 2^53 are `JSON.rawJSON`, which keeps all of their digits. */
type Keyword = { readonly word: string; readonly value: JsonValue; readonly pointer: string };
/** Describes how the value of a keyword changed. */
type DescribeChange = (before: JsonValue | undefined, after: JsonValue | undefined) => string;

/** Keywords that are compared as one. Annotations have a `rule`; the other keywords are constraints. */
type KeywordGroup = {
  readonly words: readonly string[];
  readonly describe: DescribeChange;
  readonly rule?: ChangeRuleId;
  /** Calls that the service rejects because of the constraint. */
  readonly refused?: string;
};
function describeAs(noun: string): DescribeChange {
  return (before, after) => describeValueChange(noun, before, after);
}
function annotation(word: string, rule: ChangeRuleId, describe: DescribeChange): KeywordGroup {
  return { words: [word], rule, describe };
}
function bound(limit: string, values: string, ...words: string[]): KeywordGroup {
  return { words, describe: describeAs(limit), refused: `calls with ${values}` };
}

const keywordGroups: readonly KeywordGroup[] = [
  annotation('description', 'description-changed', describeTextChange),
  annotation('title', 'description-changed', describeAs('title')),
  { words: ['examples', 'example'], rule: 'examples-changed', describe: () => 'example changed' },
  annotation('deprecated', 'deprecation-changed', (_, after) =>
    after ? 'deprecated now (still works)' : 'no longer deprecated',
  ),
  annotation('format', 'format-changed', describeAs('format')),
  bound('minimum', 'smaller numbers', 'minimum', 'exclusiveMinimum'),
  bound('maximum', 'larger numbers', 'maximum', 'exclusiveMaximum'),
  bound('minimum length', 'shorter texts', 'minLength'),
  bound('maximum length', 'longer texts', 'maxLength'),
  bound('minimum number of items', 'fewer items', 'minItems'),
  bound('maximum number of items', 'more items', 'maxItems'),
  bound('minimum number of properties', 'fewer properties', 'minProperties'),
  bound('maximum number of properties', 'more properties', 'maxProperties'),
  bound('step size', 'other numbers', 'multipleOf'),
  bound('pattern', 'other texts', 'pattern'),
  bound('unique items', 'equal items', 'uniqueItems'),
  // Quoted, because a default such as the string "null" looks like another value.
  annotation('default', 'default-changed', (before, after) => describeValueChange('default', before, after, quoteJson)),
  ...[
    ...['not', 'if', 'then', 'else', 'minContains', 'maxContains', 'contains', 'propertyNames'],
    ...['dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ].map((word) => ({
    words: [word],
    describe: describeAs(`constraint \`${word}\``),
    refused: 'calls that break this',
  })),
];
const comparedKeywords = keywordGroups.flatMap(({ words }) => words);

/**
 * Compares keywords of schemas that apply to the same values. Types, listed values, members, items and alternatives are
 * compared as shapes instead.
 */
export function compareKeywords({ old, now }: SchemaVersions, isInput: boolean, report: Report): void {
  const [before, after] = [readKeywords(old, comparedKeywords), readKeywords(now, comparedKeywords)];
  const print = ({ word, value }: Keyword): string => `${word} ${canonicalText(value)}`;
  const without = (some: readonly Keyword[], others: readonly Keyword[]): Keyword[] => {
    const texts = new Set(others.map(print));
    return some.filter((one) => !texts.has(print(one)));
  };
  const [allLost, allAdded] = [without(before, after), without(after, before)];
  for (const { words, describe, rule, refused } of keywordGroups) {
    const [lost = [], added = []] = [allLost, allAdded].map((all) => all.filter(({ word }) => words.includes(word)));
    const pointer = (added[0] ?? lost[0])?.pointer;
    if (pointer === undefined) continue;
    const [was, is] = [joinValues(lost), joinValues(added)];
    const isUnchecked = rule === 'format-changed' && (!isInput || !isCheckedFormat(was, is));
    const note = isUnchecked ? ' (never checked)' : rule === 'format-changed' ? ' (not checked by default)' : '';
    const message = `${describe(was, is)}${note}`;
    const facts = { pointer, before: was, after: is, message, refused };
    const kind = lost.length === 0 ? 'added' : added.length === 0 ? 'removed' : 'changed';
    if (rule === undefined) report(`constraint-${kind}`, facts, judgeBound(lost, added));
    else report(isUnchecked ? 'format-noted' : rule, facts);
  }
}

/** Returns whether a bound became stricter or looser; nothing for several bounds, which may belong to different alternatives. */
function judgeBound([was, ...others]: readonly Keyword[], [is, ...more]: readonly Keyword[]): Partial<Evidence> {
  const end = limitKeywords.get(is?.word ?? '')?.end;
  if (was === undefined || is === undefined || others.length + more.length > 0 || end === undefined) return {};
  const [from = 0, to = 0] = [was, is].map(({ value }) => Number(JSON.stringify(value)));
  const rise = to - from;
  const isExclusive = [was, is].map(({ word }) => word.startsWith('exclusive'));
  const isStricter = rise === 0 ? isExclusive[1] === true : rise > 0 === (end === 'least');
  return { isNarrower: isStricter, isWider: !isStricter };
}

function isCheckedFormat(...values: readonly (JsonValue | undefined)[]): boolean {
  return values.flat().some((value) => checkedFormats.some((name) => name === value));
}

/** Returns the keywords named in `words` that the schemas have, without limits that have no effect. */
export function readKeywords(parts: readonly LocatedSchema[], words: readonly string[]): Keyword[] {
  return parts.flatMap((part) => {
    const raw = asObject(rawSchema(part));
    return words.flatMap((word): Keyword[] => {
      const value = raw[word];
      const isIgnored = limitKeywords.has(word) && part.schema.limits?.has(word) !== true;
      return value === undefined || isIgnored ? [] : [{ word, value, pointer: childPointer(part, word) }];
    });
  });
}

function joinValues(keywords: readonly Keyword[]): JsonValue | undefined {
  const values = keywords.map(({ word, value }) =>
    word.startsWith('exclusive') ? `${JSON.stringify(value)} (exclusive)` : value,
  );
  // A reference and its target may both have the keyword with the same value, so drop duplicates.
  const distinct = [...new Map(values.map((value) => [canonicalText(value), value])).values()];
  return distinct.length > 1 ? distinct : distinct[0];
}
