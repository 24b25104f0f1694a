import { SpecError } from './errors.ts';
import { isJsonObject, type JsonValue, mapTexts } from './json.ts';

/** The word in header names (`X-Service-…`) and extension keys that names the service; `Service` in the documents (MR-GEN-01). */
export type Brand = string & { readonly brand: 'Brand' };

/** Settings that are applied to the documents when they are read. */
export type SpecSettings = {
  brand: Brand;
  /** Names of the two queue statuses other than COMPLETED (MR-QUE-04, OP-001). */
  queueStatuses: readonly [waiting: string, running: string];
  /** Paths of OpenAPI Overlay documents, applied in this order. */
  overlays: readonly string[];
};

/** True if the word can be part of a header name. */
export function isBrand(text: string): text is Brand {
  return /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*$/.test(text);
}

/** Returns the word as a brand. Throws SpecError if it can't be part of a header name. */
export function parseBrand(text: string): Brand {
  if (!isBrand(text)) {
    throw new SpecError(
      `brand must consist of letters, digits and inner hyphens, and start with a letter; got ${JSON.stringify(text)}`,
    );
  }
  return text;
}

export const defaultBrand: Brand = parseBrand('Service');
const defaultQueueStatuses: SpecSettings['queueStatuses'] = ['IN_QUEUE', 'IN_PROGRESS'];
export const defaultSpecSettings: SpecSettings = {
  brand: defaultBrand,
  queueStatuses: defaultQueueStatuses,
  overlays: [],
};

/** Accepts any name on one line without leading or trailing spaces, because services choose different names. */
const statusName = /^(?! )[^\p{Cc}\p{Cs}]{1,64}(?<! )$/u;

/** Throws SpecError if the two statuses and COMPLETED are not three different valid names. */
export function checkSettings({ queueStatuses: [waiting, running] }: SpecSettings): void {
  for (const status of [waiting, running]) {
    if (!statusName.test(status)) {
      throw new SpecError(
        `a queue status must be a name of 1 to 64 characters on one line, without leading or trailing spaces; got ${JSON.stringify(status)}`,
      );
    }
  }
  if (new Set([waiting, running, 'COMPLETED']).size < 3) {
    throw new SpecError(
      `queue statuses must be two different names other than COMPLETED; got ${waiting} and ${running}`,
    );
  }
}

/** Suffixes of extension keys and header names after the brand. */
export const brandedKeys = [
  'input-schema-authored',
  'output-schema-authored',
  'router-alt-providers',
  'router-alias-of',
  'router-model-id',
  'router-input-modalities',
  'router-output-modalities',
];
export const brandedHeaders = [
  'request-id',
  'error-type',
  'upstream-status',
  'credits-used',
  'router-dropped-params',
  'router-fallback-provider',
];

/** `headerName(brand, 'Request-Id')` is `X-Service-Request-Id` for the brand `Service`. */
export function headerName(brand: Brand, suffix: string): string {
  return `X-${brand}-${suffix}`;
}

/** `extensionKey(brand, 'input-schema-authored')` is `x-service-input-schema-authored` for the brand `Service`. */
export function extensionKey(brand: Brand, suffix: string): string {
  return `x-${brand.toLowerCase()}-${suffix}`;
}

/** Replaces `Service` in every `X-Service-…` and `x-service-…`, in keys and strings, with the brand. */
export function applyBrand<T extends JsonValue>(value: T, brand: Brand): T {
  if (brand === defaultBrand) return value;
  return mapTexts(value, (text) =>
    text
      .replace(/(?<![A-Za-z0-9])X-Service-(?=[A-Za-z])/g, `X-${brand}-`)
      .replace(/(?<![A-Za-z0-9])x-service-(?=[a-z])/g, `x-${brand.toLowerCase()}-`),
  );
}

/** Keys whose values are data, not parts of the OpenAPI description. */
export const dataKeys: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples']);
const proseKeys = new Set(['description', 'summary']);

/** Replaces the two default queue statuses: complete strings in values, complete words in prose. */
export function applyQueueStatuses(value: JsonValue, statuses: SpecSettings['queueStatuses']): JsonValue {
  const names = new Map(defaultQueueStatuses.map((printed, index) => [printed, statuses[index] ?? printed]));
  if ([...names].every(([printed, chosen]) => printed === chosen)) return value;
  const word = new RegExp(`\\b(?:${defaultQueueStatuses.join('|')})\\b`, 'g');
  const visit = (node: JsonValue, inValue: boolean): JsonValue => {
    if (typeof node === 'string') return inValue ? (names.get(node) ?? node) : node;
    if (Array.isArray(node)) return node.map((inner) => visit(inner, inValue));
    if (!isJsonObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, inner]) => {
        const isProse = proseKeys.has(key) && typeof inner === 'string';
        const replaced = isProse
          ? inner.replace(word, (printed) => names.get(printed) ?? printed)
          : visit(inner, inValue || dataKeys.has(key));
        return [key, replaced];
      }),
    );
  };
  return visit(value, false);
}
