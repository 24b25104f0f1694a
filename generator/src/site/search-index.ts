import { denseJson } from '../emit/source.ts';
import { toSubpath } from '../model/names.ts';
import type { ModelPage } from './model-page.ts';

/** An entry of the search index. */
export type SearchEntry = Pick<ModelPage, 'id' | 'title' | 'description' | 'takes' | 'gives'> & {
  readonly mark: string;
};

/** The first page with its index stays below 200 kB for a thousand models: descriptions give way. */
const mostBytes = 170_000;
const descriptionLengths = [300, 200, 140, 100, 80, 60, 40, 20];

/**
 * The index as a script, since a page from the disk can load scripts and no data: names of modalities, and for each model
 * its id, title, what it takes and gives, the start of its description, its subpath where that is not the id, and its mark.
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

/** On one line. */
function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : length === 0 ? '' : `${line.slice(0, length).toWellFormed()}…`;
}
