import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import {
  annotationKeywords,
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  isNothing,
  limitKeywords,
  type SchemaWithDefinitions,
} from './canonical-schema.ts';
import { parseWithExactIntegers } from './large-integers.ts';
import { partKeywords } from './schema-parts.ts';

// `required` is printed together with the other keywords about members.
const keywords = partKeywords.flatMap(([keyword]) =>
  keyword === 'dependentSchemas' ? (['required', 'dependentRequired', keyword] as const) : [keyword],
);

export type PrintOptions = {
  /** True to include descriptions, defaults, examples and other annotations. */
  readonly annotated: boolean;
  /** True to include the titles of definitions and alternatives, which validators use in messages. */
  readonly titled?: boolean;
  /**
   * Format of integers beyond 2^53. `raw`: exact, for `JSON.stringify`. `text`: bounds as strings, for generated validators. Default:
   * rounded numbers.
   */
  readonly largeIntegers?: 'raw' | 'text';
  /** Returns the name of a definition under `#/$defs/`. */
  readonly printName: (name: DefinitionName) => string;
  /** Changes each printed schema that isn't a boolean. */
  readonly change?: (printed: JsonObject) => JsonObject;
};
type Entries = [keyword: string, value: JsonValue][];

const maxTitleLength = 80;

/** Prints a canonical schema as JSON Schema 2020-12. */
export function printJsonSchema(schema: CanonicalSchema, options: PrintOptions, isAlternative = false): JsonValue {
  const entries: Entries = [];
  if (schema.ref !== undefined) entries.push(['$ref', `#/$defs/${options.printName(schema.ref)}`]);
  if (schema.type !== undefined) {
    const [only] = schema.type;
    entries.push(['type', schema.type.length === 1 && only !== undefined ? only : [...schema.type]]);
  }
  if (schema.enum !== undefined) entries.push(['enum', [...schema.enum]]);
  for (const [keyword, value] of schema.limits ?? [])
    if (options.annotated || limitKeywords.get(keyword)?.informs !== true) entries.push([keyword, value]);
  for (const keyword of keywords) {
    const printPart = (part: CanonicalSchema): JsonValue =>
      printJsonSchema(part, options, keyword === 'anyOf' || keyword === 'oneOf');
    if (schema[keyword] !== undefined) entries.push([keyword, printKeyword(schema[keyword], printPart)]);
  }
  for (const keyword of options.annotated ? annotationKeywords : []) {
    if (keyword === 'title') continue; // Most titles repeat the member's name, and language models pay for each word.
    const value = keyword === 'examples' ? schema.examples && [...schema.examples] : schema[keyword];
    if (value !== undefined) entries.push([keyword, value]);
  }
  for (const entry of options.largeIntegers === undefined ? [] : entries) {
    const [keyword] = entry;
    const text = schema.exactTexts?.get(keyword);
    if (text === undefined) continue;
    if (options.largeIntegers === 'raw') entry[1] = parseWithExactIntegers(text);
    else if (/^-?\d+$/.test(text) && limitKeywords.get(keyword)?.end !== undefined) entry[1] = text;
  }
  if (entries.length === 0) return true;
  if (entries.length === 1 && isNothing(schema)) return false;
  if (options.titled === true && isAlternative && schema.title !== undefined)
    entries.push(['title', schema.title.slice(0, maxTitleLength)]);
  // Built from entries, because a member may be called `__proto__`.
  const printed = Object.fromEntries(entries);
  return options.change?.(printed) ?? printed;
}

/**
 * Prints a schema with the definitions that it refers to. Without annotations, definitions are renamed in order of use, so that
 * equal schemas of two documents give the same text.
 */
export function bundleJsonSchema(
  schema: CanonicalSchema,
  definitions: Definitions,
  { annotated = false, titled = false, ...others }: Partial<Omit<PrintOptions, 'printName'>> = {},
): JsonValue {
  const names = new Map<DefinitionName, string>();
  const printName = (name: DefinitionName): string => {
    const printedName = names.get(name) ?? (annotated ? name : `s${names.size}`);
    names.set(name, printedName);
    return printedName;
  };
  const options = { annotated, titled, printName, ...others };
  const printed = printJsonSchema(schema, options);
  const defs: JsonObject = {};
  // The loop also visits definitions that are added while it runs.
  for (const [name, given] of names) defs[given] = printJsonSchema(definitions.get(name) ?? {}, options, true);
  return isJsonObject(printed) && names.size > 0 ? { ...printed, $defs: defs } : printed;
}

/**
 * Prints the schema for validating a model's input, in clients and in the sandbox, so that both report the same failures. Returns
 * false if no object is valid; the router only accepts objects (MR-RUN-15).
 */
export function printInputSchema(
  { schema, definitions }: SchemaWithDefinitions,
  options: Pick<PrintOptions, 'largeIntegers'> = {},
): JsonObject | false {
  return requireObject(bundleJsonSchema(schema, definitions, { titled: true, ...options }));
}

/** Restricts a printed schema to objects; false if no object is valid. */
export function requireObject(printed: JsonValue): JsonObject | false {
  if (printed === true) return { type: 'object' };
  if (!isJsonObject(printed)) return false;
  const { type } = printed;
  const takesObjects = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  return takesObjects ? { ...printed, type: 'object' } : false;
}

function printKeyword(value: unknown, print: (schema: CanonicalSchema) => JsonValue): JsonValue {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((part) => printKeyword(part, print));
  if (!(value instanceof Map)) return print(value as CanonicalSchema); // The only remaining kind of value.
  return Object.fromEntries([...value].map(([name, part]) => [name, printKeyword(part, print)]));
}
