import type { Account } from './accounts.ts';
import type { Brand } from './answers.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './hooks.ts';
import type { Model } from './models.ts';

export type Ledger = {
  readonly dispatched: { model: string; workspace: string; via: 'run' | 'queue' }[];
  readonly billed: { model: string; workspace: string; cents: number }[];
};

/** What every part of the router may use. */
export type Site = {
  readonly brand: Brand;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly models: readonly Model[];
  readonly bugs: ReadonlySet<string>;
  readonly accounts: readonly Account[];
  readonly ledger: Ledger;
  readonly maximumBody: number;
  readonly origin: () => string;
  readonly log: (line: string) => void;
};
