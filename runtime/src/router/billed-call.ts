import { readElapsed, within } from '../http/clock.ts';
import { randomKey } from '../http/random-key.ts';
import type { Answer, Call, Deadline } from './attempt.ts';
import { explainEnd, perform, readOwner } from './call.ts';
import type { Connection, Session } from './connection.ts';
import { type CallIdentity, localFailure, storeFailure } from './failures.ts';
import { isSameCall, type KeyStore, keyLifetimeMs, type StoredCall } from './key-store.ts';
import type { RouterError } from './router-error.ts';
import { kept, settleResult } from './settling.ts';

export type KeyOptions = {
  /** 1 to 255 visible ASCII characters; a UUID by default. `false` sends none, and then nothing is ever repeated. */
  readonly key?: string | false | undefined;
  /** Starts a new run although an identical earlier call ended without a known outcome. */
  readonly fresh?: boolean | undefined;
};
export type BilledRequest = CallIdentity & {
  readonly operation: 'run' | 'submit';
  readonly model: string;
  readonly url: string;
  readonly body: string;
  readonly stream?: boolean;
};

// A key must not run out while it is on its way.
const marginMs = 5 * 60 * 1000;

/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export async function sendBilled(
  request: BilledRequest,
  { options, time }: { options: KeyOptions; time: Deadline },
  session: Session,
): Promise<Answer & { readonly key?: string }> {
  const { connection } = session;
  if (options.key === false)
    return perform(createCall(request, { time, repetition: 'unkeyed' }, connection), connection);
  const { stored, isNew } = await openCall(request, { options, time }, session);
  return { ...(await sendStored(stored, { request, time, isNew }, session)), key: stored.key };
}

/** The same answer of a run, whose key is forgotten as its caller wishes. */
export async function settleRun<Of extends Answer & { readonly key?: string }>(
  answer: Of,
  { request, settle }: { request: CallIdentity; settle: 'manual' | undefined },
  { keys }: Session,
): ReturnType<typeof settleResult<Of>> {
  const { key } = answer;
  const finish = async (): Promise<void> => (key === undefined ? undefined : keys.finish(key));
  return settleResult(answer, { isManual: settle === 'manual', key, finish }, { call: { ...request, key }, keys });
}

/** Sends a call that is in the store, for the first time or again. */
export async function sendStored(
  stored: StoredCall,
  { request, time, isNew }: { request: BilledRequest; time: Deadline; isNew: boolean },
  { connection, keys }: Session,
): Promise<Answer> {
  const keyed = { ...request, key: stored.key, mayHaveRun: !isNew };
  const expiresAt = stored.firstSentAt + keyLifetimeMs - marginMs;
  if (connection.clock.now() >= expiresAt) {
    await kept(keys.finish(stored.key));
    const advice = 'its output can no longer be fetched with it, and a new key starts a new run, which may be billed';
    throw localFailure(keyed, `the key ${stored.key} is older than 24 hours, or nearly so: ${advice}`);
  }
  const { clock } = connection;
  const limit = { ...time, endsAt: Math.min(time.endsAt, readElapsed(clock) + expiresAt - clock.now()) };
  const call = { ...createCall(keyed, { time: limit, repetition: 'keyed' }, connection), owner: stored.owner };
  try {
    return await perform(call, connection);
  } catch (error) {
    const isOver = isSettled(error as RouterError, isNew); // perform throws nothing else
    await kept(isOver ? keys.finish(stored.key) : keys.release(stored.key));
    throw error;
  }
}

/**
 * Whether no result can be waiting for the key. A refusal says so only of the attempt that it answers: where an earlier one
 * may have been accepted, the key is kept, which costs nothing.
 */
function isSettled(error: RouterError, isNew: boolean): boolean {
  if (isNew && (error.attempts === 0 || (error.kind === 'network' && !error.mayBeBilled))) return true;
  if (error.kind !== 'router' && error.kind !== 'validation') return false;
  if (error.facts.replayed || (error.status === 409 && error.category.known === 'invalid_input')) return true;
  return isNew && error.attempts === 1 && !error.isRetryable && error.status < 500;
}

async function openCall(
  request: BilledRequest,
  { options, time }: { options: KeyOptions; time: Deadline },
  { connection, keys }: Session,
): Promise<{ stored: StoredCall; isNew: boolean }> {
  const key = options.key === undefined || options.key === false ? randomKey() : checkedKey(options.key, request);
  const { operation, model, url, body } = request;
  const owner = await readOwner(request, time, connection);
  const call: StoredCall = { key, operation, model, url, body, owner, firstSentAt: connection.clock.now() };
  const opening = record(call, options, keys);
  const limit = { signal: time.signal, ms: time.endsAt - readElapsed(connection.clock) };
  const opened = await within(opening, limit).catch((cause: unknown) => {
    // What the store writes down too late was never sent.
    void opening.then(
      ({ stored, isNew }) => kept(isNew ? keys.finish(stored.key) : keys.release(stored.key)),
      () => undefined,
    );
    const end = explainEnd(cause, { ...request, key, time }, 0);
    if (end !== cause) throw end;
    throw storeFailure({ ...request, key }, 'the key cannot be stored, so nothing is sent', cause);
  });
  if (isSameCall(opened.stored, call)) return opened;
  await kept(keys.release(key));
  throw localFailure({ ...request, key }, `the key ${key} belongs to another request`);
}

async function record(
  call: StoredCall,
  { key, fresh }: KeyOptions,
  keys: KeyStore,
): Promise<{ stored: StoredCall; isNew: boolean }> {
  const earlier = typeof key === 'string' ? await keys.take(key) : undefined;
  if (earlier !== undefined) return { stored: earlier, isNew: false };
  return keys.begin(call, { adopt: typeof key !== 'string' && fresh !== true });
}

function createCall(
  request: BilledRequest,
  { time, repetition }: { time: Deadline; repetition: 'keyed' | 'unkeyed' },
  connection: Connection,
): Call {
  const key = request.key === undefined ? {} : { 'Idempotency-Key': request.key };
  // A replayed submission may be answered with the status of every replay (MR-IDM-03).
  const isSuccess = (status: number): boolean => status === 200 || (request.operation === 'submit' && status === 201);
  return {
    ...request,
    repetition,
    isSuccess,
    time,
    timeoutMs: connection.runTimeoutMs,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...key },
  };
}

function checkedKey(key: string, call: CallIdentity): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw localFailure(call, 'an idempotency key has 1 to 255 visible ASCII characters');
}
