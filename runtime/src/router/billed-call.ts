import { readCredential } from '../http/attempt.ts';
import { readElapsed, within } from '../http/clock.ts';
import { explainEnd } from '../http/explain-failure.ts';
import { ask, type Question } from './ask.ts';
import type { Work } from './connection.ts';
import { type CallIdentity, fail, fromStore, newRun } from './failures.ts';
import { isSameCall, type KeyStore, keyLifetimeMs, type StoredCall } from './key-store.ts';
import { leaveLate } from './results.ts';
import type { RouterError } from './router-error.ts';
import type { AnyModel } from './router-types.ts';

export type BilledRequest<Result> = CallIdentity &
  Omit<AnyModel, 'id'> & {
    readonly operation: 'run' | 'submit';
    readonly model: string;
    readonly url: string;
    readonly body: string;
    readonly parse?: Question<Result>['parse'];
  };

/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export async function sendBilled<Result>(request: BilledRequest<Result>, work: Work): Promise<Result> {
  if (work.key === false) return ask(createQuestion(request, work), work);
  const { stored, isNew } = await openCall(request, work);
  return sendStored(stored, { ...request, mayHaveRun: !isNew }, work);
}

/** Sends a call that is in the store, for the first time or again. */
export async function sendStored<Result>(
  stored: StoredCall,
  request: BilledRequest<Result>,
  work: Work,
): Promise<Result> {
  const { key, owner } = stored;
  const { clock } = work;
  const keyed = { ...request, key, owner };
  const marginMs = 5 * 60_000; // a key must not run out while it is on its way
  const leftMs = stored.firstSentAt + keyLifetimeMs - marginMs - clock.now();
  if (leftMs <= 0) {
    await leaveLate(keyed, true, work);
    throw fail(
      keyed,
      `the key ${key} is older than 24 hours, or nearly so: its output can no longer be fetched, and ${newRun}`,
    );
  }
  const endsAt = Math.min(work.endsAt, readElapsed(clock) + leftMs);
  try {
    return await ask(createQuestion(keyed, work), { ...work, endsAt });
  } catch (error) {
    await leaveLate(keyed, isSettled(error as RouterError, request), work); // nothing else is thrown
    throw error;
  }
}

/**
 * Whether no result can be waiting for the key. A refusal says so only of the attempt that it answers: where an earlier one
 * may have been accepted, the key is kept, which costs nothing.
 */
function isSettled(error: RouterError, { mayHaveRun }: CallIdentity): boolean {
  if (!mayHaveRun && (error.attempts === 0 || (error.kind === 'network' && !error.mayBeBilled))) return true;
  if (error.kind !== 'router' && error.kind !== 'validation') return false;
  if (error.facts.replayed || (error.status === 409 && error.category.known === 'invalid_input')) return true;
  return !mayHaveRun && error.attempts === 1 && !error.isRetryable && error.status < 500;
}

async function openCall(request: BilledRequest<unknown>, work: Work): Promise<{ stored: StoredCall; isNew: boolean }> {
  const { key = work.callId, keys, clock } = work;
  if (key === false || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw fail(request, 'a key has 1 to 255 visible ASCII characters');
  const { operation, model, url, body } = request;
  const keyed = { ...request, key };
  try {
    const { owner } = await readCredential(request, work);
    const call: StoredCall = { key, operation, model, url, body, owner, firstSentAt: clock.now() };
    const opening = fromStore(keys.begin(call, { adopt: work.key === undefined && work.fresh !== true }), keyed);
    const opened = await (work.hasOwnKeys ? opening : waitForStore(opening, work));
    if (isSameCall(opened.stored, call)) return opened;
  } catch (error) {
    throw explainEnd(error, keyed, work);
  }
  await leaveLate(keyed, false, work);
  throw fail(keyed, `the key ${key} belongs to another request`);
}

/** A store that hangs would hold the call for its whole time, and nobody would know why. */
async function waitForStore(opening: ReturnType<KeyStore['begin']>, work: Work): ReturnType<KeyStore['begin']> {
  try {
    return await within(opening, work, 60_000, () => '; the key store gave no answer');
  } catch (cause) {
    // What the store writes down too late was never sent.
    void opening.then(
      ({ stored, isNew }) => leaveLate(stored, isNew, work),
      () => undefined,
    );
    throw cause;
  }
}

function createQuestion<Result>(request: BilledRequest<Result>, { as, runTimeoutMs }: Work): Question<Result> {
  const { key, operation } = request;
  return {
    ...request,
    repetition: key === undefined ? 'unkeyed' : 'keyed',
    // A replayed submission may be answered with the status of every replay (MR-IDM-03), and a gateway may change that of a run.
    successes: [200, 201],
    stream: operation === 'run' && as === 'stream',
    timeoutMs: runTimeoutMs,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
  };
}
