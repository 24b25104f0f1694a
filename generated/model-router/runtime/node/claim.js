/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, open, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { systemClock } from '../http/clock.js';
import { staleMs } from '../key-store/keep-alive.js';
export async function readClaim(place, names) {
    return readNumber(place, Math.max(0, ...listNumbers(place, names ?? (await readFolder(place.folder)))));
}
async function readNumber(place, number) {
    const free = { number, holder: '', life: 'gone', since: 0 };
    const text = number === 0 ? undefined : await readRegular(claimPath(place, number)).catch(ignoreRefusal);
    if (text === undefined)
        return free;
    const { holder: given = '?', since = 0, owner } = parseClaim(text);
    const holder = `${given}`; // a damaged claim may have any value
    if (holder === '')
        return free;
    const life = (await readLife(owner)) ?? ((await isStale(place, number)) ? 'gone' : 'unknown');
    return { number, holder, life, since: new Date(since).valueOf() || 0 };
}
// A claim is a short regular file; a link to a device, or a pipe, could be read without end.
async function readRegular(file) {
    const found = await lstat(file);
    return found.isFile() && found.size < 65_536 ? readFile(file, 'utf8') : '';
}
/** Replaces the claim `earlier` by one of `holder`, or of no process if that is empty. Returns false if another process was faster. */
export async function follow(place, earlier, holder) {
    const number = earlier.number + 1;
    const text = JSON.stringify({ holder, since: systemClock.now(), owner: await readSelf() });
    if (!(await createFile(claimPath(place, number), text)))
        return false;
    const others = listNumbers(place, await readFolder(place.folder)).filter((one) => one !== number);
    const isOurs = await isLast(place, number, { others, earlier });
    for (const one of isOurs ? others : [number])
        await rm(claimPath(place, one), { force: true });
    return isOurs;
}
/** Since `earlier` was read, all claims may have been removed, and another process may hold a lower number. */
async function isLast(place, number, { others, earlier }) {
    const now = await readNumber(place, earlier.number);
    // While it exists, lower numbers are files that a killed process did not remove.
    const isThere = others.includes(earlier.number) && now.holder === earlier.holder && now.since === earlier.since;
    const followed = isThere ? earlier.number : 0;
    for (const one of others)
        if (one > number || (one > followed && (await readNumber(place, one)).life !== 'gone'))
            return false;
    return true;
}
/** Writes a heartbeat, for processes that cannot see this one. */
export async function beat(place, { number }) {
    const file = await open(claimPath(place, number), 'r+').catch(ignoreAbsence);
    // The file system keeps the time of the write, by its own clock. The text stays the same.
    await file?.write('{', 0).finally(() => file.close());
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
    try {
        const file = await open(path, 'wx', 0o600);
        await file.writeFile(text).finally(() => file.close());
        return true;
    }
    catch (error) {
        if (error.code === 'EEXIST')
            return false;
        throw error;
    }
}
/** Returns an empty object if the process was killed while it wrote the claim. */
function parseClaim(text) {
    try {
        return Object(JSON.parse(text)); // as `follow` wrote it
    }
    catch {
        return {};
    }
}
const isTask = /^\d+\/task\/\d+$/;
/** Returns undefined if the process cannot be seen from here. */
async function readLife(owner) {
    if (!owner || owner.machine !== (await readSelf())?.machine || !isTask.test(owner.task))
        return undefined;
    const start = await readStart(owner.task);
    if (start !== undefined)
        return start === owner.start ? 'alive' : 'gone';
    const pid = Number.parseInt(owner.task, 10);
    // If the process is visible, its threads are too.
    if ((await readStart(pid)) !== undefined)
        return 'gone';
    try {
        process.kill(pid, 0);
        return undefined; // it runs, but its threads are hidden
    }
    catch (error) {
        return error.code === 'ESRCH' ? 'gone' : undefined;
    }
}
let self;
/**
 * Returns undefined on platforms without `/proc`. A process id would not be enough: ids are reused, and the first process of
 * every container has the same one.
 */
function readSelf() {
    self ??= (async () => {
        // Synchronous: `readlink` would run in another thread.
        const task = readlinkSync('/proc/thread-self');
        // A container may see the processes of its host there, under other ids.
        if (!task.startsWith(`${process.pid}/`))
            return undefined;
        const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
        const machine = `${boot.trim()} ${await readlink('/proc/self/ns/pid')} ${(await stat('/proc')).dev}`;
        const start = await readStart(task);
        return start === undefined ? undefined : { machine, task, start };
    })().catch(() => undefined);
    return self;
}
/** When it started, by the clock of its machine; `ended` for a zombie, undefined if there is no such process. */
async function readStart(task) {
    const text = await readFile(`/proc/${task}/stat`, 'utf8').catch(() => undefined);
    // The second word is the name of a program in brackets, which may have any characters.
    const [state, ...rest] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
    return state === 'Z' || state === 'X' ? 'ended' : rest[18];
}
/** By the clock of the file system, since the other machine may have another one. A heartbeat from the future counts as stale. */
async function isStale(place, number) {
    const claim = await stat(claimPath(place, number)).catch(ignoreAbsence);
    return claim === undefined || Math.abs((await readTime(place)) - claim.mtimeMs) > staleMs;
}
async function readTime({ folder, name }) {
    const probe = `${folder}/${name}.time-${randomUUID()}`;
    try {
        await writeFile(probe, '', { mode: 0o600 });
        return (await stat(probe)).mtimeMs;
    }
    catch {
        return systemClock.now(); // the folder is read-only
    }
    finally {
        await rm(probe, { force: true });
    }
}
