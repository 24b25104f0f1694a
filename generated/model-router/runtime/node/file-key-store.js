import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isSameCall } from '../router/key-store.js';
/** A claim that was not renewed for this long belongs to a process that is gone. */
const claimLastsMs = 60_000;
const renewEveryMs = 15_000;
/**
 * Keeps billed calls in a folder, so that they survive the end of the process: one file per call, written in one step and
 * readable by its owner alone, since it holds the input. Processes may share a folder: each call is worked on by one of them,
 * the one whose claim has the highest number.
 */
export function createFileKeyStore(folder) {
    const held = new Map();
    const fileOf = (key) => `${folder}/${nameOf(key)}`;
    const take = async (key) => {
        const file = fileOf(key);
        const { number, isFree } = await latestClaim(folder, file);
        if (!isFree || held.has(key))
            return undefined;
        const claim = `${file}.claim-${number + 1}`;
        if (!(await createFile(claim, owner())))
            return undefined;
        const call = await readCall(file);
        if (call === undefined) {
            await rm(claim, { force: true });
            return undefined;
        }
        const timer = setInterval(() => void renew(claim), renewEveryMs).unref();
        held.set(key, { claim, timer });
        return call;
    };
    const letGo = (key) => {
        const claimed = held.get(key);
        clearInterval(claimed?.timer);
        held.delete(key);
        return claimed?.claim;
    };
    const pending = async () => {
        const found = [];
        for (const name of await list(folder)) {
            if (!name.endsWith('.json'))
                continue;
            const call = await readCall(`${folder}/${name}`);
            if (call !== undefined && (await latestClaim(folder, `${folder}/${name}`)).isFree)
                found.push(call);
        }
        return found.sort((one, other) => one.firstSentAt - other.firstSentAt);
    };
    return {
        async begin(call, { adopt }) {
            await mkdir(folder, { recursive: true, mode: 0o700 });
            for (const one of adopt ? await pending() : []) {
                const taken = one.queued === undefined && isSameCall(one, call) ? await take(one.key) : undefined;
                if (taken !== undefined)
                    return taken;
            }
            await writeWhole(fileOf(call.key), JSON.stringify(call));
            await take(call.key);
            return call;
        },
        take,
        async admit(key, queued) {
            const call = await readCall(fileOf(key));
            if (call !== undefined)
                await writeWhole(fileOf(key), JSON.stringify({ ...call, queued }));
        },
        async finish(key) {
            letGo(key);
            const file = fileOf(key);
            await rm(file, { force: true });
            const left = (await list(folder)).filter((one) => one.startsWith(`${nameOf(key)}.claim-`));
            await Promise.all(left.map((one) => rm(`${folder}/${one}`, { force: true })));
        },
        async release(key) {
            const claim = letGo(key);
            if (claim !== undefined)
                await writeWhole(claim, released);
        },
        pending,
    };
}
const released = 'released';
function owner() {
    return JSON.stringify({ host: hostname(), pid: process.pid });
}
/** The highest claim on a call. Nobody takes a claim away: who follows writes the next number, which only one can create. */
async function latestClaim(folder, file) {
    const prefix = `${file.slice(folder.length + 1)}.claim-`;
    const numbers = (await list(folder))
        .filter((name) => name.startsWith(prefix))
        .map((name) => Number(name.slice(prefix.length)));
    const number = Math.max(0, ...numbers.filter(Number.isSafeInteger));
    return { number, isFree: number === 0 || !(await isAlive(`${file}.claim-${number}`)) };
}
async function isAlive(claim) {
    const renewedAt = await stat(claim).then(({ mtimeMs }) => mtimeMs, () => 0); // it was removed
    if (Date.now() - renewedAt > claimLastsMs)
        return false;
    const text = await readFile(claim, 'utf8').catch(() => released);
    if (text === released)
        return false;
    const { host, pid } = parse(text) ?? {};
    // A claim that was created and not yet written belongs to a process at work.
    return host !== hostname() || isRunning(Number(pid));
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
    const now = new Date();
    await utimes(claim, now, now).catch(() => undefined); // without a folder there is nothing to keep
}
/** Undefined for a file that holds no call, or one of another name. */
async function readCall(file) {
    const call = parse(await readFile(file, 'utf8').catch(() => ''));
    const isCall = typeof call?.['key'] === 'string' && file.endsWith(nameOf(call['key']));
    return isCall ? call : undefined; // written by `begin`
}
function nameOf(key) {
    return `${createHash('sha256').update(key).digest('hex')}.json`;
}
function parse(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === 'object' && value !== null ? value : undefined;
    }
    catch {
        return undefined;
    }
}
async function list(folder) {
    return readdir(folder).catch(() => []);
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
/** Replaces a file in one step, and returns when it would survive a loss of power. */
async function writeWhole(path, text) {
    const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.draft`;
    const file = await open(draft, 'wx', 0o600);
    try {
        await file.writeFile(text);
        await file.sync();
    }
    finally {
        await file.close();
    }
    await rename(draft, path);
}
