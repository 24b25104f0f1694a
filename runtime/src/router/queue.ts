import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.ts';
import { explainEnd } from '../http/perform.ts';
import { toObject } from '../http/read-body.ts';
import { type Answer, ask, failProtocol, type Question } from './ask.ts';
import { readCategory } from './categories.ts';
import type { Work } from './connection.ts';
import { type CallIdentity, fail, failEnded } from './failures.ts';
import { buildAddresses } from './model-address.ts';
import type { Cancellation, EndedState, QueueState } from './queue-state.ts';
import type { QueuedAddresses } from './router-error.ts';

/** One request of the queue, wherever it was submitted. */
export type QueuedCall = {
  readonly model: string;
  readonly queued: QueuedAddresses;
  readonly key?: string | undefined;
  readonly chargesOnPolicyRejection?: string | undefined;
  /** Who submitted it, where that is known. */
  readonly owner?: string;
};

/** Reads the status once. */
export async function readStatus(call: QueuedCall, work: Work): Promise<QueueState> {
  const question = { ...call, operation: 'status', repetition: 'read', isSuccess: isReady } as const;
  return requireState(await askAt('statusUrl', question, work), work);
}

/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export async function* readStates(call: QueuedCall, work: Work): AsyncGenerator<QueueState, void, void> {
  const isSuccess: Question['isSuccess'] = (status, body) => isReady(status) && isState(body, call);
  const question = { ...call, operation: 'status', repetition: 'poll', isSuccess } as const;
  let { queued } = call;
  for (let polls = 1; ; polls += 1) {
    const state = requireState(await askAt('statusUrl', { ...question, queued }, work), work);
    yield state;
    if (state.kind !== 'pending') return;
    queued = await waitForNext({ ...question, attempts: polls }, state, work);
  }
}

/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export async function collect(call: QueuedCall, ended: EndedState | undefined, work: Work): Promise<Answer> {
  const isSuccess: Question['isSuccess'] = (status, body) => status === 200 || (status === 202 && isState(body, call));
  const question = {
    ...call,
    operation: 'result',
    repetition: 'collect',
    isSuccess,
    timeoutMs: work.runTimeoutMs,
    endsWith: ended?.category.known,
    stream: work.as === 'stream',
  } as const;
  let { queued } = call;
  for (let polls = 1; ; polls += 1) {
    const answer = await askAt('responseUrl', { ...question, queued }, work);
    if (answer.status !== 202) return answer;
    const state = requireState(answer, work);
    if (state.kind === 'ended') throw failEnded(answer.call, state);
    queued = await waitForNext({ ...question, attempts: polls }, state, work);
  }
}

const cancelStates = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];

export async function cancelQueued(call: QueuedCall, work: Work): Promise<Cancellation> {
  // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
  const isSuccess: Question['isSuccess'] = (code, body) =>
    isReady(code) || (code === 409 && cancelStates.some((state) => state === toObject(body)['status']));
  const question = { ...call, operation: 'cancel', repetition: 'cancel', method: 'PUT', isSuccess } as const;
  const answer = await askAt('cancelUrl', question, work);
  const { status } = toObject(answer.body);
  if (typeof status !== 'string') throw failProtocol(answer, 'cancel response', work);
  return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}

const isReady = (status: number): boolean => status === 200 || status === 202;
const isState = (body: Answer['body'], { queued }: QueuedCall): boolean => readMembers(body, queued) !== undefined;

/**
 * Asks about a queued request. Addresses come from the service, and the credential goes to places that the caller
 * chose. Behind a gateway the service names an origin of its own: the router's path for the request is then asked for at `baseUrl`.
 */
async function askAt(
  name: 'statusUrl' | 'responseUrl' | 'cancelUrl',
  call: Omit<Question, 'url'> & QueuedCall,
  work: Work,
): Promise<Answer> {
  const { baseUrl, trustedOrigins, mapsAddresses } = work;
  const { model, queued } = call;
  const url = queued[name];
  const { origin = 'an unreadable address', pathname = '', search = '' } = URL.canParse(url) ? new URL(url) : {};
  if (trustedOrigins.has(origin)) return ask({ ...call, url }, work);
  const own = buildAddresses(baseUrl, model, queued.requestId)[name];
  const path = decodeAscii(own.slice(baseUrl.length));
  if (mapsAddresses && decodeAscii(pathname).endsWith(path)) return ask({ ...call, url: own + search }, work);
  const advice = 'Is baseUrl the router that took the request? A gateway in front of it has to keep its paths';
  throw fail(call, `the address is at ${origin}, which gets no credential. ${advice}`);
}

/** Servers differ in which characters of a path they escape. */
function decodeAscii(path: string): string {
  return path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
}

/** The addresses to ask at the next time. */
async function waitForNext(
  call: CallIdentity & { readonly attempts: number },
  { facts, addresses }: QueueState,
  work: Work,
): Promise<QueuedAddresses> {
  const { pollEvery = 0, clock, endsAt, signal } = work;
  const { retryAfterSeconds: told } = facts;
  const usual = told === undefined && pollEvery > 0 ? 0 : waitMs(told, call.attempts, clock);
  const wait = Math.max(pollEvery, usual);
  try {
    if (readElapsed(clock) + wait >= endsAt) throw new DeadlinePassed();
    await clock.sleep(wait, signal);
  } catch (error) {
    throw explainEnd(error, call, work);
  }
  return addresses;
}

function requireState(answer: Answer, work: Work): QueueState {
  const state = readState(answer, work);
  if (state === undefined) throw failProtocol(answer, 'status response', work);
  return state;
}

/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readState(
  { body, facts, call: { model = '', queued } }: Answer,
  { baseUrl, credential }: Work,
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

/** An address that a status leaves out is the one that is known from the submission. */
function readMembers(
  body: Answer['body'],
  known: Partial<QueuedAddresses> = {},
): { status: string; addresses: QueuedAddresses } | undefined {
  const { status, ...members } = toObject(body);
  const read = (name: string, before: string | undefined): string | undefined =>
    typeof members[name] === 'string' ? members[name] : before;
  const addresses = {
    requestId: read('request_id', known.requestId),
    statusUrl: read('status_url', known.statusUrl),
    responseUrl: read('response_url', known.responseUrl),
    cancelUrl: read('cancel_url', known.cancelUrl),
  };
  if (typeof status !== 'string' || Object.values(addresses).includes(undefined)) return undefined;
  return { status, addresses: addresses as QueuedAddresses }; // each of them is a text
}
