import { canonicalText, type JsonValue, parsePointer } from '../../../specs/src/index.ts';
import { listSome, quote } from './words.ts';

/** `input`: sent to the service (request bodies, parameters). `output`: returned by it (results). */
export type Direction = 'input' | 'output';
export type Verdict = 'breaking' | 'compatible' | 'cosmetic';
/** Verdicts, most severe first. */
export const verdictOrder: readonly Verdict[] = ['breaking', 'compatible', 'cosmetic'];
/** `calls`: calls that worked may be rejected. `code`: code may not compile, or may receive unexpected values. */
export type Broken = 'calls' | 'code';

/** One difference between two documents. */
export type Change = {
  readonly rule: ChangeRuleId;
  readonly verdict: Verdict;
  /** Empty unless the verdict is breaking. */
  readonly breaks: readonly Broken[];
  readonly direction: Direction;
  /** Describes the change in Markdown; text from documents is in code spans. */
  readonly message: string;
} & ChangePlace;

type ChangePlace = {
  /** JSON pointer into the newer document, or into the older one for a removed part. */
  readonly pointer: string;
  /** Path of the member in code, such as `images[].url`; absent if something other than a value changed. */
  readonly field?: string | undefined;
  /** State before and after: a value, the listed values or names, or a description of a schema. */
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** Example of code for the older types that no longer compiles. */
  readonly code?: string | undefined;
};
/** Place and evidence of a change. The default message is the summary of the rule. */
export type ChangeFacts = ChangePlace & { readonly message?: string };

type Rule = Details & {
  /** Whether the service accepts fewer, more, other or the same values. `cosmetic` affects neither values nor code. */
  readonly effect: 'narrows' | 'widens' | 'replaces' | 'keeps' | 'cosmetic';
  /** Summary without names and values. */
  readonly summary: string;
};
type Details = {
  /** Directions in which code breaks although the values stay the same. */
  readonly loses?: readonly Direction[];
  /** The name of a member or a value, which is reported even if other keywords already allowed or rejected it. */
  readonly isNamed?: true;
  /** Calls that are now rejected. */
  readonly refused?: string;
  /** Code that breaks, instead of an example from the compiler. */
  readonly code?: string;
};

const define =
  (effect: Rule['effect']) =>
  (summary: string, details: Details = {}): Rule => ({ effect, summary, ...details });
const [narrows, widens, replaces] = [define('narrows'), define('widens'), define('replaces')];
const [keeps, cosmetic] = [define('keeps'), define('cosmetic')];

const isNamed = true;
const both: Details = { loses: ['input', 'output'] };
const ofOutput: Details = { loses: ['output'] };
const required: Details = { isNamed, refused: 'calls without it are refused', code: 'older code does not compile' };
const imports: Details = { ...both, code: 'older imports do not compile' };

const rules = {
  'property-added-required': narrows('required property added', required),
  'property-became-required': narrows('property became required', required),
  'type-narrowed': narrows('type changed'),
  'null-removed': narrows('may no longer be null'),
  'enum-added': narrows('only listed values are possible now'),
  'enum-value-removed': narrows('value removed', {
    ...ofOutput,
    isNamed,
    refused: 'calls with a removed value are refused',
  }),
  'body-form-removed': narrows('form of the body removed'),
  'object-closed': narrows('properties that are not listed are no longer allowed'),
  'schema-closed': narrows('no value is allowed any more'),
  'union-member-removed': narrows('alternative removed', { ...ofOutput, refused: 'such calls are refused' }),
  'constraint-added': narrows('constraint added'),
  'values-refused': narrows('some values are no longer allowed'),
  'authored-on': narrows('the schema applies now, and was a placeholder before'),

  'property-unlisted': widens('property no longer described: it may hold any value', { ...ofOutput, isNamed }),
  'property-became-optional': widens('property became optional', { isNamed }),
  'type-widened': widens('type changed'),
  'null-added': widens('may be null now'),
  'enum-removed': widens('values are no longer limited to a list'),
  'enum-value-added': widens('value added', { isNamed }),
  'body-form-added': widens('form of the body added'),
  'object-opened': widens('properties that are not listed are possible now'),
  'schema-opened': widens('values are possible now where none was'),
  'union-member-added': widens('alternative added'),
  'constraint-removed': widens('constraint removed'),
  'values-added': widens('further values are possible now'),
  'authored-off': widens('the schema is only a placeholder now', {
    code: 'older code that reads their members does not compile',
  }),

  'property-removed': replaces('property removed', { ...both, isNamed }),
  'type-changed': replaces('type changed'),
  'constraint-changed': replaces('constraint changed'),
  'schema-uncompared': replaces('the schemas differ and are too large to compare; counts as breaking'),
  'media-type-changed': replaces('media type changed'),
  'alternate-removed': replaces('alternate provider removed', { refused: 'calls that choose it are refused' }),
  'operation-removed': replaces('operation removed', both),
  'operation-changed': replaces('operation changed', { ...both, refused: 'older calls may be refused' }),

  'property-added-optional': keeps('optional property added', { isNamed }),
  'format-changed': keeps('format changed (not checked by default)'),
  'names-undescribed': keeps('properties that are not listed are no longer in the type', both),
  'code-broken': keeps('the TypeScript type changed', both),
  'default-changed': keeps('default changed'),
  'provider-changed': keeps('default provider changed'),
  'export-added': keeps('TypeScript export added'),
  'export-removed': keeps('TypeScript export removed', imports),
  'alternate-added': keeps('alternate provider added'),
  'billing-changed': keeps('charge for content-policy rejections changed'),
  'operation-added': keeps('operation added'),
  'operation-extended': keeps('operation changed (earlier calls still work)'),

  'format-noted': cosmetic('format changed (never checked)'),
  'modalities-changed': cosmetic('kinds of media changed'),
  'description-changed': cosmetic('description changed'),
  'examples-changed': cosmetic('examples changed'),
  'deprecation-changed': cosmetic('deprecation changed'),
  'document-changed': cosmetic('the document changed in parts that neither calls nor code depend on'),
};
export type ChangeRuleId = keyof typeof rules;
/** Rules for every kind of change; `docs/reference/changes.md` lists them with verdicts and reasons. */
export const changeRules: Readonly<Record<ChangeRuleId, Rule>> = rules;

/** Limits the verdict on a place: whether it lost or gained values, and whether the compiler checks the code. */
export type Evidence = { readonly isNarrower: boolean; readonly isWider: boolean; readonly isCompiled: boolean };
const noEvidence: Evidence = { isNarrower: true, isWider: true, isCompiled: false };

function findBroken(rule: ChangeRuleId, direction: Direction, evidence: Evidence): readonly Broken[] {
  const { effect, loses = [] } = changeRules[rule];
  const refuses = direction === 'input' && evidence.isNarrower && (effect === 'narrows' || effect === 'replaces');
  const surprises = direction === 'output' && evidence.isWider && (effect === 'widens' || effect === 'replaces');
  const isCode = surprises || (!evidence.isCompiled && loses.includes(direction));
  return [...(refuses ? (['calls'] as const) : []), ...(isCode ? (['code'] as const) : [])];
}

/** Returns the verdict on a change in one direction; the most severe one without evidence. */
export function readVerdict(rule: ChangeRuleId, direction: Direction, evidence = noEvidence): Verdict {
  if (findBroken(rule, direction, evidence).length > 0) return 'breaking';
  const isUnseen = rule === 'default-changed' && direction === 'output';
  return isUnseen || changeRules[rule].effect === 'cosmetic' ? 'cosmetic' : 'compatible';
}

/** False for a changed keyword that now accepts values which other keywords already accepted. */
export function hasEffect(rule: ChangeRuleId, { isNarrower, isWider }: Evidence): boolean {
  const { effect, isNamed = false } = changeRules[rule];
  if (effect === 'keeps' || effect === 'cosmetic' || isNamed) return true;
  return (isNarrower && effect !== 'widens') || (isWider && effect !== 'narrows');
}

/** Returns the most severe verdict; undefined if there is none. */
export function pickWorst(verdicts: Iterable<Verdict | undefined>): Verdict | undefined {
  const found = new Set(verdicts);
  return verdictOrder.find((verdict) => found.has(verdict));
}

/** Summary of each rule, and its verdicts without evidence. */
export const changeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(rules) as ChangeRuleId[]).sort().map((rule) => {
    const [input, output] = [readVerdict(rule, 'input'), readVerdict(rule, 'output')];
    return [rule, `${rules[rule].summary} (input: ${input}, output: ${output}, unless a model shows otherwise)`];
  }),
);

export function makeChange(
  rule: ChangeRuleId,
  direction: Direction,
  facts: ChangeFacts,
  evidence = noEvidence,
): Change {
  const breaks = findBroken(rule, direction, evidence);
  const verdict = readVerdict(rule, direction, evidence);
  return { rule, verdict, breaks, direction, message: changeRules[rule].summary, ...facts };
}

/** Returns the change, marked as also breaking code. */
export function breakCode(change: Change, code = change.code): Change {
  return { ...change, verdict: 'breaking', breaks: [...new Set([...change.breaks, 'code' as const])], code };
}

/** Returns one change for the names that are only in the older list, and one for those only in the newer list. */
export function diffNames(
  noun: string,
  before: readonly string[],
  after: readonly string[],
  make: (turn: 'removed' | 'added', facts: Omit<ChangeFacts, 'pointer'>) => Change,
): Change[] {
  return (['removed', 'added'] as const).flatMap((turn) => {
    const [side, other] = turn === 'removed' ? [before, after] : [after, before];
    const names = side.filter((name) => !other.includes(name));
    if (names.length === 0) return [];
    const list = listSome(names.map((name) => quote(name)));
    const message = `${noun}${names.length > 1 ? 's' : ''} ${list} ${turn}`;
    return [make(turn, { message, [turn === 'removed' ? 'before' : 'after']: names })];
  });
}

/** Compares JSON values; the order of members doesn't matter. */
export function isSameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && canonicalText(left) === canonicalText(right));
}

/** Returns each change once, at its first place, even if several members lead to it. */
export function withoutRepetition(changes: readonly Change[]): Change[] {
  const found = new Map<string, Change>();
  for (const change of changes) {
    const { rule, direction, pointer, field = '', message } = change;
    const name = pointer === '' ? field : field.slice(field.lastIndexOf('.') + 1).replace(/\[\d*\]$/, '');
    const key = JSON.stringify([rule, direction, pointer, name, message]);
    if (found.get(key)?.verdict !== 'breaking') found.set(key, change);
  }
  return [...found.values()];
}

/** Returns a Markdown line, such as `input.size`: value `"4K"` removed; calls with a removed value are refused. */
export function describeChange(change: Change): string {
  const { rule, direction, field, pointer, message } = change;
  // An API has many operations, a model has only one.
  const [section, path = '', part = ''] = parsePointer(pointer);
  const places = section === 'paths' ? [quote(`${part.toUpperCase()} ${path}`, 400)] : [];
  if (section === 'components') places.push(`component ${quote(part)}`);
  // The message about a placeholder already contains the direction.
  if (field !== undefined && rule !== 'authored-on' && rule !== 'authored-off')
    places.push(quote(`${direction}${field === '' || field.startsWith('[') ? '' : '.'}${field}`, 400));
  return `${places.join(' ')}${places.length > 0 ? ': ' : ''}${message}${describeBroken(change)}`;
}

/** Describes the calls and code that break. A changed default breaks neither, but is easily overlooked. */
function describeBroken({ rule, direction, breaks, code }: Change): string {
  if (rule === 'default-changed' && direction === 'input') return '; results may differ where calls leave it out';
  if (breaks.length === 0) return '';
  // The message already explains what callers must do.
  if (rule === 'authored-on' && direction === 'input')
    return breaks.includes('code') ? '; older code that passes others does not compile' : '';
  const { refused = 'some calls are refused now', loses, code: own } = changeRules[rule];
  const example = `older code ${/^\w+$/.test(code ?? '') ? 'with the type' : 'such as'} ${quote(code ?? '', 200)} does not compile`;
  const guess = loses === undefined ? 'older code may not handle it' : 'older code that uses it may not compile';
  const older = own ?? (code === undefined ? guess : example);
  if (breaks.includes('calls')) return `; ${refused}${breaks.includes('code') ? `, and ${older}` : ''}`;
  return `; ${direction === 'input' && own === undefined ? 'calls are still accepted, but ' : ''}${older}`;
}
