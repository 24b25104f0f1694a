import { type Clock, systemClock } from '../http/clock.ts';
import {
  admitCall,
  isSameCall,
  type KeyStore,
  keyLifetimeMs,
  type PendingCall,
  type StoredCall,
} from '../router/key-store.ts';
import { createHeldCalls } from './held-calls.ts';
import type { KeyRecord, KeyRecords } from './key-records.ts';
import { findGroup, findQueuedGroup, printCall, readCall } from './record-text.ts';

const purgeEveryMs = 60 * 60 * 1000;

type Place = { readonly records: KeyRecords; readonly held: ReturnType<typeof createHeldCalls>; readonly clock: Clock };

/**
 * Keeps billed calls wherever records can be kept, so that they survive the end of the process and several programs may share them.
 * A program gives a sign of life every two seconds for each call that it works on. Whether another one lives cannot always be known:
 * what it may work on is asked for with its own key, which starts no second run.
 */
export function createKeyStore(
  records: KeyRecords,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): KeyStore {
  const held = createHeldCalls(records, clock);
  const place = { records, held, clock };
  let purgedAt = clock.now();
  return {
    async begin(call, options) {
      if (clock.now() - purgedAt > purgeEveryMs) {
        purgedAt = clock.now();
        void listCurrent(place).catch(() => undefined); // what is wrong with the store shows in the call itself
      }
      const earlier = options.adopt ? await adopt(call, place) : await take(call.key, place);
      return earlier === undefined ? add(call, place) : { stored: earlier, isNew: false };
    },
    take: (key) => take(key, place),
    async admit(key, queued) {
      const own = held.get(key);
      const call = own?.call ?? readCall((await records.list({ key }))[0]?.text);
      if (call === undefined) return;
      const admitted = admitCall(call, queued);
      void own?.stop();
      if (own !== undefined) own.call = admitted;
      await records.update(key, { group: findGroup(admitted), text: printCall(admitted) });
    },
    async keepListed(key) {
      const own = held.get(key);
      if (own !== undefined) own.isListed = true;
    },
    finish: (key) => finish(key, place),
    async finishQueued(requestId) {
      for (const { key, text } of await records.list({ group: findQueuedGroup(requestId) }))
        if (readCall(text)?.queued?.requestId === requestId) await finish(key, place);
    },
    async release(key) {
      const own = await held.end(key);
      if (own === undefined) return;
      held.forget(key);
      await records.hold(key, undefined, own.holder);
    },
    pending: () => listPending(place),
  };
}

async function add(call: StoredCall, { records, held }: Place): ReturnType<KeyStore['begin']> {
  const { key } = call;
  const text = { key, group: findGroup(call), text: printCall(call) };
  if (await held.start(call, (holder) => records.add({ ...text, holder }))) return { stored: call, isNew: true };
  // Another call sends this key already, and keeps it.
  const [record] = await records.list({ key });
  return { stored: record === undefined ? call : requireCall(record), isNew: false };
}

async function adopt(wanted: StoredCall, place: Place): Promise<StoredCall | undefined> {
  for (const record of await place.records.list({ group: findGroup(wanted) }))
    if (isSameCall(requireCall(record), wanted)) {
      const call = await hold(record, place);
      if (call !== undefined) return call;
    }
  return undefined;
}

async function take(key: string, place: Place): Promise<StoredCall | undefined> {
  const own = place.held.get(key);
  if (own?.isListed) return own.call;
  const [record] = await place.records.list({ key });
  return record && hold(record, place);
}

/** The call of a record; undefined where somebody works on it, or was faster, and is known to live. */
async function hold(record: KeyRecord, { records, held }: Place): Promise<StoredCall | undefined> {
  if (held.findLife(record) === 'alive') return undefined;
  const call = requireCall(record);
  const isOurs = await held.start(call, (holder) => records.hold(call.key, holder, record.holder ?? undefined));
  return isOurs ? call : undefined;
}

async function finish(key: string, { records, held }: Place): Promise<void> {
  await held.end(key);
  await records.remove(key);
  held.forget(key); // not before: an equal call must not go on with what this program is done with
}

/** Forgets what can no longer be fetched: a result of the queue, and a run that was refused for a day when it was called again. */
async function listCurrent(place: Place): Promise<readonly KeyRecord[]> {
  const { records, clock } = place;
  const current: KeyRecord[] = [];
  for (const record of await records.list({})) {
    const call = readCall(record.text);
    const lastsMs = call?.queued === undefined ? 2 * keyLifetimeMs : keyLifetimeMs;
    if (call === undefined || clock.now() < call.firstSentAt + lastsMs) current.push(record);
    else await finish(call.key, place);
  }
  return current;
}

async function listPending(place: Place): Promise<readonly PendingCall[]> {
  const { held } = place;
  const found: PendingCall[] = [];
  for (const record of await listCurrent(place)) {
    const call = readCall(record.text);
    const life = held.findLife(record);
    if (call === undefined) found.push({ key: record.key, damaged: explainDamage(record) });
    else if (life !== 'alive' || held.get(call.key)?.isListed) found.push({ ...call, isHeld: life === 'unknown' });
  }
  const startOf = (call: PendingCall): number => (call.damaged === undefined ? call.firstSentAt : 0);
  return found.sort((one, other) => startOf(one) - startOf(other));
}

function requireCall(record: KeyRecord): StoredCall {
  const call = readCall(record.text);
  if (call !== undefined) return call;
  throw new Error(
    `an earlier call, which may be this one, cannot be read: ${explainDamage(record)}; forget('${record.key}') removes it`,
  );
}

const explainDamage = ({ reason }: KeyRecord): string => reason ?? 'its record is damaged';
