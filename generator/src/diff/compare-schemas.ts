import type { JsonObject } from '../../../specs/src/index.ts';
import { compareArrays, compareObjects } from './compare-containers.ts';
import { compareUnions, compareWithChoice } from './compare-unions.ts';
import { compareAnnotations, compareConstraints, compareValues } from './compare-values.ts';
import { type Comparison, report } from './comparison.ts';
import { foldUnions } from './fold-unions.ts';
import type { Direction } from './rules.ts';
import { canonicalText, type SchemaChange } from './schema-change.ts';
import { common, readNode, type SchemaNode } from './schema-node.ts';
import { child, combine, isAnnotation, type Located } from './schema-parts.ts';

/** A schema, and the document in which its references lead somewhere. */
export type Rooted = Located & { readonly root: JsonObject };

const pairsAtMost = 20_000;
const trialsAtMost = 2_000;

/** What changed between two schemas for those who send (`input`) or read (`output`) values of them. */
export function compareSchemas(before: Rooted, after: Rooted, direction: Direction): SchemaChange[] {
  const comparison: Comparison = {
    direction,
    before: before.root,
    after: after.root,
    met: new Set(),
    changes: [],
    budget: pairsAtMost,
    trials: { left: trialsAtMost, depth: 0 },
    compare: comparePair,
  };
  comparePair(before, after, comparison);
  return distinct(comparison.changes);
}

function comparePair(before: Located, after: Located, comparison: Comparison): void {
  const key = `${keyOf(before)}\n\n${keyOf(after)}`;
  if (comparison.met.has(key)) return;
  comparison.met.add(key);
  if (comparison.budget-- > 0) compareNodes(before, after, comparison);
  else if (comparison.budget === -1) report(comparison, 'schema-uncompared', { pointer: after.pointer });
}

function compareNodes(before: Located, after: Located, comparison: Comparison): void {
  const { old, now } = plainest(readNode(before, comparison.before), readNode(after, comparison.after), comparison);
  const pair = { old, now, at: after };
  if (old.isNever || now.isNever) {
    if (old.isNever !== now.isNever)
      report(comparison, now.isNever ? 'schema-closed' : 'schema-opened', { pointer: after.pointer });
  } else if (old.unions.length > 0 === now.unions.length > 0) {
    compareKeywords(pair, comparison);
  } else {
    compareNull(old, now, { at: after, comparison });
    const [union] = [...old.unions, ...now.unions];
    const sides = { before: alternatives(before, old), after: alternatives(after, now), isNew: now.unions.length > 0 };
    if (union !== undefined) compareWithChoice({ ...sides, union }, comparison);
  }
}

// Alternatives that only list values or types say in other words what a list of them says on the other side.
function plainest(old: SchemaNode, now: SchemaNode, comparison: Comparison): { old: SchemaNode; now: SchemaNode } {
  if ((old.unions.length === 0) === (now.unions.length === 0)) return { old, now };
  const [before, after] = [foldUnions(old, comparison.before), foldUnions(now, comparison.after)];
  if (before === undefined || after === undefined) return { old, now };
  const areLists = before.enum !== undefined && after.enum !== undefined;
  const haveSameTypes = before.types !== undefined && after.types !== undefined && areEqual(before.types, after.types);
  return areLists || haveSameTypes ? { old: before, now: after } : { old, now };
}

function areEqual<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return one.size === other.size && common(one, other).size === one.size;
}

function compareKeywords(pair: { old: SchemaNode; now: SchemaNode; at: Located }, comparison: Comparison): void {
  if (compareValues(pair, comparison)) {
    compareObjects(pair, comparison);
    compareArrays(pair, comparison);
    compareUnions(pair, comparison);
    compareConstraints(pair, comparison);
  }
  compareAnnotations(pair, comparison);
}

// A place in a document is one schema; only what was put together of several needs all of their places.
function keyOf({ pointer, also = [] }: Located): string {
  return [pointer, ...also.map(keyOf)].join('\n');
}

function compareNull(old: SchemaNode, now: SchemaNode, how: { at: Located; comparison: Comparison }): void {
  if (old.acceptsNull !== now.acceptsNull)
    report(how.comparison, now.acceptsNull ? 'null-added' : 'null-removed', { pointer: how.at.pointer });
}

/** One schema as a choice of one, so that it can stand beside a choice of several. */
function alternatives(located: Located, { unions, parts }: SchemaNode): readonly Located[] {
  const [union] = unions;
  if (union === undefined) return [located];
  const base = parts.flatMap((part): Located[] => {
    const rest = Object.entries(part.schema).filter(([keyword]) => child(part, keyword) !== union.pointer);
    return rest.every(([keyword]) => !isAssertion(keyword)) ? [] : [{ ...part, schema: Object.fromEntries(rest) }];
  });
  return union.members.map((member) => combine([member, ...base]) ?? member);
}

function isAssertion(keyword: string): boolean {
  return keyword !== 'discriminator' && !isAnnotation(keyword);
}

function distinct(changes: readonly SchemaChange[]): SchemaChange[] {
  return [...new Map(changes.map((change) => [canonicalText({ ...change }), change])).values()];
}
