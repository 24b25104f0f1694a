import {
  annotationKeywords,
  anything,
  bundleJsonSchema,
  type CanonicalSchema,
  canonicalText,
  createSchemaReader,
  formatPointer,
  isJsonObject,
  isNothing,
  type JsonObject,
  type JsonValue,
  pointerAsName,
  resolvePointer,
  type SchemaReader,
  spend,
  type Work,
} from '../../../specs/src/index.ts';

/** A document with the canonical form of its schemas; definitions are named by their pointers. */
export type ShippedDocument = { readonly root: JsonObject; readonly reader: SchemaReader };
/** A schema and its place in a document. */
export type Located = {
  readonly schema: CanonicalSchema;
  readonly pointer: string;
  readonly document: ShippedDocument;
};
/** Schemas that all apply to the same values; none accepts every value. */
export type Place = readonly Located[];

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

/** What the schema's reference leads to. */
export function followReference({ schema: { ref }, document }: Located): Located | undefined {
  const target = ref === undefined ? undefined : document.reader.definitions().get(ref);
  return ref === undefined || target === undefined ? undefined : { schema: target, pointer: ref, document };
}

/** The schemas with those that they refer to and those of their `allOf`: all of them apply. */
export function listParts(place: Place): Located[] {
  const found = new Map<CanonicalSchema, Located>();
  const pending = [...place];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const part = next;
    if (found.has(part.schema)) continue;
    found.set(part.schema, part);
    const target = followReference(part);
    const included = part.schema.allOf?.map((schema, index) => locateChild(part, schema, 'allOf', index)) ?? [];
    pending.unshift(...(target === undefined ? included : [target, ...included]));
  }
  return [...found.values()];
}

/** Whether one of the schemas says outright that no value is valid. */
export function isClosed(place: Place): boolean {
  return place.some(({ schema }) => isNothing(schema));
}

const undecided = new Set<string>(annotationKeywords);

/** Whether the schemas assert something. */
export function isDescribed(place: Place): boolean {
  return place.some(({ schema }) => Object.keys(schema).some((keyword) => !undecided.has(keyword)));
}

const charactersPerStep = 50;

/** The same text for equal schemas of any documents, with all that they refer to. */
export function printSchema({ schema, document }: Located, work: Work): string {
  const text = canonicalText(bundleJsonSchema(schema, document.reader.definitions()));
  spend(work, Math.ceil(text.length / charactersPerStep));
  return text;
}

const ids = new WeakMap<CanonicalSchema, number>();
let lastId = 0;

/** Tells places apart: schemas are read once, so that one schema is one object. A mere reference is what it leads to. */
export function identify(place: Place): string {
  const numbers = place.map((located) => {
    const { schema } = skipReferences(located);
    const known = schema === anything ? 0 : (ids.get(schema) ?? ++lastId);
    if (known > 0) ids.set(schema, known);
    return known;
  });
  return [...new Set(numbers)].sort((left, right) => left - right).join(' ');
}

function skipReferences(located: Located): Located {
  const followed = new Set<CanonicalSchema>();
  let at = located;
  for (let next: Located | undefined = at; next !== undefined && !followed.has(next.schema); ) {
    at = next;
    followed.add(at.schema);
    const isMere = Object.keys(at.schema).every((keyword) => keyword === 'ref' || undecided.has(keyword));
    next = isMere ? followReference(at) : undefined;
  }
  return at;
}

/** The members that schemas anywhere in a document describe, by name. */
export function listMembers(document: JsonObject): [name: string, schema: JsonValue][] {
  const found: [string, JsonValue][] = [];
  const pending: JsonValue[] = [document];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { properties = null } = isJsonObject(next) ? next : {};
    if (isJsonObject(properties)) found.push(...Object.entries(properties));
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
  }
  return found;
}
