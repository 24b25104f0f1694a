import {
  formatPointer,
  type JsonObject,
  type JsonValue,
  parsePointer,
  resolvePointer,
  type Violation,
} from '../../../specs/src/index.ts';

/** One entry of a 422: location, reason, the bound if there is one, and the input (MR-ERR-12 to MR-ERR-20). */
export type ValidationEntry = {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: JsonObject;
  input?: JsonValue;
};
type FieldViolation = Violation & { field: string };

const echoLimit = 1000; // characters; a longer input is left out, which MR-ERR-20 allows
const violationLimit = 500; // further violations of one body are left out
const unionKeywords = ['anyOf', 'oneOf'];

/** One entry for each failing field, outermost first; never empty when there is a violation (MR-ERR-11). */
export function validationEntries(violations: readonly Violation[], input: JsonObject): ValidationEntry[] {
  const located = violations
    .slice(0, violationLimit)
    .map((violation) => ({ ...violation, field: findField(violation) }));
  const byField = new Map<string, FieldViolation[]>();
  for (const violation of withoutBranchNoise(located)) {
    byField.set(violation.field, [...(byField.get(violation.field) ?? []), violation]);
  }
  const canBeEchoed = echoCheck();
  return [...byField.values()].map((group) => toEntry(mostSpecific(group), input, canBeEchoed));
}

/** For a missing or surplus member, the member itself fails, not its object. */
function findField({ pointer, params }: Violation): string {
  const member = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof member !== 'string') return pointer;
  return pointer + formatPointer([member]);
}

/**
 * ajv reports a union once for itself and once for each branch. Where a branch failed for its type alone, the input is meant for
 * the other branch, whose inner fields are reported; otherwise the intended branch is unknown and the union's own field is.
 */
function withoutBranchNoise(violations: readonly FieldViolation[]): FieldViolation[] {
  const unions = violations.filter(({ keyword }) => unionKeywords.includes(keyword)).map(({ pointer }) => pointer);
  return unions.reduce<FieldViolation[]>((kept, union) => settleUnion(kept, union), [...violations]);
}

function settleUnion(violations: readonly FieldViolation[], union: string): FieldViolation[] {
  const inner = violations.filter(({ field }) => field.startsWith(`${union}/`));
  const own = violations.filter(({ field, keyword }) => field === union && !isComposite(keyword));
  if (inner.length > 0 && (union === '' || own.length > 0)) return violations.filter(({ field }) => field !== union);
  return violations.filter(({ field }) => !field.startsWith(`${union}/`));
}

function isComposite(keyword: string): boolean {
  return [...unionKeywords, 'allOf', 'not', 'if'].includes(keyword);
}

function mostSpecific(group: readonly FieldViolation[]): FieldViolation {
  const rank = ({ keyword, params }: FieldViolation): number => {
    if (isComposite(keyword)) return 3;
    if (keyword === 'type' && params['type'] === 'null') return 2;
    return keyword === 'type' ? 1 : 0;
  };
  return group.reduce((best, next) => (rank(next) < rank(best) ? next : best));
}

function toEntry(
  violation: FieldViolation,
  input: JsonObject,
  canBeEchoed: (sent: JsonValue) => boolean,
): ValidationEntry {
  const { type, ctx } = explain(violation);
  const sent = resolvePointer(input, violation.field);
  return {
    loc: locate(violation.field, input),
    msg: violation.keyword === 'required' ? 'field is required' : violation.message,
    type,
    ...(ctx === undefined ? {} : { ctx }),
    ...(sent !== undefined && canBeEchoed(sent) ? { input: sent } : {}),
  };
}

/** Whether a value's JSON has no more characters than may be echoed. A number such as `1e999` is Infinity, which has no JSON. */
function echoCheck(): (sent: JsonValue) => boolean {
  // Entries of nested values share their parts, so each part is measured once.
  const known = new Map<object, number>();
  const measure = (value: JsonValue): number => {
    if (typeof value === 'number') return Number.isFinite(value) ? String(value).length : Number.POSITIVE_INFINITY;
    if (typeof value === 'string') return value.length > echoLimit ? value.length : JSON.stringify(value).length;
    if (typeof value !== 'object' || value === null) return String(value).length;
    const length = known.get(value) ?? measureParts(value);
    known.set(value, length);
    return length;
  };
  const measureParts = (value: JsonValue[] | JsonObject): number => {
    let length = 1;
    for (const key in value) {
      const name = Array.isArray(value) ? 0 : measure(key) + 1;
      // `in` lists own members alone of what was parsed from JSON.
      length += name + measure((value as JsonObject)[key] ?? null) + 1;
      if (length > echoLimit) return length;
    }
    return Math.max(length, 2);
  };
  return (sent) => measure(sent) <= echoLimit;
}

/** A pointer step is an index only where the value is an array (MR-ERR-14). */
function locate(pointer: string, input: JsonObject): (string | number)[] {
  let node: JsonValue | undefined = input;
  return parsePointer(pointer).map((part) => {
    const parent = node;
    node = parent === undefined ? undefined : resolvePointer(parent, formatPointer([part]));
    return Array.isArray(parent) ? Number(part) : part;
  });
}

// [type, name of the bound in ctx, name of the bound in the violation]
const bounded: Readonly<Record<string, readonly [type: string, bound: string, param: string]>> = {
  minimum: ['greater_than_equal', 'ge', 'limit'],
  exclusiveMinimum: ['greater_than', 'gt', 'limit'],
  maximum: ['less_than_equal', 'le', 'limit'],
  exclusiveMaximum: ['less_than', 'lt', 'limit'],
  multipleOf: ['multiple_of', 'multiple_of', 'multipleOf'],
  minLength: ['string_too_short', 'min_length', 'limit'],
  maxLength: ['string_too_long', 'max_length', 'limit'],
  minItems: ['too_short', 'min_length', 'limit'],
  maxItems: ['too_long', 'max_length', 'limit'],
  minProperties: ['too_short', 'min_length', 'limit'],
  maxProperties: ['too_long', 'max_length', 'limit'],
  pattern: ['string_pattern_mismatch', 'pattern', 'pattern'],
  enum: ['enum', 'expected', 'allowedValues'],
  const: ['literal_error', 'expected', 'allowedValue'],
};
const unbounded: Readonly<Record<string, string>> = {
  required: 'missing',
  additionalProperties: 'extra_forbidden',
  unevaluatedProperties: 'extra_forbidden',
  anyOf: 'union_mismatch',
  oneOf: 'union_mismatch',
};

// That null is accepted too does not explain why the value failed.
function typeNames(type: unknown): string[] {
  const names = String(type).split(',');
  const others = names.filter((name) => name !== 'null');
  return others.length === 0 ? names : others;
}

function explain({ keyword, params }: Violation): { type: string; ctx?: JsonObject } {
  const entry = Object.hasOwn(bounded, keyword) ? bounded[keyword] : undefined;
  if (entry !== undefined) {
    const [type, bound, param] = entry;
    const value = params[param];
    return value === undefined ? { type } : { type, ctx: { [bound]: value } };
  }
  if (keyword === 'type') return { type: `${typeNames(params['type']).join('_or_')}_type` };
  return { type: (Object.hasOwn(unbounded, keyword) ? unbounded[keyword] : undefined) ?? keyword };
}
