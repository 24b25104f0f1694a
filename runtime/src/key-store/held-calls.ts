import type { Clock } from '../http/clock.ts';
import { randomKey } from '../http/credential.ts';
import type { StoredCall } from '../router/key-store.ts';
import type { KeyRecord, KeyRecords } from './key-records.ts';

const beatMs = 2_000;
const staleMs = 10_000;

/** A call that this program works on. */
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
let program: string | undefined;

/** Who this program is to others; made late, since some platforms give no random numbers while a module is loaded. */
function nameProgram(): string {
  program ??= randomKey();
  return program;
}

/** The calls that a program works on, which it says again and again. */
export function createHeldCalls(records: KeyRecords, clock: Clock) {
  const held = new Map<string, Held>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const sign = (): string => `${nameProgram()} ${clock.now()}`;
  const beat = async (own: Held): Promise<void> => {
    const holder = sign();
    if (await records.hold(own.call.key, holder, own.holder)) own.holder = holder;
  };
  const beatAll = (): void => {
    for (const own of held.values()) if (own.beats) own.beating = own.beating.then(() => beat(own)).catch(() => {});
  };
  return {
    get: (key: string): Held | undefined => held.get(key),
    /** Works on a call, where the record takes this program for its holder. */
    async start(call: StoredCall, write: (holder: string) => Promise<boolean>): Promise<boolean> {
      const holder = sign();
      if (!(await write(holder))) return false;
      held.set(call.key, { call, holder, isListed: false, beats: true, beating: Promise.resolve() });
      worked.add(call.key);
      timer ??= setInterval(beatAll, beatMs);
      (timer as { unref?: () => void }).unref?.(); // Node's, which else keeps a program running
      return true;
    },
    /** No more signs of life. The call still counts as worked on until `forget`. */
    async end(key: string): Promise<Held | undefined> {
      const own = held.get(key);
      held.delete(key);
      if (held.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      await own?.beating; // what it has written decides who holds the call
      return own;
    },
    forget: (key: string): void => void worked.delete(key),
    findLife({ key, holder, life }: KeyRecord): KeyRecord['life'] {
      const [name, at] = holder?.split(' ') ?? [];
      if (name === undefined) return 'gone';
      if (name === nameProgram()) return worked.has(key) ? 'alive' : 'gone';
      return life ?? (Math.abs(clock.now() - Number(at)) < staleMs ? 'unknown' : 'gone');
    },
  };
}
