import { type CanonicalSchema, canonicalText } from '../../../specs/src/index.ts';
import type { Comparison } from './comparison.ts';
import { isClosed, type Located, narrow } from './located-schema.ts';
import { readNode, type SchemaNode } from './schema-node.ts';
import { common, type NodeType, nameTypes } from './types-and-values.ts';

const maxTrialPairs = 200;
const maxNestedTrials = 3;
const maxPieces = 50;

/** Whether every value of an alternative is one of others too, so that its coming or going changes nothing. */
export function isCovered(member: Located, others: readonly Located[], comparison: Comparison): boolean {
  const covers = (piece: Located): boolean => others.some((other) => accepts(other, piece, comparison));
  return covers(member) || splitMember(member).some((pieces) => pieces.every(covers));
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
  const optional = ['property-added-optional', 'property-removed', 'property-unlisted'];
  return trial.changes.every(({ rule, verdict }) => verdict !== 'breaking' && !optional.includes(rule));
}

// Each value or type of a list may be covered by another alternative.
function splitMember(member: Located): readonly Located[][] {
  const { enum: values = [], types = new Set<NodeType>(), unions } = readNode(member);
  const schemas: CanonicalSchema[][] = [
    values.map((value) => ({ enum: [value] })),
    nameTypes(types).map((type) => ({ type: [type] })),
  ];
  return schemas
    .filter(({ length }) => length > 1 && length <= maxPieces && unions.length === 0)
    .map((all) => all.map((schema) => narrow(member, schema)));
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
  const types = one.types === undefined ? other.types : common(one.types, other.types ?? one.types);
  if (types?.size === 0 || haveOtherValues(one, other)) return true;
  if (depth >= maxNestedProperties) return false;
  if (isApartFromAll(one, other, depth + 1) || isApartFromAll(other, one, depth + 1)) return true;
  if (types?.size !== 1 || !types.has('object')) return false;
  return refusesRequired(one, other) || refusesRequired(other, one) || haveApartProperty(one, other, depth + 1);
}

function haveOtherValues(one: SchemaNode, other: SchemaNode): boolean {
  if (one.enum === undefined || other.enum === undefined) return false;
  return common(new Set(one.enum.map(canonicalText)), new Set(other.enum.map(canonicalText))).size === 0;
}

/** Whether a node has a union of which no alternative shares a value with the other node. */
function isApartFromAll({ unions }: SchemaNode, other: SchemaNode, depth: number): boolean {
  const few = unions.filter(({ members }) => members.length <= maxDisjointMembers);
  return few.some(({ members }) => members.every((member) => areApart(readNode(member), other, depth)));
}

/** Whether a closed object has no place for a property that the other one requires. */
function refusesRequired({ additional, patterns, properties, unions }: SchemaNode, { required }: SchemaNode): boolean {
  const isClosedTo = additional !== undefined && isClosed(additional) && patterns.size === 0 && unions.length === 0;
  return isClosedTo && [...required.keys()].some((name) => !properties.has(name));
}

// A property that both require and that cannot be valid for both.
function haveApartProperty(one: SchemaNode, other: SchemaNode, depth: number): boolean {
  return [...one.required.keys()].some((name) => {
    const [mine, theirs] = [one.properties.get(name), other.properties.get(name)];
    if (!other.required.has(name) || mine === undefined || theirs === undefined) return false;
    return areApart(readNode(mine), readNode(theirs), depth);
  });
}
