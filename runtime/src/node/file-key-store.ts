import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '../http/clock.ts';
import type { KeyRecord, KeyRecords } from '../key-store/index.ts';
import { createKeyStore } from '../key-store/index.ts';
import type { KeyStore } from '../router/key-store.ts';
import { beat, follow, ignoreAbsence, isFree, readClaim, readFolder } from './claim.ts';

/**
 * Keeps billed calls in a folder, so that they survive the end of the process. Each call is a file that only its owner can read,
 * since it holds the input. Processes may share a folder: a claim file names the one that works on a call.
 */
export function createFileKeyStore(folder: string): KeyStore {
  return createKeyStore(createFileRecords(resolve(folder))); // the program may change its working directory
}

export function createFileRecords(folder: string): KeyRecords {
  const shardOf = (key: string): string => `${folder}/${(isRecordName.test(key) ? key : hash(key)).slice(0, 3)}`;
  return {
    async list({ key, group }) {
      // The call of a key is found without reading other shards.
      const shards = (await readFolder(folder)).filter((name) => key === undefined && isShardName.test(name));
      const places = key === undefined ? shards.map((name) => `${folder}/${name}`) : [shardOf(key)];
      const found: KeyRecord[] = [];
      for (const place of places) found.push(...(await listShard(place, { key, group })));
      return found;
    },
    async add(record) {
      const shard = shardOf(record.key);
      const made = await mkdir(shard, { recursive: true, mode: 0o700 });
      if (made !== undefined) await syncFolder(folder);
      const names = await readFolder(shard);
      if (chooseRecords(names, { key: record.key }).length > 0) return false;
      const place = { folder: shard, name: hash(record.key) };
      const draft = await writeDraft(shard, nameRecord(record), printRecord(record));
      try {
        // Claimed before it has its name, or another process could take it for an abandoned call.
        const claim = await readClaim(place, names);
        if (!isFree(claim) || !(await follow(place, claim, firstWord(record.holder)))) return false;
        try {
          await rename(draft, `${shard}/${nameRecord(record)}`);
        } catch (error) {
          // Without a record, the claim would block the next call with its key.
          const left = (await readFolder(shard)).filter((name) => name.startsWith(`${place.name}.claim-`));
          for (const name of left) await rm(`${shard}/${name}`, { force: true });
          throw error;
        }
      } finally {
        await rm(draft, { force: true });
      }
      await syncFolder(shard);
      return true;
    },
    async update(key, change) {
      const shard = shardOf(key);
      const names = chooseRecords(await readFolder(shard), { key });
      if (names.length === 0) return;
      const record = { key, ...change };
      const name = nameRecord(record);
      // The old record is removed last: a process that is killed in between leaves both, and either leads to the call.
      await writeWhole(shard, name, printRecord(record));
      for (const old of names.filter((one) => one !== name)) await rm(`${shard}/${old}`, { force: true });
    },
    async hold(key, holder, was) {
      const place = { folder: shardOf(key), name: hash(key) };
      const claim = await readClaim(place);
      if (claim.holder !== firstWord(was)) return false;
      if (claim.holder !== firstWord(holder)) return follow(place, claim, firstWord(holder));
      await beat(place, claim);
      return true;
    },
    async remove(key) {
      const shard = shardOf(key);
      const names = await readFolder(shard);
      const stem = names.includes(key) ? stemOf(key) : hash(key);
      // The record is removed first: the other files of a call mean nothing without it.
      const all = names.filter((name) => stemOf(name) === stem);
      for (const name of new Set([...chooseRecords(all, {}), ...all])) await rm(`${shard}/${name}`, { force: true });
    },
  };
}

/** Calls are in folders by the start of their names, since a folder of many files is slow. */
const isShardName = /^[0-9a-f]{3}$/;
const isRecordName = /^[0-9a-f]{64}\.[0-9a-f]{32}\.json$/;

async function listShard(shard: string, wanted: Parameters<KeyRecords['list']>[0]): Promise<Iterable<KeyRecord>> {
  const names = await readFolder(shard);
  const claims = new Map<string, string[]>();
  for (const name of names.filter((one) => one.includes('.claim-')))
    claims.set(stemOf(name), [...(claims.get(stemOf(name)) ?? []), name]);
  if (wanted.key === undefined && wanted.group === undefined) await removeLeftovers(shard, names);
  const records = new Map<string, KeyRecord>();
  for (const name of chooseRecords(names, wanted)) {
    const record = await readRecord(shard, name, claims.get(stemOf(name)) ?? []);
    if (record !== undefined) records.set(record.key, record);
  }
  return records.values();
}

/** A key may have characters that file names cannot have. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashGroup = (group: string): string => hash(group).slice(0, 32);

/** The start of the names of all files of a call. */
const stemOf = (name: string): string => name.split('.', 1)[0] ?? '';

/** The group is part of the name, so that its calls are found without reading files. */
const nameRecord = ({ key, group }: Pick<KeyRecord, 'key' | 'group'>): string =>
  `${hash(key)}.${hashGroup(group)}.json`;

/** Returns the names of records among file names. */
function chooseRecords(names: readonly string[], { key, group }: Parameters<KeyRecords['list']>[0]): string[] {
  const stem = key === undefined ? '[0-9a-f]{64}' : hash(key);
  const wanted = new RegExp(`^${stem}\\.${group === undefined ? '[0-9a-f]{32}' : hashGroup(group)}\\.json$`);
  return names.filter((name) => name === key || wanted.test(name));
}

/** The holder without the time, which the file system keeps. */
const firstWord = (holder: string | null | undefined): string => holder?.split(' ')[0] ?? '';

const printRecord = ({ key, group, text }: KeyRecord): string => `${key}\n${group}\n${text}`;

/** Returns undefined for a call that was removed in the meantime. */
async function readRecord(folder: string, name: string, claims: readonly string[]): Promise<KeyRecord | undefined> {
  const read = await readFile(`${folder}/${name}`, 'utf8').catch(explainRefusal);
  if (read === undefined) return undefined;
  const { holder, beatAt } = await readClaim({ folder, name: stemOf(name) }, claims);
  const held = holder === '' ? {} : { holder: `${holder} ${beatAt}` };
  const [key = '', group = '', ...text] = typeof read === 'string' ? read.split('\n') : [];
  const record = { key, group, text: text.join('\n'), ...held };
  if (nameRecord(record) === name) return record;
  return { key: name, group: '', reason: typeof read === 'string' ? 'its file is damaged' : read.reason, ...held };
}

/** A file that this process may not read counts as a damaged record. Running out of file handles is an error. */
function explainRefusal(error: NodeJS.ErrnoException): { reason: string } | undefined {
  if (error.code === 'EMFILE' || error.code === 'ENFILE') throw error;
  return error.code === 'ENOENT' ? undefined : { reason: error.message };
}

/** Replaces a file atomically, readable by its owner only. Resolves when it would survive a loss of power. */
async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const draft = await writeDraft(folder, name, text);
  try {
    await rename(draft, `${folder}/${name}`);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(folder);
}

/** Returns the path of a file that holds the whole text on the disk. */
async function writeDraft(folder: string, name: string, text: string): Promise<string> {
  const draft = `${folder}/${stemOf(name)}.draft-${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    const written = file.writeFile(text).then(() => file.sync());
    await written.finally(() => file.close());
    return draft;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined); // it would fill the disk
    throw error;
  }
}

/** Makes the new name of a file durable, on platforms where a folder can be synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const leftoverMs = 60 * 60 * 1000;

/** Removes old files that killed processes left of calls without a record. */
async function removeLeftovers(folder: string, names: readonly string[]): Promise<void> {
  const calls = new Set(chooseRecords(names, {}).map(stemOf));
  const isOurs = /^[0-9a-f]{64}\.(claim|draft)-/;
  for (const name of names.filter((one) => isOurs.test(one) && (!calls.has(stemOf(one)) || !one.includes('.claim-')))) {
    const facts = await stat(`${folder}/${name}`).catch(ignoreAbsence);
    if (facts !== undefined && systemClock.now() - facts.mtimeMs > leftoverMs)
      await rm(`${folder}/${name}`, { force: true });
  }
}
