import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Comparison, report } from './comparison.ts';
import { compareLimits } from './limits.ts';
import type { RuleId } from './rules.ts';
import { canonicalText, sameJson } from './schema-change.ts';
import { common, namesOf, placeOf, type SchemaNode, type TypeWord } from './schema-node.ts';
import type { Located } from './schema-parts.ts';

type Pair = { readonly old: SchemaNode; readonly now: SchemaNode; readonly at: Located };
const allTypes: ReadonlySet<TypeWord> = new Set(['boolean', 'whole', 'fraction', 'string', 'array', 'object']);

/** Types, null, listed values and bounds. False when nothing below can be compared, since the types share nothing. */
export function compareValues({ old, now, at }: Pair, comparison: Comparison): boolean {
  // Where any value was or is accepted, the types tell of null too.
  const isTyped = old.types !== undefined && now.types !== undefined;
  if (isTyped && old.acceptsNull !== now.acceptsNull)
    report(comparison, now.acceptsNull ? 'null-added' : 'null-removed', { pointer: at.pointer });
  const shareTypes = compareTypes({ old, now, at }, comparison);
  if (shareTypes) {
    compareEnums({ old, now, at }, comparison);
    for (const { keyword, rule, before, after } of compareLimits(old, now))
      report(comparison, rule, {
        pointer: placeOf([keyword], now, old) ?? at.pointer,
        subject: keyword,
        before,
        after,
      });
  }
  return shareTypes;
}

function compareTypes({ old, now, at }: Pair, comparison: Comparison): boolean {
  const [before, after] = [old.types ?? allTypes, now.types ?? allTypes];
  const both = common(before, after).size;
  const [lost, gained] = [before.size - both, after.size - both];
  // Which of the listed values came and went says more than their types.
  const isTold = old.enum !== undefined && now.enum !== undefined;
  if (lost + gained === 0 || isTold) return true;
  const rule: RuleId = lost === 0 ? 'type-widened' : gained === 0 ? 'type-narrowed' : 'type-changed';
  const pointer = placeOf(['type', 'enum', 'const'], now, old) ?? at.pointer;
  report(comparison, rule, { pointer, before: typeNames(old.types), after: typeNames(now.types) });
  return both > 0;
}

function typeNames(types: ReadonlySet<TypeWord> | undefined): JsonValue {
  if (types === undefined) return 'any';
  if (types.size === 0) return 'null';
  const names = namesOf(types);
  const [only] = names;
  return names.length === 1 && only !== undefined ? only : names.sort();
}

function compareEnums({ old, now, at }: Pair, comparison: Comparison): void {
  if (old.enum === undefined && now.enum === undefined) return;
  const pointer = placeOf(['enum', 'const'], now, old) ?? at.pointer;
  if (old.enum === undefined || now.enum === undefined) {
    const rule = old.enum === undefined ? 'enum-added' : 'enum-removed';
    report(comparison, rule, { pointer, before: old.enum && [...old.enum], after: now.enum && [...now.enum] });
    return;
  }
  const [before, after] = [keysOf(old.enum), keysOf(now.enum)];
  const lost = old.enum.filter((value) => !after.has(canonicalText(value)));
  const gained = now.enum.filter((value) => !before.has(canonicalText(value)));
  for (const value of lost)
    report(comparison, 'enum-value-removed', { pointer, subject: wordFor(value), before: value });
  for (const value of gained)
    report(comparison, 'enum-value-added', { pointer, subject: wordFor(value), after: value });
}

function keysOf(values: readonly JsonValue[]): Set<string> {
  return new Set(values.map(canonicalText));
}

function wordFor(value: JsonValue): string {
  return JSON.stringify(value).slice(0, 80);
}

const annotationRules: readonly [RuleId, readonly string[]][] = [
  ['default-changed', ['default']],
  ['description-changed', ['description', 'title']],
  ['examples-changed', ['examples', 'example']],
  ['deprecation-changed', ['deprecated']],
];

/** What says something to people and nothing to validators; a default says something to the service. */
export function compareAnnotations({ old, now, at }: Pair, comparison: Comparison): void {
  for (const [rule, keywords] of annotationRules) {
    for (const keyword of keywords) {
      const [before, after] = [old.annotations.get(keyword), now.annotations.get(keyword)];
      if (!sameJson(before, after))
        report(comparison, rule, { pointer: placeOf([keyword], now, old) ?? at.pointer, before, after });
    }
  }
}

/** Keywords that are taken as they stand. */
export function compareConstraints({ old, now, at }: Pair, comparison: Comparison): void {
  for (const keyword of new Set([...old.constraints.keys(), ...now.constraints.keys()])) {
    const [before, after] = [old.constraints.get(keyword)?.schema, now.constraints.get(keyword)?.schema];
    const rule = keyword === 'dependentRequired' ? compareDependents(before, after) : compareAsTheyStand(before, after);
    if (rule === undefined) continue;
    report(comparison, rule, { pointer: placeOf([keyword], now, old) ?? at.pointer, subject: keyword, before, after });
  }
}

function compareAsTheyStand(before: JsonValue | undefined, after: JsonValue | undefined): RuleId | undefined {
  if (sameJson(before, after)) return undefined;
  if (before === undefined) return 'constraint-added';
  return after === undefined ? 'constraint-removed' : 'constraint-changed';
}

/** Which names ask for which others; neither the order of names nor that of what they ask for matters. */
function compareDependents(before: JsonValue | undefined, after: JsonValue | undefined): RuleId | undefined {
  const [old, now] = [demandsOf(before), demandsOf(after)];
  const both = common(old, now).size;
  if (old.size === both && now.size === both) return undefined;
  if (old.size === both) return 'constraint-added';
  return now.size === both ? 'constraint-removed' : 'constraint-changed';
}

function demandsOf(dependents: JsonValue | undefined): Set<string> {
  const lists = isJsonObject(dependents) ? Object.entries(dependents) : [];
  return new Set(
    lists.flatMap(([name, others]) =>
      (Array.isArray(others) ? others : []).map((other) => JSON.stringify([name, other])),
    ),
  );
}
