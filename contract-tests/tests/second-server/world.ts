import { randomBytes } from 'node:crypto';
import { type Answer, type Input, Refusal } from './answers.ts';
import { type Model, models } from './models.ts';

/**
 * Bugs that can be enabled in this server and that no fault of the sandbox has in the same way, except for the prices that a
 * page needs.
 */
const bugs = {
  'list-has-more-by-length': 'has_more is true only when the page is full.',
  'list-skips-at-boundary': 'The cursor points one model too far, so a traversal misses a model at each boundary.',
  'read-unknown-model-500': 'An unknown model of a known provider ends in an unhandled error.',
  'read-shows-prices': 'billing is the whole internal billing row, with the price of a run.',
  'read-cached-for-all': 'Entries come from a cache ahead of authentication, keyed by the path.',
  'run-spend-below-zero': 'X-Committed-Spend-Remaining is limit minus current without a floor.',
  'submit-relative-urls': 'The three URLs of the handle are paths without scheme and host.',
  'workflow-foreign-403': 'A job of another account answers 403 instead of 404.',
} as const;

export type BugId = keyof typeof bugs;
export const bugIds = Object.keys(bugs) as readonly BugId[]; // `Object.keys` returns strings.

export type Account = {
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
  return { scope, apiKey: `rk_${name}_${key}`, token: `rt.${name}.${token}`, ...special };
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

export type Output = { readonly mediaType: string; readonly bytes: Buffer; readonly credits?: number };
export type Result = {
  readonly attempt: Output | Refusal;
  readonly fallback?: string;
  readonly dropped: readonly string[];
};

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

/** The state of the router. */
export type World = {
  readonly has: (bug: BugId) => boolean;
  /** Model ids of all runs so far. */
  readonly dispatched: string[];
  readonly accounts: readonly Account[];
  readonly origin: () => string;
  readonly cursors: Map<string, number>;
  readonly entries: Map<string, Answer>;
  readonly keys: Map<string, KeyRecord>;
  readonly requests: Map<string, QueuedRequest>;
  /** Cents that the calls in progress of each workspace have reserved. */
  readonly reserved: Map<string, number>;
};

/** An authenticated request to the router. */
export type Call = {
  readonly world: World;
  readonly account: Account;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The variable segments of the path: provider, model, request id. */
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
