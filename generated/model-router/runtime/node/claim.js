/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { lstat, open, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { systemClock } from '../http/clock.js';
import { staleMs } from '../key-store/create-key-store.js';
export async function readClaim(place, names) {
    return readNumber(place, Math.max(0, ...listNumbers(place, names ?? (await readFolder(place.folder)))));
}
async function readNumber(place, number) {
    const free = { number, holder: '', beatAt: 0 };
    const path = claimPath(place, number);
    const found = number === 0 ? undefined : await lstat(path).catch(ignoreAbsence);
    if (found === undefined)
        return free;
    // Links, pipes and long files are not read: they could have no end.
    const isShort = found.isFile() && found.size < 256;
    const text = isShort ? await readFile(path, 'utf8').catch(ignoreRefusal) : '';
    if (text === undefined || text === released)
        return free;
    return { number, holder: /^[\w-]+$/.test(text) ? text : '?', beatAt: found.mtimeMs };
}
const released = '-';
/** True if no program works on it. A heartbeat from the future counts as stale: the clock was set back. */
export const isFree = ({ holder, beatAt }) => holder === '' || Math.abs(systemClock.now() - beatAt) > staleMs;
/** Replaces the claim `earlier` by one of `holder`, or of no program if that is empty. Returns false if another was faster. */
export async function follow(place, earlier, holder) {
    const number = earlier.number + 1;
    if (!(await createFile(claimPath(place, number), holder || released)))
        return false;
    const others = listNumbers(place, await readFolder(place.folder)).filter((one) => one !== number);
    // Since `earlier` was read, all claims may have been removed, and another program may hold a lower number.
    // While `earlier` exists, lower numbers are files that a killed program did not remove.
    const isThere = others.includes(earlier.number) && (await readNumber(place, earlier.number)).holder === earlier.holder;
    const followed = isThere ? earlier.number : 0;
    let isOurs = true;
    for (const one of others)
        if (one > number || (one > followed && !isFree(await readNumber(place, one))))
            isOurs = false;
    for (const one of isOurs ? others : [number])
        await rm(claimPath(place, one), { force: true });
    return isOurs;
}
export async function beat(place, { number }) {
    const seconds = systemClock.now() / 1000;
    await utimes(claimPath(place, number), seconds, seconds).catch(ignoreAbsence);
}
/** Lists the names in a folder; empty if it does not exist. */
export async function readFolder(folder) {
    return (await readdir(folder).catch(ignoreAbsence)) ?? [];
}
/** Returns undefined for a missing file, and throws every other error. */
export function ignoreAbsence(error) {
    if (error.code !== 'ENOENT')
        throw error;
}
/** The claim of another user counts, unread. Returns undefined for a missing one. */
function ignoreRefusal(error) {
    return error.code === 'EACCES' || error.code === 'EPERM' ? '' : ignoreAbsence(error);
}
const claimPath = ({ folder, name }, number) => `${folder}/${name}.claim-${number}`;
function listNumbers({ name }, names) {
    const prefix = `${name}.claim-`;
    const numbers = names.flatMap((one) => (one.startsWith(prefix) ? [Number(one.slice(prefix.length))] : []));
    // Larger numbers have no next one.
    return numbers.filter((one) => Number.isSafeInteger(one + 1));
}
/** Returns false if the file exists. */
async function createFile(path, text) {
    const file = await open(path, 'wx', 0o600).catch((error) => {
        if (error.code !== 'EEXIST')
            throw error;
    });
    if (file === undefined)
        return false;
    try {
        await file.writeFile(text).finally(() => file.close());
        return true;
    }
    catch (error) {
        await rm(path, { force: true }); // for example the disk is full
        throw error;
    }
}
