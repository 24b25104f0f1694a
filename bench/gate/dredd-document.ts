import { isJsonObject, type JsonObject, type JsonValue } from '../../specs/src/index.ts';

const unknownTo30 = new Set(
  `jsonSchemaDialect webhooks patternProperties unevaluatedProperties propertyNames contentMediaType if then else
   dependentRequired`.split(/\s+/),
);

/** A 3.1 document in the words of 3.0, the newest dialect that Dredd reads; what has no such word is left out. */
export function toOpenApi30(document: JsonObject): JsonObject {
  const converted = convert(document);
  return { ...(isJsonObject(converted) ? converted : {}), openapi: '3.0.3' };
}

function convert(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(convert);
  if (!isJsonObject(value)) return value;
  const made: JsonObject = {};
  for (const [keyword, member] of Object.entries(value)) {
    if (!unknownTo30.has(keyword) && !keyword.startsWith('x-')) Object.assign(made, convertMember(keyword, member));
  }
  return made;
}

function convertMember(keyword: string, value: JsonValue): JsonObject {
  if (keyword === 'type' && Array.isArray(value)) {
    const [first = 'string'] = value.filter((word) => word !== 'null');
    return { type: first, ...(value.includes('null') ? { nullable: true } : {}) };
  }
  if (keyword === 'const') return { enum: [value] };
  if (keyword === 'examples' && Array.isArray(value)) return value[0] === undefined ? {} : { example: value[0] };
  if (/^exclusive(Min|Max)imum$/.test(keyword) && typeof value === 'number') {
    return { [keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum']: value, [keyword]: true };
  }
  return { [keyword]: convert(value) };
}
