/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { createKeyStore } from '../key-store/index.js';
/** Keeps billed calls in the IndexedDB database `name`. All scripts of the origin share it and can read its inputs. */
export function createIndexedDbKeyStore(name = 'model-router-calls') {
    // A page is rarely open long enough for the next scheduled purge.
    return createKeyStore(createIndexedDbRecords(name), { purgesAtStart: true });
}
export function createIndexedDbRecords(name) {
    let opened;
    const drop = () => {
        opened = undefined;
    };
    const open = () => {
        opened ??= openDatabase(name, drop);
        opened.catch(drop);
        return opened;
    };
    /** Runs `work` in a transaction, which other tabs can't interleave with. Resolves when its changes are on disk. */
    const transact = async (mode, work) => {
        const begin = (database) => database.transaction('calls', mode, { durability: 'strict' });
        const transaction = await open()
            .then(begin)
            .catch((error) => {
            // The browser has closed the connection, as mobile browsers do with tabs in the background.
            if (!(error instanceof DOMException) || error.name !== 'InvalidStateError')
                throw error;
            drop();
            return open().then(begin);
        });
        const ended = new Promise((resolve, reject) => {
            transaction.oncomplete = () => resolve();
            transaction.onabort = () => reject(transaction.error ?? new Error('the browser aborted an IndexedDB transaction'));
        });
        const [result] = await Promise.all([work(transaction.objectStore('calls')), ended]);
        return result;
    };
    const write = (key, change) => transact('readwrite', async (calls) => {
        const changed = change(await receive(calls.get(key)));
        if (changed !== undefined)
            await receive(calls.put(changed));
        return changed !== undefined;
    });
    return {
        list: (key) => transact('readonly', (calls) => receive(calls.getAll(key))),
        add: (record) => write(record.key, (found) => (found === undefined ? record : undefined)),
        update: async (key, text) => void (await write(key, (found) => found && { ...found, text })),
        hold: (key, holder, was) => write(key, (found) => (found !== undefined && found.holder === was ? { ...found, holder } : undefined)),
        remove: (key) => transact('readwrite', async (calls) => void (await receive(calls.delete(key)))),
    };
}
async function openDatabase(name, drop) {
    if (typeof indexedDB === 'undefined')
        throw new Error('this platform has no IndexedDB: omit keyStore, or use a different key store');
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('calls', { keyPath: 'key' });
    const database = await receive(request);
    database.onclose = drop;
    // Another tab wants to delete the database, which requires closing all connections.
    database.onversionchange = () => {
        drop();
        database.close();
    };
    return database;
}
function receive(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
