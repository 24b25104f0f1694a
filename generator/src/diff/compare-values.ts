import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { compareLimits } from './compare-limits.ts';
import { type Comparison, compareNull, type NodePair, report } from './comparison.ts';
import { canonicalText, type RuleId, sameJson } from './schema-change.ts';
import { keywordPointer } from './schema-node.ts';
import { common, type NodeType, namesOf } from './types-and-values.ts';

const allTypes: ReadonlySet<NodeType> = new Set(['boolean', 'integer', 'fraction', 'string', 'array', 'object']);

/** Compares types, null, enums and limits. Returns false when the types share nothing, so that no parts can be compared. */
export function compareValues({ old, now, at }: NodePair, comparison: Comparison): boolean {
  // Without a type on one side, the change of types includes that of null.
  if (old.types !== undefined && now.types !== undefined) compareNull({ old, now, at }, comparison);
  const shareTypes = compareTypes({ old, now, at }, comparison);
  if (shareTypes) {
    compareEnums({ old, now, at }, comparison);
    for (const { keyword, rule, before, after } of compareLimits(old, now))
      report(comparison, rule, {
        pointer: keywordPointer([keyword], now, old) ?? at.pointer,
        subject: keyword,
        before,
        after,
      });
  }
  return shareTypes;
}

function compareTypes({ old, now, at }: NodePair, comparison: Comparison): boolean {
  const [before, after] = [old.types ?? allTypes, now.types ?? allTypes];
  const both = common(before, after).size;
  const [lost, gained] = [before.size - both, after.size - both];
  // Between two enums, the changed values are reported instead.
  if (lost + gained === 0 || (old.enum !== undefined && now.enum !== undefined)) return true;
  const rule: RuleId = lost === 0 ? 'type-widened' : gained === 0 ? 'type-narrowed' : 'type-changed';
  const pointer = keywordPointer(['type', 'enum'], now, old) ?? at.pointer;
  report(comparison, rule, { pointer, before: typeNames(old.types), after: typeNames(now.types) });
  return both > 0;
}

function typeNames(types: ReadonlySet<NodeType> | undefined): JsonValue {
  if (types === undefined) return 'any';
  if (types.size === 0) return 'null';
  const names = namesOf(types);
  const [only] = names;
  return names.length === 1 && only !== undefined ? only : names.sort();
}

function compareEnums({ old, now, at }: NodePair, comparison: Comparison): void {
  if (old.enum === undefined && now.enum === undefined) return;
  const pointer = keywordPointer(['enum'], now, old) ?? at.pointer;
  if (old.enum === undefined || now.enum === undefined) {
    const rule = old.enum === undefined ? 'enum-added' : 'enum-removed';
    report(comparison, rule, { pointer, before: old.enum && [...old.enum], after: now.enum && [...now.enum] });
    return;
  }
  const [before, after] = [keysOf(old.enum), keysOf(now.enum)];
  const lost = old.enum.filter((value) => !after.has(canonicalText(value)));
  const gained = now.enum.filter((value) => !before.has(canonicalText(value)));
  for (const value of lost)
    report(comparison, 'enum-value-removed', { pointer, subject: JSON.stringify(value).slice(0, 80), before: value });
  for (const value of gained)
    report(comparison, 'enum-value-added', { pointer, subject: JSON.stringify(value).slice(0, 80), after: value });
}

function keysOf(values: readonly JsonValue[]): Set<string> {
  return new Set(values.map(canonicalText));
}

const annotationRules: readonly [RuleId, string][] = [
  ['default-changed', 'default'],
  ['description-changed', 'description'],
  ['description-changed', 'title'],
  ['examples-changed', 'examples'],
  ['deprecation-changed', 'deprecated'],
];

export function compareAnnotations({ old, now, at }: NodePair, comparison: Comparison): void {
  for (const [rule, keyword] of annotationRules) {
    const [before, after] = [old.annotations.get(keyword), now.annotations.get(keyword)];
    if (!sameJson(before, after))
      report(comparison, rule, { pointer: keywordPointer([keyword], now, old) ?? at.pointer, before, after });
  }
}

/** Compares keywords such as `not` and `if` as JSON. */
export function compareConstraints({ old, now, at }: NodePair, comparison: Comparison): void {
  for (const keyword of new Set([...old.constraints.keys(), ...now.constraints.keys()])) {
    const [before, after] = [old.constraints.get(keyword), now.constraints.get(keyword)];
    const rule = keyword === 'dependentRequired' ? compareDependents(before, after) : compareJson(before, after);
    if (rule === undefined) continue;
    const pointer = keywordPointer([keyword], now, old) ?? at.pointer;
    report(comparison, rule, { pointer, subject: keyword, before, after });
  }
}

function compareJson(before: JsonValue | undefined, after: JsonValue | undefined): RuleId | undefined {
  if (sameJson(before, after)) return undefined;
  if (before === undefined) return 'constraint-added';
  return after === undefined ? 'constraint-removed' : 'constraint-changed';
}

// The order of names and of those they require does not matter.
function compareDependents(before: JsonValue | undefined, after: JsonValue | undefined): RuleId | undefined {
  const [old, now] = [requirementsOf(before), requirementsOf(after)];
  const both = common(old, now).size;
  if (old.size === both && now.size === both) return undefined;
  if (old.size === both) return 'constraint-added';
  return now.size === both ? 'constraint-removed' : 'constraint-changed';
}

function requirementsOf(dependents: JsonValue | undefined): Set<string> {
  const lists = isJsonObject(dependents) ? Object.entries(dependents) : [];
  return new Set(
    lists.flatMap(([name, others]) =>
      (Array.isArray(others) ? others : []).map((other) => JSON.stringify([name, other])),
    ),
  );
}
