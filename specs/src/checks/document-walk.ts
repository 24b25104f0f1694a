import { schemaKeywords } from '../ajv-schema.ts';
import type { Schema } from '../document.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { formatPointer } from '../json-pointer.ts';

export type DocumentVisitor = {
  /** An object that is part of the description itself; never one inside an example. */
  object?: (node: JsonObject, pointer: string) => void;
  schema?: (schema: Schema, pointer: string) => void;
};

type Node = { value: JsonValue; path: readonly (string | number)[]; kind: 'part' | 'schema' | 'schemas-by-name' };

// Below these keys lies data of the API, which may look like a description and is none.
const dataKeys = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Visits every object of an OpenAPI document outside example data, and tells schemas apart; document order. */
export function walkDocument(document: JsonObject, visitor: DocumentVisitor): void {
  const visit = (node: Node): void => {
    const { value, kind } = node;
    const pointer = formatPointer(node.path);
    if (isJsonObject(value) && kind !== 'schemas-by-name') visitor.object?.(value, pointer);
    if (kind === 'schema' && (isJsonObject(value) || typeof value === 'boolean')) visitor.schema?.(value, pointer);
    for (const child of childrenOf(node)) visit(child);
  };
  visit({ value: document, path: [], kind: 'part' });
}

function childrenOf({ value, path, kind }: Node): Node[] {
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
    const place = key === '$defs' ? 'schemas-by-name' : schemaKeywords.get(key);
    if (place === 'schema-list') return 'schema';
    return place === 'value' ? undefined : place;
  }
  if (key === 'schema') return 'schema';
  if (key === 'schemas' && path.join() === 'components') return 'schemas-by-name';
  // A response called `default` is description.
  return dataKeys.has(key) && path.at(-1) !== 'responses' ? undefined : 'part';
}
