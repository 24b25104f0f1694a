import { type Digest, digestOf } from '../digest.ts';
import type { Files, Stamp } from '../ports.ts';

/**
 * What a run that changed nothing saw of an output folder: how each file looked from outside, and its digest. As long as
 * a file looks the same nobody has to read it.
 */
export type Witness = ReadonlyMap<string, Seen>;
export type Seen = { readonly mark: string; readonly digest: Digest };
type Stored = { readonly format: number; paths: string[]; marks: string[]; digests: Digest[] };

const format = 1;

/** Nothing is vouched for when there is none, or when it cannot be read. */
export async function readWitness(path: string, files: Files): Promise<Witness> {
  const stored = await readOwnJson<Stored>(path, files);
  if (stored?.format !== format) return new Map();
  const { paths, marks, digests } = stored;
  return new Map(
    paths.flatMap((name, index): [string, Seen][] => {
      const [mark, digest] = [marks[index], digests[index]];
      return mark === undefined || digest === undefined ? [] : [[name, { mark, digest }]];
    }),
  );
}

export function printWitness(witness: Witness): string {
  const all = [...witness.values()];
  const stored: Stored = {
    format,
    paths: [...witness.keys()],
    marks: all.map(({ mark }) => mark),
    digests: all.map(({ digest }) => digest),
  };
  return JSON.stringify(stored);
}

/** A file that was changed just now could be changed again without looking any different. */
export function isSettled({ changedAt }: Stamp, now: number): boolean {
  const isCoarse = changedAt % 1000 === 0; // some file systems know full seconds only
  return now - changedAt > (isCoarse ? 3000 : 50);
}

/** How many files look, as one digest; undefined when one of them is not there. */
export function lookOf(marks: readonly (string | undefined)[]): Digest | undefined {
  return marks.includes(undefined) ? undefined : digestOf(marks.join('\n'));
}

/** A file of the private cache: nobody else writes there, and a file is there whole or not at all. */
export async function readOwnJson<T>(path: string, files: Files): Promise<T | undefined> {
  const bytes = (await files.read([path])).get(path);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as T; // as this generator wrote it
  } catch {
    return undefined;
  }
}
