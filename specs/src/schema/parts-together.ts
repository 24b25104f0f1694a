import type { Schema } from '../documents/read-document.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import { innerSchemas, keywordsOfValue, testedKeywords } from './raw-keywords.ts';

/**
 * How many parts of a schema for ajv one value is checked against at most. Of forty schemas that each include the next one
 * twice it is a million million. What includes itself counts once.
 */
export function partsTogether(schema: Schema): number {
  const definitions = isJsonObject(schema) && isJsonObject(schema['$defs']) ? schema['$defs'] : {};
  const sizes = new Map<string, number>();
  let largest = 0;
  const sizeOfTarget = (reference: JsonValue): number => {
    const name = String(reference).slice('#/$defs/'.length);
    const known = sizes.get(name);
    if (known !== undefined) return known;
    sizes.set(name, 0);
    const size = sizeOf(definitions[name] ?? true);
    sizes.set(name, size);
    return size;
  };
  const sizeOf = (part: JsonValue): number => {
    let size = 1;
    for (const [keyword, value] of Object.entries(isJsonObject(part) ? part : {})) {
      const sum = innerSchemas(keyword, value).reduce<number>((total, one) => total + sizeOf(one), 0);
      if (keywordsOfValue.has(keyword) || testedKeywords.has(keyword)) size += sum;
      if (keyword === '$ref') size += sizeOfTarget(value);
    }
    largest = Math.max(largest, size);
    return size;
  };
  sizeOf(schema);
  return largest;
}
