import { canonicalText, type JsonValue, readEssence } from '../../../specs/src/index.ts';

export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** Into the service (request bodies, parameters) or out of it (results). */
export type Direction = 'input' | 'output';
type ChangeRule = {
  /**
   * The sentence, where `{turn}` is replaced by "X added", "X removed" or "changed from X to Y", `{values}` by the values, `{is}` by
   * "(was X)", "(X)" or "(X → Y)", and `{subject}` by the name that changed.
   */
  readonly message: string;
  /** What happens to the set of accepted values. */
  readonly wire?: 'narrows' | 'widens' | 'replaces';
  /** Sides whose code can lose something, though the values stay. */
  readonly code?: readonly Direction[];
  /** Sides for which nothing depends on it. */
  readonly cosmetic?: readonly Direction[];
  /** What becomes of calls that worked, unless "some calls are refused now"; `{it}` is the value. */
  readonly calls?: string;
  /** What becomes of code that worked, in place of an example from the compiler. */
  readonly older?: Readonly<Partial<Record<Direction, string>>>;
  /** True if its sentence names the side itself. */
  readonly isOfModel?: true;
  /** True if the name of a broken type tells nothing, since it stays the same. */
  readonly isVague?: true;
  /** True if its values are values of the wire, also where they are texts. */
  readonly isJson?: true;
  /** True if it replaces all that is inside its place, so that it explains code that breaks there. */
  readonly isWhole?: true;
  /** True if it names a member or a value: reported even where other keywords already allowed or refused it. */
  readonly isNamed?: true;
};

const narrows = { wire: 'narrows' } as const;
const widens = { wire: 'widens' } as const;
const replaces = { wire: 'replaces' } as const;
const both: readonly Direction[] = ['input', 'output'];
const neutral = { cosmetic: both } as const;
const needs = {
  ...narrows,
  calls: 'calls without it are refused',
  older: { input: 'older code does not compile' },
} as const;
const bounds = { ...narrows, calls: 'calls outside it are refused' } as const;
const named = { isNamed: true } as const;
const whole = { isWhole: true } as const;
const ofModel = { ...whole, isOfModel: true } as const;
const withIt = { calls: 'calls with {it} are refused' } as const;
const json = { isJson: true } as const;
const imports = 'older code that imports {it} does not compile';
const vague = { isVague: true } as const;

/** One row for each kind of change; `docs/reference/changes.md` has the same table with reasons. */
export const schemaRules = {
  'property-added-required': { message: 'required property added{is}', ...needs, ...named },
  'property-added-optional': { message: 'optional property added{is}', ...named },
  'property-removed': { message: 'property removed{is}', ...replaces, code: both, ...named, ...whole },
  'property-unlisted': {
    message: 'property no longer described{is}: it may hold any value',
    ...widens,
    code: ['output'],
    ...named,
    ...whole,
  },
  'property-became-required': { message: 'property became required', ...needs, ...named },
  'property-became-optional': { message: 'property became optional', ...widens, ...named },
  'type-narrowed': { message: 'type{turn}', ...narrows, ...whole },
  'type-widened': { message: 'type{turn}', ...widens, ...whole },
  'type-changed': { message: 'type{turn}', ...replaces, ...whole },
  'null-added': { message: 'may be null now', ...widens, ...whole },
  'null-removed': { message: 'may no longer be null', ...narrows, ...whole },
  'enum-added': { message: 'only listed values are possible now{is}', ...narrows, ...json },
  'enum-removed': { message: 'values are no longer limited to a list{is}', ...widens, ...json, ...vague },
  'enum-value-added': { message: 'value{s} {values} added', ...widens, ...named, ...json, ...vague },
  'enum-value-removed': {
    message: 'value{s} {values} removed',
    ...narrows,
    code: ['output'],
    ...named,
    ...withIt,
    ...json,
  },
  'bound-tightened': { message: '{bound}{turn} (tighter)', ...bounds },
  'bound-loosened': { message: '{bound}{turn} (looser)', ...widens },
  'bound-changed': { message: '{bound}{turn} (neither tighter nor looser)', ...replaces },
  'pattern-added': { message: 'pattern {values} added', ...narrows },
  'pattern-removed': { message: 'pattern {values} removed', ...widens },
  'pattern-changed': { message: 'pattern{turn}', ...replaces },
  'format-changed': { message: 'format{turn} (not checked by default)' },
  'format-noted': { message: 'format{turn} (never checked)', ...neutral },
  'body-form-added': { message: 'form {values} of the body added', ...widens },
  'body-form-removed': { message: 'form {values} of the body removed', ...narrows },
  'uniqueness-added': { message: 'items must be unique now', ...narrows },
  'uniqueness-removed': { message: 'items need no longer be unique', ...widens },
  'names-undescribed': { message: 'properties that are not listed are no longer in the type', code: both, ...whole },
  'object-closed': { message: 'properties that are not listed are no longer allowed', ...narrows, ...whole },
  'object-opened': { message: 'properties that are not listed are possible now', ...widens, ...whole },
  'schema-closed': { message: 'no value is allowed any more', ...narrows, ...whole },
  'schema-opened': { message: 'values are possible now where none was', ...widens, ...whole },
  'union-member-added': { message: 'alternative {values} added', ...widens, ...whole, ...vague },
  'union-member-removed': {
    message: 'alternative {values} removed',
    ...narrows,
    code: ['output'],
    ...whole,
    ...withIt,
  },
  'union-made-exclusive': {
    message: 'values that match several alternatives are no longer allowed',
    ...narrows,
    ...whole,
  },
  'union-made-inclusive': { message: 'values that match several alternatives are possible now', ...widens, ...whole },
  'constraint-added': { message: 'constraint {subject} {values} added', ...narrows },
  'constraint-removed': { message: 'constraint {subject} {values} removed', ...widens },
  'constraint-changed': { message: 'constraint {subject}{turn}', ...replaces },
  'values-refused': { message: 'some values are no longer allowed', ...narrows },
  'values-added': { message: 'further values are possible now', ...widens },
  'code-broken': { message: 'the TypeScript type changed', code: both },
  'schema-uncompared': {
    message: 'the schemas differ and are too large to compare; counts as breaking',
    ...replaces,
    ...whole,
  },
  'media-type-added': { message: 'media type {values} added', ...widens, ...whole },
  'media-type-removed': { message: 'media type {values} removed', ...narrows, ...whole },
  'media-type-changed': {
    message: 'media type changed',
    ...replaces,
    ...whole,
    older: { output: 'older code that reads it as before does not compile' },
  },
  'default-changed': { message: 'default{turn}', cosmetic: ['output'], ...json },
  'authored-on': { message: 'the schema applies now, and was a placeholder before', ...narrows, ...ofModel },
  'authored-off': {
    message: 'the schema is only a placeholder now',
    ...widens,
    ...ofModel,
    older: { input: 'older code that reads an Input does not compile' },
  },
  'provider-changed': { message: 'default provider{turn}' },
  'alternate-added': { message: 'alternate provider {values} added' },
  'alternate-removed': {
    message: 'alternate provider {values} removed',
    ...replaces,
    calls: 'calls that choose it are refused',
  },
  'modalities-changed': { message: 'kinds of media{turn}', ...neutral },
  'billing-changed': { message: 'charge for content-policy rejections{turn}' },
  'description-changed': { message: 'description changed', ...neutral },
  'examples-changed': { message: 'examples changed', ...neutral },
  'deprecation-changed': { message: 'deprecation changed', ...neutral },
  'document-changed': { message: 'the document changed in parts that neither calls nor code depend on', ...neutral },
  'operation-added': { message: 'operation {subject} added' },
  'operation-removed': { message: 'operation {subject} removed', ...replaces, code: both },
  'operation-renamed': { message: 'operationId{turn}', code: both },
  'parameter-added-required': { message: 'required parameter {subject} added', ...needs },
  'parameter-added-optional': { message: 'optional parameter {subject} added' },
  'parameter-removed': { message: 'parameter {subject} removed', ...replaces, code: both, ...withIt },
  'parameter-rewritten': { message: 'encoding of parameter {subject}{turn}', ...replaces },
  'parameter-became-required': { message: 'parameter {subject} became required', ...needs },
  'parameter-became-optional': { message: 'parameter {subject} became optional' },
  'body-became-required': { message: 'request body became required', ...needs },
  'body-became-optional': { message: 'request body became optional' },
  'response-added': { message: 'response status {subject} added' },
  'response-removed': { message: 'response status {subject} removed' },
  'success-response-removed': { message: 'success status {subject} removed', code: both },
  'header-added': { message: 'response header {subject} added' },
  'header-removed': { message: 'response header {subject} removed', code: both },
  'security-changed': {
    message: 'accepted credentials changed (some are refused now)',
    ...replaces,
    calls: 'calls with others are refused',
  },
  'security-loosened': { message: 'accepted credentials changed (more are accepted)' },
  'export-removed': {
    message: 'TypeScript export{s} {subject} removed',
    code: both,
    older: { input: imports, output: imports },
  },
  'export-added': { message: 'TypeScript export{s} {subject} added' },
} as const satisfies Record<string, ChangeRule>;

export type ChangeRuleId = keyof typeof schemaRules;

export const readRule = (rule: ChangeRuleId): ChangeRule => schemaRules[rule];

/** The sentence of a rule without names and values, as pages print it. */
export function nameRule(rule: ChangeRuleId): string {
  const { message } = schemaRules[rule];
  const words = message.replaceAll('{turn}', ' changed').replaceAll('{bound}', 'bound');
  return words.replace(/ ?\{\w+\}/g, '');
}

/** The most severe first. */
export const verdictOrder: readonly Verdict[] = ['breaking', 'compatible', 'cosmetic'];

/** The most severe verdict; undefined when there is none. */
export function pickWorst(verdicts: Iterable<Verdict>): Verdict | undefined {
  const found = new Set(verdicts);
  return verdictOrder.find((verdict) => found.has(verdict));
}

/** What is known of a place that limits the verdict: whether values went or came, and whether the compiler has answered. */
export type Evidence = { readonly isNarrower: boolean; readonly isWider: boolean; readonly isCompiled: boolean };
const noEvidence: Evidence = { isNarrower: true, isWider: true, isCompiled: false };

/** Calls that worked may be refused; code may no longer compile, or get values that it does not expect. */
export type Broken = 'calls' | 'code';

function findBroken(rule: ChangeRuleId, direction: Direction, evidence: Evidence = noEvidence): readonly Broken[] {
  const { wire, code = [] } = readRule(rule);
  const { isNarrower, isWider, isCompiled } = evidence;
  const isOfWire = direction === 'input' ? isNarrower && wire !== 'widens' : isWider && wire !== 'narrows';
  const found = new Set<Broken>();
  if (wire !== undefined && isOfWire) found.add(direction === 'input' ? 'calls' : 'code');
  if (!isCompiled && code.includes(direction)) found.add('code');
  return [...found];
}

/** The verdict on a change of a side. */
export function readVerdict(rule: ChangeRuleId, direction: Direction, evidence?: Evidence): Verdict {
  const { cosmetic = [] } = readRule(rule);
  if (findBroken(rule, direction, evidence).length > 0) return 'breaking';
  return cosmetic.includes(direction) ? 'cosmetic' : 'compatible';
}

/** What each rule of changes says, and its verdicts where nothing milder or harder is shown. */
export const changeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(schemaRules) as ChangeRuleId[]).map((rule) => {
    const [input, output] = [readVerdict(rule, 'input'), readVerdict(rule, 'output')];
    return [rule, `${nameRule(rule)} (input: ${input}, output: ${output}, unless a model shows otherwise)`];
  }),
);

/** Whether a change of values is one: a keyword may say in another way what another one says already. */
export function hasEffect(rule: ChangeRuleId, { isNarrower, isWider }: Evidence): boolean {
  const { wire, isNamed } = readRule(rule);
  if (wire === undefined || isNamed) return true;
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
  const message = nameRule(rule);
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

/** A body in one of several media types, by its essence: parameters such as the character set change nothing for clients. */
export function diffMediaTypes<T extends Body>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  { direction, both }: { direction: Direction; both: (old: T, now: T, essence: string) => readonly SchemaChange[] },
): SchemaChange[] {
  const [old, now] = [before, after].map((types) => new Map([...types].map(([type, one]) => [readEssence(type), one])));
  if (old === undefined || now === undefined) return [];
  const [first] = now.values();
  if (first !== undefined && old.size > 0 && [...now.keys()].every((type) => !old.has(type))) {
    const covers = (some: ReadonlyMap<string, T>, others: ReadonlyMap<string, T>): boolean =>
      some.has('*/*') || [...others].every(([type]) => some.has(type));
    const facts = { pointer: first.pointer, field: '', before: nameBodies(old), after: nameBodies(now) };
    const evidence = { isNarrower: !covers(now, old), isWider: !covers(old, now), isCompiled: false };
    return [classify('media-type-changed', direction, facts, evidence)];
  }
  return diffByName(old, now, {
    removed: (type, { pointer }) => classify('media-type-removed', direction, { pointer, field: '', before: type }),
    added: (type, { pointer }) => classify('media-type-added', direction, { pointer, field: '', after: type }),
    both,
  });
}

type Body = { readonly pointer: string; readonly hasSchema: boolean };

function nameBodies(bodies: ReadonlyMap<string, Body>): string {
  const names = [...bodies].map(([type, { hasSchema }]) => {
    if (type === '*/*') return 'bytes or anything';
    return type === 'application/json' ? `JSON${hasSchema ? ' with a schema' : ''}` : type;
  });
  return names.join(' or ');
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
