import { waitMs } from '../http/clock.ts';
import { type Answer, perform, type TimeLimit } from './call.ts';
import type { Connection } from './connection.ts';
import {
  type CallIdentity,
  endedFailure,
  isRecord,
  localFailure,
  protocolFailure,
  stoppedFailure,
} from './failures.ts';
import type { Repetition } from './outcome.ts';
import { type QueueState, readQueueState } from './queue-state.ts';
import type { QueuedAddresses, RouterOperation } from './router-error.ts';

/** What `cancel` was answered; neither says anything about billing. */
export type Cancellation = {
  /** `requested`: the outcome is read from the status. `already-completed`: nothing changed. */
  readonly outcome: 'requested' | 'already-completed';
  /** As the service wrote it. */
  readonly status: string;
};

/** One request of the queue, wherever it was submitted. */
export type QueuedCall = {
  readonly model: string;
  readonly addresses: QueuedAddresses;
  readonly key?: string | undefined;
  readonly chargesOnPolicyRejection?: string | undefined;
};

const readTimeoutMs = 60_000;

/** Reads the status once. */
export async function readStatus(queued: QueuedCall, time: TimeLimit, connection: Connection): Promise<QueueState> {
  const identity = identityOf('status', queued);
  const answer = await ask({ identity, url: queued.addresses.statusUrl, repetition: 'read', time }, connection);
  return stateOf(identity, answer);
}

/** Every state that was read, until the request is no longer pending. */
export async function* readStates(
  queued: QueuedCall,
  time: TimeLimit,
  connection: Connection,
): AsyncGenerator<QueueState, void, void> {
  let { addresses } = queued;
  for (let polls = 1; ; polls += 1) {
    const state = await readStatus({ ...queued, addresses }, time, connection);
    yield state;
    if (state.kind !== 'pending') return;
    ({ addresses } = state);
    await waitForNext(identityOf('status', queued), { state, polls, time }, connection);
  }
}

/** Waits for the result as the service tells, and collects it. */
export async function collect(
  queued: QueuedCall,
  { time, stream }: { time: TimeLimit; stream?: boolean },
  connection: Connection,
): Promise<Answer> {
  const identity = identityOf('result', queued);
  let url = queued.addresses.responseUrl;
  for (let polls = 1; ; polls += 1) {
    const answer = await ask({ identity, url, repetition: 'collect', time, stream: stream === true }, connection);
    if (answer.status !== 202) return answer;
    const state = stateOf(identity, answer);
    if (state.kind === 'ended') throw endedFailure(identity, state);
    url = state.addresses.responseUrl;
    await waitForNext(identity, { state, polls, time }, connection);
  }
}

export async function cancelQueued(queued: QueuedCall, time: TimeLimit, connection: Connection): Promise<Cancellation> {
  const identity = identityOf('cancel', queued);
  const answer = await ask({ identity, url: queued.addresses.cancelUrl, repetition: 'cancel', time }, connection);
  const body = answer.body.kind === 'json' ? answer.body.value : undefined;
  const status = isRecord(body) ? body['status'] : undefined;
  if (typeof status !== 'string') throw protocolFailure(identity, answer, 'the body is no cancel response');
  return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}

const cancelWords: readonly unknown[] = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];

type Question = {
  readonly identity: CallIdentity;
  readonly url: string;
  readonly repetition: Repetition;
  readonly time: TimeLimit;
  readonly stream?: boolean;
};

async function ask({ identity, url, repetition, time, stream }: Question, connection: Connection): Promise<Answer> {
  checkOrigin(url, identity, connection);
  const method = repetition === 'cancel' ? 'PUT' : 'GET';
  // A conflict on cancel is an outcome, with a cancel response as its body (MR-CAN-05).
  const isSuccess = (status: number, body: unknown): boolean =>
    status === 200 ||
    status === 202 ||
    (repetition === 'cancel' && status === 409 && isRecord(body) && cancelWords.includes(body['status']));
  const timeoutMs = repetition === 'collect' ? connection.runTimeoutMs : readTimeoutMs;
  const outgoing = { method, url, headers: {} } as const;
  return perform(
    { ...identity, repetition, outgoing, isSuccess, timeoutMs, time, stream: stream === true },
    connection,
  );
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
  { state, polls, time }: { state: QueueState; polls: number; time: TimeLimit },
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

function stateOf(identity: CallIdentity, answer: Answer): QueueState {
  const state = readQueueState(answer.body.kind === 'json' ? answer.body.value : undefined, answer.facts);
  if (state === undefined) throw protocolFailure(identity, answer, 'the body is no status response');
  return state;
}

export function identityOf(
  operation: RouterOperation,
  { model, addresses, key, chargesOnPolicyRejection }: QueuedCall,
): CallIdentity {
  return { operation, model, key, queued: addresses, chargesOnPolicyRejection };
}
