import {
  canonicalText,
  checkedFormats,
  isJsonObject,
  isLimit,
  type JsonValue,
  limitKeywords,
} from '../../../specs/src/index.ts';
import { isMultiple } from './limits.ts';
import { childPointer, type Located, rawSchema } from './located-schema.ts';
import type { ChangeFacts, ChangeRuleId } from './schema-change.ts';

/** A change of a place; `isNarrower` and `isWider` say that no value goes or comes by it. */
export type Found = {
  readonly rule: ChangeRuleId;
  readonly isNarrower?: boolean;
  readonly isWider?: boolean;
} & ChangeFacts;

type Stated = { readonly word: string; readonly value: JsonValue; readonly pointer: string };
type Difference = { readonly lost: readonly Stated[]; readonly came: readonly Stated[] };
type Group = readonly [words: readonly string[], pickRule: (difference: Difference) => ChangeRuleId];

const constraints = [
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'dependentRequired', 'dependentSchemas'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
const bounds = [...limitKeywords].filter(([word, { end }]) => end !== undefined && !word.startsWith('exclusive'));
/** Keywords that are compared together, with the rule of a change. */
const groups: readonly Group[] = [
  [['default'], () => 'default-changed'],
  [['description'], () => 'description-changed'],
  [['title'], () => 'description-changed'],
  [['examples', 'example'], () => 'examples-changed'],
  [['deprecated'], () => 'deprecation-changed'],
  ...bounds.map(([word]): Group => [[word, word.replace(/^m/, 'exclusiveM')], pickBoundRule]),
  [['multipleOf'], pickStepRule],
  [['pattern'], (difference) => `pattern-${readTurn(difference)}`],
  [['uniqueItems'], ({ came }) => `uniqueness-${came.length > 0 ? 'added' : 'removed'}`],
  [['format'], pickFormatRule],
  ...constraints.map((word): Group => [[word], (difference) => `constraint-${readTurn(difference)}`]),
];
/** Their names say which keyword it is. */
const saysKeyword = /^(?:default|description|examples|deprecation)-/;

/** What changed in keywords that have a value of their own, in schemas that apply to the same values. */
export function compareKeywords(old: readonly Located[], now: readonly Located[]): Found[] {
  const rows = groups.flatMap(([words, pickRule]): Found[] => {
    const difference = subtract(readStated(old, words), readStated(now, words));
    const { lost, came } = difference;
    const at = came[0] ?? lost[0];
    if (at === undefined) return [];
    const rule = pickRule(difference);
    const subject = saysKeyword.test(rule) ? undefined : at.word;
    return [{ rule, pointer: at.pointer, subject, before: printValues(lost), after: printValues(came) }];
  });
  return [...rows, ...compareExclusive(old, now)];
}

function readStated(parts: readonly Located[], words: readonly string[]): Stated[] {
  return parts.flatMap((part) => {
    const raw = rawSchema(part);
    return words.flatMap((word): Stated[] => {
      const value = isJsonObject(raw) ? raw[word] : undefined;
      if (value === undefined || (limitKeywords.has(word) && !isLimit(word, value))) return [];
      return [{ word, value, pointer: childPointer(part, word) }];
    });
  });
}

function subtract(before: readonly Stated[], after: readonly Stated[]): Difference {
  const print = ({ word, value }: Stated): string => `${word} ${canonicalText(value)}`;
  const without = (some: readonly Stated[], others: readonly Stated[]): Stated[] => {
    const texts = new Set(others.map(print));
    return some.filter((one) => !texts.has(print(one)));
  };
  return { lost: without(before, after), came: without(after, before) };
}

function printValues(stated: readonly Stated[]): JsonValue | undefined {
  const values = stated.map(({ word, value }) => (word.startsWith('exclusive') ? `${value} (exclusive)` : value));
  // A reference and the schema that it leads to may state the same.
  const distinct = [...new Map(values.map((value) => [canonicalText(value), value])).values()];
  return distinct.length > 1 ? distinct : distinct[0];
}

function readTurn({ lost, came }: Difference): 'added' | 'removed' | 'changed' {
  if (lost.length === 0) return 'added';
  return came.length === 0 ? 'removed' : 'changed';
}

function pickBoundRule(difference: Difference): ChangeRuleId {
  const turn = readTurn(difference);
  if (turn !== 'changed') return turn === 'added' ? 'bound-tightened' : 'bound-loosened';
  const isLeast = difference.came.some(({ word }) => limitKeywords.get(word)?.end === 'least');
  // An end that is excluded lies a little further in.
  const [before = 0, after = 0] = [difference.lost, difference.came].map((stated) =>
    Math.max(
      ...stated.map(
        ({ word, value }) => Number(value) * (isLeast ? 1 : -1) + (word.startsWith('exclusive') ? 1e-9 : 0),
      ),
    ),
  );
  return after > before ? 'bound-tightened' : 'bound-loosened';
}

function pickStepRule({ lost, came }: Difference): ChangeRuleId {
  const covers = (some: readonly Stated[], steps: readonly Stated[]): boolean =>
    steps.every(({ value: step }) => some.some(({ value }) => isMultiple(Number(value), Number(step))));
  if (covers(came, lost)) return 'bound-tightened';
  return covers(lost, came) ? 'bound-loosened' : 'bound-changed';
}

function pickFormatRule({ lost, came }: Difference): ChangeRuleId {
  const isChecked = ({ value }: Stated): boolean => checkedFormats.some((name) => name === value);
  return [...lost, ...came].some(isChecked) ? 'format-changed' : 'format-noted';
}

/** Whether only one of a union's alternatives may match now, or several. */
function compareExclusive(old: readonly Located[], now: readonly Located[]): Found[] {
  const [was, is] = [old, now].map((parts) => parts.find(({ schema }) => schema.anyOf ?? schema.oneOf));
  const [wasExclusive, isExclusive] = [was, is].map((part) => (part?.schema.oneOf?.length ?? 0) > 1);
  if (was === undefined || is === undefined || wasExclusive === isExclusive) return [];
  const at = childPointer(isExclusive ? is : was, 'oneOf');
  return [{ rule: `union-made-${isExclusive ? 'exclusive' : 'inclusive'}`, pointer: at }];
}

/** The place of the first keyword that a schema has. */
export function findKeyword(parts: readonly Located[], words: readonly string[]): string | undefined {
  return words.map((word) => readStated(parts, [word])[0]?.pointer).find((pointer) => pointer !== undefined);
}
