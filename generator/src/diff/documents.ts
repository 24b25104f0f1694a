import {
  annotationKeywords,
  asObject,
  bundleJsonSchema,
  type CanonicalSchema,
  canonicalText,
  createSchemaReader,
  formatPointer,
  isJsonObject,
  isNothing,
  type JsonObject,
  type JsonValue,
  parseWithExactIntegers,
  pointerAsName,
  resolvePointer,
  type SchemaReader,
  spend,
  type Work,
} from '../../../specs/src/index.ts';
import type { LockedModel } from '../output/lockfile.ts';
import type { OutputTree } from '../output/output-tree.ts';

/** A model in the generated output. */
export type ShippedModel = {
  readonly id: string;
  readonly locked: LockedModel;
  /** Content of `schema.json`; undefined if the output has no schemas of the model. */
  readonly document: ShippedDocument | undefined;
  /** Text of its schemas, without its id; empty if there are none. */
  readonly schemas: string;
  /** Text of its declarations; empty if there are none. */
  readonly declarations: string;
};

export function readShippedModels(tree: OutputTree): Map<string, ShippedModel> {
  const models = Object.entries(tree.lock.models).map(([id, locked]): [string, ShippedModel] => {
    const find = (ending: string) => Object.keys(locked.files).find((file) => file.endsWith(ending)) ?? '';
    const document = readDocument(tree, find('.schema.json'));
    const { input = null, outputs = null, $defs = null } = document?.exact ?? {};
    const schemas = document === undefined ? '' : canonicalText([input, outputs, $defs]);
    return [id, { id, locked, document, schemas, declarations: tree.text(find('.d.ts')) ?? '' }];
  });
  return new Map(models);
}

/** A document with its schemas in canonical form. Names of definitions are their pointers. */
export type ShippedDocument = {
  readonly root: JsonObject;
  /** The document with integers beyond 2^53 as `JSON.rawJSON`, which keeps all of their digits. */
  readonly exact: JsonObject;
  readonly reader: SchemaReader;
};
/** A schema and where it is in a document. */
export type LocatedSchema = {
  readonly schema: CanonicalSchema;
  readonly pointer: string;
  readonly document: ShippedDocument;
};
/** Schemas that all apply to the same value. An empty group accepts every value. */
export type SchemaGroup = readonly LocatedSchema[];
/** The older and the newer schemas of a member. */
export type SchemaVersions = { readonly old: SchemaGroup; readonly now: SchemaGroup };

export function openDocument(root: JsonObject, exact = root): ShippedDocument {
  const claimName = (_: string, pointer: string) => pointerAsName(pointer);
  return { root, exact, reader: createSchemaReader(root, { claimName, report() {} }) };
}

/** Returns undefined if the output has no such file, or if it isn't a JSON object. */
export function readDocument(tree: OutputTree, path: string): ShippedDocument | undefined {
  const [root, text = ''] = [tree.json(path), tree.text(path)];
  return root && openDocument(root, /\d{16}/.test(text) ? asObject(parseWithExactIntegers(text)) : root);
}

/** Returns the schema at a pointer, or a schema that accepts every value. */
export function locateSchema(pointer: string, document: ShippedDocument): LocatedSchema {
  return { schema: document.reader.read(resolvePointer(document.root, pointer) ?? true, pointer), pointer, document };
}

/** Returns the original schema, with all digits of its integers. */
export function rawSchema({ document, pointer }: LocatedSchema): JsonValue {
  return resolvePointer(document.exact, pointer) ?? true;
}

export function childPointer({ pointer }: { readonly pointer: string }, ...keys: readonly (string | number)[]): string {
  return pointer + formatPointer(keys);
}

export function locateChild(
  parent: LocatedSchema,
  schema: CanonicalSchema,
  ...keys: readonly (string | number)[]
): LocatedSchema {
  return { schema, pointer: childPointer(parent, ...keys), document: parent.document };
}

export function followReference({ schema: { ref }, document }: LocatedSchema): LocatedSchema | undefined {
  const target = ref === undefined ? undefined : document.reader.definitions().get(ref);
  return ref === undefined || target === undefined ? undefined : { schema: target, pointer: ref, document };
}

/** Returns the schemas, the targets of their references, and the schemas of their `allOf`. */
export function listParts(group: SchemaGroup): LocatedSchema[] {
  const found = new Map<CanonicalSchema, LocatedSchema>();
  const pending = [...group];
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (found.has(part.schema)) continue;
    found.set(part.schema, part);
    pending.unshift(...listIncluded(part));
  }
  return [...found.values()];
}

/** Returns the target of a schema's reference and the schemas of its `allOf`. */
export function listIncluded(located: LocatedSchema): LocatedSchema[] {
  const parts = located.schema.allOf?.map((schema, index) => locateChild(located, schema, 'allOf', index)) ?? [];
  return [followReference(located) ?? [], parts].flat();
}

/** True if one of the schemas is `false`. */
export function isClosed(group: SchemaGroup): boolean {
  return group.some(({ schema }) => isNothing(schema));
}

const annotations = new Set<string>(annotationKeywords);

/** True if one of the schemas has a keyword that may reject values. */
export function isDescribed(group: SchemaGroup): boolean {
  return group.some(({ schema }) => Object.keys(schema).some((keyword) => !annotations.has(keyword)));
}

const charactersPerStep = 50;

/** Prints a schema with everything that it refers to. Equal schemas give the same text, even from different documents. */
export function printSchema({ schema, document }: LocatedSchema, work: Work): string {
  const text = canonicalText(bundleJsonSchema(schema, document.reader.definitions()));
  spend(work, Math.ceil(text.length / charactersPerStep));
  return text;
}

const ids = new WeakMap<CanonicalSchema, number>();
let lastId = 0;

/** Returns a key that is equal for groups of the same schema objects. */
export function identifyGroup(group: SchemaGroup): string {
  const numbers = group.map(({ schema }) => {
    const id = ids.get(schema) ?? ++lastId;
    ids.set(schema, id);
    return id;
  });
  return [...new Set(numbers)].sort((left, right) => left - right).join(' ');
}

/** Returns the names of members that any schema of a document describes. */
export function listMemberNames(document: JsonObject): Set<string> {
  const names = new Set<string>();
  const pending: JsonValue[] = [document];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { properties = null } = isJsonObject(next) ? next : {};
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
  }
  return names;
}
