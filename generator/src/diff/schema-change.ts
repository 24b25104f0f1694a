import type { JsonValue } from '../../../specs/src/index.ts';

export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** Into the service (request bodies, parameters) or out of it (results). */
export type Direction = 'input' | 'output';
type Rule = { readonly says: string } & Readonly<Record<Direction, Verdict>>;

// Fewer accepted values break senders, more break readers.
const narrows = { input: 'breaking', output: 'compatible' } as const;
const widens = { input: 'compatible', output: 'breaking' } as const;
const incomparable = { input: 'breaking', output: 'breaking' } as const;
const neutral = { input: 'cosmetic', output: 'cosmetic' } as const;
const harmless = { input: 'compatible', output: 'compatible' } as const;

/** One row for each kind of change; `docs/diff.md` has the same table with reasons. */
export const schemaRules = {
  'property-added-required': { says: 'a required property was added', ...narrows },
  'property-added-optional': { says: 'an optional property was added', ...harmless },
  'property-removed': { says: 'a property was removed', ...incomparable },
  'property-became-required': { says: 'the property became required', ...narrows },
  'property-became-optional': { says: 'the property became optional', ...widens },
  'type-narrowed': { says: 'fewer types are accepted', ...narrows },
  'type-widened': { says: 'more types are accepted', ...widens },
  'type-changed': { says: 'the type changed', ...incomparable },
  'null-added': { says: 'null is accepted', ...widens },
  'null-removed': { says: 'null is no longer accepted', ...narrows },
  'enum-added': { says: 'the value is limited to a list', ...narrows },
  'enum-removed': { says: 'the value is no longer limited to a list', ...widens },
  'enum-value-added': { says: 'a value was added to the list', ...widens },
  'enum-value-removed': { says: 'a value was removed from the list', ...narrows },
  'bound-tightened': { says: 'a bound was added or tightened', ...narrows },
  'bound-loosened': { says: 'a bound was removed or loosened', ...widens },
  'bound-changed': { says: 'a bound changed to one that is neither tighter nor looser', ...incomparable },
  'pattern-added': { says: 'a pattern was added', ...narrows },
  'pattern-removed': { says: 'a pattern was removed', ...widens },
  'pattern-changed': { says: 'the pattern changed', ...incomparable },
  'format-added': { says: 'a format was added', ...narrows },
  'format-removed': { says: 'a format was removed', ...widens },
  'format-changed': { says: 'the format changed', ...incomparable },
  'uniqueness-added': { says: 'items have to be unique', ...narrows },
  'uniqueness-removed': { says: 'items no longer have to be unique', ...widens },
  'object-closed': { says: 'other properties are no longer accepted', ...narrows },
  'object-opened': { says: 'other properties are accepted', ...widens },
  'schema-closed': { says: 'no value is accepted here any more', ...narrows },
  'schema-opened': { says: 'values are accepted where none was', ...widens },
  'union-member-added': { says: 'an alternative was added', ...widens },
  'union-member-removed': { says: 'an alternative was removed', ...narrows },
  'union-made-exclusive': { says: 'only one of the alternatives may match', ...narrows },
  'union-made-inclusive': { says: 'several of the alternatives may match', ...widens },
  'constraint-added': { says: 'a constraint was added', ...narrows },
  'constraint-removed': { says: 'a constraint was removed', ...widens },
  'constraint-changed': { says: 'a constraint changed', ...incomparable },
  'schema-uncompared': { says: 'the schemas differ and are too large to compare', ...incomparable },
  'media-type-added': { says: 'a media type was added', ...widens },
  'media-type-removed': { says: 'a media type was removed', ...narrows },
  'default-changed': { says: 'the default changed', input: 'compatible', output: 'cosmetic' },
  'authored-on': { says: 'the schema is authored now, and inputs are checked against it', ...narrows },
  'authored-off': { says: 'the schema is no longer authored', input: 'compatible', output: 'compatible' },
  'provider-changed': { says: 'the default provider changed', ...harmless },
  'alternate-added': { says: 'an alternate provider was added', ...harmless },
  'alternate-removed': { says: 'an alternate provider was removed', ...incomparable },
  'billing-changed': { says: 'the charging of content-policy rejections changed', ...harmless },
  'description-changed': { says: 'the description changed', ...neutral },
  'examples-changed': { says: 'the examples changed', ...neutral },
  'deprecation-changed': { says: 'the deprecation changed', ...neutral },
  'document-changed': { says: 'the document changed in places that no type or check shows', ...neutral },
  'operation-added': { says: 'an operation was added', ...harmless },
  'operation-removed': { says: 'an operation was removed', ...incomparable },
  'operation-renamed': { says: 'the name of an operation changed', ...incomparable },
  'parameter-added-required': { says: 'a required parameter was added', ...narrows },
  'parameter-added-optional': { says: 'an optional parameter was added', ...harmless },
  'parameter-removed': { says: 'a parameter was removed', ...incomparable },
  'parameter-became-required': { says: 'the parameter became required', ...narrows },
  'parameter-became-optional': { says: 'the parameter became optional', ...harmless },
  'body-became-required': { says: 'the request body became required', ...narrows },
  'body-became-optional': { says: 'the request body became optional', ...harmless },
  'response-added': { says: 'a response was added', ...harmless },
  'response-removed': { says: 'a response was removed', ...harmless },
  'success-response-removed': { says: 'a success response was removed', ...incomparable },
  'header-added': { says: 'a response header was added', ...harmless },
  'header-removed': { says: 'a response header was removed', ...incomparable },
  'security-changed': { says: 'the accepted credentials changed', ...incomparable },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof schemaRules;

/** The most severe first. */
export const verdictOrder: readonly Verdict[] = ['breaking', 'compatible', 'cosmetic'];

/** The most severe verdict; undefined when there is none. */
export function worstOf(verdicts: Iterable<Verdict>): Verdict | undefined {
  return [...verdicts].sort((left, right) => verdictOrder.indexOf(left) - verdictOrder.indexOf(right))[0];
}

/** One difference between two documents, classified. */
export type SchemaChange = {
  readonly rule: RuleId;
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

export function changeOf(rule: RuleId, direction: Direction, facts: ChangeFacts): SchemaChange {
  const { pointer, subject, before, after } = facts;
  return {
    rule,
    verdict: schemaRules[rule][direction],
    direction,
    pointer,
    message: subject === undefined ? schemaRules[rule].says : `${schemaRules[rule].says}: ${subject}`,
    ...(subject === undefined ? {} : { subject }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** The changes of members that were removed, then of those that were added or are on both sides. */
export function changesByName<T>(
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

/** Equal as JSON values, in any order of their members. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && canonicalText(left) === canonicalText(right));
}

export function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, (_, part: JsonValue) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
