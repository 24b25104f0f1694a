import { asObject, isJsonObject, type JsonObject } from './json.ts';
import { type Brand, brandedHeaders, brandedKeys, isBrand, parseBrand } from './settings.ts';

/** Evidence for the brand of a source (MR-GEN-01). */
export type BrandSigns = {
  /** The result of `brandWords` for each schema document. */
  readonly documents: Iterable<readonly string[]>;
  /** Names of response headers. */
  readonly headers: Iterable<string>;
};

const inKey = new RegExp(`^x-(.{1,64})-(?:${brandedKeys.join('|')})$`);
const inHeader = new RegExp(`^x-(.{1,64})-(${brandedHeaders.join('|')})$`);
const maxWords = 100;

/** Returns the brand words in the extension keys of a schema document, such as `acme` in `x-acme-input-schema-authored`. */
export function findBrandWords(document: JsonObject): readonly string[] {
  const items = Object.values(asObject(document['paths'])).filter(isJsonObject);
  const holders = [document, asObject(document['info']), ...items.map((item) => asObject(item['post']))];
  const words = new Set<string>();
  for (const holder of holders) {
    for (const key of Object.keys(holder)) {
      const [, word] = inKey.exec(key) ?? [];
      if (words.size < maxWords && word !== undefined && isBrand(word)) words.add(word);
    }
  }
  return [...words];
}

/** True if a document with these brand words uses the brand, or no brand at all. */
export function usesBrand(brand: Brand, words: readonly string[]): boolean {
  return words.length === 0 || words.includes(brand.toLowerCase());
}

/**
 * Returns the brand of a source if it differs from the assumed one, or else undefined. If documents have extension
 * keys, the most frequent brand decides. Otherwise, two different headers must have the brand, because a proxy may add
 * one header and a server may misspell another.
 */
export function recogniseBrand({ documents, headers }: BrandSigns, assumed: Brand): Brand | undefined {
  const assumedWord = assumed.toLowerCase();
  const suffixes = groupSuffixesByWord(headers);
  const counts = new Map<string, number>();
  for (const words of documents)
    for (const word of words.includes(assumedWord) ? [assumedWord] : words)
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const isInHeaders = (word: string): boolean => (suffixes.get(word)?.size ?? 0) >= 2;
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
  if (most !== undefined) {
    const [word, count] = most;
    const isOther = count > (counts.get(assumedWord) ?? 0) && !isInHeaders(assumedWord);
    return isOther ? parseBrandWord(word) : undefined;
  }
  const others = [...suffixes.keys()].filter((word) => isInHeaders(word) && isBrand(word));
  const [only] = others;
  return only !== undefined && others.length === 1 && !suffixes.has(assumedWord) ? parseBrandWord(only) : undefined;
}

function groupSuffixesByWord(headers: Iterable<string>): Map<string, Set<string>> {
  const suffixes = new Map<string, Set<string>>();
  for (const name of headers) {
    const [, word, suffix] = inHeader.exec(name.toLowerCase()) ?? [];
    if (word !== undefined && suffix !== undefined) suffixes.set(word, (suffixes.get(word) ?? new Set()).add(suffix));
  }
  return suffixes;
}

// Capitalises each part of the word. The case has no effect, because keys and headers are compared without it.
function parseBrandWord(word: string): Brand {
  return parseBrand(word.replace(/(?<![a-z0-9])[a-z]/g, (letter) => letter.toUpperCase()));
}
