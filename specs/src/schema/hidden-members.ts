import { parseReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../json.ts';
import type { Side } from './canonical-schema.ts';
import { innerSchemas, keywordsOfValue } from './raw-keywords.ts';

/** Names of members that inputs (or outputs) don't have; undefined if no members are removed. */
export type Hidden = ReadonlySet<string> | undefined;

/** A search for the members that inputs or outputs of one document don't have. */
export type MarkSearch = {
  readonly root: JsonObject;
  readonly mark: 'readOnly' | 'writeOnly';
  /** Number of schemas and members that may still be searched. */
  visits: number;
  /** True for schemas of members that have the mark. */
  readonly marks: Map<JsonValue, boolean>;
};
const maxVisits = 1_000_000;

export function createMarkSearch(root: JsonObject, side: Side): MarkSearch {
  return { root, mark: side === 'input' ? 'readOnly' : 'writeOnly', visits: maxVisits, marks: new Map() };
}

/** Returns the members that the schemas of a value mark; undefined without a search, or if the search takes too long. */
export function hiddenMembers(start: JsonValue, search: MarkSearch | undefined): Hidden {
  if (search === undefined || search.visits <= 0) return undefined;
  const hidden = new Set<string>();
  const schemas = new Set([start]);
  // The loop also visits schemas that are added while it runs.
  for (const schema of schemas) {
    if (!isJsonObject(schema)) continue;
    const members = Object.entries(schema['properties'] ?? {});
    search.visits -= 1 + members.length;
    for (const [name] of members.filter(([, member]) => isMarked(member, search, 0))) hidden.add(name);
    const parts = ['$ref', ...keywordsOfValue].flatMap((keyword) => partsAt(schema, keyword, search.root));
    for (const part of parts) schemas.add(part);
  }
  return hidden;
}

function partsAt(schema: JsonObject, keyword: string, root: JsonObject): readonly JsonValue[] {
  const value = schema[keyword];
  if (value === undefined) return [];
  if (keyword !== '$ref') return innerSchemas(keyword, value);
  try {
    return typeof value === 'string' ? [resolvePointer(root, parseReference(value)) ?? true] : [];
  } catch (error) {
    if (error instanceof SpecError) return [];
    throw error;
  }
}

const maxNested = 32;

function isMarked(member: JsonValue, search: MarkSearch, depth: number): boolean {
  const known = search.marks.get(member);
  if (!isJsonObject(member) || known !== undefined || depth > maxNested) return known === true;
  search.marks.set(member, false); // In case the schema refers to itself.
  const isInner = (part: JsonValue): boolean => isMarked(part, search, depth + 1);
  const isNull = (part: JsonValue): boolean => isJsonObject(part) && part['type'] === 'null';
  const at = (keyword: string): readonly JsonValue[] => partsAt(member, keyword, search.root);
  const branches = [...at('anyOf'), ...at('oneOf')];
  const isFound =
    member[search.mark] === true ||
    [...at('$ref'), ...at('allOf')].some(isInner) ||
    (branches.some(isInner) && branches.every((branch) => isNull(branch) || isInner(branch)));
  search.marks.set(member, isFound);
  return isFound;
}

/** Removes the members from the value of a keyword. */
export function withoutMembers(keyword: string, value: JsonValue, hidden: ReadonlySet<string>): JsonValue {
  const withoutNames = (names: JsonValue): JsonValue =>
    Array.isArray(names) ? names.filter((name) => typeof name !== 'string' || !hidden.has(name)) : names;
  if (keyword === 'required') return withoutNames(value);
  if (!/^(?:properties|dependentRequired|dependentSchemas)$/.test(keyword) || !isJsonObject(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !hidden.has(name));
  return Object.fromEntries(
    shown.map(([name, part]) => [name, keyword === 'dependentRequired' ? withoutNames(part) : part]),
  );
}
