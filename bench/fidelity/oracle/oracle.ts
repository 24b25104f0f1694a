import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from './json-schema.ts';
import { reduce } from './reduce.ts';

/**
 * The expected result of the type checker for a value. `as` is the form in which it shows: excess properties are refused
 * in a fresh literal only. There is no decision where no type can express the violation.
 */
export type Decision =
  | { accepts: true }
  | { accepts: false; as: 'variable' | 'literal'; because: 'schema' | 'two-branches' }
  | undefined;

export type Oracle = {
  isValid(value: JsonValue): boolean;
  decide(value: JsonValue): Decision;
  /** Whether every key of a valid value is declared, so that it can also be written as a literal. */
  isDeclared(value: JsonValue): boolean;
};

/** Formats are annotations, as in 2020-12. Schemas are compiled on first use. */
export function createOracle(schema: JsonSchema): Oracle {
  const strict = compile(schema);
  const everyError = lazy(() => compile(schema, true));
  const expressible = lazy(() => compile(reduce(schema, 'expressible')));
  const joined = lazy(() => compile(reduce(schema, 'joined')));
  const open = lazy(() => compile(reduce(schema, 'open')));
  const declared = lazy(() => compile(reduce(schema, 'declared')));
  return {
    isValid: (value) => strict(value),
    isDeclared: (value) => declared()(value),
    decide(value) {
      if (strict(value)) return { accepts: true };
      if (!expressible()(value))
        return { accepts: false, as: open()(value) ? 'literal' : 'variable', because: 'schema' };
      // Not only because a second branch matches.
      if (!joined()(value)) return undefined;
      everyError()(value);
      return matchesTwice(everyError().errors ?? [])
        ? { accepts: false, as: 'variable', because: 'two-branches' }
        : undefined;
    },
  };
}

function matchesTwice(errors: readonly ErrorObject[]): boolean {
  return errors.some(({ keyword, params }) => keyword === 'oneOf' && Array.isArray(params['passingSchemas']));
}

function compile(schema: JsonSchema, allErrors = false): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    allErrors,
    // Otherwise every object has a `constructor`.
    ownProperties: true,
    multipleOfPrecision: 9, // 0.3 is a multiple of 0.1
    unicodeRegExp: false,
  });
  return ajv.compile(schema);
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
