import { lstat, open, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { systemClock } from '../http/clock.ts';
import { staleMs } from '../router/key-store.ts';

/*
 * A claim names the program that works on something in a folder. It is a numbered file; the highest number counts. Only one program
 * can create a number, and a program that takes over creates the next one. Its modification time is the last heartbeat.
 */

/** The claims of a place are the files `<name>.claim-<number>` of a folder. */
export type ClaimPlace = { readonly folder: string; readonly name: string };
export type Claim = {
  /** 0 if there is no claim. */
  readonly number: number;
  /** Empty if no program holds it; `?` if the claim cannot be read. */
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly beatAt: number;
};

export async function readClaim(place: ClaimPlace, names?: readonly string[]): Promise<Claim> {
  return readNumber(place, Math.max(0, ...listNumbers(place, names ?? (await readFolder(place.folder)))));
}

async function readNumber(place: ClaimPlace, number: number): Promise<Claim> {
  const free = { number, holder: '', beatAt: 0 };
  const path = claimPath(place, number);
  const found = number === 0 ? undefined : await lstat(path).catch(ignoreAbsence);
  if (found === undefined) return free;
  // Links, pipes and long files are not read: they could have no end.
  const isShort = found.isFile() && found.size < 256;
  const text = isShort ? await readFile(path, 'utf8').catch(ignoreRefusal) : '';
  if (text === undefined || text === released) return free;
  return { number, holder: /^[\w-]+$/.test(text) ? text : '?', beatAt: found.mtimeMs };
}

const released = '-';

/** True if no program works on it. A heartbeat from the future counts as stale: the clock was set back. */
export const isFree = ({ holder, beatAt }: Claim): boolean =>
  holder === '' || Math.abs(systemClock.now() - beatAt) > staleMs;

/** Replaces the claim `earlier` by one of `holder`, or of no program if that is empty. Returns false if another was faster. */
export async function follow(place: ClaimPlace, earlier: Claim, holder: string): Promise<boolean> {
  const number = earlier.number + 1;
  if (!(await createFile(claimPath(place, number), holder || released))) return false;
  const others = listNumbers(place, await readFolder(place.folder)).filter((one) => one !== number);
  // Since `earlier` was read, all claims may have been removed, and another program may hold a lower number.
  // While `earlier` exists, lower numbers are files that a killed program did not remove.
  const isThere =
    others.includes(earlier.number) && (await readNumber(place, earlier.number)).holder === earlier.holder;
  const followed = isThere ? earlier.number : 0;
  let isOurs = true;
  for (const one of others)
    if (one > number || (one > followed && !isFree(await readNumber(place, one)))) isOurs = false;
  for (const one of isOurs ? others : [number]) await rm(claimPath(place, one), { force: true });
  return isOurs;
}

export async function beat(place: ClaimPlace, { number }: { readonly number: number }): Promise<void> {
  const seconds = systemClock.now() / 1000;
  await utimes(claimPath(place, number), seconds, seconds).catch(ignoreAbsence);
}

/** Lists the names in a folder; empty if it does not exist. */
export async function readFolder(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreAbsence)) ?? [];
}

/** Returns undefined for a missing file, and throws every other error. */
export function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** The claim of another user counts, unread. Returns undefined for a missing one. */
function ignoreRefusal(error: NodeJS.ErrnoException): string | undefined {
  return error.code === 'EACCES' || error.code === 'EPERM' ? '' : ignoreAbsence(error);
}

const claimPath = ({ folder, name }: ClaimPlace, number: number): string => `${folder}/${name}.claim-${number}`;

function listNumbers({ name }: ClaimPlace, names: readonly string[]): number[] {
  const prefix = `${name}.claim-`;
  const numbers = names.flatMap((one) => (one.startsWith(prefix) ? [Number(one.slice(prefix.length))] : []));
  // Larger numbers have no next one.
  return numbers.filter((one) => Number.isSafeInteger(one + 1));
}

/** Returns false if the file exists. */
async function createFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text).finally(() => file.close());
    return true;
  } catch (error) {
    await rm(path, { force: true }); // for example the disk is full
    throw error;
  }
}
