import { denseJson } from '../emit/source.ts';
import { toSubpath } from '../model/names.ts';
import type { ModelPage } from './model-page.ts';

/** A model in the search index. `mark`: such as `new` or `deprecated`; may be empty. */
export type SearchEntry = Pick<ModelPage, 'id' | 'title' | 'description' | 'takes' | 'gives'> & {
  readonly mark: string;
};

/** Approximate maximum size of the index in characters, so that the start page and its index stay below 200 kB. */
const maxCharacters = 150_000;
const longestDescription = 300;

/**
 * Prints the search index as a script, because a page opened from disk can load scripts but not data. The index contains
 * the id, title, modalities, short description, subpath (if it differs from the id) and mark of each model. The more
 * models there are, the shorter the descriptions.
 */
export function printSearchIndex(entries: readonly SearchEntry[]): string {
  // The entry of a model without its description has about 80 characters.
  const length = Math.min(longestDescription, Math.floor(maxCharacters / Math.max(1, entries.length)) - 80);
  const models = entries.map(({ id, title, description, takes, gives, mark }) => {
    const subpath = toSubpath(id);
    const place = String(id) === subpath ? '' : subpath;
    return [
      String(id),
      shorten(title, Math.max(length, 40)),
      [...takes],
      [...gives],
      shorten(description, length),
      place,
      mark,
    ];
  });
  return `globalThis.switchyardIndex = ${denseJson(models).text};\n`;
}

/** Shortens a text and puts it on one line. */
function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (length <= 0 || line.length <= length) return length <= 0 ? '' : line;
  return `${line.slice(0, length).toWellFormed()}…`;
}
