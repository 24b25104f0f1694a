import { performCall, runMs } from '../http/call.ts';
import { addParts } from '../http/observers.ts';
import { present } from '../http/present.ts';
import { type RunChoices, run } from './billed.ts';
import { type Connection, connect, connectionOf, type RouterFacts } from './connection.ts';
import { fromStore } from './failures.ts';
import type { PendingCall } from './key-store.ts';
import { toModel } from './model-address.ts';
import type { ModelRouterOptions, RouterPart } from './options.ts';
import type { AnyModel, RouterClient } from './router-types.ts';

/** Creates the factory that a package exports. */
export function createModelRouterFor<Models>(
  facts: RouterFacts,
): (options?: ModelRouterOptions) => RouterClient<Models> {
  return (options = {}) => createRouter(options, connect(options, facts), facts);
}

export const submitOptions = ['idempotencyKey', 'validate'];
export const outputOptions = [...submitOptions, 'as', 'settle'];
const runMethod = { usualMs: runMs, options: [...outputOptions, 'modelProvider', 'fallbackProvider', 'strictMode'] };

function createRouter<Models>(
  options: ModelRouterOptions,
  connection: Connection,
  facts: RouterFacts,
): RouterClient<Models> {
  const { keys, trustedOrigins, credential } = connection;
  const router = {
    run(target: string | AnyModel, input: unknown, given: RunChoices = {}) {
      const model = toModel(target);
      const identity = { operation: 'run', model: model.id } as const;
      return performCall(connection, identity, runMethod, given, (call) => run(model, input, given, call));
    },
    async pending(): Promise<readonly PendingCall[]> {
      const reading = Promise.all([keys.pending(), credential.owner()]);
      const [calls, owner] = await fromStore(reading, { operation: 'pending' });
      return calls.map((call) => {
        if (call.damaged !== undefined) return { ...call, isOwn: false };
        const isOwn = call.owner === owner && trustedOrigins.has(new URL(call.url).origin);
        return { ...call, isOwn, needsInput: call.body === undefined && call.queued === undefined };
      });
    },
    forget: (idempotencyKey: string) =>
      fromStore(keys.forget(idempotencyKey), { operation: 'pending', idempotencyKey }),
    use: addParts<RouterPart>(connection.parts),
    withOptions(changes: ModelRouterOptions): RouterClient<Models> {
      const { keyStore, limits, credentialScope, apiKey, token, observers, debug = false } = changes;
      const isOther = apiKey !== undefined || token !== undefined;
      // Another credential has another owner unless the caller gives its scope.
      const none = { apiKey: undefined, token: undefined, credentialScope: undefined };
      const all = { ...options, ...(isOther && none), ...present(changes) };
      const made = connect({ ...all, observers, debug }, facts);
      // Both have the same calls, and are limited together.
      const shared: Connection = {
        ...{ ...made, budget: connection.budget, parts: [...connection.parts, ...made.parts] },
        ...(keyStore ? {} : { keys, hasOwnKeys: connection.hasOwnKeys }),
        ...(limits ? {} : { limits: connection.limits }),
        ...(isOther || credentialScope !== undefined ? {} : { credential }),
      };
      return createRouter(all, shared, facts);
    },
  };
  // Not listed, so that a log of the router does not show it. The types of inputs and outputs exist at compile time only.
  return Object.defineProperty(router, connectionOf, { value: connection }) as never;
}
