import {
  addEvaluated,
  type Check,
  type CompileContext,
  checkAll,
  type FormatChecks,
  fails,
  isCollecting,
  type JsonSchema,
  NestedTooDeeply,
  OutOfSteps,
  type Pass,
  type PatternReader,
  passes,
  passIf,
  spend,
  type ValidationCall,
  type ValidationFailure,
  type ValuePath,
  type Verdict,
} from './check.ts';
import { checkUnevaluated, keywords } from './keywords.ts';

export type ValidationOptions = {
  /** Format checks by name. Without them, `format` is only an annotation. */
  readonly formats?: FormatChecks;
  /** Maximum number of steps; the rest is left to the server. Default: two million, about a tenth of a second. */
  readonly maxSteps?: number;
};

const tooDeep: ValidationFailure = { loc: [], type: 'nested_too_deeply', msg: 'is nested too deeply' };
/** Used if a value is invalid, but finding the invalid field would take too many steps. */
const tooLong: ValidationFailure = { loc: [], type: 'too_many_steps', msg: 'is invalid' };

export type ValidationResult =
  | { readonly valid: true; readonly value: unknown }
  | { readonly valid: false; readonly detail: readonly ValidationFailure[] };
export type Validator = {
  accepts(value: unknown, options?: ValidationOptions): boolean;
  validate(value: unknown, options?: ValidationOptions): ValidationResult;
};

/** Creates a validator, which compiles on first use and evaluates no code. Unreadable patterns are not checked. */
export function createValidator(schema: JsonSchema, readPattern: PatternReader = () => undefined): Validator {
  let compiled: Check | undefined;
  const check: Check = (value, path, pass) => {
    compiled ??= compileDocument(schema, readPattern);
    return compiled(value, path, pass);
  };
  const accepts = (value: unknown, call: ValidationCall, failures?: ValidationFailure[]): boolean =>
    withinLimits(() => check(value, undefined, { call, failures, evaluated: undefined }) !== fails);
  return {
    accepts: (value, options) => accepts(value, createCall(options)),
    validate(value, options) {
      const first = createCall(options);
      if (accepts(value, first)) return { valid: true, value };
      const failures: ValidationFailure[] = [];
      // Verdicts of parts are cached, so only failing parts are visited again.
      const call = { ...createCall(options), verdicts: first.verdicts };
      accepts(value, call, failures);
      if (failures.length === 0) return { valid: false, detail: [call.steps.checks < 0 ? tooLong : tooDeep] };
      const firstByField = new Map<string, ValidationFailure>();
      for (const failure of failures) {
        const field = JSON.stringify(failure.loc);
        if (!firstByField.has(field)) firstByField.set(field, failure);
      }
      return { valid: false, detail: [...firstByField.values()] };
    },
  };
}

function createCall({ formats, maxSteps = 2_000_000 }: ValidationOptions = {}): ValidationCall {
  const steps = { checks: maxSteps, patterns: maxSteps };
  return { formats, steps, verdicts: new Map(), depth: 0 };
}

/** Returns false for a value that is nested too deeply, and true after too many steps: the rest is left to the server. */
function withinLimits(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (error instanceof OutOfSteps) return true;
    // A RangeError is a stack overflow: the caller may have used up most of the stack.
    if (error instanceof NestedTooDeeply || error instanceof RangeError) return false;
    throw error;
  }
}

function compileDocument(root: JsonSchema, readPattern: PatternReader): Check {
  const definitions = (typeof root === 'object' ? root.$defs : undefined) ?? {};
  const checks = new Map<string, Check>();
  const findDefinition = (reference: string): JsonSchema => {
    const name = reference.slice('#/$defs/'.length);
    return (Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? true;
  };
  const compile = (schema: JsonSchema): Check =>
    compileSchema(schema, { compile, follow, findDefinition, readPattern });
  const follow = (reference: string): Check => {
    return (value, path, pass) => {
      const check = checks.get(reference) ?? rememberVerdicts(compile(findDefinition(reference)));
      checks.set(reference, check);
      return check(value, path, pass);
    };
  };
  return compile(root);
}

const nothingAllowed = { type: 'not_allowed', msg: 'no value is allowed here' };

function compileSchema(schema: JsonSchema, context: CompileContext): Check {
  if (typeof schema === 'boolean')
    return (_, path, pass) => {
      spend(pass.call, 1);
      return passIf(schema, pass, path, nothingAllowed);
    };
  const parts = keywords.map((keyword) => keyword(schema, context)).filter((check) => check !== undefined);
  const whole = checkAll(parts) ?? (() => passes);
  const steps = Math.max(1, parts.length);
  const counted: Check = (value, path, pass) => {
    spend(pass.call, steps);
    return whole(value, path, pass);
  };
  const rest = checkUnevaluated(schema, context);
  const both = rest && checkAll([counted, rest]);
  if (both === undefined) return counted;
  return (value, path, pass) => {
    const evaluated = new Set<string | number>();
    const verdict = both(value, path, { ...pass, evaluated });
    addEvaluated(pass, evaluated);
    return verdict;
  };
}

/** Decides each pair of definition and value once per call. If a pair depends on itself, the maximum depth ends the check. */
function rememberVerdicts(check: Check): Check {
  return (value, path, pass) => {
    const { call, failures, evaluated } = pass;
    spend(call, 1); // Looking up a verdict takes time as well.
    const verdicts = call.verdicts.get(check) ?? new Map<unknown, Verdict>();
    call.verdicts.set(check, verdicts);
    // A verdict that was found without tracking lacks the evaluated members.
    let verdict = evaluated === undefined ? verdicts.get(value) : undefined;
    if (verdict === undefined) {
      verdict = checkOneLevelDeeper(check, value, path, { ...pass, failures: undefined });
      if (evaluated === undefined) verdicts.set(value, verdict);
    }
    return verdict === fails && isCollecting(failures) ? checkOneLevelDeeper(check, value, path, pass) : verdict;
  };
}

function checkOneLevelDeeper(check: Check, value: unknown, path: ValuePath, pass: Pass): Verdict {
  const { call } = pass;
  call.depth += 1;
  if (call.depth > 500) throw new NestedTooDeeply();
  const verdict = check(value, path, pass);
  call.depth -= 1;
  return verdict;
}
