import type { Deadline } from './attempt.ts';
import { type BilledRequest, kept, sendStored } from './billed-call.ts';
import { anotherOwner, readOwner, startDeadline } from './call.ts';
import type { Session } from './connection.ts';
import { localFailure } from './failures.ts';
import type { StoredCall } from './key-store.ts';
import type { QueuedCall } from './queue.ts';
import { admitted, collectOrLeave } from './queued-request.ts';
import { type ConvertedResult, toResult } from './results.ts';
import type { PollOptions } from './router-types.ts';

/** Goes on with a call that the key store holds. */
export async function resume(
  session: Session,
  { key, operation, model }: StoredCall,
  options: PollOptions = {},
): Promise<ConvertedResult<unknown>> {
  const { store } = session;
  const identity = { operation, model, key };
  const stored = await store.take(key).catch((cause: unknown) => {
    throw localFailure(identity, 'the key store cannot be read', { cause });
  });
  if (stored === undefined)
    throw localFailure(identity, `nothing is pending under the key ${key}, or another process works on it`);
  const time = startDeadline(options, session.connection);
  try {
    return await resumeStored(stored, time, session);
  } catch (error) {
    await kept(store.release(key)); // does nothing for a call that is forgotten
    throw error;
  }
}

async function resumeStored(stored: StoredCall, time: Deadline, session: Session): Promise<ConvertedResult<unknown>> {
  const { connection } = session;
  const { operation, model, url, body, key, queued: addresses } = stored;
  const request: BilledRequest = { operation, model, url, body, key, mayHaveRun: true };
  if (!connection.trustedOrigins.has(new URL(url).origin))
    throw localFailure(
      request,
      `the call was sent to ${new URL(url).origin}; name it in trustedOrigins if it is yours`,
    );
  const owner = await readOwner(request, time, connection);
  if (owner !== stored.owner) throw anotherOwner(request, 0);
  const queued: QueuedCall | undefined = addresses && { model, key, addresses };
  if (queued !== undefined) return collectOrLeave(queued, { time }, session);
  const answer = await sendStored(stored, { request, time, isNew: false }, session);
  if (operation === 'submit')
    return collectOrLeave((await admitted(request, answer, session)).queued, { time }, session);
  const query = new URL(url).searchParams;
  return toResult({ ...answer, key }, query.has('model_provider') && query.get('strict_mode') !== 'true');
}
