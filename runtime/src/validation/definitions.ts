import { adopt, type Call, type Check, decide, type Pass, type Verdict } from './check.ts';
import { NestedTooDeeply, type ValuePath } from './failure.ts';
import { isContainer } from './ids.ts';
import type { JsonSchema } from './schema.ts';

/** Definitions within each other; a value that needs more is refused. */
const depthAtMost = 500;

/**
 * The check of a reference. Each pair of definition and value is decided once in a call: branches that lead to the same definition
 * would otherwise double the work at every level. A pair that needs itself to be decided has no verdict and ends the call.
 */
export function followed(schema: JsonSchema, check: Check): Check {
  const isBranched = hasBranches(schema);
  return (value, path, pass) => {
    if (!isContainer(value) && !isBranched) return check(value, path, pass);
    const verdict = decided(check, value, path, pass);
    if (adopt(verdict, pass)) return true;
    if (pass.failures !== undefined && isNew(check, pass.call, isContainer(value) ? value : path)) {
      descend(pass.call);
      check(value, path, pass);
      pass.call.depth -= 1;
    }
    return false;
  };
}

/** Whether parts of a schema are asked about the same value. */
function hasBranches(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const { $ref, allOf, anyOf, oneOf, not, if: test, dependentSchemas } = schema;
  return [$ref, allOf, anyOf, oneOf, not, test, dependentSchemas].some((part) => part !== undefined);
}

function decided(check: Check, value: unknown, path: ValuePath, pass: Pass): Verdict {
  const memory = pass.evaluated === undefined ? pass.call.verdicts : pass.call.trackedVerdicts;
  const byValue = memory.get(check) ?? new Map<unknown, Verdict | undefined>();
  memory.set(check, byValue);
  const known = byValue.get(value);
  if (known !== undefined) return known;
  if (byValue.has(value)) throw new NestedTooDeeply();
  byValue.set(value, undefined);
  descend(pass.call);
  const verdict = decide(check, value, path, pass);
  pass.call.depth -= 1;
  byValue.set(value, verdict);
  return verdict;
}

function descend(call: Call): void {
  call.depth += 1;
  if (call.depth > depthAtMost) throw new NestedTooDeeply();
}

// The failures of a pair are collected once; equal scalars are separate values, known by their places.
function isNew(check: Check, call: Call, key: unknown): boolean {
  const keys = call.explained.get(check) ?? new Set();
  call.explained.set(check, keys);
  return keys.size < keys.add(key).size;
}
