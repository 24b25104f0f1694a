import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Reduces a schema: `expressible` drops what no type expresses (bounds, patterns, whole numbers, exclusive branches),
 * `joined` drops only the last of these, `open` also opens closed objects, and `declared` admits declared members only.
 */
export type Reduction = 'expressible' | 'joined' | 'open' | 'declared';

const inexpressible = new Set(
  `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern uniqueItems
   minProperties maxProperties contains minContains maxContains propertyNames dependentRequired dependentSchemas if
   then else unevaluatedItems patternProperties`.split(/\s+/),
);

export function reduce(schema: JsonSchema, to: Reduction): JsonSchema {
  return walk(schema, { to, inPlace: false });
}

type Place = { to: Reduction /** Next to other schemas of the same value. */; inPlace: boolean };

function walk(schema: JsonSchema, place: Place): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const made: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isWhole(place.to) || keeps(schema, keyword)) made[keyword] = walkKeyword(keyword, value, place.to);
  }
  if (place.to === 'declared') return place.inPlace ? made : withDeclaredOnly(made);
  const { oneOf, ...rest } = made;
  const joined = oneOf === undefined ? made : joinBranches(rest, oneOf);
  if (place.to === 'joined') return joined;
  return place.to === 'open' ? opened(withWiderRest(joined)) : withWiderRest(joined);
}

function isWhole(to: Reduction): boolean {
  return to === 'declared' || to === 'joined';
}

function keeps(schema: JsonObject, keyword: string): boolean {
  if (keyword === 'minItems' || keyword === 'maxItems') return schema['prefixItems'] !== undefined;
  // Without its pattern properties the object may no longer be closed.
  if (keyword === 'additionalProperties') return schema['patternProperties'] === undefined;
  if (keyword === 'not') return isSayable(schema['not']);
  return !inexpressible.has(keyword);
}

// `not: {}` is never, and `not: { required: [key] }` an absent key.
function isSayable(not: JsonValue | undefined): boolean {
  if (not === true) return true;
  if (!isJsonObject(not)) return false;
  const keywords = Object.keys(not).filter((keyword) => keyword !== 'default' && keyword !== 'examples');
  const required = not['required'];
  return keywords.length === 0 || (keywords.join() === 'required' && Array.isArray(required) && required.length === 1);
}

function walkKeyword(keyword: string, value: JsonValue, to: Reduction): JsonValue {
  if (keyword === 'type' && !isWhole(to) && Array.isArray(value)) {
    return [...new Set(value.map((word) => (word === 'integer' ? 'number' : word)))];
  }
  const at = (inPlace: boolean) => (one: JsonValue) =>
    isJsonObject(one) || typeof one === 'boolean' ? walk(one, { to, inPlace }) : one;
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
      return mapMembers(value, at(false));
    // Definitions are referenced in place and as members; the reference closes them.
    case '$defs':
    case 'dependentSchemas':
      return mapMembers(value, at(true));
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) ? value.map(at(true)) : value;
    case 'prefixItems':
      return Array.isArray(value) ? value.map(at(false)) : value;
    case 'items':
    case 'additionalProperties':
      return at(false)(value);
    case 'not':
      return isWhole(to) ? value : at(true)(value);
    case 'if':
    case 'then':
    case 'else':
      return at(true)(value);
    default:
      return value;
  }
}

function mapMembers(value: JsonValue, change: (one: JsonValue) => JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

function withDeclaredOnly(schema: JsonObject): JsonObject {
  return schema['unevaluatedProperties'] === undefined && schema['additionalProperties'] === undefined
    ? { ...schema, unevaluatedProperties: false }
    : schema;
}

// An index signature covers the listed members, too, so it must admit their types.
function withWiderRest(schema: JsonObject): JsonObject {
  const { properties } = schema;
  const made = { ...schema };
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    const rest = schema[keyword];
    if (isJsonObject(rest) && isJsonObject(properties)) made[keyword] = { anyOf: [rest, ...Object.values(properties)] };
  }
  return made;
}

function joinBranches(rest: JsonObject, branches: JsonValue): JsonObject {
  if (rest['anyOf'] === undefined) return { ...rest, anyOf: branches };
  const allOf = rest['allOf'];
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), { anyOf: branches }] };
}

function opened(schema: JsonObject): JsonObject {
  const { additionalProperties, unevaluatedProperties, enum: listed, const: only, ...others } = schema;
  const rest = { ...others, ...openedValues(listed, only) };
  return additionalProperties === undefined || additionalProperties === false
    ? rest
    : { ...rest, additionalProperties };
}

// An object that is a whole value is closed as well.
function openedValues(listed: JsonValue | undefined, only: JsonValue | undefined): JsonObject {
  const values = only !== undefined ? [only] : Array.isArray(listed) ? listed : [];
  if (values.length === 0) return {};
  return values.some((value) => typeof value === 'object' && value !== null)
    ? { not: { not: { anyOf: values.map(readShape) } } }
    : { enum: values };
}

function readShape(value: JsonValue): JsonObject {
  if (Array.isArray(value)) {
    const prefixItems = value.map(readShape);
    return {
      type: 'array',
      minItems: value.length,
      maxItems: value.length,
      ...(value.length > 0 ? { prefixItems } : {}),
    };
  }
  if (!isJsonObject(value)) return { const: value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readShape(member)]));
  return { type: 'object', properties, required: Object.keys(value) };
}
