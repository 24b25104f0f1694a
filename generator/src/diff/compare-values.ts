import type { JsonValue } from '../../../specs/src/index.ts';
import { type Comparison, report } from './comparison.ts';
import { compareLimits } from './limits.ts';
import type { RuleId } from './rules.ts';
import { canonicalText, sameJson } from './schema-change.ts';
import { common, type SchemaNode, type TypeWord } from './schema-node.ts';
import { child, type Located } from './schema-parts.ts';

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
    for (const { keyword, rule, before, after } of compareLimits(old.limits, now.limits))
      report(comparison, rule, { pointer: child(at, keyword), subject: keyword, before, after });
  }
  return shareTypes;
}

function compareTypes({ old, now, at }: Pair, comparison: Comparison): boolean {
  const [before, after] = [old.types ?? allTypes, now.types ?? allTypes];
  // Nothing but null, or nothing at all: the other comparisons tell.
  if (before.size === 0 || after.size === 0) return before.size === after.size;
  const both = common(before, after).size;
  const [lost, gained] = [before.size - both, after.size - both];
  // Which of the listed values came and went says more than their types.
  const isTold = old.enum !== undefined && now.enum !== undefined;
  if (lost + gained === 0 || isTold) return true;
  const rule: RuleId = lost === 0 ? 'type-widened' : gained === 0 ? 'type-narrowed' : 'type-changed';
  report(comparison, rule, { pointer: child(at, 'type'), before: namesOf(old.types), after: namesOf(now.types) });
  return both > 0;
}

function namesOf(types: ReadonlySet<TypeWord> | undefined): JsonValue {
  if (types === undefined) return 'any';
  const names = [...types].flatMap((word) => {
    if (word === 'fraction') return ['number'];
    return word === 'whole' ? (types.has('fraction') ? [] : ['integer']) : [word];
  });
  const [only] = names;
  return names.length === 1 && only !== undefined ? only : names.sort();
}

function compareEnums({ old, now, at }: Pair, comparison: Comparison): void {
  const pointer = child(at, 'enum');
  if (old.enum === undefined && now.enum === undefined) return;
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
      if (!sameJson(before, after)) report(comparison, rule, { pointer: child(at, keyword), before, after });
    }
  }
}

/** Keywords that are taken as they stand. */
export function compareConstraints({ old, now, at }: Pair, comparison: Comparison): void {
  for (const keyword of new Set([...old.constraints.keys(), ...now.constraints.keys()])) {
    const [before, after] = [old.constraints.get(keyword)?.schema, now.constraints.get(keyword)?.schema];
    if (sameJson(before, after)) continue;
    const rule =
      before === undefined ? 'constraint-added' : after === undefined ? 'constraint-removed' : 'constraint-changed';
    report(comparison, rule, { pointer: child(at, keyword), subject: keyword, before, after });
  }
}
