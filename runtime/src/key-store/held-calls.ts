import type { Clock } from '../http/clock.ts';
import { randomKey } from '../http/credential.ts';
import type { StoredCall } from '../router/key-store.ts';
import { keepAlive, staleMs } from './keep-alive.ts';
import type { KeyRecord, KeyRecords } from './key-records.ts';

/** A call that this program works on. */
type Held = {
  call: StoredCall;
  holder: string;
  /** Whether its caller has the result already. */
  isListed: boolean;
  /** Ends its signs of life. What is in the queue needs none, since to collect it twice costs nothing. */
  stop: () => Promise<void>;
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
  const sign = (): string => `${nameProgram()} ${clock.now()}`;
  return {
    get: (key: string): Held | undefined => held.get(key),
    /** Works on a call, where the record takes this program for its holder. */
    async start(call: StoredCall, write: (holder: string) => Promise<boolean>): Promise<boolean> {
      const own = { call, holder: sign(), isListed: false };
      if (!(await write(own.holder))) return false;
      const stop = keepAlive(async () => {
        const holder = sign();
        if (await records.hold(call.key, holder, own.holder)) own.holder = holder;
      });
      held.set(call.key, Object.assign(own, { stop }));
      worked.add(call.key);
      return true;
    },
    /** No more signs of life. The call still counts as worked on until `forget`. */
    async end(key: string): Promise<Held | undefined> {
      const own = held.get(key);
      held.delete(key);
      await own?.stop(); // what was written last decides who holds the call
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
