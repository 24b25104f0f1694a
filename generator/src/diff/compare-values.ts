import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { compareLimits } from './compare-limits.ts';
import { type Comparison, compareNull, type NodePair, report } from './comparison.ts';
import { type ChangeRuleId, canonicalText, sameJson } from './schema-change.ts';
import { keywordPointer } from './schema-node.ts';
import { common, type NodeType, namesOf } from './types-and-values.ts';

const allTypes: ReadonlySet<NodeType> = new Set(['boolean', 'integer', 'fraction', 'string', 'array', 'object']);

/** Compares types, null, enums and limits. Returns false when the types share nothing, so that no parts can be compared. */
export function compareValues(pair: NodePair, comparison: Comparison): boolean {
  const { old, now } = pair;
  // Where one side takes any value, the change of types includes that of null.
  const isAny = [old, now].some(({ types, unions }) => types === undefined && unions.length === 0);
  if (!isAny || (old.types === undefined && now.types === undefined)) compareNull(pair, comparison);
  if (!compareTypes(pair, comparison)) return false;
  compareEnums(pair, comparison);
  for (const { keyword, rule, before, after } of compareLimits(old, now))
    report(comparison, rule, { pointer: pointerOf(pair, keyword), subject: keyword, before, after });
  return true;
}

/** The pointer of the first of the keywords that a side has, else of the place itself. */
function pointerOf({ old, now, at }: NodePair, ...keywords: readonly string[]): string {
  return keywordPointer(keywords, now) ?? keywordPointer(keywords, old) ?? at.pointer;
}

function compareTypes(pair: NodePair, comparison: Comparison): boolean {
  const { old, now } = pair;
  const [before, after] = [old.types ?? allTypes, now.types ?? allTypes];
  const both = common(before, after).size;
  const [lost, gained] = [before.size - both, after.size - both];
  // Between two enums, the changed values are reported instead.
  if (lost + gained === 0 || (old.enum !== undefined && now.enum !== undefined)) return true;
  const rule: ChangeRuleId = lost === 0 ? 'type-widened' : gained === 0 ? 'type-narrowed' : 'type-changed';
  const facts = { before: typeNames(old.types), after: typeNames(now.types) };
  report(comparison, rule, { pointer: pointerOf(pair, 'type', 'enum'), ...facts });
  return both > 0;
}

function typeNames(types: ReadonlySet<NodeType> | undefined): JsonValue {
  if (types === undefined) return 'any';
  if (types.size === 0) return 'null';
  const names = namesOf(types);
  const [only] = names;
  return names.length === 1 && only !== undefined ? only : names.sort();
}

function compareEnums(pair: NodePair, comparison: Comparison): void {
  const [old, now] = [pair.old.enum, pair.now.enum];
  if (old === undefined && now === undefined) return;
  const pointer = pointerOf(pair, 'enum');
  if (old === undefined || now === undefined) {
    const rule = old === undefined ? 'enum-added' : 'enum-removed';
    report(comparison, rule, { pointer, before: old && [...old], after: now && [...now] });
    return;
  }
  const [before, after] = [old, now].map((values) => new Set(values.map(canonicalText)));
  const lost = old.filter((value) => !after?.has(canonicalText(value)));
  const gained = now.filter((value) => !before?.has(canonicalText(value)));
  const nameOf = (value: JsonValue): string => JSON.stringify(value).slice(0, 80);
  for (const value of lost)
    report(comparison, 'enum-value-removed', { pointer, subject: nameOf(value), before: value });
  for (const value of gained) report(comparison, 'enum-value-added', { pointer, subject: nameOf(value), after: value });
}

const annotationRules: readonly [ChangeRuleId, string][] = [
  ['default-changed', 'default'],
  ['description-changed', 'description'],
  ['description-changed', 'title'],
  ['examples-changed', 'examples'],
  ['deprecation-changed', 'deprecated'],
];

export function compareAnnotations(pair: NodePair, comparison: Comparison): void {
  const { old, now } = pair;
  for (const [rule, keyword] of annotationRules) {
    const [before, after] = [old.annotations.get(keyword), now.annotations.get(keyword)];
    if (!sameJson(before, after)) report(comparison, rule, { pointer: pointerOf(pair, keyword), before, after });
  }
}

/** Compares keywords such as `not` and `if` as JSON. */
export function compareConstraints(pair: NodePair, comparison: Comparison): void {
  const { old, now } = pair;
  for (const keyword of new Set([...old.constraints.keys(), ...now.constraints.keys()])) {
    const [before, after] = [old.constraints.get(keyword), now.constraints.get(keyword)];
    const rule = keyword === 'dependentRequired' ? compareDependents(before, after) : compareJson(before, after);
    if (rule === undefined) continue;
    report(comparison, rule, { pointer: pointerOf(pair, keyword), subject: keyword, before, after });
  }
}

function compareJson(before: JsonValue | undefined, after: JsonValue | undefined): ChangeRuleId | undefined {
  if (sameJson(before, after)) return undefined;
  if (before === undefined) return 'constraint-added';
  return after === undefined ? 'constraint-removed' : 'constraint-changed';
}

// The order of names and of those they require does not matter.
function compareDependents(before: JsonValue | undefined, after: JsonValue | undefined): ChangeRuleId | undefined {
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
