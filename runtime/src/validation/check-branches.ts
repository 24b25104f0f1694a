import { addEvaluated, adopt, type Check, type Compile, nothingEvaluated, type Run, verdictOf } from './check.ts';
import { addFailures, refuse, type ValidationFailure, type ValuePath } from './failure.ts';
import type { JsonSchema, SchemaObject } from './schema.ts';

export function checkAllOf({ allOf }: SchemaObject, compile: Compile): Check | undefined {
  if (allOf === undefined) return undefined;
  const checks = allOf.map(compile);
  return (value, path, run) => {
    let fits = true;
    for (const check of checks) {
      if (isolated(check, value, path, run)) continue;
      if (run.failures === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

export function checkAnyOf({ anyOf }: SchemaObject, compile: Compile): Check | undefined {
  if (anyOf === undefined) return undefined;
  const branches = anyOf.map((schema) => ({ schema, check: compile(schema) }));
  return (value, path, run) => {
    const wasOpen = run.call.isOpen;
    let fits: 'yes' | 'open' | 'no' = 'no';
    for (const { check } of branches) {
      const verdict = verdictOf(check, value, path, run);
      adopt(verdict, run);
      if (verdict.fits === 'yes' || fits === 'no') fits = verdict.fits;
      // Where `unevaluated…` applies, every matching branch adds what it evaluates.
      if (fits === 'yes' && run.evaluated === undefined) break;
    }
    if (fits === 'yes') run.call.isOpen = wasOpen;
    return fits !== 'no' || explain(branches, value, path, run);
  };
}

export function checkOneOf({ oneOf }: SchemaObject, compile: Compile): Check | undefined {
  if (oneOf === undefined) return undefined;
  const branches = oneOf.map((schema) => ({ schema, check: compile(schema) }));
  return (value, path, run) => {
    const matching = branches
      .map(({ check }) => verdictOf(check, value, path, run))
      .filter(({ fits }) => fits !== 'no');
    if (matching.length === 0) return explain(branches, value, path, run);
    const sure = matching.filter(({ fits }) => fits === 'yes').length;
    if (sure > 1) {
      const msg = `must match exactly one of the alternatives; it matches ${sure}`;
      return refuse(run.failures, path, { type: 'union_mismatch', msg });
    }
    for (const verdict of matching) adopt(verdict, run);
    return true;
  };
}

export function checkNot({ not }: SchemaObject, compile: Compile): Check | undefined {
  if (not === undefined) return undefined;
  const check = compile(not);
  const reason = { type: 'not_allowed', msg: 'must not be of the form that is excluded' };
  return (value, path, run) => {
    const { fits } = verdictOf(check, value, path, run);
    if (fits === 'open') run.call.isOpen = true;
    return fits !== 'yes' || refuse(run.failures, path, reason);
  };
}

export function checkConditional(schema: SchemaObject, compile: Compile): Check | undefined {
  if (schema.if === undefined) return undefined;
  const test = compile(schema.if);
  // Renamed: an object with a member `then` would be taken for a promise.
  const { then: consequence = true, else: alternative = true } = schema;
  const [yes, no] = [compile(consequence), compile(alternative)];
  return (value, path, run) => {
    const verdict = verdictOf(test, value, path, run);
    adopt(verdict, run);
    return verdict.fits === 'open' || isolated(verdict.fits === 'yes' ? yes : no, value, path, run);
  };
}

/** Runs a check whose evaluated members count only when it passes. */
function isolated(check: Check, value: unknown, path: ValuePath, run: Run): boolean {
  if (run.evaluated === undefined) return check(value, path, run);
  const evaluated = nothingEvaluated();
  if (!check(value, path, { ...run, evaluated })) return false;
  addEvaluated(run.evaluated, evaluated);
  return true;
}

type Branch = { schema: JsonSchema; check: Check };

/** The failures of the branch that was meant, where that is clear; else one failure of the union. */
function explain(branches: readonly Branch[], value: unknown, path: ValuePath, run: Run): false {
  if (run.failures === undefined) return false;
  const depth = depthOf(path);
  const failed = branches.map(({ schema, check }) => {
    const failures: ValidationFailure[] = [];
    check(value, path, { ...run, failures, evaluated: undefined });
    return { isNull: typeof schema === 'object' && schema.type === 'null', failures };
  });
  const others = failed.filter(({ isNull }) => !isNull);
  const meant = others.length === 1 ? others : likely(others, depth);
  const [only] = meant;
  if (meant.length === 1 && only !== undefined && only.failures.length > 0) {
    addFailures(run.failures, only.failures);
    return false;
  }
  return refuse(run.failures, path, { type: 'union_mismatch', msg: 'must match one of the alternatives' });
}

// A branch whose type or discriminating literal does not fit was not meant.
function likely<T extends { failures: readonly ValidationFailure[] }>(branches: readonly T[], depth: number): T[] {
  const ofKind = branches.filter(({ failures }) => failures.every(({ loc }) => loc.length > depth));
  if (ofKind.length < 2) return ofKind;
  const isDiscriminator = ({ loc, type }: ValidationFailure): boolean =>
    loc.length === depth + 1 && type === 'literal_error';
  return ofKind.filter(({ failures }) => !failures.some(isDiscriminator));
}

function depthOf(path: ValuePath): number {
  let depth = 0;
  for (let at = path; at !== undefined; at = at.outer) depth++;
  return depth;
}
