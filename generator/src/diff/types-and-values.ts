import type { CanonicalSchema, JsonValue } from '../../../specs/src/index.ts';

/** A type; `number` is `integer` and `fraction`, so that sets of types can be compared. Null is held apart. */
export type NodeType = 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object';
export function readTypes(schemas: readonly CanonicalSchema[]): ReadonlySet<NodeType> | undefined {
  const declared = schemas.flatMap(({ type, enum: values }) => {
    if (type !== undefined) return [new Set(type.flatMap(expandTypeName))];
    return values === undefined ? [] : [new Set(values.flatMap(typeValue))];
  });
  return declared.length === 0 ? undefined : declared.reduce(common);
}

function expandTypeName(name: string): NodeType[] {
  if (name === 'number') return ['integer', 'fraction'];
  return name === 'integer' || name === 'boolean' || name === 'string' || name === 'array' || name === 'object'
    ? [name]
    : [];
}

function typeValue(value: JsonValue): NodeType[] {
  if (value === null) return [];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return [Number.isInteger(value) ? 'integer' : 'fraction'];
  return expandTypeName(typeof value);
}

/** The type names of JSON Schema for a set of types. */
export function nameTypes(
  types: ReadonlySet<NodeType>,
): ('boolean' | 'integer' | 'number' | 'string' | 'array' | 'object')[] {
  return [...types].flatMap((type) => {
    if (type === 'fraction') return ['number'];
    return type === 'integer' && types.has('fraction') ? [] : [type];
  });
}

export function readEnum(schemas: readonly CanonicalSchema[]): readonly JsonValue[] | undefined {
  const lists = schemas.flatMap(({ enum: values }) => (values === undefined ? [] : [values]));
  const [first, ...others] = lists;
  const keys = others.map((list) => new Set(list.map((value) => JSON.stringify(value))));
  const types = readTypes(schemas);
  const values = first?.filter(
    (value) =>
      value !== null &&
      typeValue(value).every((type) => types?.has(type) ?? true) &&
      keys.every((set) => set.has(JSON.stringify(value))),
  );
  const isEveryBoolean =
    values?.includes(true) && values.includes(false) && values.every((value) => typeof value === 'boolean');
  return isEveryBoolean ? undefined : values;
}

/** The members of both sets. */
export function common<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one].filter((member) => other.has(member)));
}
