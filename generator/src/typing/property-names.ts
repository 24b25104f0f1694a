import type { CanonicalSchema } from '../../../specs/src/index.ts';
import type { TypeName } from '../model/identifiers.ts';
import type { Making } from './container-words.ts';
import { allButObjects, kindOf } from './json-kinds.ts';
import { anyObject, choiceOf, membersOf, type TypeModel, unknownType } from './type-model.ts';

/** Objects with no other members than these, where the names can be listed. */
export function readPropertyNames({ propertyNames }: CanonicalSchema, named: NamedBy): TypeModel | undefined {
  const names = propertyNames === undefined ? undefined : listNames(named.convert(propertyNames), named);
  if (names === undefined) return undefined;
  const fields = names.map((name) => [name, { name, required: false, type: unknownType, docs: {} }] as const);
  return choiceOf([{ ...anyObject, fields: new Map(fields), rest: 'closed' }, ...allButObjects]);
}

type NamedBy = Pick<Making, 'convert'> & { expand(name: TypeName): TypeModel | undefined };

function listNames(type: TypeModel, named: NamedBy): string[] | undefined {
  const names = membersOf(type).map((member) => namesOf(member, named));
  return names.some((list) => list === undefined) ? undefined : names.flatMap((list) => list ?? []);
}

function namesOf(type: TypeModel, named: NamedBy): string[] | undefined {
  if (type.kind === 'reference') {
    const behind = named.expand(type.name);
    return behind === undefined || behind.kind === 'reference' ? undefined : listNames(behind, named);
  }
  if (type.kind === 'literal') return typeof type.value === 'string' ? [type.value] : [];
  // Names are texts, whatever else the schema would take.
  const isNoText = type.kind === 'never' || ![undefined, 'string'].includes(kindOf(type));
  return isNoText ? [] : undefined;
}
