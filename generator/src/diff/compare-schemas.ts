import { compareUnions, compareWithUnion } from './compare-unions.ts';
import { compareAnnotations, compareConstraints, compareValues } from './compare-values.ts';
import { type Comparison, compareNull, compareParts, type NodePair, report } from './comparison.ts';
import { childPointer, combine, isClosed, type Located, rawSchema } from './located-schema.ts';
import { compareSets, type Direction, type SchemaChange, withoutRepetition } from './schema-change.ts';
import { foldNode, readNode, type SchemaNode } from './schema-node.ts';
import type { NodeType } from './types-and-values.ts';
import { listAssertions } from './unions.ts';

const maxPairs = 20_000;
const maxTrials = 2_000;

/** The older and the newer form of a schema. */
export type SchemaPair = readonly [before: Located, after: Located];

/** What changed in schemas for those who send (`input`) or read (`output`) values of them. */
export function compareSchemas(pairs: readonly SchemaPair[], direction: Direction): SchemaChange[] {
  const comparison: Comparison = {
    direction,
    compared: new Set(),
    changes: [],
    budget: maxPairs,
    trials: { left: maxTrials, depth: 0 },
    compare: comparePair,
  };
  for (const [before, after] of pairs) comparePair(before, after, comparison);
  return withoutRepetition(comparison.changes);
}

function comparePair(before: Located, after: Located, comparison: Comparison): void {
  const key = `${printKey(before)}\n\n${printKey(after)}`;
  if (comparison.compared.has(key)) return;
  comparison.compared.add(key);
  if (comparison.budget-- > 0) compareNodes(before, after, comparison);
  else if (comparison.budget === -1) report(comparison, 'schema-uncompared', { pointer: after.pointer });
}

// A pointer identifies a schema of a document; a combined one needs the pointers of all its parts.
function printKey({ pointer, also = [] }: Located): string {
  return [pointer, ...also.map(printKey)].join('\n');
}

function compareNodes(before: Located, after: Located, comparison: Comparison): void {
  const { old, now } = foldBoth(readNode(before), readNode(after));
  const pair = { old, now, at: after };
  if (old.isNever || now.isNever) {
    if (old.isNever !== now.isNever)
      report(comparison, now.isNever ? 'schema-closed' : 'schema-opened', { pointer: after.pointer });
  } else if (old.unions.length > 0 === now.unions.length > 0) {
    compareKeywords(pair, comparison);
  } else {
    compareNull(pair, comparison);
    const [union] = [...old.unions, ...now.unions];
    const sides = { before: listAlternatives(before, old), after: listAlternatives(after, now) };
    if (union !== undefined) compareWithUnion({ ...sides, union, isNew: now.unions.length > 0 }, comparison);
  }
}

// Where only one side has unions, and they list only values or types, lists of both are compared.
function foldBoth(old: SchemaNode, now: SchemaNode): { old: SchemaNode; now: SchemaNode } {
  if ((old.unions.length === 0) === (now.unions.length === 0)) return { old, now };
  const [before, after] = [foldNode(old), foldNode(now)];
  if (before === undefined || after === undefined) return { old, now };
  const areLists = before.enum !== undefined && after.enum !== undefined;
  const haveSameTypes =
    before.types !== undefined && after.types !== undefined && compareSets(before.types, after.types) === undefined;
  return areLists || haveSameTypes ? { old: before, now: after } : { old, now };
}

function compareKeywords(pair: NodePair, comparison: Comparison): void {
  if (compareValues(pair, comparison)) {
    const accept = (type: NodeType): boolean => [pair.old, pair.now].every(({ types }) => types?.has(type) ?? true);
    if (accept('object')) compareObjects(pair, comparison);
    if (accept('array')) compareArrays(pair, comparison);
    compareUnions(pair, comparison);
    compareConstraints(pair, comparison);
  }
  compareAnnotations(pair, comparison);
}

/** The alternatives of the first union, each with the assertions beside it; a schema without union as the only one. */
function listAlternatives(located: Located, { unions, parts }: SchemaNode): readonly Located[] {
  const [union] = unions;
  if (union === undefined) return [located];
  const base = parts.flatMap((part): Located[] => {
    const keywords = listAssertions(part.schema).filter((keyword) => childPointer(part, keyword) !== union.pointer);
    if (keywords.length === 0) return [];
    const rest = Object.entries(part.schema).filter(([keyword]) => childPointer(part, keyword) !== union.pointer);
    return [{ ...part, schema: Object.fromEntries(rest) }];
  });
  return union.members.map((member) => combine(member, ...base));
}

function compareObjects(pair: NodePair, comparison: Comparison): void {
  const { old, now, at } = pair;
  const properties = new Set([...old.properties.keys(), ...now.properties.keys()]);
  for (const name of properties) compareProperty(name, pair, comparison);
  for (const name of new Set([...old.required.keys(), ...now.required.keys()])) {
    // A property that came or went is reported with its being required.
    if (properties.has(name) && !(old.properties.has(name) && now.properties.has(name))) continue;
    compareRequired(name, pair, comparison);
  }
  compareAdditional(pair, comparison);
  for (const pattern of new Set([...old.patterns.keys(), ...now.patterns.keys()])) {
    // Names that no pattern described before were further ones.
    const parts = [old.patterns.get(pattern) ?? old.additional, now.patterns.get(pattern) ?? now.additional] as const;
    compareParts(parts, ['patternProperties', pattern], { at, comparison });
  }
}

function compareProperty(name: string, pair: NodePair, comparison: Comparison): void {
  const [before, after] = [pair.old.properties.get(name), pair.now.properties.get(name)];
  if (before !== undefined && after !== undefined) comparison.compare(before, after, comparison);
  else if (after !== undefined) reportAdded(name, after, pair, comparison);
  else if (before !== undefined && !isClosed(before)) reportRemoved(name, before, pair, comparison);
}

type Report = (subject: string, property: Located, pair: NodePair, comparison: Comparison) => void;

const reportAdded: Report = (subject, after, { old, now }, comparison) => {
  const { pointer } = after;
  if (isClosed(after)) return report(comparison, 'schema-closed', { pointer, subject });
  const rule = now.required.has(subject) ? 'property-added-required' : 'property-added-optional';
  report(comparison, rule, { pointer, subject, after: rawSchema(after) });
  // Values that came under any name had this type, so those under this name may have had it.
  if (old.additional !== undefined && isTyped(old.additional)) comparison.compare(old.additional, after, comparison);
};

const reportRemoved: Report = (subject, before, { now, at }, comparison) => {
  const { additional } = now;
  const rule = additional === undefined || isClosed(additional) ? 'property-removed' : 'property-unlisted';
  report(comparison, rule, { pointer: before.pointer || at.pointer, subject, before: rawSchema(before) });
  if (additional !== undefined && isTyped(additional)) comparison.compare(before, additional, comparison);
};

/** Whether a schema of further members describes some values, and neither all nor none. */
function isTyped(additional: Located): boolean {
  const schemas = [additional, ...(additional.also ?? [])];
  return !isClosed(additional) && schemas.some(({ schema }) => listAssertions(schema).length > 0);
}

function compareRequired(subject: string, { old, now, at }: NodePair, comparison: Comparison): void {
  const [before, after] = [old.required.get(subject), now.required.get(subject)];
  if ((before === undefined) === (after === undefined)) return;
  const rule = after === undefined ? 'property-became-optional' : 'property-became-required';
  const pointer = now.properties.get(subject)?.pointer ?? after ?? before ?? at.pointer;
  report(comparison, rule, { pointer, subject });
}

function compareAdditional({ old, now, at }: NodePair, comparison: Comparison): void {
  const parts = [old.additional, now.additional] as const;
  const [wasClosed, isNowClosed] = parts.map((part) => part !== undefined && isClosed(part));
  if (wasClosed && isNowClosed) return;
  const pointer = now.additional?.pointer ?? childPointer(at, 'additionalProperties');
  if (isNowClosed) report(comparison, 'object-closed', { pointer });
  else if (wasClosed) report(comparison, 'object-opened', { pointer });
  else {
    compareParts(parts, ['additionalProperties'], { at, comparison });
    if (describesAnyName(old) && !describesAnyName(now)) report(comparison, 'names-undescribed', { pointer });
  }
}

// Types take members of any name where a schema says so, or describes none.
function describesAnyName({ additional, properties, patterns }: SchemaNode): boolean {
  return additional === undefined ? properties.size === 0 && patterns.size === 0 : !isClosed(additional);
}

function compareArrays({ old, now, at }: NodePair, comparison: Comparison): void {
  const length = Math.max(old.prefix.length, now.prefix.length);
  for (let index = 0; index < length; index++) {
    const parts = [old.prefix[index] ?? old.items, now.prefix[index] ?? now.items] as const;
    compareParts(parts, ['prefixItems', index], { at, comparison });
  }
  compareParts([old.items, now.items], ['items'], { at, comparison });
}
