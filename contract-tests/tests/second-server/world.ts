import { randomBytes } from 'node:crypto';
import { type Answer, type Input, Refusal } from './answers.ts';
import { type Model, models } from './models.ts';
import type { Dispatcher, Result } from './providers.ts';

export type Account = {
  readonly name: string;
  /** Keys, limits and requests belong to the workspace, or to the user without one. */
  readonly scope: string;
  readonly apiKey: string;
  readonly token: string;
  /** Category of the 403 that answers every call. */
  readonly refusedAs?: 'forbidden' | 'not_enabled';
  readonly barredFrom?: string;
  readonly hasNoCredits?: true;
  readonly isRateLimited?: true;
  readonly spendCapCents?: number;
  readonly committedCents?: number;
};

function account(name: string, scope: string, special: Partial<Account> = {}): Account {
  const [key, token] = [1, 2].map(() => randomBytes(9).toString('hex'));
  return { name, scope, apiKey: `rk_${name}_${key}`, token: `rt.${name}.${token}`, ...special };
}

export const makeAccounts = (mainKey?: string) => ({
  main: account('main', 'ws-north', mainKey === undefined ? {} : { apiKey: mainKey }),
  colleague: account('colleague', 'ws-north'),
  neighbour: account('neighbour', 'ws-south'),
  freelance: account('freelance', 'personal:freelance'),
  withoutAccess: account('without-access', 'ws-closed', { refusedAs: 'forbidden' }),
  barred: account('barred', 'ws-without-flaky', { barredFrom: 'image-provider/flaky-still' }),
  notEnabled: account('not-enabled', 'ws-waiting-list', { refusedAs: 'not_enabled' }),
  withoutCredits: account('without-credits', 'ws-empty', { hasNoCredits: true }),
  rateLimited: account('rate-limited', 'ws-busy', { isRateLimited: true }),
  spendCapped: account('spend-capped', 'ws-capped', { spendCapCents: 500, committedCents: 620 }),
});

export type KeyRecord = { readonly fingerprint: string; result?: Result; requestId?: string };

export type QueuedRequest = {
  readonly id: string;
  readonly model: Model;
  readonly scope: string;
  readonly input: Input;
  readonly createdAt: number;
  status: 'PENDING' | 'RUNNING' | 'COMPLETED';
  isWithdrawn: boolean;
  outcome: Result['attempt'] | undefined;
};

/** The router and all that changes while it runs. */
export type World = Dispatcher & {
  readonly accounts: readonly Account[];
  readonly origin: () => string;
  readonly cursors: Map<string, number>;
  readonly entries: Map<string, Answer>;
  readonly keys: Map<string, KeyRecord>;
  readonly requests: Map<string, QueuedRequest>;
  /** Cents of the calls in flight of each workspace. */
  readonly reserved: Map<string, number>;
};

/** An authenticated request to the router. */
export type Call = {
  readonly world: World;
  readonly account: Account;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The segments of the path that vary: provider, model, request id. */
  readonly names: readonly string[];
  readonly header: (name: string) => string | undefined;
  readonly input: () => Promise<Input>;
};

export const mayUse = ({ scope }: Account, model: Model): boolean => !model.isPrivate || scope === 'ws-north';

export function requireModel({ names: [provider, name], account }: Call): Model {
  const model = models.find(({ id, isRetired }) => id === `${provider}/${name}` && !isRetired);
  if (model === undefined) throw new Refusal(404, 'model_not_found', 'There is no such model.');
  if (!mayUse(account, model) || account.barredFrom === model.id)
    throw new Refusal(403, 'forbidden', 'This account may not use the model.');
  return model;
}
