import type { Account } from './accounts.ts';
import { Refusal } from './answers.ts';
import { canonical, digest } from './attempts.ts';
import type { Fingerprint } from './keys.ts';
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

/** The query is compared without regard to order, the body as a JSON value. */
export const makeFingerprint = (call: Call, input: unknown): Fingerprint => ({
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
