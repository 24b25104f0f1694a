import { isSegment, parseAddress } from '../http/base-url.ts';
import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.ts';
import { explainEnd } from '../http/explain-failure.ts';
import { toObject } from '../http/read-body.ts';
import { type Answer, ask, type Question } from './ask.ts';
import { readCategory } from './categories.ts';
import type { Work } from './connection.ts';
import { fail, failEnded } from './failures.ts';
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

type QueueQuestion<Result> = QueuedCall & Omit<Question<Result>, 'url'>;

/** Reads the status once. */
export async function readStatus(call: QueuedCall, work: Work): Promise<QueueState> {
  return askAt('statusUrl', askForState(call), work);
}

/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export async function* readStates(call: QueuedCall, work: Work): AsyncGenerator<QueueState, void, void> {
  for await (const state of poll('statusUrl', askForState(call, 'poll'), work)) {
    yield state;
    if (state.kind !== 'pending') return;
  }
}

function askForState(call: QueuedCall, repetition: 'read' | 'poll' = 'read'): QueueQuestion<QueueState> {
  return { ...call, operation: 'status', repetition, successes: ready, parse: readState };
}

/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export async function collect(call: QueuedCall, ended: EndedState | undefined, work: Work): Promise<Answer> {
  const question: QueueQuestion<Answer | QueueState> = {
    ...call,
    operation: 'result',
    repetition: 'collect',
    successes: ready,
    parse: (answer) => (answer.status === 200 ? answer : readState(answer, work)),
    timeoutMs: work.runTimeoutMs,
    endsWith: ended?.category.known,
    stream: work.as === 'stream',
  };
  for await (const answer of poll('responseUrl', question, work)) {
    if ('response' in answer) return answer;
    if (answer.kind === 'ended') throw failEnded(question, answer);
  }
  throw question; // it asks without end
}

export async function cancelQueued(call: QueuedCall, work: Work): Promise<Cancellation> {
  const parse = ({ status: code, body }: Answer): Cancellation | string => {
    const { status } = toObject(body);
    // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
    if (typeof status !== 'string' || (code === 409 && !/^(CANCELLATION_REQUESTED|ALREADY_COMPLETED)$/.test(status)))
      return 'cancel response';
    return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
  };
  const question = { ...call, operation: 'cancel', repetition: 'cancel', method: 'PUT', parse } as const;
  return askAt('cancelUrl', { ...question, successes: [...ready, 409] }, work);
}

const ready = [200, 202];

/** Asks again and again, and waits in between as the service tells. */
async function* poll<Result extends Answer | QueueState>(
  name: 'statusUrl' | 'responseUrl',
  question: QueueQuestion<Result>,
  work: Work,
): AsyncGenerator<Result, never, void> {
  const { pollEvery = 0, clock, endsAt, signal } = work;
  let { queued } = question;
  for (let attempts = 1; ; attempts += 1) {
    const answer = await askAt(name, { ...question, queued }, work);
    yield answer;
    const { retryAfterSeconds: told } = answer.facts;
    const usual = told === undefined && pollEvery > 0 ? 0 : waitMs(told, attempts, clock);
    const wait = Math.max(pollEvery, usual);
    try {
      if (readElapsed(clock) + wait >= endsAt) throw new DeadlinePassed(`; the next question is due in ${wait} ms`);
      await clock.sleep(wait, signal);
    } catch (error) {
      throw explainEnd(error, { ...question, attempts }, work);
    }
    if ('addresses' in answer) queued = answer.addresses;
  }
}

/**
 * Asks about a queued request. Addresses come from the service, and the credential goes to places that the caller
 * chose. Behind a gateway the service names an origin of its own: the router's path for the request is then asked for at `baseUrl`.
 */
async function askAt<Result>(
  name: 'statusUrl' | 'responseUrl' | 'cancelUrl',
  call: QueueQuestion<Result>,
  work: Work,
): Promise<Result> {
  const { baseUrl, trustedOrigins, mapsAddresses } = work;
  const { model, queued } = call;
  const url = queued[name];
  const { href = '', origin = 'an unreadable address', pathname = '', search = '' } = parseAddress(url, baseUrl);
  if (trustedOrigins.has(origin)) return ask({ ...call, url: href }, work);
  const own = buildAddresses(baseUrl, model, queued.requestId)[name];
  const path = decodeAscii(own.slice(baseUrl.length));
  if (mapsAddresses && decodeAscii(pathname).endsWith(path)) return ask({ ...call, url: own + search }, work);
  throw fail(
    call,
    `the address is at ${origin}, which gets no credential. Does the gateway at baseUrl keep its paths?`,
  );
}

/** Servers differ in which characters of a path they escape. */
function decodeAscii(path: string): string {
  return path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
}

/**
 * A submit or status body. Members that nobody knows are ignored. What is left out is known from the submission, or documented: what
 * was admitted is paid for. A state of another request, as caches mix them up, leads away from none.
 */
export function readState(
  { body, facts, call: { model = '', queued } }: Answer,
  { baseUrl, credential }: Work,
): QueueState | string {
  const members = toObject(body);
  const { status, error_type, queue_position, request_id } = members;
  const { requestId = request_id } = queued ?? {};
  if (typeof status !== 'string' || typeof requestId !== 'string' || !isSegment(requestId))
    return 'state of a queued request';
  const documented = buildAddresses(baseUrl, model, requestId);
  const known = { ...documented, ...queued };
  for (const name of Object.keys(documented) as (keyof QueuedAddresses)[]) {
    const given = members[name.replace(/[A-Z]/, '_$&').toLowerCase()]; // `status_url`
    if (typeof given === 'string' && (request_id ?? requestId) === requestId) known[name] = given;
  }
  const text = JSON.stringify(known);
  // Addresses are stored and shown. The documented ones serve as well.
  const addresses = credential.redact(text) === text ? known : documented;
  const every = { status, addresses, facts };
  if (status !== 'COMPLETED')
    return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
  if (typeof error_type !== 'string') return { kind: 'succeeded', ...every };
  return { kind: 'ended', ...every, category: readCategory('', error_type, credential.redact) };
}
