import type { TypeName } from '../model/identifiers.ts';
import { choiceOf, type TypeModel, unknownType } from './type-model.ts';

type Expand = (name: TypeName) => TypeModel | undefined;

/**
 * A name may lead back to itself through a member or an item, not as such (`type A = A | string`). A union loses that
 * member, which adds no value to it; anything else becomes unknown.
 */
export function breakCycle(name: TypeName, type: TypeModel, expand: Expand): TypeModel {
  if (!leadsTo(name, type, { expand, seen: new Set() })) return type;
  if (type.kind !== 'choice') return unknownType;
  const others = type.members.filter((member) => !leadsTo(name, member, { expand, seen: new Set() }));
  return others.length === 0 ? unknownType : choiceOf(others);
}

function leadsTo(name: TypeName, type: TypeModel, search: { expand: Expand; seen: Set<TypeName> }): boolean {
  if (type.kind === 'choice' || type.kind === 'all')
    return type.members.some((member) => leadsTo(name, member, search));
  if (type.kind !== 'reference') return false;
  if (type.name === name) return true;
  if (search.seen.has(type.name)) return false;
  search.seen.add(type.name);
  const expanded = search.expand(type.name);
  return expanded !== undefined && leadsTo(name, expanded, search);
}
