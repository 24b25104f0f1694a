import type { Validator } from './validator.ts';

export type JsonObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** Converts a validator to a Standard Schema and, with `schema`, a Standard JSON Schema. Formats are not checked. */
export function standardSchema(validator: Validator, schema?: JsonObjectSchema) {
  const convert = ({ target }: { readonly target: string }): object | undefined => {
    // Return a copy each time, because some libraries change the schema.
    if (target === 'draft-2020-12') return structuredClone(schema);
    if (schema !== undefined && target === 'draft-07')
      return { $schema: 'http://json-schema.org/draft-07/schema#', ...toDraft7Members(schema) };
    throw new TypeError(`inputSchema supports draft-2020-12 and draft-07, not ${target}`);
  };
  const standard = {
    version: 1,
    vendor: 'switchyard',
    validate(value: unknown) {
      const result = validator.validate(value);
      if (result.valid) return { value: result.value };
      return { issues: result.detail.map(({ msg, loc }) => ({ message: msg, path: loc })) };
    },
    ...(schema === undefined ? {} : { jsonSchema: { input: convert, output: convert } }),
  } as const;
  return { '~standard': standard };
}

type Members = { [keyword: string]: unknown };

const maps = ['properties', 'patternProperties', 'dependencies', 'definitions'];
const parts = [
  ...['additionalProperties', 'propertyNames', 'items', 'additionalItems', 'contains', 'not', 'if', 'then', 'else'],
  ...['allOf', 'anyOf', 'oneOf'],
];
/** Keywords that draft 7 lacks. Without them, the schema accepts more. */
const unknown = ['unevaluatedProperties', 'unevaluatedItems', 'minContains', 'maxContains'];

function toDraft7(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toDraft7);
  return typeof schema === 'object' && schema !== null ? toDraft7Members(schema) : schema;
}

function toDraft7Members(schema: object): Members {
  const { $ref, $defs, prefixItems, items, dependentRequired, dependentSchemas, contains, ...rest } = schema as Members;
  const copy: Members = {
    ...structuredClone(rest),
    definitions: $defs,
    dependencies: (dependentRequired ?? dependentSchemas) && {
      ...Object(dependentRequired),
      ...Object(dependentSchemas),
    },
    // With `minContains: 0`, `contains` has no effect.
    contains: rest['minContains'] === 0 ? undefined : contains,
    items: prefixItems ?? items,
    additionalItems: prefixItems && items,
  };
  for (const [keyword, value] of Object.entries(copy)) {
    if (value === undefined || unknown.includes(keyword)) delete copy[keyword];
    else if (parts.includes(keyword)) copy[keyword] = toDraft7(value);
    else if (maps.includes(keyword)) {
      const entries = Object.entries(Object(value)).map(([name, part]) => [name, toDraft7(part)]);
      copy[keyword] = Object.fromEntries(entries); // A member may be named `__proto__`.
    }
  }
  if (typeof $ref !== 'string') return copy;
  const reference = { $ref: $ref.replace('#/$defs/', '#/definitions/') };
  // Draft 7 ignores keywords next to a reference.
  const { allOf = [], ...others } = copy;
  return Object.keys(copy).length === 0
    ? reference
    : { ...others, allOf: [reference, ...(Array.isArray(allOf) ? allOf : [])] };
}
