/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '../http/clock.js';
import { createKeyStore } from '../key-store/index.js';
/**
 * Keeps billed calls in a folder, so that they survive the end of the process. Each call is a file that only its owner
 * can read, because it contains the input. Processes may share a folder.
 */
export function createFileKeyStore(folder) {
    return createKeyStore(createFileRecords(resolve(folder))); // The program may change its working directory.
}
export function createFileRecords(folder) {
    // Use subfolders, named by the first characters of the file names, because a folder with many files is slow.
    const shardOf = (key) => `${folder}/${(isRecordName.test(key) ? key : hash(key)).slice(0, 3)}`;
    return {
        async list({ key, group }) {
            if (key !== undefined)
                return listShard(shardOf(key), { key, group });
            const shards = (await readFolder(folder)).filter((name) => /^[0-9a-f]{3}$/.test(name));
            const found = [];
            for (const shard of shards)
                found.push(...(await listShard(`${folder}/${shard}`, { group })));
            return found;
        },
        async add(record) {
            const { key, holder } = record;
            const shard = shardOf(key);
            const createdFolder = await mkdir(shard, { recursive: true, mode: 0o700 });
            if (createdFolder !== undefined)
                await syncFolder(folder);
            const names = await readFolder(shard);
            if (chooseRecords(names, { key }).length > 0)
                return false;
            // Claim the call before its record gets its name. Otherwise another process could take it for an abandoned call.
            const claim = nameClaim(key, holder);
            if (!(await createFile(`${shard}/${claim}`, '')))
                return false; // Another call of this program is adding it.
            let isAdded = false;
            try {
                isAdded = await writeWhole(shard, record, moveToNewName);
            }
            finally {
                // A claim without a record would block the next call with the key.
                if (!isAdded)
                    await rm(`${shard}/${claim}`, { force: true });
            }
            if (!isAdded)
                return false;
            // Remove the claims of programs that were slower, or were killed while they added the call.
            for (const name of names.filter((one) => one.startsWith(nameClaim(key, '')) && one !== claim))
                await rm(`${shard}/${name}`, { force: true });
            await syncFolder(shard);
            return true;
        },
        async update(key, change) {
            const shard = shardOf(key);
            const names = chooseRecords(await readFolder(shard), { key });
            if (names.length === 0)
                return;
            const record = { key, ...change };
            // Remove the old record last: a process that is killed in between leaves two records, and either can be used.
            await writeWhole(shard, record, rename);
            await syncFolder(shard);
            for (const old of names.filter((one) => one !== nameRecord(record)))
                await rm(`${shard}/${old}`, { force: true });
        },
        async hold(key, holder, was) {
            const shard = shardOf(key);
            const claim = `${shard}/${nameClaim(key, was)}`;
            const seconds = systemClock.now() / 1000;
            try {
                await utimes(claim, seconds, seconds);
                await rename(claim, `${shard}/${nameClaim(key, holder)}`);
                return true;
            }
            catch (error) {
                ignore('ENOENT')(error);
                // A copy of the folder may lack the claim.
                const isLost = !was && !(await readFolder(shard)).some((name) => name.startsWith(nameClaim(key, '')));
                return isLost && createFile(`${shard}/${nameClaim(key, holder)}`, '');
            }
        },
        async remove(key) {
            const shard = shardOf(key);
            const names = await readFolder(shard);
            const stem = names.includes(key) ? stemOf(key) : hash(key);
            // Remove the record first, because the other files of a call are useless without it.
            const all = names.filter((name) => stemOf(name) === stem);
            for (const name of new Set([...chooseRecords(all, {}), ...all]))
                await rm(`${shard}/${name}`, { force: true });
        },
    };
}
const isRecordName = /^[0-9a-f]{64}\.[0-9a-f]{32}\.json$/;
async function listShard(shard, wanted) {
    const names = await readFolder(shard);
    if (wanted.key === undefined && wanted.group === undefined)
        await removeLeftovers(shard, names);
    const records = new Map();
    for (const name of chooseRecords(names, wanted)) {
        const claims = names.filter((one) => one.startsWith(`${stemOf(name)}.claim-`));
        const record = await readRecord(shard, name, claims);
        if (record !== undefined)
            records.set(record.key, record);
    }
    return [...records.values()];
}
/** Keys are hashed because they may contain characters that file names can't have. */
const hash = (text) => createHash('sha256').update(text).digest('hex');
const hashGroup = (group) => hash(group).slice(0, 32);
const stemOf = (name) => name.split('.', 1)[0] ?? '';
/** The name contains the group, so that the calls of a group are found without reading files. */
const nameRecord = ({ key, group }) => `${hash(key)}.${hashGroup(group)}.json`;
function chooseRecords(names, { key, group }) {
    const stem = key === undefined ? '[0-9a-f]{64}' : hash(key);
    const wanted = new RegExp(`^${stem}\\.${group === undefined ? '[0-9a-f]{32}' : hashGroup(group)}\\.json$`);
    return names.filter((name) => name === key || wanted.test(name));
}
/**
 * Returns the name of a claim: a file whose name contains the program that works on a call, or none, and whose
 * modification time is the last heartbeat. To take over a call, a program renames its claim; only one program can.
 */
const nameClaim = (key, holder) => `${hash(key)}.claim-${holder?.split(' ')[0] ?? ''}`;
async function readRecord(folder, name, claims) {
    let [contents, reason] = ['', 'its file is damaged'];
    try {
        contents = await readFile(`${folder}/${name}`, 'utf8');
    }
    catch (error) {
        // A file without read permission is treated as a damaged record. Running out of file handles is an error.
        const { code, message } = Object(error);
        if (code === 'EMFILE' || code === 'ENFILE')
            throw error;
        if (code === 'ENOENT')
            return undefined;
        reason = message;
    }
    let [holder, beatAt] = ['', 0];
    for (const claim of claims) {
        const facts = await stat(`${folder}/${claim}`).catch(ignore('ENOENT'));
        // Several programs may have claimed the call while one of them added it.
        if (facts !== undefined && facts.mtimeMs > beatAt)
            [holder, beatAt] = [claim.slice(claim.indexOf('-') + 1), facts.mtimeMs];
    }
    const currentHolder = holder === '' ? {} : { holder: `${holder} ${beatAt}` };
    const [key = '', group = '', ...text] = contents.split('\n');
    const record = { key, group, text: text.join('\n'), ...currentHolder };
    if (nameRecord(record) === name)
        return record;
    return { key: name, group: '', reason, ...currentHolder };
}
/** Writes a record to a draft file, and moves the file to its final name when it is complete. */
async function writeWhole(folder, record, move) {
    const { key, group, text } = record;
    const draft = `${folder}/${hash(key)}.draft-${randomUUID()}`;
    try {
        await createFile(draft, `${key}\n${group}\n${text}`);
        return await move(draft, `${folder}/${nameRecord(record)}`);
    }
    finally {
        await rm(draft, { force: true });
    }
}
/** Writes a new file to the disk, readable only by its owner. Returns false if it exists. */
async function createFile(path, text) {
    const file = await open(path, 'wx', 0o600).catch(ignore('EEXIST'));
    if (file === undefined)
        return false;
    try {
        if (text !== '')
            await file.writeFile(text).then(() => file.sync());
    }
    catch (error) {
        await rm(path, { force: true }); // For example if the disk is full.
        throw error;
    }
    finally {
        await file.close();
    }
    return true;
}
async function moveToNewName(from, to) {
    try {
        // Some file systems have no hard links. A copy also fails if the file exists, but a killed process may leave half
        // of it.
        await link(from, to).catch((error) => error.code === 'EEXIST' ? Promise.reject(error) : copyFile(from, to, constants.COPYFILE_EXCL));
        return true;
    }
    catch (error) {
        ignore('EEXIST')(error);
        return false;
    }
}
const readFolder = async (folder) => (await readdir(folder).catch(ignore('ENOENT'))) ?? [];
/** Returns undefined for an error with this code, and throws any other error. */
const ignore = (code) => (error) => {
    if (Object(error).code !== code)
        throw error;
};
/** Makes the new name of a file durable on platforms where a folder can be synced. */
async function syncFolder(folder) {
    const handle = await open(folder).catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
}
/** Removes files that killed processes left: drafts, and claims without a record, that are older than an hour. */
async function removeLeftovers(folder, names) {
    const calls = new Set(chooseRecords(names, {}).map(stemOf));
    const isOurs = /^[0-9a-f]{64}\.(claim|draft)-/;
    for (const name of names.filter((one) => isOurs.test(one) && (!calls.has(stemOf(one)) || !one.includes('.claim-')))) {
        const facts = await stat(`${folder}/${name}`).catch(ignore('ENOENT'));
        if (facts !== undefined && systemClock.now() - facts.mtimeMs > 60 * 60_000)
            await rm(`${folder}/${name}`, { force: true });
    }
}
