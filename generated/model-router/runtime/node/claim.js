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
    const holder = `${given}`; // a damaged claim may hold anything
    if (holder === '')
        return free;
    const life = (await readLife(owner)) ?? ((await isStale(place, number)) ? 'gone' : 'unknown');
    return { number, holder, life, since: new Date(since).valueOf() || 0 };
}
// A claim is a short file of ours; a link to a device, or a pipe, need not have an end.
async function readRegular(file) {
    const found = await lstat(file);
    return found.isFile() && found.size < 65_536 ? readFile(file, 'utf8') : '';
}
/** Makes `holder` the one who holds it after `earlier`, or nobody where it is empty; false where somebody else was faster. */
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
/** Since `earlier` was read, all claims may have been removed, and somebody may hold a lower number than before. */
async function isLast(place, number, { others, earlier }) {
    const now = await readNumber(place, earlier.number);
    // While it is there, lower numbers are what a killed process did not remove.
    const isThere = others.includes(earlier.number) && now.holder === earlier.holder && now.since === earlier.since;
    const followed = isThere ? earlier.number : 0;
    for (const one of others)
        if (one > number || (one > followed && (await readNumber(place, one)).life !== 'gone'))
            return false;
    return true;
}
/** A sign of life, for processes that cannot look whether this one runs. */
export async function beat(place, { number }) {
    const file = await open(claimPath(place, number), 'r+').catch(ignoreAbsence);
    // The file system notes the time of a write by its own clock. The text stays as it is.
    await file?.write('{', 0).finally(() => file.close());
}
/** Names in a folder; none where it does not exist. */
export async function readFolder(folder) {
    return (await readdir(folder).catch(ignoreAbsence)) ?? [];
}
/** What a file that does not exist holds; every other error is thrown. */
export function ignoreAbsence(error) {
    if (error.code !== 'ENOENT')
        throw error;
}
/** A claim of another user holds as well; undefined for one that is gone. */
function ignoreRefusal(error) {
    return error.code === 'EACCES' || error.code === 'EPERM' ? '' : ignoreAbsence(error);
}
const claimPath = ({ folder, name }, number) => `${folder}/${name}.claim-${number}`;
function listNumbers({ name }, names) {
    const prefix = `${name}.claim-`;
    const numbers = names.flatMap((one) => (one.startsWith(prefix) ? [Number(one.slice(prefix.length))] : []));
    // Beyond these there is no next one.
    return numbers.filter((one) => Number.isSafeInteger(one + 1));
}
/** False when the file is there already. */
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
/** Nothing in it for a claim whose process was killed as it wrote it. */
function parseClaim(text) {
    try {
        return Object(JSON.parse(text)); // as `follow` wrote it
    }
    catch {
        return {};
    }
}
const isTask = /^\d+\/task\/\d+$/;
/** Undefined where it cannot be seen from here. */
async function readLife(owner) {
    if (!owner || owner.machine !== (await readSelf())?.machine || !isTask.test(owner.task))
        return undefined;
    const start = await readStart(owner.task);
    if (start !== undefined)
        return start === owner.start ? 'alive' : 'gone';
    const pid = Number.parseInt(owner.task, 10);
    // Where the process is visible, so are its threads.
    if ((await readStart(pid)) !== undefined)
        return 'gone';
    try {
        process.kill(pid, 0);
        return undefined; // it runs, and its facts are hidden
    }
    catch (error) {
        return error.code === 'ESRCH' ? 'gone' : undefined;
    }
}
let self;
/**
 * Undefined where the platform does not tell threads apart: an id alone is used again, and the first process of every
 * container has the same one.
 */
function readSelf() {
    self ??= (async () => {
        // Not `readlink`, which another thread would run.
        const task = readlinkSync('/proc/thread-self');
        // A container may see the processes of its host there, whose ids are others.
        if (!task.startsWith(`${process.pid}/`))
            return undefined;
        const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
        const machine = `${boot.trim()} ${await readlink('/proc/self/ns/pid')} ${(await stat('/proc')).dev}`;
        const start = await readStart(task);
        return start === undefined ? undefined : { machine, task, start };
    })().catch(() => undefined);
    return self;
}
/** When it started, by the clock of its machine; `ended` for a process that nobody has waited for, undefined where there is none. */
async function readStart(task) {
    const text = await readFile(`/proc/${task}/stat`, 'utf8').catch(() => undefined);
    // The second word is the name of a program in brackets, which may hold anything.
    const [state, ...rest] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
    return state === 'Z' || state === 'X' ? 'ended' : rest[18];
}
/** By the clock of the file system, since that of the other machine may be another one. A sign from the future shows no life either. */
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
        return systemClock.now(); // the folder can only be read
    }
    finally {
        await rm(probe, { force: true });
    }
}
