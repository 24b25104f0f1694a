import { denseJson } from '../emit/source.ts';
import { toSubpath } from '../model/names.ts';
import type { ModelPage } from './model-page.ts';

/** A model in the search index. */
export type SearchEntry = Pick<ModelPage, 'id' | 'title' | 'description' | 'takes' | 'gives'> & {
  readonly mark: string;
};

/** Maximum size, so that the start page with its index stays below 200 kB. With many models, descriptions are shortened. */
const mostBytes = 170_000;
const descriptionLengths = [300, 200, 140, 100, 80, 60, 40, 20];

/**
 * Prints the search index as a script, because a page opened from disk can load scripts but not data. It contains the
 * names of modalities and, for each model, its id, title, modalities, short description, mark, and its subpath if it
 * differs from the id.
 */
export function printSearchIndex(entries: readonly SearchEntry[]): string {
  for (const length of descriptionLengths) {
    const text = printIndex(entries, length);
    if (Buffer.byteLength(text) <= mostBytes) return text;
  }
  return printIndex(entries, 0);
}

function printIndex(entries: readonly SearchEntry[], length: number): string {
  const modalities = [...new Set(entries.flatMap(({ takes, gives }) => [...takes, ...gives]))].sort();
  const places = new Map(modalities.map((name, index) => [name, index]));
  const findPlaces = (names: readonly string[]): number[] => names.flatMap((name) => places.get(name) ?? []);
  const models = entries.map(({ id, title, description, takes, gives, mark }) => {
    const subpath = toSubpath(id);
    return [
      String(id),
      shorten(title, Math.max(length, 40)),
      findPlaces(takes),
      findPlaces(gives),
      shorten(description, length),
      ...(String(id) === subpath && mark === '' ? [] : [subpath]),
      ...(mark === '' ? [] : [mark]),
    ];
  });
  return `globalThis.switchyardIndex = ${denseJson({ modalities, models }).text};\n`;
}

/** Shortens a text and puts it on one line. */
function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : length === 0 ? '' : `${line.slice(0, length).toWellFormed()}…`;
}
