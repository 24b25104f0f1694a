import type { TypeName } from '../model/identifiers.ts';
import type { TypeModel } from './type-model.ts';

/** The types that a type is directly made of. */
function partsOf(type: TypeModel): readonly TypeModel[] {
  switch (type.kind) {
    case 'choice':
    case 'all':
      return type.members;
    case 'list':
      return [type.item];
    case 'tuple':
      return type.rest === 'closed' ? type.prefix : [...type.prefix, type.rest];
    case 'object': {
      const types = [...type.fields.values(), ...type.patterns].map((field) => field.type);
      return typeof type.rest === 'string' ? types : [...types, type.rest];
    }
    default:
      return [];
  }
}

/** Names that a type refers to; a part that stands in several places is looked at once. */
export function namesIn(type: TypeModel, seen: Set<TypeModel> = new Set()): TypeName[] {
  if (seen.has(type)) return [];
  seen.add(type);
  if (type.kind === 'reference') return [type.name];
  return partsOf(type).flatMap((part) => namesIn(part, seen));
}

/** How many parts the printed type would have: a small document can share its way to an astronomical one. */
export function sizeOf(type: TypeModel, known: Map<TypeModel, number> = new Map()): number {
  const before = known.get(type);
  if (before !== undefined) return before;
  const size = partsOf(type).reduce((sum, part) => sum + sizeOf(part, known), 1);
  known.set(type, size);
  return size;
}
