import { parseUrl } from '../http/base-url.ts';
import { performCall, queueDeadlineMs, runDeadlineMs, startCall } from '../http/call.ts';
import { collectResult, type PollOptions, submitOnce } from '../queue/requests.ts';
import { type BilledRequest, identifyCall, sendBilled, stringifyInput } from '../router/billed.ts';
import { type Connection, connectionOf, type RouterOf } from '../router/connection.ts';
import { type DamagedCall, isSameCall, type ListedCall, type StoredCall } from '../router/key-store.ts';
import type { SettleOptions } from '../router/options.ts';
import type { Answer } from '../router/policy.ts';
import type { QueuedAddresses } from '../router/response-facts.ts';
import { type ConvertedResult, endRecord, toResult, waitForStore } from '../router/results.ts';
import { createLocalError } from '../router/router-error.ts';
import { type AnyModel, type ModelOrImportedId, type OutputFor, toModel } from '../router/router-types.ts';

export type ResumeOptions = PollOptions &
  SettleOptions & {
    /** Input of a call whose `needsInput` is true. */
    readonly input?: unknown;
  };
export type PendingCall =
  | (Exclude<ListedCall, DamagedCall> & {
      /** True if this router may resume the call: the owner matches, and the router trusts the origin of the stored URL. */
      readonly isOwn: boolean;
      /** True if the store dropped the body: pass `input` to `resume`, or repeat the call with this key. */
      readonly needsInput: boolean;
    })
  | (DamagedCall & { readonly isOwn: false; readonly needsInput?: undefined });
export type CallReference = PendingCall | StoredCall | { readonly idempotencyKey: string };

const storeMethod = { defaultMs: 60_000 };

/** Lists billed calls without a known outcome that this program doesn't work on. `isHeld`: another program may work on it. */
export async function listPending(router: RouterOf<unknown>): Promise<readonly PendingCall[]> {
  const client = router[connectionOf];
  const identity = { operation: 'listPending' } as const;
  const reading = Promise.all([client.keys.pending(), client.credential.owner()]);
  const [calls, owner] = await waitForStore(reading, identity, startCall(client, identity, storeMethod));
  return calls.map((call) => {
    if (call.damaged !== undefined) return { ...call, isOwn: false };
    const isOwn = call.owner === owner && client.trustedOrigins.has(parseUrl(call.url).origin ?? '');
    return { ...call, isOwn, needsInput: call.body === undefined && call.queued === undefined };
  });
}

/** Removes a call by its key, or a damaged record by its name. Its run may be billed, but its output can't be collected. */
export function forget(router: RouterOf<unknown>, idempotencyKey: string): Promise<void> {
  const client = router[connectionOf];
  const identity = { operation: 'forget', idempotencyKey } as const;
  return waitForStore(client.keys.forget(idempotencyKey), identity, startCall(client, identity, storeMethod));
}

/** Sends a stored call again with its key, or collects its queued result. With `model`, the output is typed. */
export function resume<Models, Model extends ModelOrImportedId<Models> | undefined = undefined>(
  router: RouterOf<Models>,
  reference: CallReference,
  options: ResumeOptions & { readonly model?: Model } = {},
): Promise<ConvertedResult<Model extends undefined ? unknown : OutputFor<Models, Model>>> {
  const client = router[connectionOf];
  const { idempotencyKey, operation, model: listedModel }: CallSummary = reference;
  const listed = { operation: operation ?? 'run', model: listedModel, idempotencyKey } as const;
  const defaultMs = operation === 'run' ? runDeadlineMs : queueDeadlineMs;
  const method = { defaultMs, options: ['pollEveryMs', 'settle', 'model', 'input'] };
  const identity = { operation: 'resume', model: listedModel } as const;
  return performCall(client, identity, method, options, async (call) => {
    const given = options.model === undefined ? undefined : toModel(options.model);
    const taking = client.keys.take(idempotencyKey);
    const stored = await waitForStore(taking, { ...listed, mayHaveRun: true }, call, (late) => {
      if (late !== undefined) void endRecord(idempotencyKey, 'release', call);
    });
    if (stored === undefined)
      throw createLocalError(
        listed,
        `no call with the key ${idempotencyKey} is pending, or another process is working on it`,
      );
    const model = given ?? toModel(stored.model);
    const request = await restoreRequest(stored, model, options.input, client).catch(async (error) => {
      await endRecord(idempotencyKey, 'release', call);
      throw error;
    });
    if (isInQueue(stored)) return await collectResult({ model, queued: stored.queued, idempotencyKey }, options, call);
    if (stored.operation === 'submit') {
      const admitted = await submitOnce(request, {}, call, stored);
      return await collectResult(admitted.request, options, call);
    }
    const answer = await sendBilled({ ...request, parse: (one: Answer) => one }, {}, call, stored);
    return await toResult(answer, options.settle, call);
  });
}

type QueuedRecord = StoredCall & { readonly queued: QueuedAddresses };
const isInQueue = (stored: StoredCall): stored is QueuedRecord => stored.queued !== undefined && !stored.isDone;

/** Returns the request of a stored call. Throws if this client must not send it, or has no input for it. */
async function restoreRequest(
  stored: StoredCall,
  model: AnyModel,
  input: unknown,
  client: Connection,
): Promise<Omit<BilledRequest<object>, 'parse'>> {
  const { idempotencyKey, operation, url } = stored;
  const identity = identifyCall(operation, model);
  const keyed = { ...identity, idempotencyKey, mayHaveRun: true };
  const { origin = 'an unreadable URL' } = parseUrl(url);
  if (model.id !== stored.model)
    throw createLocalError(keyed, `the call was made for ${stored.model}, not for ${model.id}`);
  if (stored.owner !== (await client.credential.owner()))
    throw createLocalError(
      keyed,
      'the call was sent with a different credential; set credentialScope if both have the same owner',
    );
  if (!client.trustedOrigins.has(origin))
    throw createLocalError(keyed, `the call was sent to ${origin}, which is not in trustedOrigins`);
  if (isInQueue(stored)) return { identity, model, url, body: '' }; // Only its result is collected.
  const body = input === undefined ? stored.body : stringifyInput(input, keyed);
  if (body === undefined)
    throw createLocalError(
      keyed,
      stored.isDone
        ? 'the call is over, and its caller got the result; to get it again, pass the option input'
        : 'the key store no longer has the input: pass it as the option input',
    );
  if (!isSameCall({ ...stored, body }, stored))
    throw createLocalError(keyed, 'the input differs from that of the stored call');
  return { identity, model, url, body };
}

type CallSummary = { idempotencyKey: string; operation?: 'run' | 'submit' | undefined; model?: string | undefined };
