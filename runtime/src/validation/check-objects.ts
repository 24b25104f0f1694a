import { type Check, type Compile, inside, type PatternReader, type Run, withoutFailures } from './check.ts';
import { all, checkCount } from './check-scalars.ts';
import { refuse, type ValuePath } from './failure.ts';
import { has, isMembers, type JsonSchema, listNames, type SchemaObject } from './schema.ts';

type Members = { readonly [name: string]: unknown };
const extraField = { type: 'extra_forbidden', msg: 'field is not allowed' };
const missing = { type: 'missing', msg: 'field is required' };

function ofObjects(check: (value: Members, path: ValuePath, run: Run) => boolean): Check {
  return (value, path, run) => !isMembers(value) || check(value, path, run);
}

export function checkRequired({ required, dependentRequired }: SchemaObject): Check | undefined {
  const dependents = Object.entries(dependentRequired ?? {});
  if (required === undefined && dependents.length === 0) return undefined;
  return ofObjects((value, path, run) => {
    const names = [...(required ?? []), ...dependents.flatMap(([name, others]) => (has(value, name) ? others : []))];
    let fits = true;
    for (const name of names) if (!has(value, name)) fits = refuse(run.failures, { outer: path, step: name }, missing);
    return fits;
  });
}

export function checkDependents({ dependentSchemas }: SchemaObject, compile: Compile): Check | undefined {
  if (dependentSchemas === undefined) return undefined;
  const checks = Object.entries(dependentSchemas).map(([name, schema]): Check => {
    const check = compile(schema);
    return ofObjects((value, path, run) => !has(value, name) || check(value, path, run));
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
  const other = additionalProperties === undefined ? [] : [compileMember(additionalProperties, compile)];
  const selectChecks = (name: string): Check[] => {
    const named = own.get(name);
    const matching = patterns.filter(({ isMatch }) => isMatch(name)).map(({ check }) => check);
    if (named !== undefined) return [named, ...matching];
    return matching.length > 0 ? matching : other;
  };
  return (value, path, run) => {
    if (!isMembers(value)) return true;
    const within = inside(run);
    let fits = true;
    for (const name of listNames(value)) {
      const checks = selectChecks(name);
      if (checks.length > 0) run.evaluated?.names.add(name);
      if (passesAll(checks, value[name], { outer: path, step: name }, within)) continue;
      if (run.failures === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

// All of them run, so that each can add its failure.
function passesAll(checks: readonly Check[], value: unknown, path: ValuePath, run: Run): boolean {
  let fits = true;
  for (const check of checks) if (!check(value, path, run)) fits = false;
  return fits;
}

function leaveOpen(_value: unknown, _path: ValuePath, { call }: Run): true {
  call.isOpen = true;
  return true;
}

function compileMember(schema: JsonSchema, compile: Compile): Check {
  return schema === false ? (_, path, run) => refuse(run.failures, path, extraField) : compile(schema);
}

export function checkNames({ propertyNames }: SchemaObject, compile: Compile): Check | undefined {
  if (propertyNames === undefined) return undefined;
  const check = compile(propertyNames);
  return ofObjects((value, path, run) => {
    const quiet = withoutFailures(inside(run));
    let fits = true;
    for (const name of listNames(value)) {
      const at = { outer: path, step: name };
      if (!check(name, at, quiet)) fits = refuse(run.failures, at, extraField);
    }
    return fits;
  });
}

export function checkMemberCount({ minProperties, maxProperties }: SchemaObject): Check | undefined {
  const countMembers = (value: unknown) => (isMembers(value) ? listNames(value).length : undefined);
  return all(checkCount([minProperties, maxProperties], 'fields', countMembers));
}

/** Checks the members that no other part of the schema has evaluated. */
export function checkUnevaluatedMembers({ unevaluatedProperties }: SchemaObject, compile: Compile): Check | undefined {
  if (unevaluatedProperties === undefined) return undefined;
  const check = compileMember(unevaluatedProperties, compile);
  return ofObjects((value, path, run) => {
    let fits = true;
    for (const name of listNames(value)) {
      if (run.evaluated?.names.has(name)) continue;
      run.evaluated?.names.add(name);
      if (!check(value[name], { outer: path, step: name }, inside(run))) fits = false;
    }
    return fits;
  });
}
