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
import { parseJsonObject } from '../content.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import {
  type LockedModel,
  type Lockfile,
  lockedFiles,
  lockName,
  parseLockfile,
  requireLockfile,
} from '../output/lockfile.ts';
import type { Files } from '../ports.ts';

/** An output, on the disk or in memory, as far as its data and declarations go. */
export type OutputTree = {
  readonly lock: Lockfile;
  /** Undefined when there is no such file, or it holds no JSON object. */
  json(path: string): JsonObject | undefined;
  /** Undefined when there is no such file. */
  text(path: string): string | undefined;
};

/** The output in a folder. Throws GeneratorError when no generation has written there. */
export async function readOutputTree(folder: string, files: Files): Promise<OutputTree> {
  const help = 'Name a folder that generate has written, such as the one given to --out.';
  const lock = requireLockfile(folder, files, { operation: 'readOutputTree', missing: help, damaged: help });
  return outputTreeFrom(lock, (path) => {
    const bytes = files.read(`${folder}/${path}`, folder);
    return bytes && new TextDecoder().decode(bytes);
  });
}

/** The output that a preview has made. */
export function openPreviewTree(files: readonly EmittedFile[]): OutputTree {
  const texts = new Map(files.map(({ path, contents }) => [path, contents]));
  const lock = parseLockfile(new TextEncoder().encode(texts.get(lockName)));
  if (lock !== undefined && lock !== 'damaged') return outputTreeFrom(lock, (path) => texts.get(path));
  throw new GeneratorError('output-missing', 'the preview has no lockfile', { operation: 'openPreviewTree' });
}

/** An output whose files are read by `read`; only those that the lockfile lists are. */
export function outputTreeFrom(lock: Lockfile, read: (path: string) => string | undefined): OutputTree {
  const locked = lockedFiles(lock);
  const text = (path: string): string | undefined => (locked.has(path) ? read(path) : undefined);
  return { lock, text, json: (path) => parseJsonObject(text(path)) };
}

/** A model of an output. */
export type ShippedModel = {
  readonly id: string;
  readonly locked: LockedModel;
  /** Its `schema.json`; undefined when the output has no schemas of it. */
  readonly document: ShippedDocument | undefined;
  /** The text of its schemas alone, without its id; empty where there are none. */
  readonly schemas: string;
  /** The text of its declarations; empty where there are none. */
  readonly declarations: string;
};

export function readShippedModels(tree: OutputTree): Map<string, ShippedModel> {
  return new Map(
    Object.entries(tree.lock.models).map(([id, locked]) => {
      const pathTo = (ending: string): string => Object.keys(locked.files).find((file) => file.endsWith(ending)) ?? '';
      const root = tree.json(pathTo('.schema.json'));
      const { input = null, outputs = null, $defs = null } = root ?? {};
      const schemas = root === undefined ? '' : canonicalText([input, outputs, $defs]);
      const declarations = tree.text(pathTo('.d.ts')) ?? '';
      return [id, { id, locked, document: root && openDocument(root), schemas, declarations }];
    }),
  );
}

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
