import { performCall, runDeadlineMs } from '../http/call.ts';
import { addParts } from '../http/observers.ts';
import { type AnyRunOptions, run } from './billed.ts';
import { type Connection, connect, connectionOf, type RouterFacts } from './connection.ts';
import type { ModelRouterOptions, RouterPart } from './options.ts';
import { type AnyModel, type RouterClient, toModel } from './router-types.ts';

export function createModelRouterFor<Models>(
  facts: RouterFacts,
): (options?: ModelRouterOptions) => RouterClient<Models> {
  return (options = {}) => createRouter(connect(options, facts));
}

export const submitOptions = ['idempotencyKey', 'validate'];
export const outputOptions = [...submitOptions, 'as', 'settle'];
const runMethod = {
  defaultMs: runDeadlineMs,
  options: [...outputOptions, 'modelProvider', 'fallbackProvider', 'strictMode'],
};

export function createRouter<Models>(connection: Connection): RouterClient<Models> {
  const router = {
    run(target: string | AnyModel, input: unknown, given: AnyRunOptions = {}) {
      const model = toModel(target);
      const identity = { operation: 'run', model: model.id } as const;
      return performCall(connection, identity, runMethod, given, (call) => run(model, input, given, call));
    },
    use: addParts<RouterPart>(connection.parts),
  };
  // Not enumerable, so that logging the router doesn't show it. The types of models only exist at compile time.
  return Object.defineProperty(router, connectionOf, { value: connection }) as never;
}
