import {
  type CallOptions,
  performCall,
  queueDeadlineMs,
  readDeadlineMs,
  runDeadlineMs,
  startCall,
} from '../http/call.ts';
import { omitUndefined } from '../http/omit-undefined.ts';
import { type Connection, connectionOf, type RouterOf } from '../router/connection.ts';
import { outputOptions, submitOptions } from '../router/create-router.ts';
import type { As, OutputOptions, RunOptions, SubmitOptions } from '../router/options.ts';
import type { QueuedAddresses } from '../router/response-facts.ts';
import type { RunResult } from '../router/results.ts';
import type { RouterOperation } from '../router/router-error.ts';
import { type DataOf, type InputFor, type ModelOrImportedId, type OutputFor, toModel } from '../router/router-types.ts';
import {
  buildRequestUrls,
  type Cancellation,
  cancelRequest,
  collectResult,
  enqueue,
  type FollowOptions,
  type PollOptions,
  type QueuedCall,
  type QueueState,
  readStates,
  readStatus,
} from './requests.ts';

export type { Cancellation, FollowOptions, PollOptions, QueueState } from './requests.ts';

export type SubscribeOptions<Given extends As = As> = FollowOptions & RunOptions<Given>;

export type QueuedRequest<Output> = AsyncIterable<QueueState> & {
  readonly requestId: string;
  readonly addresses: QueuedAddresses;
  readonly idempotencyKey?: string;
  /** True if an earlier submission with the same key was admitted. */
  readonly replayed: boolean;
  status(options?: CallOptions): Promise<QueueState>;
  /** Polls the status, and yields each state until the request is no longer pending. */
  states(options?: PollOptions): AsyncIterable<QueueState>;
  /** Waits for the output. Rejects if the request ends without one. */
  result<Given extends As = undefined>(
    options?: PollOptions & OutputOptions<Given>,
  ): Promise<RunResult<DataOf<Output, Given>>>;
  cancel(options?: CallOptions): Promise<Cancellation>;
};

/** Puts a run into the queue and returns immediately. */
export async function submit<Models, Model extends ModelOrImportedId<Models>>(
  router: RouterOf<Models>,
  target: Model,
  input: InputFor<Models, Model>,
  options: SubmitOptions = {},
): Promise<QueuedRequest<OutputFor<Models, Model>>> {
  const client = router[connectionOf];
  const model = toModel(target);
  const identity = { operation: 'submit', model: model.id } as const;
  const method = { defaultMs: runDeadlineMs, options: submitOptions };
  const { request, replayed } = await performCall(client, identity, method, options, (call) =>
    enqueue(model, input, options, call),
  );
  return createHandle(client, request, replayed);
}

/** Submits a run, follows its status, and collects the output. */
export function subscribe<Models, Model extends ModelOrImportedId<Models>, Given extends As = undefined>(
  router: RouterOf<Models>,
  target: Model,
  input: InputFor<Models, Model>,
  options: SubscribeOptions<Given> = {},
): Promise<RunResult<DataOf<OutputFor<Models, Model>, Given>>> {
  const client = router[connectionOf];
  const model = toModel(target);
  const identity = { operation: 'subscribe', model: model.id } as const;
  const method = { defaultMs: queueDeadlineMs, options: [...outputOptions, 'pollEveryMs', 'onStatus'] };
  return performCall(client, identity, method, options, async (call) => {
    const { request, state } = await enqueue(model, input, options, call);
    return await collectResult(request, options, call, state);
  });
}

/** Returns the handle of a request that was submitted elsewhere, from its URLs or its id. */
export function queued<Models, Model extends ModelOrImportedId<Models>>(
  router: RouterOf<Models>,
  target: Model,
  request: QueuedAddresses | string,
): QueuedRequest<OutputFor<Models, Model>> {
  const client = router[connectionOf];
  const model = toModel(target);
  const addresses = typeof request === 'string' ? buildRequestUrls(client, model.id, request) : request;
  const idempotencyKey = client.keysOfRequests.get(addresses.requestId);
  return createHandle(client, { model, queued: addresses, idempotencyKey }, false);
}

function createHandle<Output>(client: Connection, request: QueuedCall, replayed: boolean): QueuedRequest<Output> {
  const { model, queued: addresses, idempotencyKey } = request;
  const identify = (operation: RouterOperation) => ({ operation, model: model.id });
  const readMethod = { defaultMs: readDeadlineMs };
  const pollMethod = { defaultMs: queueDeadlineMs, options: ['pollEveryMs'] };
  const resultMethod = { defaultMs: queueDeadlineMs, options: ['pollEveryMs', 'as', 'settle'] };
  const states = (options: PollOptions = {}) =>
    readStates(request, options, startCall(client, identify('status'), pollMethod, options));
  return {
    requestId: addresses.requestId,
    addresses,
    ...omitUndefined({ idempotencyKey }),
    replayed,
    states,
    [Symbol.asyncIterator]: () => states(),
    status: (options) =>
      performCall(client, identify('status'), readMethod, options, (call) => readStatus(request, call)),
    result: (options = {}) =>
      performCall(client, identify('result'), resultMethod, options, (call) => collectResult(request, options, call)),
    cancel: (options) =>
      performCall(client, identify('cancel'), readMethod, options, (call) => cancelRequest(request, call)),
  };
}
