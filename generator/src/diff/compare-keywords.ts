import {
  asObject,
  canonicalText,
  checkedFormats,
  isLimit,
  type JsonValue,
  limitKeywords,
  resolvePointer,
} from '../../../specs/src/index.ts';
import { childPointer, type Located, rawSchema } from './documents.ts';
import type { ChangeFacts, ChangeRuleId } from './schema-change.ts';
import { isMultiple } from './shape.ts';

/** A change of a place. With `isNarrower: false` it is known to lose no value, with `isWider: false` to add none. */
export type Found = {
  readonly rule: ChangeRuleId;
  readonly isNarrower?: boolean;
  readonly isWider?: boolean;
  /** True for bounds that differ only in digits that a double rounds: subsumption does not notice them. */
  readonly isRounded?: boolean;
} & ChangeFacts;

/** A keyword of a schema with its value; `value` has all digits of large integers. */
type Stated = { readonly word: string; readonly value: JsonValue; readonly pointer: string };

/** The values of keywords that only one side has. */
type Difference = { readonly lost: readonly Stated[]; readonly added: readonly Stated[] };

/** Keywords that are compared together, with the rule of a change. */
const keywordGroups: readonly (readonly [words: readonly string[], pickRule: (of: Difference) => ChangeRuleId])[] = [
  [['default'], () => 'default-changed'],
  [['description'], () => 'description-changed'],
  [['title'], () => 'description-changed'],
  [['examples', 'example'], () => 'examples-changed'],
  [['deprecated'], () => 'deprecation-changed'],
  ...[...limitKeywords].flatMap(([word, { end }]) => {
    const isBound = end !== undefined && !word.startsWith('exclusive');
    return isBound ? [[[word, word.replace(/^m/, 'exclusiveM')], pickBoundRule] as const] : [];
  }),
  [['multipleOf'], pickStepRule],
  [['pattern'], (difference) => `pattern-${readTurn(difference)}`],
  [['uniqueItems'], ({ added }) => `uniqueness-${added.length > 0 ? 'added' : 'removed'}`],
  [['format'], pickFormatRule],
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'dependentRequired', 'dependentSchemas'].map(
    ofConstraint,
  ),
  ...['unevaluatedItems', 'unevaluatedProperties'].map(ofConstraint),
];

function ofConstraint(word: string) {
  return [[word], (of: Difference): ChangeRuleId => `constraint-${readTurn(of)}`] as const;
}

/** Their names include the keyword. */
const namesKeyword: ReadonlySet<string> = new Set<ChangeRuleId>([
  'default-changed',
  'description-changed',
  'examples-changed',
  'deprecation-changed',
]);

const comparedKeywords = keywordGroups.flatMap(([words]) => words);

/** Compares keywords that have a value of their own, in schemas that apply to the same values. */
export function compareKeywords(old: readonly Located[], now: readonly Located[]): Found[] {
  const [before, after] = [readStated(old, comparedKeywords), readStated(now, comparedKeywords)];
  const print = ({ word, value }: Stated): string => `${word} ${canonicalText(value)}`;
  const without = (some: readonly Stated[], others: readonly Stated[]): Stated[] => {
    const texts = new Set(others.map(print));
    return some.filter((one) => !texts.has(print(one)));
  };
  const [allLost, allAdded] = [without(before, after), without(after, before)];
  const rows = keywordGroups.flatMap(([words, pickRule]): Found[] => {
    const [lost = [], added = []] = [allLost, allAdded].map((all) => all.filter(({ word }) => words.includes(word)));
    const at = added[0] ?? lost[0];
    if (at === undefined) return [];
    const rule = pickRule({ lost, added });
    const subject = namesKeyword.has(rule) ? undefined : at.word;
    const isRounded = limitKeywords.has(at.word) && added.some((one) => lost.some((old) => isRoundedPair(old, one)));
    return [{ rule, pointer: at.pointer, subject, before: joinValues(lost), after: joinValues(added), isRounded }];
  });
  // Only one of a union's alternatives may match, or several.
  const [was, is] = [old, now].map((parts) => parts.find(({ schema }) => schema.anyOf ?? schema.oneOf));
  const isExclusive = (one: Located): boolean => (one.schema.oneOf?.length ?? 0) > 1;
  if (was === undefined || is === undefined || isExclusive(was) === isExclusive(is)) return rows;
  const [rule, at] = isExclusive(is)
    ? (['union-made-exclusive', is] as const)
    : (['union-made-inclusive', was] as const);
  return [...rows, { rule, pointer: childPointer(at, 'oneOf') }];
}

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
  // A reference and its target may state the same.
  const distinct = [...new Map(values.map((value) => [canonicalText(value), value])).values()];
  return distinct.length > 1 ? distinct : distinct[0];
}

function readTurn({ lost, added }: Difference): 'added' | 'removed' | 'changed' {
  if (lost.length === 0) return 'added';
  return added.length === 0 ? 'removed' : 'changed';
}

/** True for two integers that are the same double. */
function isRoundedPair(old: Stated, now: Stated): boolean {
  const [text, textNow] = [JSON.stringify(old.value), JSON.stringify(now.value)];
  return old.word === now.word && text !== textNow && toNumber(old) === toNumber(now);
}

/** The number of a limit, rounded to a double. */
function toNumber({ value }: Stated): number {
  return Number(JSON.stringify(value));
}

function pickBoundRule(difference: Difference): ChangeRuleId {
  const turn = readTurn(difference);
  if (turn !== 'changed') return turn === 'added' ? 'bound-tightened' : 'bound-loosened';
  const [before, after] = [difference.lost, difference.added].map((all) => all.toSorted(compareBounds)[0]);
  return before && after && compareBounds(before, after) > 0 ? 'bound-tightened' : 'bound-loosened';
}

/** Sorts bounds of one end, the tightest first. */
function compareBounds(one: Stated, other: Stated): number {
  const sign = limitKeywords.get(one.word)?.end === 'least' ? 1 : -1;
  const difference = toNumber(other) - toNumber(one);
  if (difference !== 0) return difference * sign;
  const [text, otherText] = [JSON.stringify(one.value), JSON.stringify(other.value)];
  if (text !== otherText && /^-?\d+,-?\d+$/.test(`${text},${otherText}`))
    return Number(BigInt(otherText) - BigInt(text)) * sign;
  return Number(other.word.startsWith('exclusive')) - Number(one.word.startsWith('exclusive'));
}

function pickStepRule({ lost, added }: Difference): ChangeRuleId {
  const covers = (some: readonly Stated[], steps: readonly Stated[]): boolean =>
    steps.every((step) => some.some((one) => isMultiple(toNumber(one), toNumber(step))));
  if (covers(added, lost)) return 'bound-tightened';
  return covers(lost, added) ? 'bound-loosened' : 'bound-changed';
}

function pickFormatRule({ lost, added }: Difference): ChangeRuleId {
  const isChecked = ({ value }: Stated): boolean => checkedFormats.some((name) => name === value);
  return [...lost, ...added].some(isChecked) ? 'format-changed' : 'format-noted';
}
