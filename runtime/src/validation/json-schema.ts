/** A schema of objects, as JSON Schema 2020-12. */
export type JsonObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

const lists = ['allOf', 'anyOf', 'oneOf'];
const maps = ['properties', 'patternProperties', 'dependentSchemas', 'definitions'];
const parts = ['additionalProperties', 'propertyNames', 'items', 'contains', 'not', 'if', 'then', 'else'];
/** What draft 7 has no word for: the schema then accepts more. */
const unknown = ['unevaluatedProperties', 'unevaluatedItems', 'minContains', 'maxContains'];

/** A schema as JSON Schema draft 7, which agents and editors of forms ask for. */
export function toDraft07(schema: JsonObjectSchema): { [keyword: string]: unknown } {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...convertMembers(schema) };
}

function convert(schema: unknown): unknown {
  return typeof schema === 'object' && schema !== null ? convertMembers(schema) : schema;
}

function convertMembers(schema: object): { [keyword: string]: unknown } {
  const { $ref, $defs, prefixItems, dependentRequired, dependentSchemas, ...rest } = schema as {
    [keyword: string]: unknown;
  };
  const copy: { [keyword: string]: unknown } = structuredClone(rest);
  if (copy['minContains'] === 0) delete copy['contains'];
  for (const keyword of unknown) delete copy[keyword];
  if ($defs !== undefined) copy['definitions'] = $defs;
  const dependencies = { ...Object(dependentRequired), ...Object(dependentSchemas) };
  if (Object.keys(dependencies).length > 0) copy['dependencies'] = mapValues(dependencies, convert);
  for (const keyword of maps) if (Object.hasOwn(copy, keyword)) copy[keyword] = mapValues(copy[keyword], convert);
  for (const keyword of parts) if (Object.hasOwn(copy, keyword)) copy[keyword] = convert(copy[keyword]);
  for (const keyword of lists) if (Array.isArray(copy[keyword])) copy[keyword] = copy[keyword].map(convert);
  if (Array.isArray(prefixItems)) {
    if (Object.hasOwn(copy, 'items')) copy['additionalItems'] = copy['items'];
    copy['items'] = prefixItems.map(convert);
  }
  if (typeof $ref !== 'string') return copy;
  // Draft 7 ignores what stands beside a reference.
  const reference = { $ref: $ref.replace('#/$defs/', '#/definitions/') };
  return Object.keys(copy).length === 0
    ? reference
    : { ...copy, allOf: [reference, ...(Array.isArray(copy['allOf']) ? copy['allOf'] : [])] };
}

// Entries, because a member may be called `__proto__`.
function mapValues(members: unknown, change: (value: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(Object(members)).map(([name, value]) => [name, change(value)]));
}
