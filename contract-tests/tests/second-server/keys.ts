import { Refusal } from './answers.ts';
import type { Site } from './site.ts';
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

export class Keys {
  readonly #site: Site;
  readonly #records = new Map<string, KeyRecord>();

  constructor(site: Site) {
    this.#site = site;
  }

  find(scope: string, key: string): KeyRecord | undefined {
    const record = this.#records.get(this.#place(scope, key));
    return record && record.expires > this.#site.clock.now() ? record : undefined;
  }

  open(scope: string, key: string, fingerprint: Fingerprint, state: KeyState): KeyRecord {
    const place = this.#place(scope, key);
    const release = () => {
      if (this.#records.get(place) === record) this.#records.delete(place);
    };
    const record: KeyRecord = { fingerprint, expires: this.#site.clock.now() + day, state, release };
    this.#records.set(place, record);
    return record;
  }

  /** Throws when the key cannot be used for this request. */
  check(record: KeyRecord, now: Fingerprint, anyBody = false): void {
    const first = record.fingerprint;
    const bugs = this.#site.bugs;
    const differs =
      first.method !== now.method ||
      first.path !== now.path ||
      (first.query !== now.query && !bugs.has('key-ignores-query')) ||
      (first.body !== now.body && !anyBody);
    if (differs) throw new Refusal(409, 'invalid_input', 'This Idempotency-Key belongs to another request.');
    if (record.state.kind === 'spent') {
      throw new Refusal(409, 'invalid_input', 'The response of this Idempotency-Key cannot be replayed.');
    }
    if (bugs.has('key-window-slides')) record.expires = this.#site.clock.now() + day;
  }

  #place(scope: string, key: string): string {
    return JSON.stringify([this.#site.bugs.has('key-shared-by-all') ? '' : scope, key]);
  }
}
