import { performCall, queueMs, runMs } from '../http/call.ts';
import { admit, collectResult, type PollOptions } from '../queue/requests.ts';
import { identify, sendBilled, stringifyInput } from '../router/billed.ts';
import { connectionOf, type RouterOf } from '../router/connection.ts';
import { type DamagedCall, isSameCall, type ListedCall, type StoredCall } from '../router/key-store.ts';
import type { SettleOptions } from '../router/options.ts';
import type { Answer } from '../router/policy.ts';
import { type ConvertedResult, endRecord, toResult } from '../router/results.ts';
import { explainStoreErrors, refuse } from '../router/router-error.ts';
import { type ModelOrImportedId, type OutputFor, toModel } from '../router/router-types.ts';

export type ResumeOptions = PollOptions &
  SettleOptions & {
    /** Input of a call whose `needsInput` is true. */
    readonly input?: unknown;
  };
export type PendingCall =
  | (Exclude<ListedCall, DamagedCall> & {
      /** True if this router may resume the call: it has the call's owner and trusts the call's address. */
      readonly isOwn: boolean;
      /** True if the store dropped the body: pass `input` to `resume`, or repeat the call with this key. */
      readonly needsInput: boolean;
    })
  | (DamagedCall & { readonly isOwn: false; readonly needsInput?: undefined });
export type CallReference = PendingCall | StoredCall | { readonly idempotencyKey: string };

/** Lists billed calls without a known outcome that this program doesn't work on. `isHeld`: another program may work on it. */
export async function listPending(router: RouterOf<unknown>): Promise<readonly PendingCall[]> {
  const client = router[connectionOf];
  const reading = Promise.all([client.keys.pending(), client.credential.owner()]);
  const [calls, owner] = await explainStoreErrors(reading, { operation: 'listPending' });
  return calls.map((call) => {
    if (call.damaged !== undefined) return { ...call, isOwn: false };
    const isOwn = call.owner === owner && client.trustedOrigins.has(new URL(call.url).origin);
    return { ...call, isOwn, needsInput: call.body === undefined && call.queued === undefined };
  });
}

/** Removes a call by its key, or a damaged record by its name. Its run may be billed, but its output can't be collected. */
export function forget(router: RouterOf<unknown>, idempotencyKey: string): Promise<void> {
  const client = router[connectionOf];
  return explainStoreErrors(client.keys.forget(idempotencyKey), { operation: 'forget', idempotencyKey });
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
  const defaultMs = operation === 'run' ? runMs : queueMs;
  const method = { defaultMs, options: ['pollEveryMs', 'settle', 'model', 'input'] };
  const identity = { operation: 'resume', model: listedModel } as const;
  return performCall(client, identity, method, options, async (call) => {
    const stored = await explainStoreErrors(client.keys.take(idempotencyKey), listed);
    if (stored === undefined)
      throw refuse(listed, `no call with the key ${idempotencyKey} is pending, or another process is working on it`);
    try {
      const { url, queued } = stored;
      const model = toModel(options.model ?? stored.model);
      const identity = identify(stored.operation, model);
      const keyed = { ...identity, idempotencyKey, mayHaveRun: true };
      const { origin } = new URL(url);
      if (model.id !== stored.model) throw refuse(keyed, `the call was made for ${stored.model}, not for ${model.id}`);
      if (stored.owner !== (await client.credential.owner()))
        throw refuse(
          keyed,
          'the call was sent with a different credential; set credentialScope if both have the same owner',
        );
      if (!client.trustedOrigins.has(origin))
        throw refuse(keyed, `the call was sent to ${origin}, which is not in trustedOrigins`);
      if (queued !== undefined && !stored.isDone)
        return await collectResult({ model, queued, idempotencyKey }, options, call);
      const body = options.input === undefined ? stored.body : stringifyInput(options.input, keyed);
      if (body === undefined) throw refuse(keyed, 'the key store no longer has the input: pass it as the option input');
      if (!isSameCall({ ...stored, body }, stored))
        throw refuse(keyed, 'the input differs from that of the stored call');
      const request = { identity, model, url, body };
      if (stored.operation === 'submit') {
        const admitted = await admit(request, {}, call, stored);
        return await collectResult(admitted.request, options, call);
      }
      const answer = await sendBilled({ ...request, parse: (one: Answer) => one }, {}, call, stored);
      return await toResult(answer, options.settle, call);
    } catch (error) {
      // Does nothing if the call has already left the store.
      await endRecord(idempotencyKey, 'release', call);
      throw error;
    }
  });
}

type CallSummary = { idempotencyKey: string; operation?: 'run' | 'submit' | undefined; model?: string | undefined };
