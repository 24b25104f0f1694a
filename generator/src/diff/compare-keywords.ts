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
import { describeTextChange, describeTurn, quoteJson } from './words.ts';

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

/** Keywords that reject values, with their names in messages. An exclusive bound is compared with the inclusive one. */
const constraints: readonly (readonly [noun: string, ...words: string[]])[] = [
  ['minimum', 'minimum', 'exclusiveMinimum'],
  ['maximum', 'maximum', 'exclusiveMaximum'],
  ['minimum length', 'minLength'],
  ['maximum length', 'maxLength'],
  ['minimum number of items', 'minItems'],
  ['maximum number of items', 'maxItems'],
  ['minimum number of properties', 'minProperties'],
  ['maximum number of properties', 'maxProperties'],
  ['step size', 'multipleOf'],
  ['pattern', 'pattern'],
  ...[
    ...['uniqueItems', 'minContains', 'maxContains', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
    ...['dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ].map((word) => [`constraint \`${word}\``, word] as const),
];
type Values = readonly [before: JsonValue | undefined, after: JsonValue | undefined];
/** Keywords that reject no value, with the message about a change. */
const annotations: readonly (readonly [
  rule: ChangeRuleId,
  describe: (...values: Values) => string,
  ...words: string[],
])[] = [
  // A default may be a string that looks like another value.
  ['default-changed', (before, after) => describeTurn('default', before, after, quoteJson), 'default'],
  ['description-changed', describeTextChange, 'description'],
  ['description-changed', (before, after) => describeTurn('title', before, after), 'title'],
  ['examples-changed', () => 'example changed', 'examples', 'example'],
  ['deprecation-changed', (_, after) => (after === true ? 'deprecated now' : 'no longer deprecated'), 'deprecated'],
  ['format-changed', describeFormat, 'format'],
];
const comparedWords = [
  ...constraints.flatMap(([, ...words]) => words),
  ...annotations.flatMap(([, , ...words]) => words),
];

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
  const find = (words: readonly string[]) => {
    const [lost = [], added = []] = [allLost, allAdded].map((all) => all.filter(({ word }) => words.includes(word)));
    return { lost, added, pointer: (added[0] ?? lost[0])?.pointer, before: joinValues(lost), after: joinValues(added) };
  };
  for (const [rule, describe, ...words] of annotations) {
    const { pointer, before, after } = find(words);
    if (pointer === undefined) continue;
    const isNoted = rule === 'format-changed' && !isCheckedFormat(before, after);
    report(isNoted ? 'format-noted' : rule, { pointer, before, after, message: describe(before, after) });
  }
  for (const [noun, ...words] of constraints) {
    const { lost, added, pointer, before, after } = find(words);
    if (pointer === undefined) continue;
    const turn = lost.length === 0 ? 'added' : added.length === 0 ? 'removed' : 'changed';
    const round = ({ value }: Stated): number => Number(JSON.stringify(value));
    // Two large integers may be the same double.
    const isRounded =
      turn === 'changed' && added.some((one) => lost.some((old) => one.word === old.word && round(one) === round(old)));
    report(`constraint-${turn}`, { pointer, before, after, message: describeTurn(noun, before, after) }, { isRounded });
  }
}

function isCheckedFormat(...values: Values): boolean {
  return values.flat().some((value) => checkedFormats.some((name) => name === value));
}

function describeFormat(...values: Values): string {
  return `${describeTurn('format', ...values)} (${isCheckedFormat(...values) ? 'not checked by default' : 'never checked'})`;
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
