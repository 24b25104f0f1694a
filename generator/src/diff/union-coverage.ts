import type { CanonicalSchema } from '../../../specs/src/index.ts';
import type { Comparison } from './comparison.ts';
import { combine, type Located } from './located-schema.ts';
import { canonicalText } from './schema-change.ts';
import { readNode, type SchemaNode } from './schema-node.ts';
import { common, type NodeType, namesOf } from './types-and-values.ts';

const maxTrialPairs = 200;
const maxNestedTrials = 3;
const maxPieces = 50;

/** Whether every value of an alternative is one of others too, so that its coming or going changes nothing. */
export function isCovered(member: Located, others: readonly Located[], comparison: Comparison): boolean {
  const covers = (piece: Located): boolean => others.some((other) => accepts(other, piece, comparison));
  return covers(member) || piecesOf(member).some((pieces) => pieces.every(covers));
}

function accepts(other: Located, piece: Located, comparison: Comparison): boolean {
  const { trials } = comparison;
  const budget = Math.min(maxTrialPairs, trials.left);
  // Schemas that ask this of each other without end count as different.
  if (budget <= 0 || trials.depth >= maxNestedTrials) return false;
  const trial: Comparison = { ...comparison, direction: 'output', compared: new Set(), changes: [], budget };
  trials.left--;
  trials.depth++;
  comparison.compare(other, piece, trial);
  trials.depth--;
  trials.left -= budget - trial.budget;
  const optional = ['property-added-optional', 'property-removed'];
  return trial.changes.every(({ rule, verdict }) => verdict !== 'breaking' && !optional.includes(rule));
}

// Each value or type of a list may be covered by another alternative.
function piecesOf(member: Located): readonly Located[][] {
  const { enum: values = [], types = new Set<NodeType>(), unions } = readNode(member);
  const schemas: CanonicalSchema[][] = [
    values.map((value) => ({ enum: [value] })),
    namesOf(types).map((type) => ({ type: [type] })),
  ];
  return schemas
    .filter(({ length }) => length > 1 && length <= maxPieces && unions.length === 0)
    .map((all) => all.map((schema) => combine([member, { ...member, also: [], schema }]) ?? member));
}

const maxDisjointMembers = 40;
const maxNestedProperties = 3;

/** Whether no value matches two of the alternatives, as far as types, enums and required properties show. */
export function areDisjoint(members: readonly Located[]): boolean {
  if (members.length > maxDisjointMembers) return false;
  const nodes = members.map((member) => readNode(member));
  return nodes.every((node, index) => nodes.slice(index + 1).every((other) => areApart(node, other, 0)));
}

function areApart(one: SchemaNode, other: SchemaNode, depth: number): boolean {
  if (one.isNever || other.isNever) return true;
  if (one.acceptsNull && other.acceptsNull) return false;
  if (one.types !== undefined && other.types !== undefined && common(one.types, other.types).size === 0) return true;
  if (one.enum !== undefined && other.enum !== undefined) {
    const [mine, theirs] = [one.enum, other.enum].map((values) => new Set(values.map(canonicalText)));
    if (mine !== undefined && theirs !== undefined && common(mine, theirs).size === 0) return true;
  }
  const areObjects = [one, other].every(({ types }) => types?.size === 1 && types.has('object'));
  return areObjects && depth < maxNestedProperties && haveApartProperty(one, other, depth + 1);
}

// A property that both require and that cannot be valid for both.
function haveApartProperty(one: SchemaNode, other: SchemaNode, depth: number): boolean {
  return [...one.required.keys()].some((name) => {
    const [mine, theirs] = [one.properties.get(name), other.properties.get(name)];
    if (!other.required.has(name) || mine === undefined || theirs === undefined) return false;
    return areApart(readNode(mine), readNode(theirs), depth);
  });
}
