import { readElapsed, within } from '../http/clock.ts';
import { randomKey } from '../http/credential.ts';
import { explainEnd, readCredential } from '../http/perform.ts';
import { type Answer, ask, type Question } from './ask.ts';
import type { Work } from './connection.ts';
import { type CallIdentity, fail, fromStore, newRun } from './failures.ts';
import { isSameCall, type KeyStore, keyLifetimeMs, type StoredCall } from './key-store.ts';
import { forget, kept, release } from './results.ts';
import type { RouterError } from './router-error.ts';

export type BilledRequest = CallIdentity & {
  readonly operation: 'run' | 'submit';
  readonly model: string;
  readonly url: string;
  readonly body: string;
};

// A key must not run out while it is on its way.
const marginMs = 5 * 60 * 1000;

/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export async function sendBilled(request: BilledRequest, work: Work): Promise<Answer> {
  if (work.key === false) return ask(createQuestion(request, 'unkeyed', work), work);
  const { stored, isNew } = await openCall(request, work);
  return sendStored(stored, { ...request, mayHaveRun: !isNew }, work);
}

/** Sends a call that is in the store, for the first time or again. */
export async function sendStored(stored: StoredCall, request: BilledRequest, work: Work): Promise<Answer> {
  const { key, owner } = stored;
  const { clock } = work;
  const keyed = { ...request, key };
  const leftMs = stored.firstSentAt + keyLifetimeMs - marginMs - clock.now();
  if (leftMs <= 0) {
    await kept(forget(keyed, work));
    throw fail(
      keyed,
      `the key ${key} is older than 24 hours, or nearly so: its output can no longer be fetched, and ${newRun}`,
    );
  }
  const endsAt = Math.min(work.endsAt, readElapsed(clock) + leftMs);
  try {
    return await ask({ ...createQuestion(keyed, 'keyed', work), owner }, { ...work, endsAt });
  } catch (error) {
    const isOver = isSettled(error as RouterError, request); // nothing else is thrown
    await kept(isOver ? forget(keyed, work) : release(keyed, work));
    throw error;
  }
}

/**
 * Whether no result can be waiting for the key. A refusal says so only of the attempt that it answers: where an earlier one
 * may have been accepted, the key is kept, which costs nothing.
 */
function isSettled(error: RouterError, { mayHaveRun }: BilledRequest): boolean {
  if (!mayHaveRun && (error.attempts === 0 || (error.kind === 'network' && !error.mayBeBilled))) return true;
  if (error.kind !== 'router' && error.kind !== 'validation') return false;
  if (error.facts.replayed || (error.status === 409 && error.category.known === 'invalid_input')) return true;
  return !mayHaveRun && error.attempts === 1 && !error.isRetryable && error.status < 500;
}

async function openCall(request: BilledRequest, work: Work): Promise<{ stored: StoredCall; isNew: boolean }> {
  const { key = randomKey(), keys, clock, signal, endsAt } = work;
  if (key === false || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw fail(request, 'an idempotency key has 1 to 255 visible ASCII characters');
  const { operation, model, url, body } = request;
  const { owner } = await readCredential(request, work).catch((error: unknown) => {
    throw explainEnd(error, request, work);
  });
  const call: StoredCall = { key, operation, model, url, body, owner, firstSentAt: clock.now() };
  const keyed = { ...request, key };
  const record = async (): ReturnType<KeyStore['begin']> => {
    const earlier = work.key === undefined ? undefined : await keys.take(key);
    if (earlier !== undefined) return { stored: earlier, isNew: false };
    return keys.begin(call, { adopt: work.key === undefined && work.fresh !== true });
  };
  const opening = fromStore(record(), keyed, 'the key cannot be stored, so nothing is sent');
  const opened = await within(opening, { signal, ms: endsAt - readElapsed(clock) }).catch((cause: unknown) => {
    // What the store writes down too late was never sent.
    void opening.then(
      ({ stored, isNew }) => kept(isNew ? forget(stored, work) : release(stored, work)),
      () => undefined,
    );
    throw explainEnd(cause, keyed, work);
  });
  if (isSameCall(opened.stored, call)) return opened;
  await kept(release(keyed, work));
  throw fail(keyed, `the key ${key} belongs to another request`);
}

function createQuestion(request: BilledRequest, repetition: 'keyed' | 'unkeyed', { as, runTimeoutMs }: Work): Question {
  const { key, operation } = request;
  return {
    ...request,
    repetition,
    // A replayed submission may be answered with the status of every replay (MR-IDM-03), and a gateway may change that of a run.
    isSuccess: (status) => status === 200 || status === 201,
    stream: operation === 'run' && as === 'stream',
    timeoutMs: runTimeoutMs,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
  };
}
