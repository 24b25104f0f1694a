import type { Account } from './accounts.ts';
import type { Brand } from './answers.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './hooks.ts';
import type { Keys } from './keys.ts';
import type { Limits } from './limits.ts';
import type { Model } from './models.ts';
import type { Queue } from './queue.ts';

export type Ledger = {
  readonly dispatched: { model: string; workspace: string; via: 'run' | 'queue' }[];
  readonly billed: { model: string; workspace: string; cents: number }[];
};

/** The whole state of the router. */
export type World = {
  readonly brand: Brand;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly models: readonly Model[];
  readonly bugs: ReadonlySet<string>;
  readonly accounts: readonly Account[];
  readonly keys: Keys;
  readonly limits: Limits;
  readonly queue: Queue;
  readonly ledger: Ledger;
  readonly maximumBody: number;
  readonly origin: () => string;
  readonly log: (line: string) => void;
};
