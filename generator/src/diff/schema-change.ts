import { canonicalText, type JsonValue } from '../../../specs/src/index.ts';
import { common } from './types-and-values.ts';

export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** Into the service (request bodies, parameters) or out of it (results). */
export type Direction = 'input' | 'output';
type ChangeRule = { readonly message: string } & Readonly<Record<Direction, Verdict>>;

// Fewer accepted values break senders, more break readers.
const narrows = { input: 'breaking', output: 'compatible' } as const;
const widens = { input: 'compatible', output: 'breaking' } as const;
const incomparable = { input: 'breaking', output: 'breaking' } as const;
const neutral = { input: 'cosmetic', output: 'cosmetic' } as const;
const harmless = { input: 'compatible', output: 'compatible' } as const;

/** One row for each kind of change; `docs/diff.md` has the same table with reasons. */
export const schemaRules = {
  'property-added-required': { message: 'a required property was added', ...narrows },
  'property-added-optional': { message: 'an optional property was added', ...harmless },
  'property-removed': { message: 'a property was removed', ...incomparable },
  'property-unlisted': { message: 'a property is no longer described, but any is accepted', ...widens },
  'property-became-required': { message: 'the property became required', ...narrows },
  'property-became-optional': { message: 'the property became optional', ...widens },
  'type-narrowed': { message: 'fewer types are accepted', ...narrows },
  'type-widened': { message: 'more types are accepted', ...widens },
  'type-changed': { message: 'the type changed', ...incomparable },
  'null-added': { message: 'null is accepted', ...widens },
  'null-removed': { message: 'null is no longer accepted', ...narrows },
  'enum-added': { message: 'the value is limited to a list', ...narrows },
  'enum-removed': { message: 'the value is no longer limited to a list', ...widens },
  'enum-value-added': { message: 'a value was added to the list', ...widens },
  'enum-value-removed': { message: 'a value was removed from the list', ...narrows },
  'bound-tightened': { message: 'a bound was added or tightened', ...narrows },
  'bound-loosened': { message: 'a bound was removed or loosened', ...widens },
  'bound-changed': { message: 'a bound changed to one that is neither tighter nor looser', ...incomparable },
  'pattern-added': { message: 'a pattern was added', ...narrows },
  'pattern-removed': { message: 'a pattern was removed', ...widens },
  'pattern-changed': { message: 'the pattern changed', ...incomparable },
  'format-changed': { message: 'a format changed, which is checked where a caller asks for it', ...harmless },
  'format-noted': { message: 'a format changed, which nothing checks', ...neutral },
  'body-form-added': { message: 'the body may come in a further form', ...widens },
  'body-form-removed': { message: 'the body no longer comes in one of its forms', ...narrows },
  'uniqueness-added': { message: 'items have to be unique', ...narrows },
  'uniqueness-removed': { message: 'items no longer have to be unique', ...widens },
  'names-undescribed': { message: 'properties of other names are no longer described', ...incomparable },
  'object-closed': { message: 'other properties are no longer accepted', ...narrows },
  'object-opened': { message: 'other properties are accepted', ...widens },
  'schema-closed': { message: 'no value is accepted here any more', ...narrows },
  'schema-opened': { message: 'values are accepted where none was', ...widens },
  'union-member-added': { message: 'an alternative was added', ...widens },
  'union-member-removed': { message: 'an alternative was removed', ...narrows },
  'union-made-exclusive': { message: 'only one of the alternatives may match', ...narrows },
  'union-made-inclusive': { message: 'several of the alternatives may match', ...widens },
  'constraint-added': { message: 'a constraint was added', ...narrows },
  'constraint-removed': { message: 'a constraint was removed', ...widens },
  'constraint-changed': { message: 'a constraint changed', ...incomparable },
  'schema-uncompared': { message: 'the schemas differ and are too large to compare', ...incomparable },
  'media-type-added': { message: 'a media type was added', ...widens },
  'media-type-removed': { message: 'a media type was removed', ...narrows },
  'default-changed': { message: 'the default changed', input: 'compatible', output: 'cosmetic' },
  'authored-on': { message: 'the schema is authored now, and inputs are checked against it', ...narrows },
  'authored-off': { message: 'the schema is no longer authored', input: 'compatible', output: 'compatible' },
  'provider-changed': { message: 'the default provider changed', ...harmless },
  'alternate-added': { message: 'an alternate provider was added', ...harmless },
  'alternate-removed': { message: 'an alternate provider was removed', ...incomparable },
  'billing-changed': { message: 'the charging of content-policy rejections changed', ...harmless },
  'description-changed': { message: 'the description changed', ...neutral },
  'examples-changed': { message: 'the examples changed', ...neutral },
  'deprecation-changed': { message: 'the deprecation changed', ...neutral },
  'document-changed': { message: 'the document changed in places that no type or check shows', ...neutral },
  'operation-added': { message: 'an operation was added', ...harmless },
  'operation-removed': { message: 'an operation was removed', ...incomparable },
  'operation-renamed': { message: 'the name of an operation changed', ...incomparable },
  'parameter-added-required': { message: 'a required parameter was added', ...narrows },
  'parameter-added-optional': { message: 'an optional parameter was added', ...harmless },
  'parameter-removed': { message: 'a parameter was removed', ...incomparable },
  'parameter-rewritten': { message: 'the parameter is written in another way', ...incomparable },
  'parameter-became-required': { message: 'the parameter became required', ...narrows },
  'parameter-became-optional': { message: 'the parameter became optional', ...harmless },
  'body-became-required': { message: 'the request body became required', ...narrows },
  'body-became-optional': { message: 'the request body became optional', ...harmless },
  'response-added': { message: 'a response was added', ...harmless },
  'response-removed': { message: 'a response was removed', ...harmless },
  'success-response-removed': { message: 'a success response was removed', ...incomparable },
  'header-added': { message: 'a response header was added', ...harmless },
  'header-removed': { message: 'a response header was removed', ...incomparable },
  'security-changed': { message: 'credentials that were accepted may be refused', ...incomparable },
  'security-loosened': { message: 'further credentials are accepted', ...harmless },
  'export-removed': { message: 'an exported name is gone', ...incomparable },
  'export-added': { message: 'a name is exported', ...harmless },
} as const satisfies Record<string, ChangeRule>;

export type ChangeRuleId = keyof typeof schemaRules;

/** The most severe first. */
export const verdictOrder: readonly Verdict[] = ['breaking', 'compatible', 'cosmetic'];

/** The most severe verdict; undefined when there is none. */
export function pickWorst(verdicts: Iterable<Verdict>): Verdict | undefined {
  return [...verdicts].sort((left, right) => verdictOrder.indexOf(left) - verdictOrder.indexOf(right))[0];
}

/** One difference between two documents, classified. */
export type SchemaChange = {
  readonly rule: ChangeRuleId;
  readonly verdict: Verdict;
  readonly direction: Direction;
  /** JSON pointer into the newer document, or into the older one for what is no longer there. */
  readonly pointer: string;
  readonly message: string;
  /** The name or value at the end of the message: text of a document. */
  readonly subject?: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

export type ChangeFacts = {
  readonly pointer: string;
  /** The name or value that changed, where the pointer does not end in it. */
  readonly subject?: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
};

export function classify(rule: ChangeRuleId, direction: Direction, facts: ChangeFacts): SchemaChange {
  const { pointer, subject, before, after } = facts;
  return {
    rule,
    verdict: schemaRules[rule][direction],
    direction,
    pointer,
    message: subject === undefined ? schemaRules[rule].message : `${schemaRules[rule].message}: ${subject}`,
    ...(subject === undefined ? {} : { subject }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** The changes of members that were removed, then of those that were added or are on both sides. */
export function diffByName<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  classify: {
    readonly removed: (name: string, old: T) => SchemaChange;
    readonly added: (name: string, now: T) => SchemaChange;
    readonly both: (old: T, now: T) => readonly SchemaChange[];
  },
): SchemaChange[] {
  const removed = [...before].filter(([name]) => !after.has(name));
  return [
    ...removed.map(([name, old]) => classify.removed(name, old)),
    ...[...after].flatMap(([name, now]) => {
      const old = before.get(name);
      return old === undefined ? [classify.added(name, now)] : classify.both(old, now);
    }),
  ];
}

export function diffMediaTypes<T extends { readonly pointer: string }>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  { direction, both }: { direction: Direction; both: (old: T, now: T) => readonly SchemaChange[] },
): SchemaChange[] {
  return diffByName(before, after, {
    removed: (type, { pointer }) => classify('media-type-removed', direction, { pointer, before: type }),
    added: (type, { pointer }) => classify('media-type-added', direction, { pointer, after: type }),
    both,
  });
}

/** A change for each value that is in one of two lists alone; `value` is for a change that shows it. */
export function diffLists<T extends JsonValue>(
  before: readonly T[],
  after: readonly T[],
  classify: (turn: 'removed' | 'added', one: T, value: Pick<ChangeFacts, 'before' | 'after'>) => SchemaChange,
): SchemaChange[] {
  const byText = (list: readonly T[]): Map<string, T> => new Map(list.map((one) => [canonicalText(one), one]));
  return diffByName(byText(before), byText(after), {
    removed: (_, old) => classify('removed', old, { before: old }),
    added: (_, now) => classify('added', now, { after: now }),
    both: () => [],
  });
}

/** What became of a list: undefined where it is the same. */
export function compareSets(
  before: ReadonlySet<unknown>,
  after: ReadonlySet<unknown>,
): 'added' | 'removed' | 'changed' | undefined {
  const both = common(before, after).size;
  if (both === before.size) return both === after.size ? undefined : 'added';
  return both === after.size ? 'removed' : 'changed';
}

/** Each change once. */
export function withoutRepetition(changes: readonly SchemaChange[]): SchemaChange[] {
  return [...new Map(changes.map((change) => [canonicalText({ ...change }), change])).values()];
}

/** Equal as JSON values, in any order of their members. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && canonicalText(left) === canonicalText(right));
}
