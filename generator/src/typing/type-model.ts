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
  /** Only spoken of (`required`), not described: what is closed to undescribed members refuses it. */
  readonly undescribed?: true;
};

/** Members beside the listed ones: none said, said to be open, said to be none, or of a type. */
export type Rest = 'unsaid' | 'open' | 'closed' | TypeModel;

/** Members whose names start and end so. */
export type Pattern = { readonly starts: string; readonly ends: string; readonly type: TypeModel };
/** Some values of the type are refused for a reason that no type can say: a bound, a pattern, uniqueness. */
type Loose = { readonly loose?: true };
export type ObjectType = Loose & {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  readonly patterns: readonly Pattern[];
  /** Of members that no pattern names either. */
  readonly rest: Rest;
};
/** Every item is spoken of, be it that any value will do: what is closed to undescribed items accepts it. */
type Described = { readonly described?: true };
export type ListType = Loose & Described & { readonly kind: 'list'; readonly item: TypeModel };
export type TupleType = Loose &
  Described & {
    readonly kind: 'tuple';
    readonly prefix: readonly TypeModel[];
    /** How many items of the prefix must be there. */
    readonly required: number;
    readonly rest: TypeModel | 'closed';
  };
export type Literal = string | number | boolean | null;

/** A set of JSON values as TypeScript can say it. */
export type TypeModel =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never' }
  | (Loose & { readonly kind: 'scalar'; readonly scalar: 'string' | 'number' | 'integer' | 'boolean' })
  | (Loose & { readonly kind: 'literal'; readonly value: Literal })
  | ObjectType
  | ListType
  | TupleType
  | { readonly kind: 'choice'; readonly members: readonly TypeModel[] }
  /** Only where members cannot be merged into one, or where a name is worth keeping. */
  | { readonly kind: 'all'; readonly members: readonly TypeModel[] }
  | { readonly kind: 'reference'; readonly name: TypeName }
  /** A body that is no JSON. */
  | { readonly kind: 'bytes' };

export const unknownType: TypeModel = { kind: 'unknown' };
export const neverType: TypeModel = { kind: 'never' };
export const nullType: TypeModel = { kind: 'literal', value: null };
export const stringType: TypeModel = { kind: 'scalar', scalar: 'string' };
export const bytesType: TypeModel = { kind: 'bytes' };
/** Any JSON object, nothing said of its members. */
export const anyObject: ObjectType = { kind: 'object', fields: new Map(), patterns: [], rest: 'unsaid' };
/** Any JSON object, said to be open. */
export const openObject: ObjectType = { ...anyObject, rest: 'open' };
export const anyList: ListType = { kind: 'list', item: unknownType };

/** A union without nesting, repetition or members that another one contains outright. */
export function choiceOf(members: readonly TypeModel[]): TypeModel {
  const [sole] = members;
  if (members.length === 1 && sole !== undefined) return sole;
  const flat: TypeModel[] = [];
  const keys = new Set<string>();
  const add = (member: TypeModel): void => {
    const key = keyOf(member);
    if (member.kind === 'never' || (key !== undefined && keys.has(key))) return;
    if (key !== undefined) keys.add(key);
    else if (flat.includes(member)) return;
    flat.push(member);
  };
  for (const member of members.flatMap(membersOf)) add(member);
  const [only] = flat;
  if (only === undefined) return neverType;
  if (keys.has('unknown') || wholeKinds.every((key) => keys.has(key))) return unknownType;
  return flat.length === 1 ? only : { kind: 'choice', members: flat };
}

const wholeKinds = ['=null', 'boolean', 'number', 'string', 'list', 'object'];

// Only what is cheap to compare is compared; two equal objects in one union do no harm.
function keyOf(member: TypeModel): string | undefined {
  if ('loose' in member) return undefined;
  switch (member.kind) {
    case 'scalar':
      return member.scalar;
    case 'literal':
      return `=${JSON.stringify(member.value)}`;
    case 'reference':
      return `#${member.name}`;
    case 'list':
      return member.item.kind === 'unknown' && !member.described ? 'list' : undefined;
    case 'object':
      // What is said to be open or described is remembered, for the sake of what is closed to the rest.
      return isEveryObject(member) && member.rest === 'unsaid' ? 'object' : undefined;
    case 'bytes':
    case 'unknown':
      return member.kind;
    default:
      return undefined;
  }
}

function isEveryObject({ fields, patterns, rest }: ObjectType): boolean {
  return fields.size === 0 && patterns.length === 0 && (rest === 'unsaid' || rest === 'open');
}

/** Any value, where a type says no less, whatever it remembers. */
export function forgetful(type: TypeModel): TypeModel {
  const keys = membersOf(type).map((member) => {
    if (member.kind === 'object' && isEveryObject(member)) return 'object';
    return member.kind === 'list' && member.item.kind === 'unknown' ? 'list' : keyOf(member);
  });
  return wholeKinds.every((key) => keys.includes(key)) ? unknownType : type;
}

export function membersOf(type: TypeModel): readonly TypeModel[] {
  return type.kind === 'choice' ? type.members : [type];
}
