import { formatPointer, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { schemaKeywords } from '../schema/raw-keywords.ts';
import { type Brand, dataKeys } from '../settings.ts';

/** A document to check. */
export type CheckedDocument = {
  name: string;
  content: JsonObject;
  brand: Brand;
  /** Ids that the document may refer to. */
  known: { requirements: ReadonlySet<string>; assumptions: ReadonlySet<string> };
  /** Counts an examined location. A check that examines nothing is an error. */
  count: () => void;
  /** Reports a problem; `place` is a JSON pointer. */
  report: (place: string, message: string) => void;
};

type Path = readonly (string | number)[];
type Kind = 'part' | 'schema' | 'schemas-by-name';
type DocumentNode = { node: JsonObject; pointer: string; isSchema: boolean };

/** Yields every object of an OpenAPI description in document order, except objects inside examples. */
export function* walkDocument(value: JsonValue, path: Path = [], kind: Kind = 'part'): Generator<DocumentNode> {
  if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield* walkDocument(inner, [...path, index], kind);
  if (!isJsonObject(value)) return;
  if (kind !== 'schemas-by-name') yield { node: value, pointer: formatPointer(path), isSchema: kind === 'schema' };
  for (const [key, inner] of Object.entries(value)) {
    const inside = kindOfMember(key, path, kind);
    if (inside !== undefined) yield* walkDocument(inner, [...path, key], inside);
  }
}

function kindOfMember(key: string, path: Path, kind: Kind): Kind | undefined {
  if (kind === 'schemas-by-name') return 'schema';
  if (kind === 'schema') {
    const held = key === '$defs' ? 'schemas-by-name' : schemaKeywords.get(key);
    if (held === 'schema-list') return 'schema';
    return held === 'value' ? undefined : held;
  }
  if (key === 'schema') return 'schema';
  if (key === 'schemas' && path.join() === 'components') return 'schemas-by-name';
  // In `responses`, `default` is a response and not data.
  return dataKeys.has(key) && path.at(-1) !== 'responses' ? undefined : 'part';
}
