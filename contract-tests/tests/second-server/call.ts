import type { Account } from './accounts.ts';
import { Refusal } from './answers.ts';
import type { Model } from './models.ts';
import type { World } from './world.ts';

/** One authenticated request to the router. */
export type Call = {
  readonly world: World;
  readonly account: Account;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The segments of the path that vary: provider, model, request id. */
  readonly names: readonly string[];
  readonly origin: string;
  readonly header: (name: string) => string | undefined;
  readonly body: () => Promise<Buffer>;
  /** Resolves when the caller hangs up. */
  readonly gone: Promise<void>;
};

export const mayUse = (account: Account, model: Model): boolean => !model.innerCircle || account.innerCircle;

export function requireModel(call: Call): Model {
  const [provider = '', name = ''] = call.names;
  const model = call.world.models.find((one) => one.provider === provider && one.model === name && !one.retired);
  if (!model) throw new Refusal(404, 'model_not_found', 'There is no such model.');
  if (!mayUse(call.account, model)) throw new Refusal(403, 'forbidden', 'This account may not use the model.');
  return model;
}
