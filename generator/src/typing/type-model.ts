import type { JsonValue } from '../../../specs/src/index.ts';
import type { TypeName } from '../model/identifiers.ts';

/** What a reader's editor shows about a place; text of the document, never code. */
export type Docs = {
  description?: string;
  default?: JsonValue;
  examples?: readonly JsonValue[];
  deprecated?: true;
  limits?: ReadonlyMap<string, JsonValue>;
};
export type Field = {
  readonly name: string;
  readonly required: boolean;
  readonly type: TypeModel;
  readonly docs: Docs;
};

/** Members beside the listed ones: none said, said to be open, said to be none, or of a type. */
export type Rest = 'unsaid' | 'open' | 'closed' | TypeModel;

export type ObjectType = {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  readonly rest: Rest;
  /** Says what objects must be like and lets every other kind of value pass. */
  readonly lenient: boolean;
};
export type ListType = { readonly kind: 'list'; readonly item: TypeModel; readonly lenient: boolean };
export type TupleType = {
  readonly kind: 'tuple';
  readonly prefix: readonly TypeModel[];
  /** How many items of the prefix must be there. */
  readonly required: number;
  readonly rest: TypeModel | 'closed';
  readonly lenient: boolean;
};
export type Literal = string | number | boolean | null;

/** A set of JSON values as TypeScript can say it. */
export type TypeModel =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never' }
  | { readonly kind: 'scalar'; readonly scalar: 'string' | 'number' | 'integer' | 'boolean' }
  | { readonly kind: 'literal'; readonly value: Literal }
  | ObjectType
  | ListType
  | TupleType
  | { readonly kind: 'choice'; readonly members: readonly TypeModel[] }
  /** Only where members cannot be merged into one. */
  | { readonly kind: 'all'; readonly members: readonly TypeModel[] }
  | { readonly kind: 'reference'; readonly name: TypeName }
  /** A body that is no JSON. */
  | { readonly kind: 'bytes' };

export const unknownType: TypeModel = { kind: 'unknown' };
export const neverType: TypeModel = { kind: 'never' };
export const nullType: TypeModel = { kind: 'literal', value: null };
export const stringType: TypeModel = { kind: 'scalar', scalar: 'string' };
export const bytesType: TypeModel = { kind: 'bytes' };
/** Any JSON object, said to be open. */
export const openObject: ObjectType = { kind: 'object', fields: new Map(), rest: 'open', lenient: false };

/** A union without nesting, repetition or members that another one contains outright. */
export function choiceOf(members: readonly TypeModel[]): TypeModel {
  const flat: TypeModel[] = [];
  const keys = new Set<string>();
  const add = (member: TypeModel): void => {
    const key = keyOf(member);
    if (member.kind === 'never' || (key !== undefined && keys.has(key))) return;
    if (key !== undefined) keys.add(key);
    flat.push(member);
  };
  for (const member of members.flatMap(membersOf)) add(member);
  const [only] = flat;
  if (only === undefined) return neverType;
  if (flat.some((member) => member.kind === 'unknown')) return unknownType;
  return flat.length === 1 ? only : { kind: 'choice', members: flat };
}

// Only what is cheap to compare is compared; two equal objects in one union do no harm.
function keyOf(member: TypeModel): string | undefined {
  switch (member.kind) {
    case 'scalar':
      return member.scalar;
    case 'literal':
      return `=${JSON.stringify(member.value)}`;
    case 'reference':
      return `#${member.name}`;
    case 'bytes':
    case 'unknown':
      return member.kind;
    default:
      return undefined;
  }
}

export function membersOf(type: TypeModel): readonly TypeModel[] {
  return type.kind === 'choice' ? type.members : [type];
}
