import { type Brand, BrandMismatch, recogniseBrand } from '../../specs/src/index.ts';

/** Documents that settle the brand when all of them show another one: the rest need not be read. */
const enough = 20;
/** Of header names: a source may send a new one with every response. */
const headersAtMost = 1_000;

/** Collects what a source shows of its brand, and ends the generation that assumes another one. */
export function createBrandWatch(assumed: Brand) {
  const documents: (readonly string[])[] = [];
  const headers = new Set<string>();
  const refuseOther = (): void => {
    const found = recogniseBrand({ documents, headers }, assumed);
    if (found !== undefined) throw new BrandMismatch(assumed, found);
  };
  return {
    sawHeaders(names: Iterable<string>): void {
      for (const name of names) if (headers.size < headersAtMost && name.startsWith('x-')) headers.add(name);
    },
    /** The words in a document's extension keys. Throws BrandMismatch as soon as many documents agree. */
    sawDocument(words: readonly string[]): void {
      if (words.length === 0) return;
      documents.push(words);
      const isSettled = documents.length === enough && documents.every((one) => !isOfBrand(assumed, one));
      if (isSettled) refuseOther();
    },
    /** After the last document. Throws BrandMismatch. */
    end: refuseOther,
  };
}

/** Whether a document with these words in its extension keys is of the brand, or of none. */
export function isOfBrand(brand: Brand, words: readonly string[]): boolean {
  return words.length === 0 || words.includes(brand.toLowerCase());
}
