import { readElapsed, waitMs } from '../http/clock.ts';
import { toObject } from '../http/read-body.ts';
import type { Answer, Deadline } from './attempt.ts';
import { perform } from './call.ts';
import { type Category, readCategory } from './categories.ts';
import type { Connection } from './connection.ts';
import { type CallIdentity, endedFailure, localFailure, protocolFailure, stoppedFailure } from './failures.ts';
import { buildAddresses } from './model-address.ts';
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
  /** Of the response that refused, with the wait it asked for. */
  readonly facts: ResponseFacts;
};
export type QueueState =
  | (AnyState & { readonly kind: 'pending' /** Requests ahead; 0 is the front. */; readonly position?: number })
  | (AnyState & { readonly kind: 'succeeded' })
  /** Failed, cancelled or timed out. A cancellation says nothing about billing. */
  | (AnyState & { readonly kind: 'ended'; readonly category: Category });
export type EndedState = Extract<QueueState, { readonly kind: 'ended' }>;

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
  const url = locate('statusUrl', identity, connection);
  const answer = await perform({ ...identity, url, repetition: 'read', isSuccess: isReady, time }, connection);
  return requireState(identity, answer, connection);
}

/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export async function* readStates(
  queued: QueuedCall,
  time: Deadline,
  connection: Connection,
): AsyncGenerator<QueueState, void, void> {
  let { addresses } = queued;
  for (let polls = 1; ; polls += 1) {
    const identity = identify('status', { ...queued, addresses });
    const url = locate('statusUrl', identity, connection);
    const isSuccess = (status: number, body: Answer['body']): boolean => isReady(status) && isState(body, identity);
    const answer = await perform({ ...identity, url, repetition: 'poll', isSuccess, time }, connection);
    const state = requireState(identity, answer, connection);
    yield state;
    if (state.kind !== 'pending') return;
    ({ addresses } = state);
    await waitForNext(identity, { state, polls, time }, connection);
  }
}

/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export async function collect(
  queued: QueuedCall,
  { time, stream = false, ended }: { time: Deadline; stream?: boolean; ended?: EndedState | undefined },
  connection: Connection,
): Promise<Answer> {
  const question = {
    repetition: 'collect',
    timeoutMs: connection.runTimeoutMs,
    endsWith: ended?.category.known,
    time,
    stream,
  } as const;
  let { addresses } = queued;
  for (let polls = 1; ; polls += 1) {
    const identity = identify('result', { ...queued, addresses });
    const url = locate('responseUrl', identity, connection);
    const isSuccess = (status: number, body: Answer['body']): boolean =>
      status === 200 || (status === 202 && isState(body, identity));
    const answer = await perform({ ...identity, ...question, url, isSuccess }, connection);
    if (answer.status !== 202) return answer;
    const state = requireState(identity, answer, connection);
    if (state.kind === 'ended') throw endedFailure(identity, state);
    ({ addresses } = state);
    await waitForNext(identity, { state, polls, time }, connection);
  }
}

export async function cancelQueued(queued: QueuedCall, time: Deadline, connection: Connection): Promise<Cancellation> {
  const identity = identify('cancel', queued);
  const url = locate('cancelUrl', identity, connection);
  // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
  const isSuccess = (code: number, body: Answer['body']): boolean =>
    isReady(code) || (code === 409 && cancelWords.includes(toObject(body)['status']));
  const call = { ...identity, method: 'PUT', url, repetition: 'cancel', isSuccess, time } as const;
  const answer = await perform(call, connection);
  const { status } = toObject(answer.body);
  if (typeof status !== 'string') throw protocolFailure(identity, answer, 'the body is no cancel response');
  return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}

const cancelWords: readonly unknown[] = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];

const isReady = (status: number): boolean => status === 200 || status === 202;
const isState = (body: Answer['body'], { queued }: CallIdentity): boolean => readMembers(body, queued) !== undefined;

/**
 * Where to send a question about a queued request. Addresses come from the service, and the credential goes to places that the caller
 * chose. Behind a gateway the service names an origin of its own: the router's path for the request is then asked for at `baseUrl`.
 */
function locate(
  name: 'statusUrl' | 'responseUrl' | 'cancelUrl',
  identity: CallIdentity & { readonly queued: QueuedAddresses },
  { baseUrl, trustedOrigins, mapsAddresses }: Connection,
): string {
  const { model = '', queued } = identity;
  const url = queued[name];
  const { origin = 'an unreadable address', pathname = '', search = '' } = URL.canParse(url) ? new URL(url) : {};
  if (trustedOrigins.has(origin)) return url;
  const own = buildAddresses(baseUrl, model, queued.requestId)[name];
  const path = decodeAscii(own.slice(baseUrl.length));
  if (mapsAddresses && decodeAscii(pathname).endsWith(path)) return own + search;
  const advice = 'Is baseUrl the router that took the request? A gateway in front of it has to keep its paths';
  throw localFailure(identity, `the address is at ${origin}, which gets no credential. ${advice}`);
}

/** Servers differ in which characters of a path they escape. */
function decodeAscii(path: string): string {
  return path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
}

async function waitForNext(
  identity: CallIdentity,
  { state, polls, time }: { state: QueueState; polls: number; time: Deadline },
  { clock }: Connection,
): Promise<void> {
  const { pollEvery = 0 } = time;
  const { retryAfterSeconds: told } = state.facts;
  const wait = told === undefined && pollEvery > 0 ? pollEvery : Math.max(pollEvery, waitMs(told, polls, clock));
  if (readElapsed(clock) + wait >= time.endsAt)
    throw stoppedFailure(identity, { attempts: polls, deadlineMs: time.deadlineMs });
  try {
    await clock.sleep(wait, time.signal);
  } catch (cause) {
    throw stoppedFailure(identity, { attempts: polls }, cause);
  }
}

function requireState(identity: CallIdentity, answer: Answer, connection: Connection): QueueState {
  const state = readState(identity, answer, connection);
  if (state === undefined) throw protocolFailure(identity, answer, 'the body is no status response');
  return state;
}

export function identify(
  operation: RouterOperation,
  { model, addresses, key, chargesOnPolicyRejection }: QueuedCall,
): CallIdentity & { readonly queued: QueuedAddresses } {
  return { operation, model, key, queued: addresses, chargesOnPolicyRejection };
}

/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readState(
  { model = '', queued }: CallIdentity,
  { body, facts }: Answer,
  { baseUrl, credential }: Connection,
): QueueState | undefined {
  const members = readMembers(body, queued);
  if (members === undefined) return undefined;
  const { error_type, queue_position } = toObject(body);
  const text = JSON.stringify(members.addresses);
  // Addresses are stored and shown. The documented ones serve as well.
  const isShowable = credential.redact(text) === text;
  const addresses = isShowable ? members.addresses : buildAddresses(baseUrl, model, members.addresses.requestId);
  const every = { ...members, addresses, facts };
  if (members.status !== 'COMPLETED') {
    return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
  }
  if (typeof error_type !== 'string') return { kind: 'succeeded', ...every };
  return { kind: 'ended', ...every, category: readCategory('', error_type, credential.redact) };
}

const addressNames = {
  requestId: 'request_id',
  statusUrl: 'status_url',
  responseUrl: 'response_url',
  cancelUrl: 'cancel_url',
} as const;

/** An address that a status leaves out is the one that is known from the submission. */
function readMembers(
  body: Answer['body'],
  known: Partial<QueuedAddresses> = {},
): { status: string; addresses: QueuedAddresses } | undefined {
  const { status, ...members } = toObject(body);
  const names = Object.keys(addressNames) as (keyof QueuedAddresses)[]; // as it is written above
  const found = names.map((name) => {
    const text = members[addressNames[name]];
    return [name, typeof text === 'string' ? text : known[name]] as const;
  });
  if (typeof status !== 'string' || found.some(([, text]) => text === undefined)) return undefined;
  return { status, addresses: Object.fromEntries(found) as QueuedAddresses }; // each of them is a text
}
