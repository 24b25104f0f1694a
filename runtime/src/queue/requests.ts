import { decodePath, isSegment, parseUrl } from '../http/base-url.ts';
import type { CallOptions } from '../http/call.ts';
import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.ts';
import { notify } from '../http/observers.ts';
import { type Body, toObject } from '../http/read-body.ts';
import { explainEnd, type Policy, send } from '../http/send.ts';
import { type AnyRunOptions, type BilledRequest, identifyCall, prepareInput, sendBilled } from '../router/billed.ts';
import { buildModelUrl, type Connection, type RouterCall } from '../router/connection.ts';
import type { StoredCall } from '../router/key-store.ts';
import type { OutputOptions, SubmitOptions } from '../router/options.ts';
import { type Answer, createPolicy, type RequestSpec } from '../router/policy.ts';
import {
  type ErrorCategory,
  type QueuedAddresses,
  type ResponseFacts,
  readCategory,
} from '../router/response-facts.ts';
import { type ConvertedResult, changeStore, endRecord, toResult } from '../router/results.ts';
import {
  type CallIdentity,
  createErrorOfAnswer,
  createLocalError,
  isRouterError,
  type RouterError,
} from '../router/router-error.ts';
import type { AnyModel } from '../router/router-types.ts';

export type PollOptions = CallOptions & {
  /** Minimum milliseconds between two polls; a longer `Retry-After` applies. Default: half a second, then growing. */
  readonly pollEveryMs?: number | undefined;
};

/** Result of `cancel`. The request may be billed in any case. */
export type Cancellation = {
  /** `requested`: the status will show whether the request was cancelled. `already-completed`: nothing changed. */
  readonly outcome: 'requested' | 'already-completed';
  readonly status: string;
};

type AnyState = {
  /** Status from the service; unknown values count as pending. */
  readonly status: string;
  readonly addresses: QueuedAddresses;
  readonly facts: ResponseFacts;
};
export type QueueState =
  | (AnyState & { readonly kind: 'pending' /** Number of requests ahead. */; readonly position?: number })
  | (AnyState & { readonly kind: 'succeeded' })
  /** Failed, cancelled or timed out. It may be billed. */
  | (AnyState & { readonly kind: 'ended'; readonly category: ErrorCategory });
type EndedState = Extract<QueueState, { readonly kind: 'ended' }>;

export type QueuedCall = {
  readonly model: AnyModel;
  readonly queued: QueuedAddresses;
  readonly idempotencyKey?: string | undefined;
};
export type SubmittedRequest = { readonly request: QueuedCall; readonly state: QueueState; readonly replayed: boolean };
export type FollowOptions = PollOptions & {
  readonly onStatus?: ((state: QueueState) => void) | undefined;
};
type QueueRequestSpec<Result> = Omit<RequestSpec<Result>, 'url' | 'identity'>;

export function enqueue(
  model: AnyModel,
  input: unknown,
  options: SubmitOptions,
  call: RouterCall,
): Promise<SubmittedRequest> {
  const identity = identifyCall('submit', model);
  const url = `${buildModelUrl(call.client, identity)}/requests`;
  return submitOnce({ identity, model, url, body: prepareInput(input, identity, options) }, options, call);
}

export async function submitOnce(
  request: Omit<BilledRequest<SubmittedRequest>, 'parse'>,
  options: AnyRunOptions,
  call: RouterCall,
  stored?: StoredCall,
): Promise<SubmittedRequest> {
  const { model } = request;
  const parse = (answer: Answer): SubmittedRequest | string => {
    const state = readState(answer, call);
    if (typeof state === 'string') return state;
    const { idempotencyKey } = answer.identity;
    return { request: { model, idempotencyKey, queued: state.addresses }, state, replayed: answer.facts.replayed };
  };
  const admitted = await sendBilled({ ...request, parse }, options, call, stored);
  const { idempotencyKey: key, queued } = admitted.request;
  if (key !== undefined) {
    const { keys, keysOfRequests } = call.client;
    keysOfRequests.set(queued.requestId, key);
    const [oldest] = keysOfRequests.keys();
    if (keysOfRequests.size > 10_000 && oldest !== undefined) keysOfRequests.delete(oldest);
    await changeStore(() => keys.admit(key, queued), call);
  }
  return admitted;
}

const readyStatuses = [200, 202];

export function readStatus(request: QueuedCall, call: RouterCall): Promise<QueueState> {
  const parse = (answer: Answer) => readState(answer, call);
  return send(
    call,
    createQueuePolicy('status', request, { repetition: 'read', successes: readyStatuses, parse }, call),
  );
}

/** Polls the status, and yields each state until the request is no longer pending. */
export function readStates(
  request: QueuedCall,
  options: PollOptions,
  call: RouterCall,
): AsyncGenerator<QueueState, void, void> {
  const parse = (answer: Answer) => readState(answer, call);
  return poll('status', request, { repetition: 'poll', successes: readyStatuses, parse }, options, call);
}

export function cancelRequest(request: QueuedCall, call: RouterCall): Promise<Cancellation> {
  const parse = ({ status: code, body }: Answer): Cancellation | string => {
    const { status } = toObject(body);
    // A 409 has the same members as a 202 (MR-CAN-05).
    const isKnown = status === 'CANCELLATION_REQUESTED' || status === 'ALREADY_COMPLETED';
    if (typeof status !== 'string' || (code === 409 && !isKnown)) return 'cancel response';
    return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
  };
  const spec = { repetition: 'cancel', method: 'PUT', successes: [...readyStatuses, 409], parse } as const;
  return send(call, createQueuePolicy('cancel', request, spec, call));
}

/**
 * Returns the output of a request. If its `first` state is given, polls the status until the request ends, and calls
 * `onStatus`. If there is no output, the call stays in the store so that it can be resumed, unless the request has ended.
 */
export async function collectResult<Result extends ConvertedResult<unknown>>(
  given: QueuedCall,
  options: FollowOptions & OutputOptions,
  call: RouterCall,
  first?: QueueState,
): Promise<Result> {
  let request = given;
  let last = first;
  try {
    if (first !== undefined) {
      void notify(options.onStatus, first);
      for await (const state of readStates(request, options, call)) {
        last = state;
        request = { ...given, queued: state.addresses };
        void notify(options.onStatus, state);
      }
    }
    const spec: QueueRequestSpec<Answer | QueueState> = {
      repetition: 'collect',
      successes: readyStatuses,
      parse: (answer) => (answer.status === 200 ? answer : readState(answer, call)),
      timeoutMs: call.client.runTimeoutMs,
      endsWith: last?.kind === 'ended' ? last.category.known : undefined,
      isOutput: true,
      outputMediaTypes: request.model.outputMediaTypes,
      isStream: options.as === 'stream',
    };
    for await (const answer of poll('result', request, spec, options, call)) {
      if ('response' in answer) return await toResult(answer, options.settle, call);
      if (answer.kind === 'ended') throw createErrorOfEndedRequest(request, answer);
    }
    throw createLocalError(identifyQueued('result', request), 'polling ended without a result'); // `poll` only ends for a status.
  } catch (thrown) {
    if (!isRouterError(thrown)) {
      await endRecord(request.idempotencyKey, 'release', call);
      throw thrown;
    }
    const isFinal = (error: RouterError): boolean =>
      (error.kind === 'router' || error.kind === 'validation') && !error.isRetryable;
    // The response explains the failure better than the status does.
    const isExplained = thrown.kind === 'aborted' || isFinal(thrown);
    const error = last?.kind !== 'ended' || isExplained ? thrown : createErrorOfEndedRequest(request, last, thrown);
    const hasEnded = isFinal(error) && error.status !== 401 && error.status !== 403;
    await endRecord(request.idempotencyKey, hasEnded ? 'finish' : 'release', call);
    throw error;
  }
}

type QueueOperation = 'status' | 'result' | 'cancel';

const identifyQueued = (operation: QueueOperation, { model, queued, idempotencyKey }: QueuedCall): CallIdentity => {
  const { id, chargesOnPolicyRejection } = model;
  return { operation, model: id, chargesOnPolicyRejection, queued, idempotencyKey };
};

async function* poll<Result extends Answer | QueueState>(
  operation: 'status' | 'result',
  given: QueuedCall,
  spec: QueueRequestSpec<Result>,
  { pollEveryMs = 0 }: PollOptions,
  call: RouterCall,
): AsyncGenerator<Result, void, void> {
  const { clock } = call;
  let request = given;
  for (let attempts = 1; ; attempts += 1) {
    const answer = await send(call, createQueuePolicy(operation, request, spec, call));
    yield answer;
    if ('kind' in answer && operation === 'status' && answer.kind !== 'pending') return;
    const { retryAfterMs } = answer.facts;
    const retryWait = retryAfterMs === undefined && pollEveryMs > 0 ? 0 : waitMs(retryAfterMs, attempts, clock);
    const wait = Math.max(pollEveryMs, retryWait);
    try {
      if (readElapsed(clock) + wait >= call.endsAt) throw new DeadlinePassed(`; the next poll is due in ${wait} ms`);
      await clock.sleep(wait, call.signal);
    } catch (error) {
      throw explainEnd(error, identifyQueued(operation, request), { attempts, mayHaveRun: true }, call);
    }
    if ('addresses' in answer) request = { ...given, queued: answer.addresses };
  }
}

/** Chooses the URL of a call. Only trusted origins get the credential; a gateway may need the documented URL. */
function createQueuePolicy<Result extends object>(
  operation: QueueOperation,
  request: QueuedCall,
  spec: QueueRequestSpec<Result>,
  call: RouterCall,
): Policy<CallIdentity, Result> {
  const { baseUrl, trustedOrigins, mapsToBaseUrl } = call.client;
  const { model, queued } = request;
  const identity = identifyQueued(operation, request);
  const name = operation === 'result' ? 'responseUrl' : (`${operation}Url` as const);
  const givenUrl = parseUrl(queued[name], baseUrl);
  const { href = '', origin = 'an unreadable URL', pathname = '', search = '', hasUserName } = givenUrl;
  const documentedUrl = buildRequestUrls(call.client, model.id, queued.requestId)[name];
  const isDocumented = decodePath(pathname).endsWith(decodePath(documentedUrl.slice(baseUrl.length)));
  const isTrusted = trustedOrigins.has(origin);
  // A URL at the origin of `baseUrl` may lack the prefix of a gateway.
  const isMapped = mapsToBaseUrl && isDocumented && (!isTrusted || origin === parseUrl(baseUrl).origin);
  let url: string;
  if (isTrusted && hasUserName) url = documentedUrl;
  else if (isMapped) url = documentedUrl + search;
  else if (isTrusted) url = href;
  else {
    const message = `the URL is at ${origin}, which is not trusted with the credential. Does the gateway at baseUrl change paths?`;
    throw createLocalError(identity, message);
  }
  return createPolicy({ ...spec, identity, url }, call);
}

/**
 * Reads the body of a submission or a status response. If a URL is missing, uses the one from the submission, or else the
 * documented one. Ignores URLs of a different request, which a faulty cache may return.
 */
function readState({ body, facts, identity }: Answer, { client, redact }: RouterCall): QueueState | string {
  const { model = '', queued } = identity;
  const members = toObject(body);
  const { status, error_type, queue_position, request_id } = members;
  const { requestId = request_id } = queued ?? {};
  if (typeof status !== 'string' || typeof requestId !== 'string' || !isSegment(requestId))
    return 'state of a queued request';
  // Reject the id, because it would be stored and shown. The request can still be found by its key.
  if (redact(requestId) !== requestId) return 'state of a queued request: its request_id repeats the credential';
  const documented = buildRequestUrls(client, model, requestId);
  const urls = { ...documented, ...queued };
  for (const name of ['status', 'response', 'cancel'] as const) {
    const givenMember = members[`${name}_url`];
    if (typeof givenMember === 'string' && (request_id ?? requestId) === requestId) urls[`${name}Url`] = givenMember;
  }
  const text = JSON.stringify(urls);
  // URLs are stored and shown, so use the documented ones if one contains the credential.
  const addresses = redact(text) === text ? urls : documented;
  const every = { status, addresses, facts };
  if (status !== 'COMPLETED')
    return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
  if (typeof error_type !== 'string') return { kind: 'succeeded', ...every };
  return { kind: 'ended', ...every, category: readCategory('', error_type, redact) };
}

export function buildRequestUrls(client: Connection, model: string, requestId: string): QueuedAddresses {
  const identity = { operation: 'status', model } as const;
  if (!isSegment(requestId)) throw createLocalError(identity, 'the request id is empty, or cannot be used in a path');
  const base = `${buildModelUrl(client, identity)}/requests/${encodeURIComponent(requestId)}`;
  return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}

function createErrorOfEndedRequest(
  request: QueuedCall,
  { category, facts, addresses }: EndedState,
  cause?: unknown,
): RouterError {
  const identity = identifyQueued('result', { ...request, queued: addresses });
  const body: Body = { kind: 'json', value: { detail: 'the queued request ended without a result' } };
  return createErrorOfAnswer(identity, { status: 200, body, facts, category }, { redact: String, attempts: 1, cause });
}
