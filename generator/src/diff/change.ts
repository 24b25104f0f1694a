import { canonicalText, type JsonValue } from '../../../specs/src/index.ts';
import { joinSome, quote } from './words.ts';

/** `input`: sent to the service (request bodies, parameters). `output`: returned by it (results). */
export type Direction = 'input' | 'output';
export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** Verdicts, most severe first. */
export const verdictOrder: readonly Verdict[] = ['breaking', 'compatible', 'cosmetic'];
/** `calls`: calls that worked may be rejected. `code`: code may not compile, or may receive unexpected values. */
export type BreakKind = 'calls' | 'code';

/** Location and details of a change. The default message is the summary of the rule. */
export type ChangeFacts = {
  /** JSON pointer into the newer document, or into the older one for a removed part. */
  readonly pointer: string;
  /**
   * Path of the changed member in code, such as `images[].url`; empty for the whole input or output; absent for a change that
   * concerns no value, such as one of an alternate provider or an operation.
   */
  readonly field?: string | undefined;
  /** Paths of other members with the same change. */
  readonly places?: readonly string[] | undefined;
  /** Describes the calls that are rejected now. Default: the text of the rule. */
  readonly refused?: string | undefined;
  /** State before and after: a value, the listed values or names, or a description of a schema. */
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** Example of code that compiles with the older types and not with the newer ones. */
  readonly code?: string | undefined;
  /** Describes the change in Markdown; text from documents is in code spans. `detail`: appended to the summary instead. */
  readonly message?: string;
  readonly detail?: string;
};
/** One difference between two documents. `breaks` is empty unless the verdict is breaking. */
export type Change = ChangeFacts & {
  readonly rule: ChangeRuleId;
  readonly verdict: Verdict;
  readonly breaks: readonly BreakKind[];
  readonly direction: Direction;
  readonly message: string;
};

type Rule = {
  /**
   * How the accepted values change: fewer (`narrows`), more (`widens`), others (`replaces`) or the same ones (`keeps`).
   * A `cosmetic` change affects neither values nor code.
   */
  readonly effect: 'narrows' | 'widens' | 'replaces' | 'keeps' | 'cosmetic';
  /** Summary without names and values. `ofOutput`: replaces it for outputs. */
  readonly summary: string;
  readonly ofOutput?: string;
  /**
   * Directions in which the change stops code from compiling although the accepted values stay the same: `input` for code
   * that builds inputs, `output` for code that reads outputs.
   */
  readonly breaksCodeIn?: readonly Direction[];
  /** Older code still compiles after the change, unless its verdict is breaking. */
  readonly keepsCode?: true;
  /** In outputs, the change affects neither values nor code. */
  readonly isCosmeticInOutput?: true;
  /** Reports the change of a named member or value even if the accepted values stay the same because of other keywords. */
  readonly isNamed?: true;
  /** Calls that are rejected now. */
  readonly refused?: string;
  /** Clause for messages: which older code breaks although all calls are accepted. */
  readonly brokenCode?: string;
};
const defineRule =
  (effect: Rule['effect']) =>
  (summary: string, details: Omit<Rule, 'effect' | 'summary'> = {}): Rule => ({ effect, summary, ...details });
const [narrows, widens, replaces] = [defineRule('narrows'), defineRule('widens'), defineRule('replaces')];
const [keeps, cosmetic] = [defineRule('keeps'), defineRule('cosmetic')];

const isNamed = true;
const breaksBoth = { breaksCodeIn: ['input', 'output'] } as const;
const breaksOutput = { breaksCodeIn: ['output'] } as const;
const keepsCode = { keepsCode: true } as const;
const unseenInOutput = { ...keepsCode, isCosmeticInOutput: true } as const;
const added = { isNamed, refused: 'calls without it' } as const;
const otherValues = 'calls with other values';

const ruleDefinitions = {
  'property-added-required': narrows('required property added', {
    ...added,
    ofOutput: 'property added, always present',
  }),
  'property-became-required': narrows('required now', { ...added, ...keepsCode, ofOutput: 'always present now' }),
  'type-narrowed': narrows('type changed', { refused: 'calls with another type' }),
  'null-removed': narrows('may no longer be null', { ...keepsCode, refused: 'calls with `null`' }),
  'enum-added': narrows('only listed values are possible now', { refused: otherValues }),
  'enum-value-removed': narrows('value removed', { ...breaksOutput, isNamed, refused: 'calls with a removed value' }),
  'body-form-removed': narrows('kind of body removed'),
  'object-closed': narrows('properties that are not listed are no longer allowed', {
    refused: 'calls with other properties',
  }),
  'schema-closed': narrows('no value is allowed any more', { refused: 'calls with it' }),
  'union-member-removed': narrows('alternative removed', { ...breaksOutput, refused: 'calls that use it' }),
  'constraint-added': narrows('constraint added', keepsCode),
  'values-refused': narrows('some values are no longer allowed', { refused: 'calls with such values' }),
  'authored-on': narrows('the schema applies now, and was a placeholder before', {
    refused: 'calls that do not match the schema',
  }),

  'property-unlisted': widens('property no longer described: it may hold any value', { ...breaksOutput, isNamed }),
  'property-became-optional': widens('optional now', { ...keepsCode, isNamed, ofOutput: 'may be missing now' }),
  'type-widened': widens('type changed'),
  'null-added': widens('may be null now', keepsCode),
  'enum-removed': widens('values are no longer limited to a list', keepsCode),
  'enum-value-added': widens('value added', { ...keepsCode, isNamed }),
  'body-form-added': widens('kind of body added'),
  'object-opened': widens('properties that are not listed are possible now'),
  'schema-opened': widens('values are allowed now, where none was before'),
  'union-member-added': widens('alternative added'),
  'constraint-removed': widens('constraint removed', keepsCode),
  'values-added': widens('further values are possible now'),
  'authored-off': widens('the schema is only a placeholder now', {
    brokenCode: 'existing code that reads its members no longer compiles',
  }),

  'property-removed': replaces('property removed', {
    ...breaksBoth,
    isNamed,
    refused: 'calls with a removed property',
  }),
  'type-changed': replaces('type changed', { refused: 'calls with another type' }),
  'constraint-changed': replaces('constraint changed', keepsCode),
  'schema-uncompared': replaces('the schemas differ and are too large to compare; counts as breaking'),
  'media-type-changed': replaces('media type changed'),
  'alternate-removed': replaces('alternate provider removed', { refused: 'calls that choose it' }),
  'operation-removed': replaces('operation removed', { ...breaksBoth, refused: 'calls of it' }),
  'operation-changed': replaces('operation changed', { ...breaksBoth, refused: 'some existing calls' }),

  'property-added-optional': keeps('optional property added', { isNamed }),
  'format-changed': keeps('format changed (not checked by default)', unseenInOutput),
  'names-undescribed': keeps('properties that are not listed are no longer in the type', breaksBoth),
  'code-broken': keeps('the TypeScript type changed', breaksBoth),
  'default-changed': keeps('default changed', unseenInOutput),
  'deprecation-changed': keeps('deprecation changed', keepsCode),
  'provider-changed': keeps('default provider changed'),
  'export-added': keeps('TypeScript export added'),
  'export-removed': keeps('TypeScript export removed', {
    ...breaksBoth,
    brokenCode: 'existing imports no longer compile',
  }),
  'alternate-added': keeps('alternate provider added'),
  'billing-changed': keeps('charge for content-policy rejections changed'),
  'operation-added': keeps('operation added'),
  'operation-extended': keeps('operation changed (earlier calls still work)'),

  'format-noted': cosmetic('format changed (never checked)'),
  'modalities-changed': cosmetic('modalities changed'),
  'description-changed': cosmetic('description changed'),
  'examples-changed': cosmetic('examples changed'),
  'document-changed': cosmetic('the document changed in parts that neither calls nor code depend on'),
};
export type ChangeRuleId = keyof typeof ruleDefinitions;
/** Rules for every kind of change; `docs/reference/changes.md` lists them with verdicts and reasons. */
export const changeRules: Readonly<Record<ChangeRuleId, Rule>> = ruleDefinitions;

/**
 * Evidence about one changed schema: whether it lost or gained values. `isCompiled`: the compiler compares the type
 * declarations of both versions to find code that breaks.
 */
export type Evidence = { readonly isNarrower: boolean; readonly isWider: boolean; readonly isCompiled: boolean };
const noEvidence: Evidence = { isNarrower: true, isWider: true, isCompiled: false };

function findBreakKinds(rule: ChangeRuleId, direction: Direction, evidence: Evidence): readonly BreakKind[] {
  const { effect, breaksCodeIn = [] } = changeRules[rule];
  const refuses = direction === 'input' && evidence.isNarrower && (effect === 'narrows' || effect === 'replaces');
  const surprises = direction === 'output' && evidence.isWider && (effect === 'widens' || effect === 'replaces');
  const isCode = surprises || (!evidence.isCompiled && breaksCodeIn.includes(direction));
  return [...(refuses ? (['calls'] as const) : []), ...(isCode ? (['code'] as const) : [])];
}

/** Returns the verdict on a change in one direction. Without evidence, returns the most severe verdict of the rule. */
export function determineVerdict(rule: ChangeRuleId, direction: Direction, evidence = noEvidence): Verdict {
  if (findBreakKinds(rule, direction, evidence).length > 0) return 'breaking';
  const { effect, isCosmeticInOutput } = changeRules[rule];
  return effect === 'cosmetic' || (isCosmeticInOutput && direction === 'output') ? 'cosmetic' : 'compatible';
}

/** False for a changed keyword that now accepts values which other keywords already accepted. */
export function hasEffect(rule: ChangeRuleId, { isNarrower, isWider }: Evidence): boolean {
  const { effect, isNamed = false } = changeRules[rule];
  if (effect === 'keeps' || effect === 'cosmetic' || isNamed) return true;
  return (isNarrower && effect !== 'widens') || (isWider && effect !== 'narrows');
}

/** Returns the most severe of the verdicts; undefined if the list is empty. */
export function pickWorst(verdicts: Iterable<Verdict | undefined>): Verdict | undefined {
  const found = new Set(verdicts);
  return verdictOrder.find((verdict) => found.has(verdict));
}

/** Summary of each rule, with the verdicts that it has without evidence. */
export const changeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(ruleDefinitions) as ChangeRuleId[]).sort().map((rule) => {
    const [input, output] = [determineVerdict(rule, 'input'), determineVerdict(rule, 'output')];
    return [
      rule,
      `${ruleDefinitions[rule].summary} (input: ${input}, output: ${output}, unless a model shows otherwise)`,
    ];
  }),
);

export function makeChange(
  rule: ChangeRuleId,
  direction: Direction,
  { detail, ...facts }: ChangeFacts,
  evidence = noEvidence,
): Change {
  const breaks = findBreakKinds(rule, direction, evidence);
  const verdict = determineVerdict(rule, direction, evidence);
  const { summary, ofOutput = summary } = changeRules[rule];
  const message = `${direction === 'output' ? ofOutput : summary}${detail === undefined ? '' : ` (${detail})`}`;
  return { rule, verdict, breaks, direction, message, ...facts };
}

/** Returns the change, marked as also breaking code. */
export function markAsBreakingCode(change: Change, code = change.code): Change {
  return { ...change, verdict: 'breaking', breaks: [...new Set([...change.breaks, 'code' as const])], code };
}

/** Returns one change for the names that are only in the older list, and one for those only in the newer list. */
export function diffNames(
  noun: string,
  before: readonly string[],
  after: readonly string[],
  make: (kind: 'removed' | 'added', facts: Omit<ChangeFacts, 'pointer'>) => Change,
): Change[] {
  return (['removed', 'added'] as const).flatMap((kind) => {
    const [all, others] = kind === 'removed' ? [before, after] : [after, before];
    const names = all.filter((name) => !others.includes(name));
    if (names.length === 0) return [];
    const list = joinSome(names.map((name) => quote(name)));
    const message = `${noun}${names.length > 1 ? 's' : ''} ${list} ${kind}`;
    return [make(kind, { message, [kind === 'removed' ? 'before' : 'after']: names })];
  });
}

/** Compares JSON values; the order of members doesn't matter. */
export function isSameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && canonicalText(left) === canonicalText(right));
}
