import { isSegment, parseAddress } from '../http/base-url.ts';
import type { CallOptions } from '../http/call.ts';
import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.ts';
import { notify } from '../http/observers.ts';
import { type Body, toObject } from '../http/read-body.ts';
import { explainEnd, send } from '../http/send.ts';
import { type BilledRequest, identify, type RunChoices, readInput, sendBilled } from '../router/billed.ts';
import type { RouterCall } from '../router/connection.ts';
import { type CallIdentity, failAnswered, refuse } from '../router/failures.ts';
import type { StoredCall } from '../router/key-store.ts';
import { modelUrl } from '../router/model-address.ts';
import type { OutputOptions, SubmitOptions } from '../router/options.ts';
import { type Answer, type Question, type Repetition, toPolicy } from '../router/policy.ts';
import { type Category, type QueuedAddresses, type ResponseFacts, readCategory } from '../router/response-facts.ts';
import { type ConvertedResult, kept, leaveLate, toResult } from '../router/results.ts';
import { isRouterError, type RouterError, type RouterOperation } from '../router/router-error.ts';
import type { AnyModel } from '../router/router-types.ts';

export type PollOptions = CallOptions & {
  /** The shortest time between two questions; a longer `Retry-After` decides. Grows from half a second by default. */
  readonly pollEveryMs?: number | undefined;
};

/** The answer to `cancel`. Neither outcome says anything about billing. */
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
  /** From the headers of the response, with the wait that it asks for. */
  readonly facts: ResponseFacts;
};
export type QueueState =
  | (AnyState & { readonly kind: 'pending' /** Requests ahead; 0 is the front. */; readonly position?: number })
  | (AnyState & { readonly kind: 'succeeded' })
  /** Failed, cancelled or timed out. A cancellation says nothing about billing. */
  | (AnyState & { readonly kind: 'ended'; readonly category: Category });
type EndedState = Extract<QueueState, { readonly kind: 'ended' }>;

/** One request of the queue, wherever it was submitted. */
export type QueuedCall = {
  readonly model: AnyModel;
  readonly queued: QueuedAddresses;
  readonly idempotencyKey?: string | undefined;
};
export type Admitted = { readonly queued: QueuedCall; readonly state: QueueState; readonly replayed: boolean };
export type QueueOptions = PollOptions &
  OutputOptions & {
    readonly onStatus?: ((state: QueueState) => void) | undefined;
    readonly cancelOnAbort?: boolean | undefined;
  };
type QueueQuestion<Result> = Omit<Question<Result>, 'url'>;

/** Puts a run into the queue. */
export async function enqueue(
  model: AnyModel,
  input: unknown,
  options: SubmitOptions,
  call: RouterCall,
): Promise<Admitted> {
  const identity = identify('submit', model);
  const url = `${modelUrl(call.client.baseUrl, identity)}/requests`;
  return await admit({ identity, model, url, body: readInput(input, identity, options) }, options, call);
}

/** Sends a submission, and keeps where the admitted request is. */
export async function admit(
  request: Omit<BilledRequest<Admitted>, 'parse'>,
  options: RunChoices,
  call: RouterCall,
  stored?: StoredCall,
): Promise<Admitted> {
  const parse = (answer: Answer): Admitted | string => readAdmitted(answer, request.model, call);
  const admitted = await sendBilled({ ...request, parse }, options, call, stored);
  const { idempotencyKey: key, queued } = admitted.queued;
  if (key !== undefined) await kept(() => call.client.keys.admit(key, queued), call);
  return admitted;
}

/** The admitted request in the answer to a submission. */
function readAdmitted(answer: Answer, model: AnyModel, call: RouterCall): Admitted | string {
  const state = readState(answer, call);
  if (typeof state === 'string') return state;
  const { idempotencyKey } = answer.identity;
  return { queued: { model, idempotencyKey, queued: state.addresses }, state, replayed: answer.facts.replayed };
}

const ready = [200, 202];

/** Reads the state of a request once. */
export const askStatus = (queued: QueuedCall, call: RouterCall): Promise<QueueState> =>
  askQueued('statusUrl', queued, statusQuestion(queued, 'read', call), call);

function statusQuestion(queued: QueuedCall, repetition: Repetition, call: RouterCall): QueueQuestion<QueueState> {
  return {
    identity: identifyQueued('status', queued),
    repetition,
    successes: ready,
    parse: (answer) => readState(answer, call),
  };
}

/** Every state that was read, until the request is no longer pending. An answer without one does not end the waiting. */
export async function* readStates(
  queued: QueuedCall,
  options: PollOptions,
  call: RouterCall,
): AsyncGenerator<QueueState, void, void> {
  for await (const state of poll('statusUrl', queued, statusQuestion(queued, 'poll', call), options, call)) {
    yield state;
    if (state.kind !== 'pending') return;
  }
}

export function cancelRequest(queued: QueuedCall, call: RouterCall): Promise<Cancellation> {
  const parse = ({ status: code, body }: Answer): Cancellation | string => {
    const { status } = toObject(body);
    // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
    const isKnown = status === 'CANCELLATION_REQUESTED' || status === 'ALREADY_COMPLETED';
    if (typeof status !== 'string' || (code === 409 && !isKnown)) return 'cancel response';
    return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
  };
  const question = { identity: identifyQueued('cancel', queued), repetition: 'cancel', method: 'PUT', parse } as const;
  return askQueued('cancelUrl', queued, { ...question, successes: [...ready, 409] }, call);
}

/**
 * The output of a request; from the `first` state on, `onStatus` sees its states before. Without a result, a request that ended is over in
 * the store; any other one stays there, to be resumed.
 */
export async function collectOrLeave(
  given: QueuedCall,
  options: QueueOptions,
  call: RouterCall,
  first?: QueueState,
): Promise<ConvertedResult<unknown>> {
  let last = first;
  try {
    if (first !== undefined) {
      void notify(options.onStatus, first);
      for await (const state of readStates(given, options, call)) {
        last = state;
        void notify(options.onStatus, state);
      }
    }
    const queued = { ...given, queued: last?.addresses ?? given.queued };
    return await collect(queued, last?.kind === 'ended' ? last : undefined, options, call);
  } catch (error) {
    if (!isRouterError(error)) throw error;
    const { kind } = error;
    const isOver = kind === 'aborted' || (kind === 'timeout' && error.deadlineMs === call.deadlineMs);
    if (options.cancelOnAbort === true && isOver) {
      const late = { ...call, signal: undefined, endsAt: readElapsed(call.client.clock) + 10_000 };
      await cancelRequest(given, late).catch(() => undefined); // the first error is the one to report
    }
    const isAnswer = kind === 'router' || kind === 'validation';
    const hasEnded = isAnswer && !error.isRetryable && error.status !== 401 && error.status !== 403;
    await leaveLate(given, hasEnded ? 'done' : kind === 'aborted' ? 'aborted' : 'open', call);
    throw error;
  }
}

/** Waits for the result as the service asks, and collects it. Where the status said so, the request `ended` without one. */
async function collect(
  queued: QueuedCall,
  ended: Extract<QueueState, { kind: 'ended' }> | undefined,
  options: QueueOptions,
  call: RouterCall,
): Promise<ConvertedResult<unknown>> {
  const question: QueueQuestion<Answer | QueueState> = {
    identity: identifyQueued('result', queued),
    repetition: 'collect',
    successes: ready,
    parse: (answer) => (answer.status === 200 ? answer : readState(answer, call)),
    timeoutMs: call.client.runTimeoutMs,
    endsWith: ended?.category.known,
    isOutput: true,
    outputMediaTypes: queued.model.outputMediaTypes,
    isStream: options.as === 'stream',
  };
  try {
    for await (const answer of poll('responseUrl', queued, question, options, call)) {
      if ('response' in answer) return await toResult(answer, options.settle, call);
      if (answer.kind === 'ended') throw failEnded(question.identity, answer);
    }
    throw refuse(question.identity, 'the request was asked for without end');
  } catch (error) {
    // An answer explains better than a status why there is no output.
    if (ended === undefined || !isRouterError(error)) throw error;
    const { kind, isRetryable } = error;
    const isFinal = kind === 'aborted' || (!isRetryable && (kind === 'router' || kind === 'validation'));
    throw isFinal ? error : failEnded(question.identity, ended, error);
  }
}

const identifyQueued = (operation: RouterOperation, { model, queued, idempotencyKey }: QueuedCall): CallIdentity => ({
  ...{ operation, model: model.id, chargesOnPolicyRejection: model.chargesOnPolicyRejection },
  ...{ queued, idempotencyKey },
});

/** Asks repeatedly, and waits in between as the service asks. */
async function* poll<Result extends Answer | QueueState>(
  name: 'statusUrl' | 'responseUrl',
  given: QueuedCall,
  question: QueueQuestion<Result>,
  { pollEveryMs = 0 }: PollOptions,
  call: RouterCall,
): AsyncGenerator<Result, void, void> {
  const { clock } = call.client;
  let at = given;
  for (let attempts = 1; ; attempts += 1) {
    const answer = await askQueued(name, at, question, call);
    yield answer;
    const { retryAfterMs: told } = answer.facts;
    const usual = told === undefined && pollEveryMs > 0 ? 0 : waitMs(told, attempts, clock);
    const wait = Math.max(pollEveryMs, usual);
    try {
      if (readElapsed(clock) + wait >= call.endsAt)
        throw new DeadlinePassed(`; the next question is due in ${wait} ms`);
      await clock.sleep(wait, call.signal);
    } catch (error) {
      throw explainEnd(error, question.identity, { attempts, isOpen: true }, call);
    }
    if ('addresses' in answer) at = { ...given, queued: answer.addresses };
  }
}

/**
 * Asks about a queued request. Addresses come from the service, and the credential goes to places that the caller chose. Behind a gateway
 * the service names an origin of its own, or leaves the gateway's part of the path out: the documented address is then requested.
 */
async function askQueued<Result extends object>(
  name: 'statusUrl' | 'responseUrl' | 'cancelUrl',
  { model, queued }: QueuedCall,
  question: QueueQuestion<Result>,
  call: RouterCall,
): Promise<Result> {
  const { baseUrl, trustedOrigins, mapsAddresses } = call.client;
  const {
    href = '',
    origin = 'an unreadable address',
    pathname = '',
    search = '',
    username,
  } = parseAddress(queued[name], baseUrl);
  const identity = { ...question.identity, queued };
  const own = buildAddresses(baseUrl, model.id, queued.requestId)[name];
  const ownUrl = parseAddress(own);
  // Servers differ in which characters of a path they escape.
  const decode = (path = ''): string => path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
  const isDocumented = decode(pathname).endsWith(decode(own.slice(baseUrl.length)));
  const isTrusted = trustedOrigins.has(origin);
  const hasLostPrefix = isDocumented && origin === ownUrl.origin && decode(pathname) !== decode(ownUrl.pathname);
  let url: string;
  if (isTrusted && username) url = own;
  else if (isTrusted && !(mapsAddresses && hasLostPrefix)) url = href;
  else if (mapsAddresses && isDocumented) url = own + search;
  else
    throw refuse(
      identity,
      `the address is at ${origin}, which gets no credential. Does the gateway at baseUrl keep its paths?`,
    );
  return await send(call, toPolicy({ ...question, identity, url }, call));
}

const addressNames = [
  ['statusUrl', 'status_url'],
  ['responseUrl', 'response_url'],
  ['cancelUrl', 'cancel_url'],
] as const;

/**
 * A submit or status body. Unknown members are ignored. A missing one is known from the submission, or documented: what was admitted is
 * paid for. The addresses in a state of another request, as caches mix them up, are not used.
 */
function readState({ body, facts, identity }: Answer, { client, redact }: RouterCall): QueueState | string {
  const { model = '', queued } = identity;
  const members = toObject(body);
  const { status, error_type, queue_position, request_id } = members;
  const { requestId = request_id } = queued ?? {};
  if (typeof status !== 'string' || typeof requestId !== 'string' || !isSegment(requestId))
    return 'state of a queued request';
  // It would be kept and shown. The call stays open, and its key leads to the request again.
  if (redact(requestId) !== requestId) return 'state of a queued request: its request_id repeats the credential';
  const documented = buildAddresses(client.baseUrl, model, requestId);
  const known = { ...documented, ...queued };
  for (const [name, member] of addressNames) {
    const given = members[member];
    if (typeof given === 'string' && (request_id ?? requestId) === requestId) known[name] = given;
  }
  const text = JSON.stringify(known);
  // Addresses are stored and shown. The documented ones serve as well.
  const addresses = redact(text) === text ? known : documented;
  const every = { status, addresses, facts };
  if (status !== 'COMPLETED')
    return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
  if (typeof error_type !== 'string') return { kind: 'succeeded', ...every };
  return { kind: 'ended', ...every, category: readCategory('', error_type, redact) };
}

/** The addresses that the API documents give to a request id. */
export function buildAddresses(baseUrl: string, model: string, requestId: string): QueuedAddresses {
  const identity = { operation: 'status', model } as const;
  if (!isSegment(requestId)) throw refuse(identity, 'a request id is a UUID');
  const base = `${modelUrl(baseUrl, identity)}/requests/${encodeURIComponent(requestId)}`;
  return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}

/** The error of a queued request that completed without a result. It may have been billed, also after a cancellation. */
function failEnded(identity: CallIdentity, { category, facts }: EndedState, cause?: unknown): RouterError {
  const body: Body = { kind: 'json', value: { detail: 'the queued request ended without a result' } };
  return failAnswered(identity, { status: 200, body, facts, category }, { redact: String, attempts: 1, cause });
}
