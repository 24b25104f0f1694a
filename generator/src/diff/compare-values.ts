import { canonicalText, isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { compareLimits } from './compare-limits.ts';
import { type Comparison, compareNull, type NodePair, report } from './comparison.ts';
import { type ChangeRuleId, classify, compareSets, diffLists, sameJson } from './schema-change.ts';
import { keywordPointer } from './schema-node.ts';
import { common, type NodeType, nameTypes } from './types-and-values.ts';

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
    report(comparison, rule, { pointer: findPointer(pair, keyword), subject: keyword, before, after });
  return true;
}

/** The pointer of the first of the keywords that a side has, else of the place itself. */
function findPointer({ old, now, at }: NodePair, ...keywords: readonly string[]): string {
  return keywordPointer(keywords, now) ?? keywordPointer(keywords, old) ?? at.pointer;
}

function compareTypes(pair: NodePair, comparison: Comparison): boolean {
  const { old, now } = pair;
  const [before, after] = [old.types ?? allTypes, now.types ?? allTypes];
  const turn = compareSets(before, after);
  // Between two enums, the changed values are reported instead.
  if (turn === undefined || (old.enum !== undefined && now.enum !== undefined)) return true;
  const rule = ({ added: 'type-widened', removed: 'type-narrowed', changed: 'type-changed' } as const)[turn];
  const facts = { before: typeNames(old.types), after: typeNames(now.types) };
  report(comparison, rule, { pointer: findPointer(pair, 'type', 'enum'), ...facts });
  return common(before, after).size > 0;
}

function typeNames(types: ReadonlySet<NodeType> | undefined): JsonValue {
  if (types === undefined) return 'any';
  if (types.size === 0) return 'null';
  const names = nameTypes(types);
  const [only] = names;
  return names.length === 1 && only !== undefined ? only : names.sort();
}

function compareEnums(pair: NodePair, comparison: Comparison): void {
  const [old, now] = [pair.old.enum, pair.now.enum];
  if (old === undefined && now === undefined) return;
  const pointer = findPointer(pair, 'enum');
  if (old === undefined || now === undefined) {
    const rule = old === undefined ? 'enum-added' : 'enum-removed';
    report(comparison, rule, { pointer, before: old && [...old], after: now && [...now] });
    return;
  }
  const changes = diffLists(old, now, (turn, one, value) => {
    const subject = JSON.stringify(one).slice(0, 80);
    return classify(`enum-value-${turn}`, comparison.direction, { pointer, subject, ...value });
  });
  comparison.changes.push(...changes);
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
    if (!sameJson(before, after)) report(comparison, rule, { pointer: findPointer(pair, keyword), before, after });
  }
}

/** Compares keywords such as `not` and `if` as JSON. */
export function compareConstraints(pair: NodePair, comparison: Comparison): void {
  const { old, now } = pair;
  for (const keyword of new Set([...old.constraints.keys(), ...now.constraints.keys()])) {
    const [before, after] = [old.constraints.get(keyword), now.constraints.get(keyword)];
    const toTexts = keyword === 'dependentRequired' ? listRequirements : printText;
    const turn = compareSets(toTexts(before), toTexts(after));
    if (turn === undefined) continue;
    report(comparison, `constraint-${turn}`, { pointer: findPointer(pair, keyword), subject: keyword, before, after });
  }
}

function printText(value: JsonValue | undefined): Set<string> {
  return new Set(value === undefined ? [] : [canonicalText(value)]);
}

// The order of names and of those they require does not matter.
function listRequirements(dependents: JsonValue | undefined): Set<string> {
  const lists = isJsonObject(dependents) ? Object.entries(dependents) : [];
  return new Set(
    lists.flatMap(([name, others]) =>
      (Array.isArray(others) ? others : []).map((other) => JSON.stringify([name, other])),
    ),
  );
}
