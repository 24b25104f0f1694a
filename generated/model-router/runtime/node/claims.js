/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemClock } from '../http/clock.js';
import { parseRecord, writeWhole } from './records.js';
/** A claim that was not renewed for this long belongs to a process that is gone. */
const claimLastsMs = 60_000;
const renewEveryMs = 15_000;
const released = 'released';
/**
 * Claims a file among processes, or returns undefined where another one works on it. The claim with the highest number holds.
 * Nobody takes one away: who follows writes the next number, which only one process can create.
 */
export async function claimFile(folder, name) {
    const latest = await latestClaim(folder, name);
    if (!latest.isFree)
        return undefined;
    const path = `${folder}/${name}.claim-${latest.number + 1}`;
    if (!(await createFile(path, JSON.stringify({ host: hostname(), pid: process.pid }))))
        return undefined;
    const timer = setInterval(() => void renew(path), renewEveryMs).unref();
    const drop = () => clearInterval(timer);
    return {
        drop,
        async release() {
            drop();
            await writeWhole(path, released);
        },
    };
}
/** Whether no process works on a file. */
export async function isFree(folder, name) {
    return (await latestClaim(folder, name)).isFree;
}
/** What belongs to a file that is removed. */
export async function removeClaims(folder, name) {
    // Drafts too, which a process that was killed while it wrote has left.
    const left = (await namesIn(folder)).filter((one) => one.startsWith(`${name}.`));
    await Promise.all(left.map((one) => rm(`${folder}/${one}`, { force: true })));
}
/** Empty for a folder that does not exist. */
export async function namesIn(folder) {
    return readdir(folder).catch((error) => {
        if (error.code === 'ENOENT')
            return [];
        throw error; // calls that cannot be read are not calls that do not exist
    });
}
async function latestClaim(folder, name) {
    const prefix = `${name}.claim-`;
    const claims = (await namesIn(folder)).filter((one) => one.startsWith(prefix));
    const numbers = claims.map((one) => Number(one.slice(prefix.length))).filter(Number.isSafeInteger);
    const number = Math.max(0, ...numbers);
    return { number, isFree: number === 0 || !(await isHeld(`${folder}/${prefix}${number}`)) };
}
async function isHeld(claim) {
    const renewedAt = await stat(claim).then(({ mtimeMs }) => mtimeMs, () => 0);
    if (systemClock.now() - renewedAt > claimLastsMs)
        return false;
    const text = await readFile(claim, 'utf8').catch(() => released);
    if (text === released)
        return false;
    const holder = parseRecord(text);
    // A claim that was created and not yet written belongs to a process at work, and so does one of another machine.
    return holder === undefined || holder['host'] !== hostname() || isRunning(Number(holder['pid']));
}
function isRunning(pid) {
    try {
        process.kill(pid, 0);
        return true;
    }
    catch (error) {
        return error.code === 'EPERM'; // it runs and belongs to somebody else
    }
}
async function renew(claim) {
    const now = systemClock.now() / 1000;
    await utimes(claim, now, now).catch(() => undefined); // without a folder there is nothing to keep
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
