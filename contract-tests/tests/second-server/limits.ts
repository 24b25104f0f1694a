import { type Account, nameScope } from './accounts.ts';
import { type Headers, Refusal } from './answers.ts';
import type { Clock } from './clock.ts';

// Three limits of a workspace: calls per hour, calls in flight, and cents committed to calls in flight.

const minute = 60_000;
const hour = 60 * minute;
/** Where others use up the quota, a minute of each window is left to the caller. */
type Metered = { readonly callsPerHour: number; readonly usedByOthers: boolean };

export class Quota {
  readonly #clock: Clock;
  readonly #start: number;
  readonly #windows = new Map<string, { number: number; used: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#start = clock.now() - hour / 2;
  }

  /** Counts a call, or returns the seconds until the next window. */
  take(owner: string, limit: Metered): number | undefined {
    const passed = this.#clock.now() - this.#start;
    const number = Math.floor(passed / hour);
    const known = this.#windows.get(owner);
    const window = known?.number === number ? known : { number, used: 0 };
    this.#windows.set(owner, window);
    const usedByOthers = limit.usedByOthers && passed % hour > minute;
    if (usedByOthers || window.used >= limit.callsPerHour) return Math.ceil(((number + 1) * hour - passed) / 1000);
    window.used += 1;
    return undefined;
  }
}

export class Limits {
  readonly #quota: Quota;
  readonly #bugs: ReadonlySet<string>;
  readonly #inFlight = new Map<string, { calls: number; cents: number }>();
  readonly #ceiling: number;

  constructor(clock: Clock, bugs: ReadonlySet<string>, ceiling: number) {
    this.#quota = new Quota(clock);
    this.#bugs = bugs;
    this.#ceiling = ceiling;
  }

  takeQuota(caller: Account): void {
    const seconds = this.#quota.take(nameScope(caller), caller);
    if (seconds === undefined) return;
    const headers = { 'retry-after': seconds, ...this.spendHeaders(caller) };
    throw new Refusal(429, 'rate_limited', 'The quota of this hour is used up.', { headers });
  }

  /** Reserves a place and the price of a call; the returned function gives both back. */
  admit(caller: Account, cents: number): () => void {
    const used = this.#used(caller);
    const headers = { 'retry-after': 2, ...this.spendHeaders(caller) };
    if (used.calls >= this.#ceiling) {
      const detail = 'Too many calls of this workspace are in flight.';
      throw new Refusal(429, 'concurrency_limit_exceeded', detail, { headers });
    }
    if (caller.committedCents + used.cents + cents > caller.spendCapCents) {
      const detail = 'The calls in flight have committed all the spend that is allowed.';
      throw new Refusal(429, 'concurrency_limit_exceeded', detail, { headers });
    }
    used.calls += 1;
    used.cents += cents;
    return () => {
      used.calls -= 1;
      used.cents -= cents;
    };
  }

  spendHeaders(caller: Account): Headers {
    const current = caller.committedCents + this.#used(caller).cents;
    const left = caller.spendCapCents - current;
    return {
      'x-committed-spend-limit': caller.spendCapCents,
      'x-committed-spend-current': current,
      'x-committed-spend-remaining': this.#bugs.has('run-spend-below-zero') ? left : Math.max(0, left),
    };
  }

  #used(caller: Account): { calls: number; cents: number } {
    const scope = nameScope(caller);
    const used = this.#inFlight.get(scope) ?? { calls: 0, cents: 0 };
    this.#inFlight.set(scope, used);
    return used;
  }
}
