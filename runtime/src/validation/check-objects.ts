import {
  all,
  type Call,
  type Check,
  type Compile,
  checkParts,
  inside,
  listMembers,
  matches,
  type PatternReader,
  refuse,
  spend,
  when,
} from './check.ts';
import { checkCount, leaveOpen } from './check-scalars.ts';
import { isCollecting } from './failure.ts';
import { isContainer } from './ids.ts';
import { has, isMembers, type JsonSchema, type SchemaObject } from './schema.ts';

const extraField = { type: 'extra_forbidden', msg: 'field is not allowed' };
const missing = { type: 'missing', msg: 'field is required' };

export function checkRequired({ required, dependentRequired }: SchemaObject): Check | undefined {
  const dependents = Object.entries(dependentRequired ?? {});
  if (required === undefined && dependents.length === 0) return undefined;
  return when(isMembers, (value, path, pass) => {
    const needed = dependents.filter(([name]) => has(value, name)).map(([, others]) => others);
    spend(pass.call, dependents.length);
    let fits = true;
    for (const names of required === undefined ? needed : [required, ...needed]) {
      spend(pass.call, names.length);
      for (const name of names) {
        if (has(value, name)) continue;
        fits = refuse(pass, { outer: path, step: name }, missing);
        if (!isCollecting(pass.failures)) return false;
      }
    }
    return fits;
  });
}

export function checkDependents({ dependentSchemas }: SchemaObject, compile: Compile): Check | undefined {
  if (dependentSchemas === undefined) return undefined;
  const checks = Object.entries(dependentSchemas).map(([name, schema]): Check => {
    const check = compile(schema);
    return when(isMembers, (value, path, pass) => {
      spend(pass.call, 1);
      return !has(value, name) || check(value, path, pass);
    });
  });
  return all(checks);
}

export function checkMembers(schema: SchemaObject, compile: Compile, readPattern: PatternReader): Check | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined)
    return undefined;
  const own = new Map(Object.entries(properties ?? {}).map(([name, part]) => [name, compileMember(part, compile)]));
  const patterns = Object.entries(patternProperties ?? {}).map(([pattern, part]) => {
    const isMatch = readPattern(pattern);
    // A pattern that cannot be run may stand for every name.
    return isMatch === undefined
      ? { isMatch: () => true, check: leaveOpen }
      : { isMatch, check: compileMember(part, compile) };
  });
  const other = additionalProperties === undefined ? undefined : compileMember(additionalProperties, compile);
  const selectCheck = (name: string, call: Call): Check | undefined => {
    const named = own.get(name);
    const matching = patterns.filter(({ isMatch }) => matches(isMatch, name, call)).map(({ check }) => check);
    spend(call, 1 + patterns.length);
    return all(named === undefined ? matching : [named, ...matching]) ?? other;
  };
  return checkParts(isMembers, listMembers, (name, { call }) => selectCheck(name, call));
}

function compileMember(schema: JsonSchema, compile: Compile): Check {
  return schema === false ? (_, path, pass) => refuse(pass, path, extraField) : compile(schema);
}

export function checkNames({ propertyNames }: SchemaObject, compile: Compile): Check | undefined {
  if (propertyNames === undefined) return undefined;
  const check = compile(propertyNames);
  return when(isMembers, (value, path, pass) => {
    const quiet = { ...inside(pass), failures: undefined };
    let fits = true;
    for (const name of listMembers(value, pass.call)) {
      const at = { outer: path, step: name };
      if (check(name, at, quiet)) continue;
      fits = refuse(pass, at, extraField);
      if (!isCollecting(pass.failures)) return false;
    }
    return fits;
  });
}

export function checkMemberCount({ minProperties, maxProperties }: SchemaObject): Check | undefined {
  return all(
    checkCount([minProperties, maxProperties], 'fields', isMembers, (value, call) => listMembers(value, call).length),
  );
}

/** Checks the members and items that no other part of the schema has evaluated. */
export function checkUnevaluated(schema: SchemaObject, compile: Compile): Check | undefined {
  const { unevaluatedProperties, unevaluatedItems } = schema;
  const member = unevaluatedProperties === undefined ? undefined : compileMember(unevaluatedProperties, compile);
  const item = unevaluatedItems === undefined ? undefined : compile(unevaluatedItems);
  if (member === undefined && item === undefined) return undefined;
  const listSteps = (value: object, call: Call): readonly (string | number)[] => {
    if (isMembers(value)) return listMembers(value, call);
    const indexes = Object.keys(value).map(Number);
    spend(call, indexes.length);
    return indexes;
  };
  return checkParts(isContainer, listSteps, (step, { evaluated }) => {
    if (evaluated?.has(step)) return undefined;
    return typeof step === 'string' ? member : item;
  });
}
