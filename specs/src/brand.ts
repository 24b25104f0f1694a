import { SpecError } from './errors.ts';
import { isJsonObject, type JsonValue } from './json.ts';

/** The maker's word inside header names and extension keys; `Service` stands in for it as printed (MR-GEN-01). */
export type Brand = string & { readonly brand: 'Brand' };

const wellFormed = /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*$/;

export function parseBrand(text: string): Brand {
  if (!wellFormed.test(text)) {
    throw new SpecError(
      `brand must be letters, digits and inner hyphens, starting with a letter; got ${JSON.stringify(text)}`,
    );
  }
  return text as Brand; // the only door to Brand
}

export const defaultBrand: Brand = parseBrand('Service');

/** `headerName(brand, 'Request-Id')` is `X-Service-Request-Id` for the brand `Service`. */
export function headerName(brand: Brand, suffix: string): string {
  return `X-${brand}-${suffix}`;
}

/** `extensionKey(brand, 'input-schema-authored')` is `x-service-input-schema-authored` for the brand `Service`. */
export function extensionKey(brand: Brand, suffix: string): string {
  return `x-${brand.toLowerCase()}-${suffix}`;
}

/** Rewrites every printed `X-Service-…` and `x-service-…` in keys and strings to the brand's own. */
export function applyBrand(value: JsonValue, brand: Brand): JsonValue {
  if (brand === defaultBrand) return value;
  const rename = (text: string): string =>
    text
      .replace(/(?<![A-Za-z0-9])X-Service-(?=[A-Za-z])/g, `X-${brand}-`)
      .replace(/(?<![A-Za-z0-9])x-service-(?=[a-z])/g, `x-${brand.toLowerCase()}-`);
  const visit = (node: JsonValue): JsonValue => {
    if (typeof node === 'string') return rename(node);
    if (Array.isArray(node)) return node.map(visit);
    if (isJsonObject(node))
      return Object.fromEntries(Object.entries(node).map(([key, inner]) => [rename(key), visit(inner)]));
    return node;
  };
  return visit(value);
}
