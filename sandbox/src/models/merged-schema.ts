import { isJsonObject, type JsonObject, type JsonValue, type Schema } from '../../../specs/src/index.ts';
import { dereference, memberOf } from './model-document.ts';

const listsOfNames = ['required'];
const tablesOfSchemas = ['properties', 'patternProperties'];

const depthLimit = 12;
const partLimit = 1000; // a document may fold a schema into itself more than once, and that at every level

/** The schema with its reference followed and its `allOf` folded in, so that one object holds every keyword of the place. */
export function mergedSchema(root: JsonObject, schema: JsonValue | undefined): JsonObject {
  return merge(root, schema, { depth: 0, parts: { left: partLimit } });
}

type Walk = { depth: number; parts: { left: number } };

function merge(root: JsonObject, schema: JsonValue | undefined, { depth, parts: within }: Walk): JsonObject {
  if (!isJsonObject(schema) || depth > depthLimit || within.left <= 0) return {};
  within.left -= 1;
  const { $ref, allOf, ...own } = schema;
  const parts = [...($ref === undefined ? [] : [dereference(root, { $ref })]), ...(Array.isArray(allOf) ? allOf : [])];
  return parts.reduce<JsonObject>(
    (merged, part) => combine(merged, merge(root, part, { depth: depth + 1, parts: within })),
    own,
  );
}

/** The members that a schema describes by name. */
export function propertiesOf(root: JsonObject, schema: Schema | undefined): JsonObject {
  const properties = mergedSchema(root, schema)['properties'];
  return isJsonObject(properties) ? properties : {};
}

function combine(one: JsonObject, other: JsonObject): JsonObject {
  const merged: JsonObject = { ...other, ...one };
  for (const key of listsOfNames) {
    const names = [one[key], other[key]].flatMap((list) => (Array.isArray(list) ? list : []));
    if (names.length > 0) merged[key] = [...new Set(names)];
  }
  for (const key of tablesOfSchemas) {
    const [mine, theirs] = [memberOf(one, key), memberOf(other, key)];
    if (isJsonObject(mine) && isJsonObject(theirs)) merged[key] = { ...theirs, ...overlap(theirs, mine) };
  }
  return merged;
}

/** A member that both describe must satisfy both. */
function overlap(theirs: JsonObject, mine: JsonObject): JsonObject {
  const pairs = Object.entries(mine).map(([name, schema]): [string, JsonValue] => {
    const other = memberOf(theirs, name);
    return [name, other === undefined ? schema : { allOf: [schema, other] }];
  });
  return Object.fromEntries(pairs);
}
