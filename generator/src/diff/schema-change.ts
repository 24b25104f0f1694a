import { canonicalText, type JsonValue } from '../../../specs/src/index.ts';

/** `input` is sent to the service (request bodies, parameters), `output` is returned by it (results). */
export type Direction = 'input' | 'output';
export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** The most severe first. */
export const verdictOrder: readonly Verdict[] = ['breaking', 'compatible', 'cosmetic'];
/** Calls that worked may be rejected; code may not compile, or may receive values that it does not expect. */
export type Broken = 'calls' | 'code';

type Rule = {
  /** The service accepts fewer, more, other or the same values; a cosmetic change affects neither values nor code. */
  readonly effect: 'narrows' | 'widens' | 'replaces' | 'keeps' | 'cosmetic';
  /**
   * `{turn}` becomes "X added", "X removed" or "changed from X to Y", `{is}` "(was X)", "(X)" or "(X → Y)", `{values}` the
   * values, `{subject}` the name, `{bound}` the name of a bound, and `{s}` a plural.
   */
  readonly sentence: string;
  /** Directions in which code breaks although the values stay. */
  readonly loses?: readonly Direction[];
  /** True for the name of a member or a value: reported even where other keywords already allowed or rejected it. */
  readonly isNamed?: true;
  /** The calls that are rejected from now on. */
  readonly refused?: string;
  /** The code that breaks, instead of an example from the compiler. */
  readonly code?: Partial<Record<Direction, string>>;
  /** True if an example that only assigns the whole value would not show the change. */
  readonly needsComparison?: true;
  /** True if texts among the values are printed as JSON. */
  readonly isJson?: true;
};

type Details = Omit<Rule, 'effect' | 'sentence'>;
const define =
  (effect: Rule['effect']) =>
  (sentence: string, details: Details = {}): Rule => ({ effect, sentence, ...details });
const [narrows, widens, replaces] = [define('narrows'), define('widens'), define('replaces')];
const [keeps, cosmetic] = [define('keeps'), define('cosmetic')];

const isNamed = true;
const isJson = true;
const both: Details = { loses: ['input', 'output'] };
const ofOutput: Details = { loses: ['output'] };
const withoutIt: Details = { refused: 'calls without it are refused' };
const withIt: Details = { refused: 'calls with {it} are refused' };
const required: Details = { ...withoutIt, isNamed, code: { input: 'older code does not compile' } };
const older = 'older code that';
const imports = `${older} imports {it} does not compile`;

const rules = {
  'property-added-required': narrows('required property added{is}', required),
  'property-became-required': narrows('property became required', required),
  'type-narrowed': narrows('type{turn}'),
  'null-removed': narrows('may no longer be null'),
  'enum-added': narrows('only listed values are possible now{is}', { isJson }),
  'enum-value-removed': narrows('value{s} {values} removed', { ...withIt, ...ofOutput, isNamed, isJson }),
  'bound-tightened': narrows('{bound}{turn} (tighter)', { refused: 'calls outside it are refused' }),
  'pattern-added': narrows('pattern {values} added'),
  'body-form-removed': narrows('form {values} of the body removed'),
  'uniqueness-added': narrows('items must be unique now'),
  'object-closed': narrows('properties that are not listed are no longer allowed'),
  'schema-closed': narrows('no value is allowed any more'),
  'union-member-removed': narrows('alternative {values} removed', { ...withIt, ...ofOutput }),
  'union-made-exclusive': narrows('values that match several alternatives are no longer allowed'),
  'constraint-added': narrows('constraint {subject} {values} added'),
  'values-refused': narrows('some values are no longer allowed'),
  'media-type-removed': narrows('media type {values} removed'),
  'authored-on': narrows('the schema applies now, and was a placeholder before'),
  'parameter-added-required': narrows('required parameter {subject} added', withoutIt),
  'parameter-became-required': narrows('parameter {subject} became required', withoutIt),
  'body-became-required': narrows('request body became required', withoutIt),

  'property-unlisted': widens('property no longer described{is}: it may hold any value', { ...ofOutput, isNamed }),
  'property-became-optional': widens('property became optional', { isNamed }),
  'type-widened': widens('type{turn}'),
  'null-added': widens('may be null now'),
  'enum-removed': widens('values are no longer limited to a list{is}', { needsComparison: true, isJson }),
  'enum-value-added': widens('value{s} {values} added', { isNamed, needsComparison: true, isJson }),
  'bound-loosened': widens('{bound}{turn} (looser)'),
  'pattern-removed': widens('pattern {values} removed'),
  'body-form-added': widens('form {values} of the body added'),
  'uniqueness-removed': widens('items need no longer be unique'),
  'object-opened': widens('properties that are not listed are possible now'),
  'schema-opened': widens('values are possible now where none was'),
  'union-member-added': widens('alternative {values} added', { needsComparison: true }),
  'union-made-inclusive': widens('values that match several alternatives are possible now'),
  'constraint-removed': widens('constraint {subject} {values} removed'),
  'values-added': widens('further values are possible now'),
  'media-type-added': widens('media type {values} added'),
  'authored-off': widens('the schema is only a placeholder now', {
    code: { input: `${older} reads an Input does not compile` },
  }),

  'property-removed': replaces('property removed{is}', { ...both, isNamed }),
  'type-changed': replaces('type{turn}'),
  'bound-changed': replaces('{bound}{turn} (neither tighter nor looser)'),
  'pattern-changed': replaces('pattern{turn}'),
  'constraint-changed': replaces('constraint {subject}{turn}'),
  'schema-uncompared': replaces('the schemas differ and are too large to compare; counts as breaking'),
  'media-type-changed': replaces('media type changed', {
    code: { output: `${older} reads it as before does not compile` },
  }),
  'alternate-removed': replaces('alternate provider {values} removed', { refused: 'calls that choose it are refused' }),
  'operation-removed': replaces('operation {subject} removed', both),
  'parameter-removed': replaces('parameter {subject} removed', { ...withIt, ...both }),
  'parameter-rewritten': replaces('encoding of parameter {subject}{turn}'),
  'security-changed': replaces('accepted credentials changed (some are refused now)', {
    refused: 'calls with others are refused',
  }),

  'property-added-optional': keeps('optional property added{is}', { isNamed }),
  'format-changed': keeps('format{turn} (not checked by default)'),
  'names-undescribed': keeps('properties that are not listed are no longer in the type', both),
  'code-broken': keeps('the TypeScript type changed', both),
  'default-changed': keeps('default{turn}', { isJson }),
  'provider-changed': keeps('default provider{turn}'),
  'export-added': keeps('TypeScript export{s} {subject} added'),
  'export-removed': keeps('TypeScript export{s} {subject} removed', {
    ...both,
    code: { input: imports, output: imports },
  }),
  'alternate-added': keeps('alternate provider {values} added'),
  'billing-changed': keeps('charge for content-policy rejections{turn}'),
  'operation-added': keeps('operation {subject} added'),
  'operation-renamed': keeps('operationId{turn}', both),
  'parameter-added-optional': keeps('optional parameter {subject} added'),
  'parameter-became-optional': keeps('parameter {subject} became optional'),
  'body-became-optional': keeps('request body became optional'),
  'response-added': keeps('response status {subject} added'),
  'response-removed': keeps('response status {subject} removed'),
  'success-response-removed': keeps('success status {subject} removed', both),
  'header-added': keeps('response header {subject} added'),
  'header-removed': keeps('response header {subject} removed', both),
  'security-loosened': keeps('accepted credentials changed (more are accepted)'),

  'format-noted': cosmetic('format{turn} (never checked)'),
  'modalities-changed': cosmetic('kinds of media{turn}'),
  'description-changed': cosmetic('description changed'),
  'examples-changed': cosmetic('examples changed'),
  'deprecation-changed': cosmetic('deprecation changed'),
  'document-changed': cosmetic('the document changed in parts that neither calls nor code depend on'),
};
export type ChangeRuleId = keyof typeof rules;
/** Every kind of change; `docs/reference/changes.md` lists them with their verdicts and reasons. */
export const changeRules: Readonly<Record<ChangeRuleId, Rule>> = rules;

/** The sentence of a rule without names and values, as pages print it. */
export function describeChangeRule(rule: ChangeRuleId): string {
  const sentence = changeRules[rule].sentence.replace('{turn}', ' changed').replace('{bound}', 'bound');
  return sentence.replace(/ ?\{\w+\}/g, '');
}

/** Limits the verdict on a place: whether values were lost or added there, and whether the compiler checks the code. */
export type Evidence = { readonly isNarrower: boolean; readonly isWider: boolean; readonly isCompiled: boolean };
const noEvidence: Evidence = { isNarrower: true, isWider: true, isCompiled: false };

function findBroken(rule: ChangeRuleId, direction: Direction, evidence: Evidence): readonly Broken[] {
  const { effect, loses = [] } = changeRules[rule];
  const refuses = direction === 'input' && evidence.isNarrower && (effect === 'narrows' || effect === 'replaces');
  const surprises = direction === 'output' && evidence.isWider && (effect === 'widens' || effect === 'replaces');
  const isCode = surprises || (!evidence.isCompiled && loses.includes(direction));
  return [...(refuses ? (['calls'] as const) : []), ...(isCode ? (['code'] as const) : [])];
}

/** The verdict on a change of one direction; the most severe one without evidence. */
export function readVerdict(rule: ChangeRuleId, direction: Direction, evidence = noEvidence): Verdict {
  if (findBroken(rule, direction, evidence).length > 0) return 'breaking';
  const isUnseen = rule === 'default-changed' && direction === 'output';
  return isUnseen || changeRules[rule].effect === 'cosmetic' ? 'cosmetic' : 'compatible';
}

/** The most severe verdict; undefined when there is none. */
export function pickWorst(verdicts: Iterable<Verdict | undefined>): Verdict | undefined {
  const found = new Set(verdicts);
  return verdictOrder.find((verdict) => found.has(verdict));
}

/** The sentence of each rule, and its verdicts without evidence. */
export const changeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(rules) as ChangeRuleId[]).sort().map((rule) => {
    const [input, output] = [readVerdict(rule, 'input'), readVerdict(rule, 'output')];
    return [rule, `${describeChangeRule(rule)} (input: ${input}, output: ${output}, unless a model shows otherwise)`];
  }),
);

/** False for a changed keyword that accepts what other keywords accepted before. */
export function hasEffect(rule: ChangeRuleId, { isNarrower, isWider }: Evidence): boolean {
  const { effect, isNamed = false } = changeRules[rule];
  if (effect === 'keeps' || effect === 'cosmetic' || isNamed) return true;
  return (isNarrower && effect !== 'widens') || (isWider && effect !== 'narrows');
}

export type ChangeFacts = {
  /** JSON pointer into the newer document, or into the older one for a removed part. */
  readonly pointer: string;
  /** The member as code names it, such as `images[].url`; absent where the whole value or something else changed. */
  readonly field?: string | undefined;
  /** The name or value that changed, where the field does not end in it: text of a document. */
  readonly subject?: string | undefined;
  /** The reason, where the change follows from another one. */
  readonly note?: string | undefined;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** Code for the older types that no longer compiles. */
  readonly code?: string | undefined;
};
/** One difference between two documents. */
export type SchemaChange = ChangeFacts & {
  readonly rule: ChangeRuleId;
  readonly verdict: Verdict;
  /** Empty unless the verdict is breaking. */
  readonly breaks: readonly Broken[];
  readonly direction: Direction;
  readonly message: string;
};

export function classify(
  rule: ChangeRuleId,
  direction: Direction,
  facts: ChangeFacts,
  evidence = noEvidence,
): SchemaChange {
  const message =
    facts.subject === undefined ? describeChangeRule(rule) : `${describeChangeRule(rule)}: ${facts.subject}`;
  const breaks = findBroken(rule, direction, evidence);
  return { rule, verdict: readVerdict(rule, direction, evidence), breaks, direction, message, ...facts };
}

/** The change as one that also breaks code. */
export function breakCode(change: SchemaChange, code = change.code): SchemaChange {
  return { ...change, verdict: 'breaking', breaks: [...new Set([...change.breaks, 'code' as const])], code };
}

/** The changes of removed members, then of those that were added or are on both sides. */
export function diffByName<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  describe: {
    readonly removed: (name: string, old: T) => SchemaChange;
    readonly added: (name: string, now: T) => SchemaChange;
    readonly both?: (old: T, now: T, name: string) => readonly SchemaChange[];
  },
): SchemaChange[] {
  const removed = [...before].filter(([name]) => !after.has(name));
  const others = [...after].flatMap(([name, now]) => {
    const old = before.get(name);
    return old === undefined ? describe.added(name, now) : (describe.both?.(old, now, name) ?? []);
  });
  return [...removed.map(([name, old]) => describe.removed(name, old)), ...others];
}

/** A change for each text that is in only one of two lists; `value` holds the text as `before` or `after`. */
export function diffLists(
  before: readonly string[],
  after: readonly string[],
  describe: (turn: 'removed' | 'added', text: string, value: Pick<ChangeFacts, 'before' | 'after'>) => SchemaChange,
): SchemaChange[] {
  const index = (texts: readonly string[]): Map<string, string> => new Map(texts.map((text) => [text, text]));
  return diffByName(index(before), index(after), {
    removed: (text) => describe('removed', text, { before: text }),
    added: (text) => describe('added', text, { after: text }),
  });
}

/** Each change once, at the first place where it was found, whichever members lead to it. */
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

/** Compares JSON values, whatever the order of their members. */
export function isSameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && canonicalText(left) === canonicalText(right));
}
