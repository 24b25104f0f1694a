import { omitUndefined } from '../http/omit-undefined.ts';
import { type Connection, connect, connectionOf, type RouterOf } from '../router/connection.ts';
import { createRouter } from '../router/create-router.ts';
import type { ModelRouterOptions } from '../router/options.ts';
import type { RouterClient } from '../router/router-types.ts';

/** Returns a router with other options. Shares the key store, limits, middleware and credential, unless they change. */
export function withOptions<Models>(router: RouterOf<Models>, changes: ModelRouterOptions): RouterClient<Models> {
  const client = router[connectionOf];
  const { keyStore, limits, credentialScope, apiKey, token, observers, debug = false } = changes;
  const { keys, keysOfRequests, budget, credential, options, facts } = client;
  const isOther = apiKey !== undefined || token !== undefined;
  // A different credential is assumed to have a different owner, unless the caller passes its scope.
  const none = isOther ? { apiKey: undefined, token: undefined, credentialScope: undefined } : {};
  const connection = connect({ ...options, ...none, ...omitUndefined(changes), observers, debug }, facts);
  const shared: Connection = {
    ...connection,
    budget,
    keysOfRequests,
    parts: [...client.parts, ...connection.parts],
    ...(keyStore ? {} : { keys }),
    ...(limits ? {} : { limits: client.limits }),
    ...(isOther || credentialScope !== undefined ? {} : { credential }),
  };
  return createRouter(shared);
}
