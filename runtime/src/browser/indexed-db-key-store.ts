import { createKeyStore, type KeyRecord, type KeyRecords } from '../key-store/index.ts';
import type { KeyStore } from '../router/key-store.ts';

/** Keeps billed calls in the IndexedDB database `name`. All scripts of the origin share it and can read its inputs. */
export function createIndexedDbKeyStore(name = 'model-router-calls'): KeyStore {
  // A page is rarely open long enough for the next scheduled purge.
  return createKeyStore(createIndexedDbRecords(name), { purgesAtStart: true });
}

export function createIndexedDbRecords(name: string): KeyRecords {
  let opened: Promise<IDBDatabase> | undefined;
  const drop = (): void => {
    opened = undefined;
  };
  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(name, drop);
    opened.catch(drop);
    return opened;
  };
  /** Runs `work` in a transaction, which other tabs can't interleave with. Resolves when its changes are on disk. */
  const transact = async <Result>(
    mode: IDBTransactionMode,
    work: (calls: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> => {
    const begin = (database: IDBDatabase) => database.transaction('calls', mode, { durability: 'strict' });
    const transaction = await open()
      .then(begin)
      .catch((error: unknown) => {
        // The browser has closed the connection, as mobile browsers do with tabs in the background.
        if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
        drop();
        return open().then(begin);
      });
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () =>
        reject(transaction.error ?? new Error('the browser aborted an IndexedDB transaction'));
    });
    const [result] = await Promise.all([work(transaction.objectStore('calls')), ended]);
    return result;
  };
  const write = (key: string, change: (found: KeyRecord | undefined) => KeyRecord | undefined): Promise<boolean> =>
    transact('readwrite', async (calls) => {
      const changed = change(await receive<KeyRecord | undefined>(calls.get(key)));
      if (changed !== undefined) await receive(calls.put(changed));
      return changed !== undefined;
    });
  return {
    list: (key) => transact('readonly', (calls) => receive(calls.getAll(key))),
    add: (record) => write(record.key, (found) => (found === undefined ? record : undefined)),
    update: async (key, text) => void (await write(key, (found) => found && { ...found, text })),
    hold: (key, holder, was) =>
      write(key, (found) => (found !== undefined && found.holder === was ? { ...found, holder } : undefined)),
    remove: (key) => transact('readwrite', async (calls) => void (await receive(calls.delete(key)))),
  };
}

async function openDatabase(name: string, drop: () => void): Promise<IDBDatabase> {
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

function receive<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
