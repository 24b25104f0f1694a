export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** JSON Schema 2020-12 whose references all start with `#/$defs/`. */
export type JsonSchema = boolean | SchemaObject;
export type SchemasByName = { readonly [name: string]: JsonSchema };
type Keywords<Names extends string, Value> = { readonly [Name in Names]?: Value };
// An interface, because a type that contains itself can't be an intersection.
export interface SchemaObject
  extends Keywords<'$defs' | 'properties' | 'patternProperties' | 'dependentSchemas', SchemasByName>,
    Keywords<'allOf' | 'anyOf' | 'oneOf' | 'prefixItems', readonly JsonSchema[]>,
    Keywords<'not' | 'if' | 'then' | 'else' | 'items' | 'contains' | 'propertyNames', JsonSchema>,
    Keywords<'additionalProperties' | 'unevaluatedProperties' | 'unevaluatedItems', JsonSchema>,
    Keywords<'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minContains' | 'maxContains', number>,
    Keywords<'minProperties' | 'maxProperties' | 'multipleOf', number>,
    Keywords<'title' | '$ref' | 'pattern' | 'format', string>,
    // A bound is a string of digits if a double would round it.
    Keywords<'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum', number | string> {
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly required?: readonly string[];
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly uniqueItems?: boolean;
}

export type ValidationFailure = {
  /** Path of the field, outermost step first; a number is an index. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly ctx?: { readonly [name: string]: unknown };
};
export type Reason = Omit<ValidationFailure, 'loc'>;

/** Steps from the whole value to a part of it. A linked list, because most paths are never read. */
export type ValuePath = { readonly outer: ValuePath; readonly step: string | number } | undefined;

/** Member names or item indices that a part of the schema has evaluated. Only recorded for `unevaluated…`. */
export type EvaluatedParts = Set<string | number>;
export type FormatChecks = { readonly [name: string]: (text: string) => boolean };

/** Result of a check; a combination of checks has the smallest one. `mayPass`: a pattern of the schema could not be run. */
export type Verdict = typeof fails | typeof mayPass | typeof passes;
export const fails = 0;
export const mayPass = 1;
export const passes = 2;

export type ValidationCall = {
  readonly formats: FormatChecks | undefined;
  /** Verdicts of definitions, by check and value. */
  readonly verdicts: Map<Check, Map<unknown, Verdict>>;
  depth: number;
  /** Number of steps left. Patterns have their own budget, so that a long text doesn't use up that of other checks. */
  steps: { checks: number; patterns: number };
};

export type Pass = {
  readonly call: ValidationCall;
  /** Collects failures; undefined if only the verdict matters. */
  readonly failures: ValidationFailure[] | undefined;
  readonly evaluated: EvaluatedParts | undefined;
};

/** Checks a value. Adds failures if the pass collects them. */
export type Check = (value: unknown, path: ValuePath, pass: Pass) => Verdict;

/** Returns a check that only applies to values of one type; all other values pass. */
export function checkIfType<Value>(
  isOfType: (value: unknown) => value is Value,
  check: (value: Value, path: ValuePath, pass: Pass) => Verdict,
): Check {
  return (value, path, pass) => (isOfType(value) ? check(value, path, pass) : passes);
}

/** Combines checks. If failures are collected, each check adds its own. Returns undefined for an empty list. */
export function checkAll(checks: readonly Check[]): Check | undefined {
  const [first, second] = checks;
  if (first === undefined || second === undefined) return first;
  // A loop without a callback, here and in `checkParts`, because callbacks would use up the stack for nested values.
  return (value, path, pass) => {
    let verdict: Verdict = passes;
    for (const check of checks) {
      const part = check(value, path, pass);
      if (part < verdict) verdict = part;
      if (part === fails && !isCollecting(pass.failures)) break;
    }
    return verdict;
  };
}

export type CompileContext = {
  readonly compile: (schema: JsonSchema) => Check;
  /** Returns the check of a definition, which is compiled on first use. */
  readonly follow: (reference: string) => Check;
  readonly findDefinition: (reference: string) => JsonSchema;
  readonly readPattern: PatternReader;
};
/** Creates the check of one or more keywords; returns undefined if the schema has none of them. */
export type Keyword = (schema: SchemaObject, context: CompileContext) => Check | undefined;
/** Returns the matcher of a pattern; undefined for a pattern that only the server checks. */
export type PatternReader = (pattern: string) => PatternMatcher | undefined;
export type PatternMatcher = (text: string, spend?: (steps: number) => void) => boolean;

/** Thrown if a value is nested too deeply; the value is then invalid. Not a failure: `not` would turn it into a pass. */
export class NestedTooDeeply extends Error {}

export class OutOfSteps extends Error {}

export function spend({ steps }: ValidationCall, count: number, on: 'checks' | 'patterns' = 'checks'): void {
  steps[on] -= count;
  if (steps[on] < 0) throw new OutOfSteps();
}

/** Maximum number of failures before checking stops. */
const maxFailures = 1000;

export function isCollecting(failures: ValidationFailure[] | undefined): failures is ValidationFailure[] {
  return failures !== undefined && failures.length < maxFailures;
}

/** Adds a failure, and returns `fails`. */
export function addFailure({ call, failures }: Pass, path: ValuePath, reason: Reason): typeof fails {
  if (!isCollecting(failures)) return fails;
  const loc: (string | number)[] = [];
  let characters = 0;
  for (let at = path; at !== undefined; at = at.outer) {
    loc.unshift(at.step);
    characters += typeof at.step === 'string' ? at.step.length : 1;
  }
  failures.push({ loc, ...reason });
  // A location contains every name of its path, so many failures could need more memory than the value.
  spend(call, 10 + characters / 4);
  return fails;
}

/** Passes if `isMet`; otherwise adds a failure. */
export function passIf(isMet: boolean, pass: Pass, path: ValuePath, reason: Reason): Verdict {
  return isMet ? passes : addFailure(pass, path, reason);
}

/** Returns `mayPass` if the pattern can't be run or takes too many steps. */
export function matchPattern(isMatch: PatternMatcher | undefined, text: string, call: ValidationCall): Verdict {
  try {
    spend(call, 1);
    if (isMatch !== undefined && call.steps.patterns >= 0)
      return isMatch(text, (count) => spend(call, count, 'patterns')) ? passes : fails;
  } catch (error) {
    if (!(error instanceof OutOfSteps) || call.steps.checks < 0) throw error;
  }
  return mayPass;
}

/** Steps for each remembered name or index, because remembering one takes longer than checking it. */
const stepsToRemember = 2;

export function addEvaluated({ evaluated: known, call }: Pass, more: EvaluatedParts): void {
  if (known === undefined) return;
  spend(call, stepsToRemember * more.size);
  for (const step of more) known.add(step);
}

/** Returns the pass for parts of a value, which record their evaluated members separately. */
export function withoutEvaluated(pass: Pass): Pass {
  return pass.evaluated === undefined ? pass : { ...pass, evaluated: undefined };
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return isContainer(value) && !Array.isArray(value);
}

/** Returns the names of the members that JSON would contain. */
export function listNames(value: { readonly [name: string]: unknown }): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

export function hasMember(value: { readonly [name: string]: unknown }, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

export function listMembers(value: { readonly [name: string]: unknown }, call: ValidationCall): readonly string[] {
  const names = listNames(value);
  spend(call, names.length / 4);
  return names;
}

/** Checks the parts of values of one type. If `select` returns no check for a part, it passes and is not evaluated. */
export function checkParts<Value extends object, Step extends string | number>(
  isOfType: (value: unknown) => value is Value,
  listSteps: (value: Value, call: ValidationCall) => Iterable<Step>,
  select: (step: Step, pass: Pass) => Check | undefined,
): Check {
  return checkIfType(isOfType, (value, path, pass) => {
    const parts: { readonly [step: string | number]: unknown } = Object(value);
    const within = withoutEvaluated(pass);
    let verdict: Verdict = passes;
    for (const step of listSteps(value, pass.call)) {
      const check = select(step, pass);
      if (check === undefined) continue;
      if (pass.evaluated !== undefined) spend(pass.call, stepsToRemember);
      pass.evaluated?.add(step);
      const part = check(parts[step], { outer: path, step }, within);
      if (part < verdict) verdict = part;
      if (part === fails && !isCollecting(pass.failures)) break;
    }
    return verdict;
  });
}
