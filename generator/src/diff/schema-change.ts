import { canonicalText, type JsonValue } from '../../../specs/src/index.ts';

export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** Into the service (request bodies, parameters) or out of it (results). */
export type Direction = 'input' | 'output';

// A sentence for each kind of change. `{turn}` becomes "X added", "X removed" or "changed from X to Y", `{values}` the values,
// `{is}` "(was X)", "(X)" or "(X → Y)", `{subject}` the name, `{bound}` the name of a bound, and `{s}` a plural.

/** Fewer values are accepted. */
const narrowing = {
  'property-added-required': 'required property added{is}',
  'property-became-required': 'property became required',
  'type-narrowed': 'type{turn}',
  'null-removed': 'may no longer be null',
  'enum-added': 'only listed values are possible now{is}',
  'enum-value-removed': 'value{s} {values} removed',
  'bound-tightened': '{bound}{turn} (tighter)',
  'pattern-added': 'pattern {values} added',
  'body-form-removed': 'form {values} of the body removed',
  'uniqueness-added': 'items must be unique now',
  'object-closed': 'properties that are not listed are no longer allowed',
  'schema-closed': 'no value is allowed any more',
  'union-member-removed': 'alternative {values} removed',
  'union-made-exclusive': 'values that match several alternatives are no longer allowed',
  'constraint-added': 'constraint {subject} {values} added',
  'values-refused': 'some values are no longer allowed',
  'media-type-removed': 'media type {values} removed',
  'authored-on': 'the schema applies now, and was a placeholder before',
  'parameter-added-required': 'required parameter {subject} added',
  'parameter-became-required': 'parameter {subject} became required',
  'body-became-required': 'request body became required',
} as const;
/** More values are accepted. */
const widening = {
  'property-unlisted': 'property no longer described{is}: it may hold any value',
  'property-became-optional': 'property became optional',
  'type-widened': 'type{turn}',
  'null-added': 'may be null now',
  'enum-removed': 'values are no longer limited to a list{is}',
  'enum-value-added': 'value{s} {values} added',
  'bound-loosened': '{bound}{turn} (looser)',
  'pattern-removed': 'pattern {values} removed',
  'body-form-added': 'form {values} of the body added',
  'uniqueness-removed': 'items need no longer be unique',
  'object-opened': 'properties that are not listed are possible now',
  'schema-opened': 'values are possible now where none was',
  'union-member-added': 'alternative {values} added',
  'union-made-inclusive': 'values that match several alternatives are possible now',
  'constraint-removed': 'constraint {subject} {values} removed',
  'values-added': 'further values are possible now',
  'media-type-added': 'media type {values} added',
  'authored-off': 'the schema is only a placeholder now',
} as const;
/** Other values are accepted. */
const replacing = {
  'property-removed': 'property removed{is}',
  'type-changed': 'type{turn}',
  'bound-changed': '{bound}{turn} (neither tighter nor looser)',
  'pattern-changed': 'pattern{turn}',
  'constraint-changed': 'constraint {subject}{turn}',
  'schema-uncompared': 'the schemas differ and are too large to compare; counts as breaking',
  'media-type-changed': 'media type changed',
  'alternate-removed': 'alternate provider {values} removed',
  'operation-removed': 'operation {subject} removed',
  'parameter-removed': 'parameter {subject} removed',
  'parameter-rewritten': 'encoding of parameter {subject}{turn}',
  'security-changed': 'accepted credentials changed (some are refused now)',
} as const;
/** The values stay. */
const harmless = {
  'property-added-optional': 'optional property added{is}',
  'format-changed': 'format{turn} (not checked by default)',
  'names-undescribed': 'properties that are not listed are no longer in the type',
  'code-broken': 'the TypeScript type changed',
  'default-changed': 'default{turn}',
  'provider-changed': 'default provider{turn}',
  'export-added': 'TypeScript export{s} {subject} added',
  'alternate-added': 'alternate provider {values} added',
  'billing-changed': 'charge for content-policy rejections{turn}',
  'operation-added': 'operation {subject} added',
  'operation-renamed': 'operationId{turn}',
  'parameter-added-optional': 'optional parameter {subject} added',
  'parameter-became-optional': 'parameter {subject} became optional',
  'body-became-optional': 'request body became optional',
  'response-added': 'response status {subject} added',
  'response-removed': 'response status {subject} removed',
  'success-response-removed': 'success status {subject} removed',
  'header-added': 'response header {subject} added',
  'header-removed': 'response header {subject} removed',
  'security-loosened': 'accepted credentials changed (more are accepted)',
  'export-removed': 'TypeScript export{s} {subject} removed',
} as const;
/** Neither code nor validation depends on it. */
const cosmetic = {
  'format-noted': 'format{turn} (never checked)',
  'modalities-changed': 'kinds of media{turn}',
  'description-changed': 'description changed',
  'examples-changed': 'examples changed',
  'deprecation-changed': 'deprecation changed',
  'document-changed': 'the document changed in parts that neither calls nor code depend on',
} as const;

/** The sentence of each kind of change; `docs/reference/changes.md` has them with their verdicts and reasons. */
export const changeRules = { ...narrowing, ...widening, ...replacing, ...harmless, ...cosmetic };
export type ChangeRuleId = keyof typeof changeRules;

const both: readonly Direction[] = ['input', 'output'];
/** Sides whose code can lose something, though the values stay. */
export const codeLosses: Partial<Record<ChangeRuleId, readonly Direction[]>> = {
  'property-removed': both,
  'property-unlisted': ['output'],
  'enum-value-removed': ['output'],
  'names-undescribed': both,
  'union-member-removed': ['output'],
  'code-broken': both,
  'operation-removed': both,
  'operation-renamed': both,
  'parameter-removed': both,
  'success-response-removed': both,
  'header-removed': both,
  'export-removed': both,
};
/** They name a member or a value: reported even where other keywords already allowed or refused it. */
const named: ReadonlySet<string> = new Set<ChangeRuleId>([
  'property-added-required',
  'property-added-optional',
  'property-removed',
  'property-unlisted',
  'property-became-required',
  'property-became-optional',
  'enum-value-added',
  'enum-value-removed',
]);

/** The sentence of a rule without names and values, as pages print it. */
export function nameRule(rule: ChangeRuleId): string {
  const words = changeRules[rule].replace('{turn}', ' changed').replace('{bound}', 'bound');
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

function changesValues(rule: ChangeRuleId): boolean {
  return rule in narrowing || rule in widening || rule in replacing;
}

function findBroken(rule: ChangeRuleId, direction: Direction, evidence: Evidence = noEvidence): readonly Broken[] {
  const { isNarrower, isWider, isCompiled } = evidence;
  const isOfWire = direction === 'input' ? isNarrower && !(rule in widening) : isWider && !(rule in narrowing);
  const found = new Set<Broken>();
  if (changesValues(rule) && isOfWire) found.add(direction === 'input' ? 'calls' : 'code');
  if (!isCompiled && codeLosses[rule]?.includes(direction)) found.add('code');
  return [...found];
}

/** The verdict on a change of a side. */
export function readVerdict(rule: ChangeRuleId, direction: Direction, evidence?: Evidence): Verdict {
  if (findBroken(rule, direction, evidence).length > 0) return 'breaking';
  return rule in cosmetic || (rule === 'default-changed' && direction === 'output') ? 'cosmetic' : 'compatible';
}

/** What each rule of changes says, and its verdicts where nothing milder or harder is shown. */
export const changeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(changeRules)
    .sort()
    .filter((rule): rule is ChangeRuleId => rule in changeRules)
    .map((rule) => {
      const [input, output] = [readVerdict(rule, 'input'), readVerdict(rule, 'output')];
      return [rule, `${nameRule(rule)} (input: ${input}, output: ${output}, unless a model shows otherwise)`];
    }),
);

/** Whether a change of values is one: a keyword may say in another way what another one says already. */
export function hasEffect(rule: ChangeRuleId, { isNarrower, isWider }: Evidence): boolean {
  if (!changesValues(rule) || named.has(rule)) return true;
  if (rule in replacing) return isNarrower || isWider;
  return rule in narrowing ? isNarrower : isWider;
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
