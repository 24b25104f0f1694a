import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { isSameCall, type KeyStore, type StoredCall } from '../router/key-store.ts';
import { type Claim, claimFile, isFree, namesIn, removeClaims } from './claims.ts';
import { parseRecord, writeWhole } from './records.ts';

/**
 * Keeps billed calls in a folder, so that they survive the end of the process: one file per call, written in one step and
 * readable by its owner alone, since it holds the input. Processes may share a folder; each call is worked on by one of them.
 */
export function createFileKeyStore(folder: string): KeyStore {
  const held = new Map<string, Claim>();
  const take = async (key: string): Promise<StoredCall | undefined> => {
    const claim = await claimFile(folder, nameFile(key));
    if (claim === undefined) return undefined;
    const call = await readCall(folder, nameFile(key));
    if (call === undefined) await claim.release();
    else held.set(key, claim);
    return call;
  };
  const adopt = async (wanted: StoredCall): Promise<StoredCall | undefined> => {
    for (const one of await pendingIn(folder)) {
      const taken = one.queued === undefined && isSameCall(one, wanted) ? await take(one.key) : undefined;
      if (taken !== undefined) return taken;
    }
    return undefined;
  };
  return {
    take,
    pending: () => pendingIn(folder),
    async begin(call, options) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const adopted = options.adopt ? await adopt(call) : undefined;
      if (adopted !== undefined) return adopted;
      // Claimed before it is written, else another process could take it for one that was left.
      const claim = await claimFile(folder, nameFile(call.key));
      if (claim === undefined) return call; // another process sends this key already, and keeps it
      held.set(call.key, claim);
      await writeWhole(`${folder}/${nameFile(call.key)}`, JSON.stringify(call));
      return call;
    },
    async admit(key, queued) {
      const call = await readCall(folder, nameFile(key));
      if (call !== undefined) await writeWhole(`${folder}/${nameFile(key)}`, JSON.stringify({ ...call, queued }));
    },
    async finish(key) {
      const claim = held.get(key) ?? (await claimFile(folder, nameFile(key)));
      if (claim === undefined) return; // another process works on it
      claim.drop();
      held.delete(key);
      await rm(`${folder}/${nameFile(key)}`, { force: true });
      await removeClaims(folder, nameFile(key));
    },
    async release(key) {
      await held.get(key)?.release();
      held.delete(key);
    },
  };
}

async function pendingIn(folder: string): Promise<StoredCall[]> {
  const found: StoredCall[] = [];
  for (const name of await namesIn(folder)) {
    const call = name.endsWith('.json') ? await readCall(folder, name) : undefined;
    if (call !== undefined && (await isFree(folder, name))) found.push(call);
  }
  return found.sort((one, other) => one.firstSentAt - other.firstSentAt);
}

/** Undefined for a file that holds no call, or one of another name. */
async function readCall(folder: string, name: string): Promise<StoredCall | undefined> {
  const call = parseRecord(await readFile(`${folder}/${name}`, 'utf8').catch(() => ''));
  const texts = ['key', 'operation', 'model', 'url', 'body', 'owner'].map((member) => call?.[member]);
  const isCall = texts.every((text) => typeof text === 'string') && typeof call?.['firstSentAt'] === 'number';
  return isCall && nameFile(String(texts[0])) === name ? (call as unknown as StoredCall) : undefined; // checked above
}

/** A key may hold characters that no file name has. */
function nameFile(key: string): string {
  return `${createHash('sha256').update(key).digest('hex')}.json`;
}
