import { formatPointer, isJsonObject, type JsonValue } from '../json.ts';
import { brandedHeaders, brandedKeys, defaultBrand } from '../settings.ts';
import type { CheckedDocument } from './checked-document.ts';

// MR-GEN-01.
const suffixes = [...brandedHeaders, ...brandedKeys].join('|');
const brandedName = new RegExp(`(?<![A-Za-z0-9])x-([a-z0-9-]+?)-(?:${suffixes})(?![A-Za-z0-9])`, 'gi');

/** No key or text holds a header or extension name of another brand than the document's own. */
export function checkBrand({ content, brand, count, report }: CheckedDocument): void {
  const checkText = (text: string, path: readonly (string | number)[]): void => {
    for (const [found, word = ''] of text.matchAll(brandedName)) {
      count();
      if (word.toLowerCase() !== brand.toLowerCase()) report(formatPointer(path), `${found} is not of brand ${brand}`);
    }
    if (brand !== defaultBrand && /(?<![a-z0-9])x-service-/i.test(text)) {
      report(formatPointer(path), `the printed brand is left in ${JSON.stringify(text)}`);
    }
  };
  const visit = (value: JsonValue, path: readonly (string | number)[]): void => {
    if (typeof value === 'string') checkText(value, path);
    else if (Array.isArray(value)) for (const [index, inner] of value.entries()) visit(inner, [...path, index]);
    else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        checkText(key, [...path, key]);
        visit(inner, [...path, key]);
      }
    }
  };
  visit(content, []);
}
