import { scopeOf } from './accounts.ts';
import { Refusal } from './answers.ts';
import { canonical, digest } from './attempts.ts';
import type { Call } from './call.ts';
import type { Work } from './work.ts';

// Idempotency records: what a key was first used for, and what became of that call.

const day = 86_400_000;

export type Fingerprint = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
};

export type KeyState =
  | { readonly kind: 'run'; readonly work: Work; attended: boolean }
  | { readonly kind: 'submitted'; readonly requestId: string }
  | { readonly kind: 'spent' };

export type KeyRecord = {
  readonly fingerprint: Fingerprint;
  expires: number;
  state: KeyState;
  readonly release: () => void;
};

/** The query is compared without regard to order, the body as a JSON value. */
export const fingerprintOf = (call: Call, input: unknown): Fingerprint => ({
  method: call.method,
  path: call.path,
  query: JSON.stringify([...call.query].sort()),
  body: digest(canonical(input)).toString('base64'),
});

export function readKey(call: Call): string | undefined {
  const key = call.header('idempotency-key');
  if (key !== undefined && (key.length < 1 || key.length > 255)) {
    throw new Refusal(400, 'invalid_input', 'Idempotency-Key has to have 1 to 255 characters.');
  }
  return key;
}

export class Keys {
  readonly #records = new Map<string, KeyRecord>();

  find(call: Call, key: string): KeyRecord | undefined {
    const record = this.#records.get(this.#place(call, key));
    return record && record.expires > call.world.clock.now() ? record : undefined;
  }

  open(call: Call, key: string, fingerprint: Fingerprint, state: KeyState): KeyRecord {
    const place = this.#place(call, key);
    const release = () => {
      if (this.#records.get(place) === record) this.#records.delete(place);
    };
    const record: KeyRecord = { fingerprint, expires: call.world.clock.now() + day, state, release };
    this.#records.set(place, record);
    return record;
  }

  /** Throws when the key cannot be used for this request. */
  check(call: Call, record: KeyRecord, now: Fingerprint, anyBody = false): void {
    const first = record.fingerprint;
    const bugs = call.world.bugs;
    const differs =
      first.method !== now.method ||
      first.path !== now.path ||
      (first.query !== now.query && !bugs.has('key-ignores-query')) ||
      (first.body !== now.body && !anyBody);
    if (differs) throw new Refusal(409, 'invalid_input', 'This Idempotency-Key belongs to another request.');
    if (record.state.kind === 'spent') {
      throw new Refusal(409, 'invalid_input', 'The response of this Idempotency-Key cannot be replayed.');
    }
    if (bugs.has('key-window-slides')) record.expires = call.world.clock.now() + day;
  }

  #place(call: Call, key: string): string {
    return JSON.stringify([call.world.bugs.has('key-shared-by-all') ? '' : scopeOf(call.account), key]);
  }
}
