import { asObject, canonicalText, checkedFormats, type JsonValue, limitKeywords } from '../../../specs/src/index.ts';
import type { ChangeFacts, ChangeRuleId, Direction, Evidence } from './change.ts';
import {
  childPointer,
  describeLocated,
  type Located,
  listParts,
  type Place,
  rawSchema,
  type Sides,
} from './documents.ts';
import { describeTextChange, describeTurn, quote, quoteJson, readOnlyRequired } from './words.ts';

/** Facts of a change, and the schema of an added or removed member. */
export type Facts = ChangeFacts & { readonly schema?: Located | undefined };
/** `isNarrower` is false if the change certainly removes no values, likewise `isWider`. `isWholeCause`: no other change needs to be reported. */
export type Effect = Partial<Evidence> & { readonly isWholeCause?: true };
/** Reports a change. */
export type Report = (rule: ChangeRuleId, facts: Facts, effect?: Effect) => void;

/** Returns true if every value of the first place is also a value of the second. */
export type IsSubset = (narrow: Place, wide: Place) => boolean;

/** A keyword of a schema; `value` has all digits of large integers. */
type Keyword = { readonly word: string; readonly value: JsonValue; readonly pointer: string; readonly part: Located };
/** Describes the change of keywords. */
type Describe = (before: JsonValue | undefined, after: JsonValue | undefined) => string;

/** Keywords that are compared together. Annotations have a `rule`; the other keywords are constraints. */
type Keywords = {
  readonly words: readonly string[];
  readonly describe: Describe;
  readonly rule?: ChangeRuleId;
  /** Calls that the service refuses because of the constraint. */
  readonly refused?: string;
  /** Name of the limit in messages, if the keyword limits numbers or sizes. */
  readonly limit?: string;
};
function as(noun: string): Describe {
  return (before, after) => describeTurn(noun, before, after);
}
function annotation(word: string, rule: ChangeRuleId, describe: Describe): Keywords {
  return { words: [word], rule, describe };
}
function constraint(refused: string, describe: Describe, ...words: string[]): Keywords {
  return { words, describe, refused };
}
function bound(limit: string, values: string, ...words: string[]): Keywords {
  return { words, describe: as(limit), refused: `calls with ${values}`, limit };
}

const compared: readonly Keywords[] = [
  annotation('description', 'description-changed', describeTextChange),
  annotation('title', 'description-changed', as('title')),
  { words: ['examples', 'example'], rule: 'examples-changed', describe: () => 'example changed' },
  annotation('deprecated', 'deprecation-changed', (_, after) =>
    after ? 'deprecated now (still works)' : 'no longer deprecated',
  ),
  annotation('format', 'format-changed', as('format')),
  bound('minimum', 'smaller numbers', 'minimum', 'exclusiveMinimum'),
  bound('maximum', 'larger numbers', 'maximum', 'exclusiveMaximum'),
  bound('minimum length', 'shorter texts', 'minLength'),
  bound('maximum length', 'longer texts', 'maxLength'),
  bound('minimum number of items', 'fewer items', 'minItems'),
  bound('maximum number of items', 'more items', 'maxItems'),
  bound('minimum number of properties', 'fewer properties', 'minProperties'),
  bound('maximum number of properties', 'more properties', 'maxProperties'),
  { ...bound('step size', 'other numbers', 'multipleOf'), describe: describeSteps },
  bound('pattern', 'other texts', 'pattern'),
  // A default may be a string that looks like another value.
  annotation('default', 'default-changed', (before, after) => describeTurn('default', before, after, quoteJson)),
  constraint(
    'calls with equal items',
    (_, after) => `items ${after === true ? 'must differ' : 'may be the same'} now`,
    'uniqueItems',
  ),
  constraint('such calls', describeNot, 'not'),
  constraint('calls that break this', describeDependents, 'dependentRequired'),
  ...[
    ...['if', 'then', 'else', 'minContains', 'maxContains', 'contains', 'propertyNames'],
    ...['dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ].map((word) => constraint('calls that break this', as(`constraint \`${word}\``), word)),
];
const maxLimit = 20;
const comparedKeywords = compared.flatMap(({ words }) => words);

/** Describes the type of a member, its short limits and its default. */
export function describeMember(member: Located): string {
  const parts = listParts([member]);
  const limits = compared.flatMap(({ words: [word = ''], limit }) => {
    const [keyword] = limit === undefined && word !== 'default' ? [] : readKeywords(parts, [word]);
    const text = JSON.stringify(keyword?.value) ?? '';
    return text === '' || text.length > maxLimit ? [] : [`${limit ?? word} ${quote(text)}`];
  });
  return [quote(describeLocated(member)), ...limits].join(', ');
}

function describeSteps(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (after === undefined) return `values no longer have to be multiples of ${quoteJson(before ?? null)}`;
  return `values must be multiples of ${quoteJson(after)} now${before === undefined ? '' : ` (were of ${quoteJson(before)})`}`;
}

function describeNot(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before !== undefined && after !== undefined) return describeTurn('constraint `not`', before, after);
  const schema = before ?? after ?? true;
  const names = readOnlyRequired(schema)?.map((name) => quote(name)) ?? [quoteJson(schema)];
  const verb = names.length > 1 ? ' together are' : ' is';
  return `${names.join(' and ')}${verb} ${before === undefined ? 'no longer allowed' : 'allowed now'}`;
}

function describeDependents(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const list = (one: JsonValue | undefined, other: JsonValue | undefined, verb: string): string[] =>
    Object.entries(asObject(one)).flatMap(([name, needed]) => {
      const unchanged = [asObject(other)[name] ?? []].flat();
      const names = [needed].flat().flatMap((one) => (unchanged.includes(one) ? [] : [quote(String(one))]));
      return names.length === 0 ? [] : [`${quote(name)} ${verb} ${names.join(' and ')}`];
    });
  return [...list(after, before, 'now needs'), ...list(before, after, 'no longer needs')].join('; ');
}

/**
 * Compares keywords of schemas that apply to the same values. Types, listed values, members, items and alternatives are
 * compared as shapes instead.
 */
export function compareKeywords({ old, now }: Sides, direction: Direction, isSubset: IsSubset, report: Report): void {
  const [before, after] = [readKeywords(old, comparedKeywords), readKeywords(now, comparedKeywords)];
  const print = ({ word, value }: Keyword): string => `${word} ${canonicalText(value)}`;
  const without = (some: readonly Keyword[], others: readonly Keyword[]): Keyword[] => {
    const texts = new Set(others.map(print));
    return some.filter((one) => !texts.has(print(one)));
  };
  const [allLost, allAdded] = [without(before, after), without(after, before)];
  for (const { words, describe, rule, refused, limit } of compared) {
    const [lost = [], added = []] = [allLost, allAdded].map((all) => all.filter(({ word }) => words.includes(word)));
    const pointer = (added[0] ?? lost[0])?.pointer;
    if (pointer === undefined) continue;
    const [was, is] = [joinValues(lost), joinValues(added)];
    const isPartlyTyped = limit !== undefined || undefined;
    const isNoted = rule === 'format-changed' && (direction === 'output' || !isCheckedFormat(was, is));
    const note = isNoted ? ' (never checked)' : rule === 'format-changed' ? ' (not checked by default)' : '';
    const message = `${describe(was, is)}${note}`;
    const facts = { pointer, before: was, after: is, message, refused, isPartlyTyped };
    const turn = lost.length === 0 ? 'added' : added.length === 0 ? 'removed' : 'changed';
    if (rule === undefined) report(`constraint-${turn}`, facts, isPartlyTyped ? judgeBound(lost, added, isSubset) : {});
    else report(isNoted ? 'format-noted' : rule, facts);
  }
}

/** Returns whether a changed bound itself removes or adds values, without the other changes of the same schema. */
function judgeBound(lost: readonly Keyword[], added: readonly Keyword[], isSubset: IsSubset): Partial<Evidence> {
  // Several bounds may belong to different alternatives.
  if (lost.length > 1 || added.length > 1) return {};
  const isWhole = [...lost, ...added].every(({ part }) => part.schema.type?.join() === 'integer');
  const [was = [], is = []] = [lost, added].map((bounds) =>
    bounds.map(({ word, part }): Located => {
      const limits = new Map([...(part.schema.limits ?? [])].filter(([keyword]) => keyword === word));
      return { ...part, schema: { limits, ...(isWhole && { type: ['integer'] }) } };
    }),
  );
  return { isNarrower: !isSubset(was, is), isWider: !isSubset(is, was) };
}

function isCheckedFormat(...values: readonly (JsonValue | undefined)[]): boolean {
  return values.flat().some((value) => checkedFormats.some((name) => name === value));
}

/** Returns the keywords named in `words` that the schemas have, without limits that have no effect. */
export function readKeywords(parts: readonly Located[], words: readonly string[]): Keyword[] {
  return parts.flatMap((part) => {
    const raw = asObject(rawSchema(part));
    return words.flatMap((word): Keyword[] => {
      const value = raw[word];
      const isIgnored = limitKeywords.has(word) && part.schema.limits?.has(word) !== true;
      return value === undefined || isIgnored ? [] : [{ word, value, pointer: childPointer(part, word), part }];
    });
  });
}

function joinValues(keywords: readonly Keyword[]): JsonValue | undefined {
  const values = keywords.map(({ word, value }) =>
    word.startsWith('exclusive') ? `${JSON.stringify(value)} (exclusive)` : value,
  );
  // A reference and its target may have the same keyword.
  const distinct = [...new Map(values.map((value) => [canonicalText(value), value])).values()];
  return distinct.length > 1 ? distinct : distinct[0];
}
