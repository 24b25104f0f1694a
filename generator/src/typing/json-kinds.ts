import { anyList, anyObject, nullType, stringType, type TypeModel } from './type-model.ts';

/** What `type` tells apart; every single type belongs to one kind. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'bytes';
export type SingleType = Exclude<TypeModel, { kind: 'unknown' | 'never' | 'reference' | 'all' | 'choice' }>;

/** Every JSON value, kind by kind. */
export const everyKind: readonly TypeModel[] = [
  nullType,
  { kind: 'scalar', scalar: 'boolean' },
  { kind: 'scalar', scalar: 'number' },
  stringType,
  anyList,
  anyObject,
];
/** Words about objects say nothing of other values, words about arrays nothing of what is none. */
export const allButObjects = everyKind.filter((type) => type !== anyObject);
export const allButArrays = everyKind.filter((type) => type !== anyList);

export function isSingle(type: TypeModel): type is SingleType {
  return kindOf(type) !== undefined;
}

export function kindOf(type: TypeModel): Kind | undefined {
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'integer' ? 'number' : type.scalar;
    case 'literal':
      return type.value === null ? 'null' : kindsOfLiterals[typeof type.value];
    case 'list':
    case 'tuple':
      return 'array';
    case 'object':
    case 'bytes':
      return type.kind;
    default:
      return undefined;
  }
}

const kindsOfLiterals: Readonly<Record<string, Kind>> = { string: 'string', number: 'number', boolean: 'boolean' };
