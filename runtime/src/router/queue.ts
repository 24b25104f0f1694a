import { waitMs } from '../http/clock.ts';
import { toObject } from '../http/read-body.ts';
import { type Answer, type Call, type Deadline, perform } from './call.ts';
import { type Category, readCategory } from './categories.ts';
import type { Connection } from './connection.ts';
import { type CallIdentity, endedFailure, localFailure, protocolFailure, stoppedFailure } from './failures.ts';
import type { ResponseFacts } from './response-facts.ts';
import type { QueuedAddresses, RouterOperation } from './router-error.ts';

/** What `cancel` was answered; neither says anything about billing. */
export type Cancellation = {
  /** `requested`: the outcome is read from the status. `already-completed`: nothing changed. */
  readonly outcome: 'requested' | 'already-completed';
  /** As the service wrote it. */
  readonly status: string;
};

type AnyState = {
  /** As the service wrote it; unknown words count as pending. */
  readonly status: string;
  readonly addresses: QueuedAddresses;
  /** Of the response that said so, with the wait it asked for. */
  readonly facts: ResponseFacts;
};
export type QueueState =
  | (AnyState & { readonly kind: 'pending' /** Requests ahead; 0 is the front. */; readonly position?: number })
  | (AnyState & { readonly kind: 'succeeded' })
  /** Failed, cancelled or timed out. A cancellation says nothing about billing. */
  | (AnyState & { readonly kind: 'ended'; readonly category: Category });

/** One request of the queue, wherever it was submitted. */
export type QueuedCall = {
  readonly model: string;
  readonly addresses: QueuedAddresses;
  readonly key?: string | undefined;
  readonly chargesOnPolicyRejection?: string | undefined;
};

/** Reads the status once. */
export async function readStatus(queued: QueuedCall, time: Deadline, connection: Connection): Promise<QueueState> {
  const identity = identify('status', queued);
  const url = queued.addresses.statusUrl;
  const answer = await ask({ ...identity, url, repetition: 'read', isSuccess: isReady, time }, connection);
  return readState(identity, answer);
}

/** Every state that was read, until the request is no longer pending. */
export async function* readStates(
  queued: QueuedCall,
  time: Deadline,
  connection: Connection,
): AsyncGenerator<QueueState, void, void> {
  let { addresses } = queued;
  for (let polls = 1; ; polls += 1) {
    const state = await readStatus({ ...queued, addresses }, time, connection);
    yield state;
    if (state.kind !== 'pending') return;
    ({ addresses } = state);
    await waitForNext(identify('status', queued), { state, polls, time }, connection);
  }
}

/** Waits for the result as the service tells, and collects it. */
export async function collect(
  queued: QueuedCall,
  { time, stream = false }: { time: Deadline; stream?: boolean },
  connection: Connection,
): Promise<Answer> {
  const identity = identify('result', queued);
  const question = {
    repetition: 'collect',
    isSuccess: isReady,
    timeoutMs: connection.runTimeoutMs,
    time,
    stream,
  } as const;
  let url = queued.addresses.responseUrl;
  for (let polls = 1; ; polls += 1) {
    const answer = await ask({ ...identity, ...question, url }, connection);
    if (answer.status !== 202) return answer;
    const state = readState(identity, answer);
    if (state.kind === 'ended') throw endedFailure(identity, state);
    url = state.addresses.responseUrl;
    await waitForNext(identity, { state, polls, time }, connection);
  }
}

export async function cancelQueued(queued: QueuedCall, time: Deadline, connection: Connection): Promise<Cancellation> {
  const identity = identify('cancel', queued);
  const url = queued.addresses.cancelUrl;
  // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
  const isSuccess = (code: number, body: Answer['body']): boolean =>
    isReady(code) || (code === 409 && cancelWords.includes(toObject(body)['status']));
  const answer = await ask({ ...identity, method: 'PUT', url, repetition: 'cancel', isSuccess, time }, connection);
  const { status } = toObject(answer.body);
  if (typeof status !== 'string') throw protocolFailure(identity, answer, 'the body is no cancel response');
  return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}

const cancelWords: readonly unknown[] = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];

const isReady = (status: number): boolean => status === 200 || status === 202;

async function ask(call: Call, connection: Connection): Promise<Answer> {
  checkOrigin(call.url, call, connection);
  return perform(call, connection);
}

/** Addresses come from the service, or from the key store; the credential goes to places that the caller chose. */
export function checkOrigin(url: string, identity: CallIdentity, { trustedOrigins }: Connection): void {
  const origin = URL.canParse(url) ? new URL(url).origin : 'an unreadable address';
  if (trustedOrigins.has(origin)) return;
  throw localFailure(
    identity,
    `the address is at ${origin}, which gets no credential; name it in trustedOrigins if it is yours`,
  );
}

async function waitForNext(
  identity: CallIdentity,
  { state, polls, time }: { state: QueueState; polls: number; time: Deadline },
  { clock }: Connection,
): Promise<void> {
  const wait = waitMs(state.facts.retryAfterSeconds, polls, clock);
  if (clock.now() + wait >= time.endsAt)
    throw stoppedFailure(identity, { attempts: polls, deadlineMs: time.deadlineMs });
  try {
    await clock.sleep(wait, time.signal);
  } catch (cause) {
    throw stoppedFailure(identity, { attempts: polls }, cause);
  }
}

function readState(identity: CallIdentity, answer: Answer): QueueState {
  const state = readQueueState(answer);
  if (state === undefined) throw protocolFailure(identity, answer, 'the body is no status response');
  return state;
}

export function identify(
  operation: RouterOperation,
  { model, addresses, key, chargesOnPolicyRejection }: QueuedCall,
): CallIdentity {
  return { operation, model, key, queued: addresses, chargesOnPolicyRejection };
}

/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readQueueState({ body, facts }: Pick<Answer, 'body' | 'facts'>): QueueState | undefined {
  const { request_id, status, status_url, response_url, cancel_url, error_type, queue_position } = toObject(body);
  if (typeof request_id !== 'string' || typeof status !== 'string') return undefined;
  if (typeof status_url !== 'string' || typeof response_url !== 'string' || typeof cancel_url !== 'string')
    return undefined;
  const every = {
    status,
    addresses: { requestId: request_id, statusUrl: status_url, responseUrl: response_url, cancelUrl: cancel_url },
    facts,
  };
  if (status !== 'COMPLETED') {
    return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
  }
  if (typeof error_type !== 'string') return { kind: 'succeeded', ...every };
  return { kind: 'ended', ...every, category: readCategory('', error_type) };
}
