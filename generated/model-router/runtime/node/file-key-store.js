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
/** Keeps billed calls in files that only their owner can read: they contain inputs. Processes may share a folder. */
export function createFileKeyStore(folder) {
    return createKeyStore(createFileRecords(resolve(folder))); // The program may change its working directory.
}
/**
 * The files of a call begin with the hash of its key, because keys may contain characters that file names can't have:
 * - `HASH.json`: the record
 * - `HASH.claim-PROGRAM`: its name contains the program that works on the call, or none, and its modification time is the
 *   last heartbeat. To take over a call, a program renames its claim; only one program can.
 * - `HASH.draft-UUID`: a record that is being written
 */
export function createFileRecords(folder) {
    // Use subfolders, named by the first characters of the file names, because a folder with many files is slow.
    const findFiles = (key) => {
        const hash = isRecordName.test(key) ? hashOf(key) : hashKey(key);
        const shard = `${folder}/${hash.slice(0, 3)}`;
        const path = `${shard}/${hash}`;
        return {
            shard,
            record: `${path}.json`,
            claimOf: (holder = '') => `${path}.claim-${holder.split(' ')[0]}`,
            listNames: async () => (await readFolder(shard)).filter((name) => hashOf(name) === hash),
        };
    };
    return {
        async list(key) {
            if (key !== undefined) {
                const { shard, listNames } = findFiles(key);
                return listRecords(shard, await listNames());
            }
            const found = [];
            for (const name of (await readFolder(folder)).filter((one) => /^[0-9a-f]{3}$/.test(one))) {
                const names = await readFolder(`${folder}/${name}`);
                await removeLeftovers(`${folder}/${name}`, names);
                found.push(...(await listRecords(`${folder}/${name}`, names)));
            }
            return found;
        },
        async add({ key, text, holder }) {
            const { shard, record, claimOf, listNames } = findFiles(key);
            const createdFolder = await mkdir(shard, { recursive: true, mode: 0o700 });
            if (createdFolder !== undefined)
                await syncFolder(folder);
            const names = await listNames();
            if (names.some((name) => isRecordName.test(name)))
                return false;
            // Claim the call before its record gets its name. Otherwise another process could take it for an abandoned call.
            const claim = claimOf(holder);
            if (!(await createFile(claim, '')))
                return false; // Another call of this program is adding it.
            let isAdded = false;
            try {
                isAdded = await writeAtomically(record, key, text, moveToNewName);
            }
            finally {
                // A claim without a record would block the next call with the key.
                if (!isAdded)
                    await rm(claim, { force: true });
            }
            if (!isAdded)
                return false;
            // Remove the claims of programs that were slower, or were killed while they added the call.
            for (const name of names.filter((one) => claimName.test(one)))
                await rm(`${shard}/${name}`, { force: true });
            await syncFolder(shard);
            return true;
        },
        async update(key, text) {
            const { shard, record } = findFiles(key);
            if ((await stat(record).catch(ignoreErrorCode('ENOENT'))) === undefined)
                return;
            await writeAtomically(record, key, text, rename);
            await syncFolder(shard);
        },
        async hold(key, holder, was) {
            const { claimOf, listNames } = findFiles(key);
            const seconds = systemClock.now() / 1000;
            try {
                await utimes(claimOf(was), seconds, seconds);
                await rename(claimOf(was), claimOf(holder));
                return true;
            }
            catch (error) {
                ignoreErrorCode('ENOENT')(error);
                if (was)
                    return false;
                // A copy of the folder may lack the claim.
                const isLost = !(await listNames()).some((name) => claimName.test(name));
                return isLost && createFile(claimOf(holder), '');
            }
        },
        async remove(key) {
            const { shard, record, listNames } = findFiles(key);
            const names = await listNames(); // Another program may add a new record as soon as this one is removed.
            await rm(record, { force: true }); // First, because the other files of a call are useless without it.
            for (const name of names.filter((one) => !isRecordName.test(one)))
                await rm(`${shard}/${name}`, { force: true });
        },
    };
}
const isRecordName = /^[0-9a-f]{64}\.json$/;
const claimName = /^[0-9a-f]{64}\.claim-/;
const hashKey = (key) => createHash('sha256').update(key).digest('hex');
const hashOf = (name) => name.slice(0, 64);
/** Reads the records among the files `names` of a folder. */
async function listRecords(folder, names) {
    const records = [];
    for (const name of names.filter((one) => isRecordName.test(one))) {
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
                continue;
            reason = message;
        }
        let [holder, beatAt] = ['', 0];
        for (const claim of names.filter((one) => claimName.test(one) && hashOf(one) === hashOf(name))) {
            const facts = await stat(`${folder}/${claim}`).catch(ignoreErrorCode('ENOENT'));
            // Several programs may have claimed the call while one of them added it.
            if (facts !== undefined && facts.mtimeMs > beatAt)
                [holder, beatAt] = [claim.slice(claim.indexOf('-') + 1), facts.mtimeMs];
        }
        const end = contents.indexOf('\n');
        const [key, text] = [contents.slice(0, end), contents.slice(end + 1)];
        const record = hashKey(key) === hashOf(name) ? { key, text } : { key: name, reason };
        records.push(holder === '' ? record : { ...record, holder: `${holder} ${beatAt}` });
    }
    return records;
}
/** Writes a record to a draft file, and moves the file to its final name when it is complete. */
async function writeAtomically(path, key, text, move) {
    const draft = path.replace(/json$/, `draft-${randomUUID()}`);
    try {
        await createFile(draft, `${key}\n${text}`);
        return await move(draft, path);
    }
    finally {
        await rm(draft, { force: true });
    }
}
/** Writes a new file to the disk, readable only by its owner. Returns false if it exists. */
async function createFile(path, text) {
    const file = await open(path, 'wx', 0o600).catch(ignoreErrorCode('EEXIST'));
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
/** Returns false if the new name exists. */
async function moveToNewName(from, to) {
    try {
        // Some file systems have no hard links. A copy also fails if the file exists, but a killed process may leave half
        // of it.
        await link(from, to).catch((error) => error.code === 'EEXIST' ? Promise.reject(error) : copyFile(from, to, constants.COPYFILE_EXCL));
        return true;
    }
    catch (error) {
        ignoreErrorCode('EEXIST')(error);
        return false;
    }
}
const readFolder = async (folder) => (await readdir(folder).catch(ignoreErrorCode('ENOENT'))) ?? [];
/** Returns undefined for an error with this code, and throws any other error. */
const ignoreErrorCode = (code) => (error) => {
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
    const isLeftover = (name) => claimName.test(name) ? !names.includes(`${hashOf(name)}.json`) : /^[0-9a-f]{64}\.draft-/.test(name);
    for (const name of names.filter(isLeftover)) {
        const facts = await stat(`${folder}/${name}`).catch(ignoreErrorCode('ENOENT'));
        if (facts !== undefined && systemClock.now() - facts.mtimeMs > 60 * 60_000)
            await rm(`${folder}/${name}`, { force: true });
    }
}
