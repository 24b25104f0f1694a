import {
  addEvaluated,
  all,
  type Call,
  type Check,
  type Compile,
  createCall,
  type FormatChecks,
  OutOfSteps,
  type PatternReader,
  refuse,
  spend,
} from './check.ts';
import { checkContains, checkItems, checkLength } from './check-arrays.ts';
import { checkAllOf, checkAnyOf, checkConditional, checkNot, checkOneOf } from './check-branches.ts';
import {
  checkDependents,
  checkMemberCount,
  checkMembers,
  checkNames,
  checkRequired,
  checkUnevaluated,
} from './check-objects.ts';
import { checkEnum, checkNumbers, checkText, checkType } from './check-scalars.ts';
import { followed } from './definitions.ts';
import { firstOfEach, NestedTooDeeply, tooDeep, tooLong, type ValidationFailure } from './failure.ts';
import type { JsonSchema, SchemaObject, SchemasByName } from './schema.ts';

export type ValidationOptions = {
  /** Checks of formats, by name; without them `format` is an annotation. */
  readonly formats?: FormatChecks;
  /**
   * How many steps a call may take, by default two million: a tenth of a second. Each member, item, alternative and failure takes
   * some, and each part of a schema that is applied to one; long texts take one for every few characters. A pattern that would take
   * more, and the rest of the value then, are left to the server.
   */
  readonly maxSteps?: number;
};

const usualSteps = 2_000_000;

export type ValidationResult =
  | { readonly valid: true; readonly value: unknown }
  | { readonly valid: false; readonly detail: readonly ValidationFailure[] };
export type Validator = {
  accepts(value: unknown, options?: ValidationOptions): boolean;
  validate(value: unknown, options?: ValidationOptions): ValidationResult;
};

/**
 * The validator of a schema, compiled on first use. Nothing is evaluated as code. Patterns are read by `readPattern`; one that it
 * does not read is left to the server.
 */
export function createValidator(schema: JsonSchema, readPattern: PatternReader = () => undefined): Validator {
  let made: Check | undefined;
  const check: Check = (value, path, pass) => {
    made ??= compileDocument(schema, readPattern);
    return made(value, path, pass);
  };
  const accepts = (value: unknown, call: Call): boolean =>
    withinLimits(() => check(value, undefined, { call, failures: undefined, evaluated: undefined }));
  return {
    accepts: (value, { formats, maxSteps = usualSteps } = {}) => accepts(value, createCall(formats, maxSteps)),
    validate(value, { formats, maxSteps = usualSteps } = {}) {
      const call = createCall(formats, maxSteps);
      if (accepts(value, call)) return { valid: true, value };
      call.steps = { checks: maxSteps, patterns: maxSteps };
      const failures: ValidationFailure[] = [];
      // What is known of the value's parts is kept, and only what fails is visited again.
      call.depth = 0;
      withinLimits(() => check(value, undefined, { call, failures, evaluated: undefined }));
      return {
        valid: false,
        detail: failures.length === 0 ? [call.steps.checks < 0 ? tooLong : tooDeep] : firstOfEach(failures),
      };
    },
  };
}

/** False where a limit of the value ends the call, true where it took too many steps: what is not checked is left to the server. */
function withinLimits(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (error instanceof OutOfSteps) return true;
    // A caller may have used up most of the stack itself.
    if (error instanceof NestedTooDeeply || error instanceof RangeError) return false;
    throw error;
  }
}

const prefix = '#/$defs/';

function compileDocument(root: JsonSchema, readPattern: PatternReader): Check {
  const definitions = (typeof root === 'object' ? root.$defs : undefined) ?? {};
  const made = new Map<string, Check>();
  const compile: Compile = (schema) => compileSchema(schema, { follow, compile, readPattern, definitions });
  const follow = (reference: string): Check => {
    const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : '';
    const schema = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    return (value, path, pass) => {
      const known = made.get(name) ?? followed(schema ?? true, compile(schema ?? true));
      made.set(name, known);
      return known(value, path, pass);
    };
  };
  return compile(root);
}

type Compiling = {
  follow: (reference: string) => Check;
  compile: Compile;
  readPattern: PatternReader;
  definitions: SchemasByName;
};

const nothingFits = { type: 'not_allowed', msg: 'no value is allowed here' };

function compileSchema(schema: JsonSchema, { follow, compile, readPattern, definitions }: Compiling): Check {
  if (typeof schema === 'boolean')
    return (_, path, pass) => {
      spend(pass.call, 1);
      return schema || refuse(pass, path, nothingFits);
    };
  const parts = [
    // The first failure of a field is reported, and `enum` says more than `type`.
    checkEnum(schema),
    checkType(schema),
    checkNumbers(schema),
    checkText(schema, readPattern),
    checkRequired(schema),
    checkMembers(schema, compile, readPattern),
    checkNames(schema, compile),
    checkMemberCount(schema),
    checkItems(schema, compile),
    checkLength(schema),
    checkContains(schema, compile),
    schema.$ref === undefined ? undefined : follow(schema.$ref),
    checkAllOf(schema, compile),
    checkAnyOf(schema, compile, definitions),
    checkOneOf(schema, compile, definitions),
    checkNot(schema, compile),
    checkConditional(schema, compile),
    checkDependents(schema, compile),
  ].filter((check) => check !== undefined);
  const whole = all(parts) ?? (() => true);
  const steps = Math.max(1, parts.length);
  const counted: Check = (value, path, pass) => {
    spend(pass.call, steps);
    return whole(value, path, pass);
  };
  return withUnevaluated(counted, schema, compile);
}

function withUnevaluated(check: Check, schema: SchemaObject, compile: Compile): Check {
  const rest = checkUnevaluated(schema, compile);
  if (rest === undefined) return check;
  const whole = all([check, rest]) ?? check;
  return (value, path, pass) => {
    const evaluated = new Set<string | number>();
    const fits = whole(value, path, { ...pass, evaluated });
    if (fits) addEvaluated(pass, evaluated);
    return fits;
  };
}
