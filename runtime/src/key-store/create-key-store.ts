import { type Clock, systemClock } from '../http/clock.ts';
import { randomKey } from '../http/random-key.ts';
import {
  admitCall,
  isSameCall,
  type KeyStore,
  keyLifetimeMs,
  type PendingCall,
  type StoredCall,
} from '../router/key-store.ts';
import type { KeyRecord, KeyRecords } from './key-records.ts';
import { findGroup, findQueuedGroup, printCall, readCall } from './record-text.ts';

const beatMs = 2_000;
const staleMs = 10_000;
const purgeEveryMs = 60 * 60 * 1000;

/** A call that this client works on. */
type Held = {
  call: StoredCall;
  holder: string;
  /** Whether its caller has the result already. */
  isListed: boolean;
  /** Whether it gives signs of life; what is in the queue needs none, since to collect it twice costs nothing. */
  beats: boolean;
  beating: Promise<unknown>;
};

/** What this program works on with any of its clients. */
const worked = new Set<string>();
let program: string | undefined; // made late: some platforms give no random numbers while a module is loaded

/** Who this program is to others that use the store. */
function nameProgram(): string {
  program ??= randomKey();
  return program;
}

/**
 * Keeps billed calls wherever records can be kept, so that they survive the end of the process and several programs may share them.
 * A program gives a sign of life every two seconds for each call that it works on. Whether another one lives cannot always be known:
 * what it may work on is asked for with its own key, which starts no second run.
 */
export function createKeyStore(
  records: KeyRecords,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): KeyStore {
  const held = new Map<string, Held>();
  const signHolder = (): string => `${nameProgram()} ${clock.now()}`;
  let timer: ReturnType<typeof setInterval> | undefined;
  let purgedAt = clock.now();

  const start = (call: StoredCall, holder: string): void => {
    held.set(call.key, { call, holder, isListed: false, beats: true, beating: Promise.resolve() });
    worked.add(call.key);
    timer ??= setInterval(() => {
      for (const own of held.values()) if (own.beats) own.beating = own.beating.then(() => beat(own)).catch(() => {});
    }, beatMs);
    (timer as { unref?: () => void }).unref?.(); // Node's, which else keeps a program running
  };
  const beat = async (own: Held): Promise<void> => {
    const holder = signHolder();
    if (await records.hold(own.call.key, holder, own.holder)) own.holder = holder;
  };
  const end = async (key: string): Promise<Held | undefined> => {
    const own = held.get(key);
    held.delete(key);
    if (held.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    await own?.beating; // what it has written decides who holds the call
    return own;
  };
  const findLife = ({ key, holder, life }: KeyRecord): KeyRecord['life'] => {
    const [name, at] = holder?.split(' ') ?? [];
    if (name === undefined) return 'gone';
    if (name === nameProgram()) return worked.has(key) ? 'alive' : 'gone';
    return life ?? (Math.abs(clock.now() - Number(at)) < staleMs ? 'unknown' : 'gone');
  };
  const hold = async (record: KeyRecord, call: StoredCall): Promise<boolean> => {
    const holder = signHolder();
    if (!(await records.hold(call.key, holder, record.holder ?? undefined))) return false; // who was faster lives
    start(call, holder);
    return true;
  };
  const adopt = async (wanted: StoredCall): Promise<StoredCall | undefined> => {
    for (const record of await records.list({ group: findGroup(wanted) })) {
      const call = requireCall(record);
      if (isSameCall(call, wanted) && findLife(record) !== 'alive' && (await hold(record, call))) return call;
    }
    return undefined;
  };
  const finish = async (key: string): Promise<void> => {
    await end(key);
    await records.remove(key);
    worked.delete(key); // not before: an equal call must not go on with what this program is done with
  };
  /** Forgets what can no longer be fetched: a result of the queue, and a run that was refused for a day when it was called again. */
  const listCurrent = async (): Promise<readonly KeyRecord[]> => {
    purgedAt = clock.now();
    const current: KeyRecord[] = [];
    for (const record of await records.list({})) {
      const call = readCall(record.text);
      const lastsMs = call?.queued === undefined ? 2 * keyLifetimeMs : keyLifetimeMs;
      if (call === undefined || purgedAt < call.firstSentAt + lastsMs) current.push(record);
      else await records.remove(call.key);
    }
    return current;
  };
  return {
    async begin(call, options) {
      // What is wrong with the store shows in the call itself.
      if (clock.now() - purgedAt > purgeEveryMs) void listCurrent().catch(() => undefined);
      const earlier = options.adopt ? await adopt(call) : undefined;
      if (earlier !== undefined) return { stored: earlier, isNew: false };
      const holder = signHolder();
      if (await records.add({ key: call.key, group: findGroup(call), text: printCall(call), holder })) {
        start(call, holder);
        return { stored: call, isNew: true };
      }
      // Another call sends this key already, and keeps it.
      const [record] = await records.list({ key: call.key });
      return { stored: record === undefined ? call : requireCall(record), isNew: false };
    },
    async take(key) {
      const own = held.get(key);
      if (own?.isListed) return own.call;
      const [record] = await records.list({ key });
      if (record === undefined || findLife(record) === 'alive') return undefined;
      const call = requireCall(record);
      return (await hold(record, call)) ? call : undefined;
    },
    async admit(key, queued) {
      const own = held.get(key);
      const call = own?.call ?? readCall((await records.list({ key }))[0]?.text);
      if (call === undefined) return;
      const admitted = admitCall(call, queued);
      if (own !== undefined) Object.assign(own, { call: admitted, beats: false });
      await records.update(key, { group: findGroup(admitted), text: printCall(admitted) });
    },
    async keepListed(key) {
      const own = held.get(key);
      if (own !== undefined) own.isListed = true;
    },
    finish,
    async finishQueued(requestId) {
      for (const { key, text } of await records.list({ group: findQueuedGroup(requestId) })) {
        if (readCall(text)?.queued?.requestId !== requestId) continue;
        await finish(key);
      }
    },
    async release(key) {
      const own = await end(key);
      if (own === undefined) return;
      worked.delete(key);
      await records.hold(key, undefined, own.holder);
    },
    async pending() {
      const found: PendingCall[] = [];
      for (const record of await listCurrent()) {
        const call = readCall(record.text);
        const life = findLife(record);
        if (call === undefined) found.push({ key: record.key, damaged: explainDamage(record) });
        else if (life !== 'alive' || held.get(call.key)?.isListed) found.push({ ...call, isHeld: life === 'unknown' });
      }
      return found.sort((one, other) => firstSentAt(one) - firstSentAt(other));
    },
  };
}

function requireCall(record: KeyRecord): StoredCall {
  const call = readCall(record.text);
  if (call !== undefined) return call;
  throw new Error(
    `an earlier call, which may be this one, cannot be read: ${explainDamage(record)}; forget('${record.key}') removes it`,
  );
}

const explainDamage = ({ reason }: KeyRecord): string => reason ?? 'its record is damaged';

const firstSentAt = (call: PendingCall): number => (call.damaged === undefined ? call.firstSentAt : 0);
