import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';

/** A schema and where it stands in its document. */
export type Located = {
  readonly schema: JsonValue;
  readonly pointer: string;
  /** Further schemas that hold for the same place. */
  readonly also?: readonly Located[];
};
export type SchemaPart = {
  readonly schema: JsonObject;
  readonly pointer: string;
  /** Put together of what stands below the pointer in other words. */
  readonly isFolded?: true;
};

const annotations = new Set(['description', 'title', 'default', 'examples', 'example', 'deprecated']);

/** Says something to people, and a default to the service; nothing to validators. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword);
}

export type Parts = {
  /** All of them hold at once; none of them has a reference or an `allOf` left. */
  readonly parts: readonly SchemaPart[];
  /** One of them accepts nothing. */
  readonly isNever: boolean;
};

export function child({ pointer }: Located, ...keys: readonly (string | number)[]): string {
  return keys.reduce<string>(
    (path, key) => `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    pointer,
  );
}

/** What a schema says by itself, by reference and by `allOf`, one beside the other. */
export function partsOf(located: Located, root: JsonObject): Parts {
  const parts: SchemaPart[] = [];
  const followed = new Set<string>();
  const pending = [located];
  let isNever = false;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { schema, pointer, also = [] } = next;
    if (schema === false) isNever = true;
    if (isJsonObject(schema)) {
      const { $ref, allOf, ...own } = schema;
      if (Object.keys(own).length > 0) parts.push({ schema: own, pointer });
      pending.unshift(...targetsOf($ref, root, followed), ...listed(allOf, child({ schema, pointer }, 'allOf')));
    }
    pending.push(...also);
  }
  return { parts, isNever };
}

function targetsOf($ref: JsonValue | undefined, root: JsonObject, followed: Set<string>): Located[] {
  if (typeof $ref !== 'string' || !$ref.startsWith('#') || followed.has($ref)) return [];
  followed.add($ref);
  const pointer = decode($ref.slice(1));
  const schema = resolvePointer(root, pointer);
  return schema === undefined ? [] : [{ schema, pointer }];
}

function listed(schemas: JsonValue | undefined, pointer: string): Located[] {
  return Array.isArray(schemas) ? schemas.map((schema, index) => ({ schema, pointer: `${pointer}/${index}` })) : [];
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Several schemas for one place, as one that asks for all of them. */
export function combine(all: readonly Located[]): Located | undefined {
  const [first, ...others] = all;
  return first === undefined || others.length === 0 ? first : { ...first, also: [...(first.also ?? []), ...others] };
}

export function isClosed({ schema, also = [] }: Located): boolean {
  return schema === false || also.some(isClosed);
}
