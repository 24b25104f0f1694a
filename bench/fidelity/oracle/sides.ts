import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';

/** Members that belong to the other side; undefined below `not` and `if`, where all members count. */
export type Absent = ReadonlySet<string> | undefined;
/** Keywords that say more of the same value. */
export const besides: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);

type Find = (reference: string) => JsonValue | undefined;

/** Finds the members of a value that a schema of it marks. */
export function createAbsentIn(find: Find, mark: 'readOnly' | 'writeOnly'): (raw: JsonValue) => Absent {
  return (raw) => {
    const absent = new Set<string>();
    for (const schema of reachable(raw, besides, find)) {
      const members = isJsonObject(schema['properties']) ? schema['properties'] : {};
      for (const name of Object.keys(members)) if (isMarked(members[name] ?? true, find, mark)) absent.add(name);
    }
    return absent;
  };
}

// A union marks its member when every branch does.
function isMarked(member: JsonValue, find: Find, mark: string): boolean {
  const all = [...reachable(member, new Set(['allOf']), find)];
  if (all.some((schema) => schema[mark] === true)) return true;
  return all.some((schema) => {
    const branches = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? list : []));
    const told = branches.filter((branch) => !isJsonObject(branch) || branch['type'] !== 'null');
    return told.length > 0 && told.every((branch) => isMarked(branch, find, mark));
  });
}

function reachable(raw: JsonValue, keywords: ReadonlySet<string>, find: Find): ReadonlySet<JsonObject> {
  const met = new Set<JsonObject>();
  const pending: JsonValue[] = [raw];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isJsonObject(next) || met.has(next)) continue;
    met.add(next);
    if (typeof next['$ref'] === 'string') pending.push(find(next['$ref']) ?? true);
    for (const keyword of keywords) pending.push(...schemasAt(keyword, next[keyword] ?? true));
  }
  return met;
}

function schemasAt(keyword: string, value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return keyword === 'dependentSchemas' && isJsonObject(value) ? Object.values(value) : [value];
}

/** A keyword's value without the absent members. */
export function present(keyword: string, value: JsonValue, absent: Absent): JsonValue {
  if (absent === undefined || absent.size === 0) return value;
  const names = (list: JsonValue): JsonValue =>
    Array.isArray(list) ? list.filter((name) => typeof name !== 'string' || !absent.has(name)) : list;
  if (keyword === 'required') return names(value);
  if (
    !['properties', 'dependentRequired', 'dependentSchemas', 'dependencies'].includes(keyword) ||
    !isJsonObject(value)
  )
    return value;
  const kept = Object.entries(value).filter(([name]) => !absent.has(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, Array.isArray(part) ? names(part) : part]));
}
