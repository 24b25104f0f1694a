import { canonicalText, type JsonValue, readEssence } from '../../../specs/src/index.ts';

export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** Into the service (request bodies, parameters) or out of it (results). */
export type Direction = 'input' | 'output';
/** A change of wire values: fewer are accepted, more, or others; and for code of which side it can take something away. */
type ChangeRule = {
  readonly message: string;
  readonly wire?: 'narrows' | 'widens' | 'replaces';
  readonly code?: readonly Direction[];
  /** Sides for which nothing depends on it. */
  readonly cosmetic?: readonly Direction[];
};

const narrows = { wire: 'narrows' } as const;
const widens = { wire: 'widens' } as const;
const replaces = { wire: 'replaces' } as const;
const harmless = {} as const;
const both: readonly Direction[] = ['input', 'output'];
const neutral = { cosmetic: both } as const;

/** One row for each kind of change; `docs/reference/changes.md` has the same table with reasons. */
export const schemaRules = {
  'property-added-required': { message: 'a required property was added', ...narrows },
  'property-added-optional': { message: 'an optional property was added', ...harmless },
  'property-removed': { message: 'the property was removed', ...replaces, code: both },
  'property-unlisted': {
    message: 'the property is no longer described, and may hold any value',
    ...widens,
    code: ['output'],
  },
  'property-became-required': { message: 'the property became required', ...narrows },
  'property-became-optional': { message: 'the property became optional', ...widens },
  'type-narrowed': { message: 'the type changed (narrower)', ...narrows },
  'type-widened': { message: 'the type changed (wider)', ...widens },
  'type-changed': { message: 'the type changed', ...replaces },
  'null-added': { message: 'may be null now', ...widens },
  'null-removed': { message: 'may no longer be null', ...narrows },
  'enum-added': { message: 'only listed values are possible now', ...narrows },
  'enum-removed': { message: 'values are no longer limited to a list', ...widens },
  'enum-value-added': { message: 'a value was added', ...widens },
  'enum-value-removed': { message: 'a value was removed', ...narrows, code: ['output'] },
  'bound-tightened': { message: 'a bound changed (tighter)', ...narrows },
  'bound-loosened': { message: 'a bound changed (looser)', ...widens },
  'bound-changed': { message: 'a bound changed (neither tighter nor looser)', ...replaces },
  'pattern-added': { message: 'a pattern was added', ...narrows },
  'pattern-removed': { message: 'a pattern was removed', ...widens },
  'pattern-changed': { message: 'the pattern changed', ...replaces },
  'format-changed': { message: 'the format changed (not checked by default)', ...harmless },
  'format-noted': { message: 'the format changed (never checked)', ...neutral },
  'body-form-added': { message: 'the body may come in a further form now', ...widens },
  'body-form-removed': { message: 'the body no longer comes in one of its forms', ...narrows },
  'uniqueness-added': { message: 'items must be unique now', ...narrows },
  'uniqueness-removed': { message: 'items need no longer be unique', ...widens },
  'names-undescribed': { message: 'properties that are not listed are no longer in the type', code: both },
  'object-closed': { message: 'properties that are not listed are no longer allowed', ...narrows },
  'object-opened': { message: 'properties that are not listed are possible now', ...widens },
  'schema-closed': { message: 'no value is allowed any more', ...narrows },
  'schema-opened': { message: 'values are possible now where none was', ...widens },
  'union-member-added': { message: 'an alternative was added', ...widens },
  'union-member-removed': { message: 'an alternative was removed', ...narrows, code: ['output'] },
  'union-made-exclusive': { message: 'values that match several alternatives are no longer allowed', ...narrows },
  'union-made-inclusive': { message: 'values that match several alternatives are possible now', ...widens },
  'constraint-added': { message: 'a constraint was added', ...narrows },
  'constraint-removed': { message: 'a constraint was removed', ...widens },
  'constraint-changed': { message: 'a constraint changed', ...replaces },
  'values-refused': { message: 'some values are no longer allowed', ...narrows },
  'values-added': { message: 'further values are possible now', ...widens },
  'code-broken': { message: 'the TypeScript type changed', code: both },
  'schema-uncompared': { message: 'the schemas differ and are too large to compare', ...replaces },
  'media-type-added': { message: 'a media type was added', ...widens },
  'media-type-removed': { message: 'a media type was removed', ...narrows },
  'default-changed': { message: 'the default changed', cosmetic: ['output'] },
  'authored-on': { message: 'the schema applies now, and was a placeholder before', ...narrows },
  'authored-off': { message: 'the schema is only a placeholder now', ...harmless },
  'provider-changed': { message: 'the default provider changed', ...harmless },
  'alternate-added': { message: 'an alternate provider was added', ...harmless },
  'alternate-removed': { message: 'an alternate provider was removed', ...replaces },
  'billing-changed': { message: 'the charge for content-policy rejections changed', ...harmless },
  'description-changed': { message: 'the description changed', ...neutral },
  'examples-changed': { message: 'the examples changed', ...neutral },
  'deprecation-changed': { message: 'the deprecation changed', ...neutral },
  'document-changed': { message: 'other parts of the document changed', ...neutral },
  'operation-added': { message: 'an operation was added', ...harmless },
  'operation-removed': { message: 'an operation was removed', ...replaces, code: both },
  'operation-renamed': { message: 'the operationId changed', code: both },
  'parameter-added-required': { message: 'a required parameter was added', ...narrows },
  'parameter-added-optional': { message: 'an optional parameter was added', ...harmless },
  'parameter-removed': { message: 'a parameter was removed', ...replaces, code: both },
  'parameter-rewritten': { message: 'the encoding of a parameter changed', ...replaces },
  'parameter-became-required': { message: 'the parameter became required', ...narrows },
  'parameter-became-optional': { message: 'the parameter became optional', ...harmless },
  'body-became-required': { message: 'the request body became required', ...narrows },
  'body-became-optional': { message: 'the request body became optional', ...harmless },
  'response-added': { message: 'a response status was added', ...harmless },
  'response-removed': { message: 'a response status was removed', ...harmless },
  'success-response-removed': { message: 'a success status was removed', code: both },
  'header-added': { message: 'a response header was added', ...harmless },
  'header-removed': { message: 'a response header was removed', code: both },
  'security-changed': { message: 'the accepted credentials changed (some are refused now)', ...replaces },
  'security-loosened': { message: 'the accepted credentials changed (more are accepted)', ...harmless },
  'export-removed': { message: 'a TypeScript export was removed', code: both },
  'export-added': { message: 'a TypeScript export was added', ...harmless },
} as const satisfies Record<string, ChangeRule>;

export type ChangeRuleId = keyof typeof schemaRules;

/** The most severe first. */
export const verdictOrder: readonly Verdict[] = ['breaking', 'compatible', 'cosmetic'];

/** The most severe verdict; undefined when there is none. */
export function pickWorst(verdicts: Iterable<Verdict>): Verdict | undefined {
  return [...verdicts].sort((left, right) => verdictOrder.indexOf(left) - verdictOrder.indexOf(right))[0];
}

/** What is known of a place that limits the verdict: whether values went or came, and whether the compiler has answered. */
export type Evidence = { readonly isNarrower: boolean; readonly isWider: boolean; readonly isCompiled: boolean };
const noEvidence: Evidence = { isNarrower: true, isWider: true, isCompiled: false };

/** Calls that worked may be refused; code may no longer compile, or get values that it does not expect. */
export type Broken = 'calls' | 'code';

function findBroken(rule: ChangeRuleId, direction: Direction, evidence: Evidence = noEvidence): readonly Broken[] {
  const { wire, code = [] }: ChangeRule = schemaRules[rule];
  const { isNarrower, isWider, isCompiled } = evidence;
  const isOfWire = direction === 'input' ? isNarrower && wire !== 'widens' : isWider && wire !== 'narrows';
  const found = new Set<Broken>();
  if (wire !== undefined && isOfWire) found.add(direction === 'input' ? 'calls' : 'code');
  if (!isCompiled && code.includes(direction)) found.add('code');
  return [...found];
}

/** The verdict on a change of a side. */
export function readVerdict(rule: ChangeRuleId, direction: Direction, evidence?: Evidence): Verdict {
  const { cosmetic = [] }: ChangeRule = schemaRules[rule];
  if (findBroken(rule, direction, evidence).length > 0) return 'breaking';
  return cosmetic.includes(direction) ? 'cosmetic' : 'compatible';
}

/** What each rule of changes says, and its verdicts where nothing milder or harder is shown. */
export const changeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(schemaRules) as ChangeRuleId[]).map((rule) => {
    const [input, output] = [readVerdict(rule, 'input'), readVerdict(rule, 'output')];
    return [rule, `${schemaRules[rule].message} (input: ${input}, output: ${output}, unless a model shows otherwise)`];
  }),
);

/** Whether a change of values is one: a keyword may say in another way what another one says already. */
export function hasEffect(rule: ChangeRuleId, { isNarrower, isWider }: Evidence): boolean {
  const { wire }: ChangeRule = schemaRules[rule];
  // These are read by people, who see the names.
  if (wire === undefined || /^(?:property|enum-value)-/.test(rule)) return true;
  if (wire === 'replaces') return isNarrower || isWider;
  return wire === 'narrows' ? isNarrower : isWider;
}

/** One difference between two documents, classified. */
export type SchemaChange = ChangeFacts & {
  readonly rule: ChangeRuleId;
  readonly verdict: Verdict;
  /** Empty unless the verdict is breaking. */
  readonly breaks: readonly Broken[];
  readonly direction: Direction;
  readonly message: string;
};
export type ChangeFacts = {
  /** JSON pointer into the newer document, or into the older one for what is no longer there. */
  readonly pointer: string;
  /** The member as code names it, such as `images[].url`; absent where the whole value or something else changed. */
  readonly field?: string | undefined;
  /** The name or value that changed, where the field does not end in it: text of a document. */
  readonly subject?: string | undefined;
  /** Why, where the change follows from another one. */
  readonly note?: string | undefined;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** What the compiler says of code that was written for the older types. */
  readonly code?: string | undefined;
};

export function classify(
  rule: ChangeRuleId,
  direction: Direction,
  facts: ChangeFacts,
  evidence?: Evidence,
): SchemaChange {
  const { message } = schemaRules[rule];
  const { subject } = facts;
  const whole = subject === undefined ? message : `${message}: ${subject}`;
  const [verdict, breaks] = [readVerdict(rule, direction, evidence), findBroken(rule, direction, evidence)];
  return { rule, verdict, breaks, direction, message: whole, ...facts };
}

/** The changes of members that were removed, then of those that were added or are on both sides. */
export function diffByName<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  classify: {
    readonly removed: (name: string, old: T) => SchemaChange;
    readonly added: (name: string, now: T) => SchemaChange;
    readonly both: (old: T, now: T, name: string) => readonly SchemaChange[];
  },
): SchemaChange[] {
  const removed = [...before].filter(([name]) => !after.has(name));
  return [
    ...removed.map(([name, old]) => classify.removed(name, old)),
    ...[...after].flatMap(([name, now]) => {
      const old = before.get(name);
      return old === undefined ? [classify.added(name, now)] : classify.both(old, now, name);
    }),
  ];
}

export function diffMediaTypes<T extends { readonly pointer: string }>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  { direction, both }: { direction: Direction; both: (old: T, now: T, essence: string) => readonly SchemaChange[] },
): SchemaChange[] {
  // Parameters such as the character set change neither types nor what a client accepts.
  const byEssence = (types: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...types].map(([type, found]) => [readEssence(type), found]));
  return diffByName(byEssence(before), byEssence(after), {
    removed: (type, { pointer }) => classify('media-type-removed', direction, { pointer, field: '', before: type }),
    added: (type, { pointer }) => classify('media-type-added', direction, { pointer, field: '', after: type }),
    both,
  });
}

/** A change for each value that is in one of two lists alone; `value` is for a change that shows it. */
export function diffLists<T extends JsonValue>(
  before: readonly T[],
  after: readonly T[],
  classify: (turn: 'removed' | 'added', one: T, value: Pick<ChangeFacts, 'before' | 'after'>) => SchemaChange,
): SchemaChange[] {
  const [old, now] = [before, after].map((list) => new Map(list.map((one) => [canonicalText(one), one])));
  return diffByName(old ?? new Map(), now ?? new Map(), {
    removed: (_, before) => classify('removed', before, { before }),
    added: (_, after) => classify('added', after, { after }),
    both: () => [],
  });
}

/** Each change once, where it was met first, whichever members lead to it. */
export function withoutRepetition(changes: readonly SchemaChange[]): SchemaChange[] {
  const found = new Map<string, SchemaChange>();
  for (const change of changes) {
    const { rule, direction, pointer, field = '', subject, before, after } = change;
    const name = pointer === '' ? field : field.slice(field.lastIndexOf('.') + 1).replace(/\[\d*\]$/, '');
    const key = JSON.stringify([rule, direction, pointer, name, subject, before, after]);
    if (found.get(key)?.verdict !== 'breaking') found.set(key, change);
  }
  return [...found.values()];
}

/** Equal as JSON values, in any order of their members. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && canonicalText(left) === canonicalText(right));
}
