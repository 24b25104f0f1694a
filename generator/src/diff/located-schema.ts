import {
  type CanonicalSchema,
  createSchemaReader,
  formatPointer,
  isNothing,
  type JsonObject,
  type JsonValue,
  pointerAsName,
  resolvePointer,
  type SchemaReader,
  visitParts,
  withoutIncluded,
} from '../../../specs/src/index.ts';

/** A document with the canonical form of its schemas; definitions are named by their pointers. */
export type ShippedDocument = { readonly root: JsonObject; readonly reader: SchemaReader };
/** A schema and its place in a document. */
export type Located = {
  readonly schema: CanonicalSchema;
  readonly pointer: string;
  readonly document: ShippedDocument;
  /** More schemas that apply to the same place. */
  readonly also?: readonly Located[];
};
/** A located schema without reference and `allOf`. */
export type SchemaPart = Located & {
  /** Whether the part summarises alternatives below its pointer. */
  readonly isFolded?: true;
};

export function openDocument(root: JsonObject): ShippedDocument {
  return { root, reader: createSchemaReader(root, { claimName: (_, pointer) => pointerAsName(pointer), report() {} }) };
}

/** The schema at a pointer; without one there, a schema that accepts every value. */
export function locate(pointer: string, document: ShippedDocument): Located {
  return { schema: document.reader.read(resolvePointer(document.root, pointer) ?? true, pointer), pointer, document };
}

/** The schema as the document has it. */
export function rawSchema({ document, pointer }: Located): JsonValue | undefined {
  return resolvePointer(document.root, pointer);
}

export function childPointer({ pointer }: { readonly pointer: string }, ...keys: readonly (string | number)[]): string {
  return pointer + formatPointer(keys);
}

/** The schema at a keyword of another one. */
export function locateChild(parent: Located, schema: CanonicalSchema, ...keys: readonly (string | number)[]): Located {
  return { schema, pointer: childPointer(parent, ...keys), document: parent.document };
}

/**
 * The schema's own keywords, those it refers to and those of its `allOf`, one after the other: all of them apply.
 * `isNever` says whether one of them accepts no value.
 */
export function listParts(located: Located): { readonly parts: readonly SchemaPart[]; readonly isNever: boolean } {
  const parts: SchemaPart[] = [];
  const followed = new Set<string>();
  const pending = [located];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { schema, pointer, document, also = [] } = next;
    const { ref } = schema;
    parts.push({ schema: withoutIncluded(schema), pointer, document });
    const inner: Located[] = [];
    visitParts(schema, (part, keyword, key = '') => void inner.push(locateChild(next, part, keyword, key)), [
      'included',
    ]);
    const target = ref === undefined || followed.has(ref) ? undefined : document.reader.definitions().get(ref);
    if (ref !== undefined && target !== undefined) {
      followed.add(ref);
      inner.unshift({ schema: target, pointer: ref, document });
    }
    pending.unshift(...inner);
    pending.push(...also);
  }
  return { parts, isNever: parts.some(({ schema }) => isNothing(schema)) };
}

/** Several schemas of one place as one schema that requires all of them. */
export function combine(first: Located, ...others: readonly Located[]): Located {
  return others.length === 0 ? first : { ...first, also: [...(first.also ?? []), ...others] };
}

/** The same for any number of schemas; undefined for none. */
export function combineAll([first, ...others]: readonly Located[]): Located | undefined {
  return first && combine(first, ...others);
}

/** A schema that requires another one of the same place as well. */
export function narrow(located: Located, schema: CanonicalSchema): Located {
  return combine(located, { ...located, also: [], schema });
}

export function isClosed({ schema, also = [] }: Located): boolean {
  return isNothing(schema) || also.some(isClosed);
}
