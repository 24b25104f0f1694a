import type { JsonObject } from '../../../specs/src/index.ts';
import { canonicalText } from './schema-change.ts';
import { common, readNode, type SchemaNode } from './schema-node.ts';
import type { Located } from './schema-parts.ts';

const membersAtMost = 40;
const nestedAtMost = 3;

/** Whether no value matches two of the alternatives, as far as types, listed values and required properties tell. */
export function areDisjoint(members: readonly Located[], root: JsonObject): boolean {
  if (members.length > membersAtMost) return false;
  const nodes = members.map((member) => readNode(member, root));
  return nodes.every((node, index) =>
    nodes.slice(index + 1).every((other) => isApart(node, other, { root, depth: 0 })),
  );
}

function isApart(one: SchemaNode, other: SchemaNode, how: { root: JsonObject; depth: number }): boolean {
  if (one.isNever || other.isNever) return true;
  if (one.acceptsNull && other.acceptsNull) return false;
  if (one.types !== undefined && other.types !== undefined && common(one.types, other.types).size === 0) return true;
  if (one.enum !== undefined && other.enum !== undefined && !shareValues(one.enum, other.enum)) return true;
  const areObjects = [one, other].every(({ types }) => types?.size === 1 && types.has('object'));
  return areObjects && how.depth < nestedAtMost && haveApartProperty(one, other, how);
}

function shareValues(one: NonNullable<SchemaNode['enum']>, other: NonNullable<SchemaNode['enum']>): boolean {
  const texts = new Set(one.map(canonicalText));
  return other.some((value) => texts.has(canonicalText(value)));
}

// A property that both ask for and that cannot be what both ask.
function haveApartProperty(
  one: SchemaNode,
  other: SchemaNode,
  { root, depth }: { root: JsonObject; depth: number },
): boolean {
  return [...one.required.keys()].some((name) => {
    const [mine, theirs] = [one.properties.get(name), other.properties.get(name)];
    if (!other.required.has(name) || mine === undefined || theirs === undefined) return false;
    return isApart(readNode(mine, root), readNode(theirs, root), { root, depth: depth + 1 });
  });
}
