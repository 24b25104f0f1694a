import { isSchema, type Schema } from '../documents/read-document.ts';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { schemaKeywords } from '../schema/raw-keywords.ts';
import { type Brand, dataKeys } from '../settings.ts';

/** A problem of a document, the check that found it, and its place (a JSON pointer). */
export type SpecProblem = { check: string; document: string; place: string; message: string };

/** A document to check, by its file name. */
export type CheckedDocument = {
  name: string;
  content: JsonObject;
  brand: Brand;
  /** Ids that the document may name. */
  known: { requirements: ReadonlySet<string>; assumptions: ReadonlySet<string> };
  /** Counts what was checked: a check that counts nothing proves nothing. */
  count: () => void;
  report: (place: string, message: string) => void;
};

export type DocumentVisitor = {
  /** An object of the description itself, never one inside an example. */
  object?: (node: JsonObject, pointer: string) => void;
  schema?: (schema: Schema, pointer: string) => void;
};

type Node = { value: JsonValue; path: readonly (string | number)[]; kind: 'part' | 'schema' | 'schemas-by-name' };

/** Visits every object and every schema of an OpenAPI document outside example data, in document order. */
export function walkDocument(document: JsonObject, visitor: DocumentVisitor): void {
  const visit = (node: Node): void => {
    const { value, kind } = node;
    const pointer = formatPointer(node.path);
    if (isJsonObject(value) && kind !== 'schemas-by-name') visitor.object?.(value, pointer);
    if (kind === 'schema' && isSchema(value)) visitor.schema?.(value, pointer);
    for (const child of listChildren(node)) visit(child);
  };
  visit({ value: document, path: [], kind: 'part' });
}

function listChildren({ value, path, kind }: Node): Node[] {
  if (Array.isArray(value)) return value.map((inner, index) => ({ value: inner, path: [...path, index], kind }));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const inside = kindOfMember(key, path, kind);
    return inside === undefined ? [] : [{ value: inner, path: [...path, key], kind: inside }];
  });
}

function kindOfMember(key: string, path: Node['path'], kind: Node['kind']): Node['kind'] | undefined {
  if (kind === 'schemas-by-name') return 'schema';
  if (kind === 'schema') {
    const held = key === '$defs' ? 'schemas-by-name' : schemaKeywords.get(key);
    if (held === 'schema-list') return 'schema';
    return held === 'value' ? undefined : held;
  }
  if (key === 'schema') return 'schema';
  if (key === 'schemas' && path.join() === 'components') return 'schemas-by-name';
  // A response called `default` is not data.
  return dataKeys.has(key) && path.at(-1) !== 'responses' ? undefined : 'part';
}
