import type { Deadline } from './attempt.ts';
import { type BilledRequest, sendStored, settleRun } from './billed-call.ts';
import { anotherOwner, readOwner, startDeadline } from './call.ts';
import type { Session } from './connection.ts';
import { localFailure, storeFailure } from './failures.ts';
import type { StoredCall } from './key-store.ts';
import { findMediaTypes, toModel } from './model-facts.ts';
import type { QueuedCall } from './queue.ts';
import { admitted, collectOrLeave } from './queued-request.ts';
import { type ConvertedResult, toResult } from './results.ts';
import type { AnyModel, ResumeOptions } from './router-types.ts';
import { kept } from './settling.ts';

type Options = ResumeOptions & { readonly model?: string | AnyModel };

/** Goes on with a call that the key store holds. */
export async function resume(
  session: Session,
  { key, operation = 'run', model }: Partial<StoredCall> & Pick<StoredCall, 'key'>,
  options: Options = {},
): Promise<ConvertedResult<unknown>> {
  const { keys } = session;
  const identity = { operation, model, key };
  const stored = await keys.take(key).catch((cause: unknown) => {
    throw storeFailure(identity, 'the call cannot be taken from the key store', cause);
  });
  if (stored === undefined)
    throw localFailure(identity, `nothing is pending under the key ${key}, or another process works on it`);
  const time = startDeadline(options, session.connection);
  try {
    return await resumeStored(stored, { options, time }, session);
  } catch (error) {
    await kept(keys.release(key)); // does nothing for a call that is forgotten
    throw error;
  }
}

async function resumeStored(
  stored: StoredCall,
  { options, time }: { options: Options; time: Deadline },
  session: Session,
): Promise<ConvertedResult<unknown>> {
  const { connection } = session;
  const { operation, model, url, body, key, queued: addresses } = stored;
  const { id, ...facts } = toModel(options.model ?? model);
  const query = new URL(url).searchParams;
  const modelProvider = query.get('model_provider') ?? undefined;
  const mediaTypes = findMediaTypes(facts, {
    modelProvider,
    fallbackProvider: query.get('fallback_provider') ?? undefined,
  });
  const request: BilledRequest = { ...facts, operation, model, url, body, key, mediaTypes, mayHaveRun: true };
  if (id !== model) throw localFailure(request, `the call is one of ${model}, and not of ${id}`);
  if (!connection.trustedOrigins.has(new URL(url).origin))
    throw localFailure(
      request,
      `the call was sent to ${new URL(url).origin}; name it in trustedOrigins if it is yours`,
    );
  const owner = await readOwner(request, time, connection);
  if (owner !== stored.owner) throw anotherOwner(request, 0);
  const { settle } = options;
  const queued: QueuedCall | undefined = addresses && { model, key, addresses };
  if (queued !== undefined) return collectOrLeave(queued, { time, settle }, session);
  const answer = await sendStored(stored, { request, time, isNew: false }, session);
  if (operation === 'submit')
    return collectOrLeave((await admitted(request, answer, session)).queued, { time, settle }, session);
  const settled = await settleRun({ ...answer, key }, { request, settle }, session);
  return toResult(settled, modelProvider !== undefined && query.get('strict_mode') !== 'true');
}
