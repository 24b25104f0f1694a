import { randomUUID } from 'node:crypto';
import { type Answer, checkInput, json, Refusal } from './answers.ts';
import type { Model } from './models.ts';
import { dispatch } from './providers.ts';
import { conflict, findKey, requireQuota } from './runs.ts';
import { type Call, type QueuedRequest, requireModel, type World } from './world.ts';

const admissionMs = 60;
const withdrawalMs = 30;
/** Maximum number of queued requests of a model that run at the same time. */
const slots = 4;

const cancelled = new Refusal(410, 'cancelled', 'The request was withdrawn before it ran.');

export async function submitRequest(call: Call): Promise<Answer> {
  const { world, account } = call;
  const model = requireModel(call);
  const input = await call.input();
  const keyed = findKey(call, input);
  if (keyed.known !== undefined) {
    const request = world.requests.get(keyed.known.requestId ?? '');
    if (request === undefined) throw conflict();
    return json(201, makeHandle(call, request), { 'idempotent-replayed': 'true' });
  }
  requireQuota(call);
  checkInput(model, input);
  if (account.hasNoCredits) throw new Refusal(402, 'insufficient_credits', 'The workspace has no credits left.');
  const request: QueuedRequest = {
    id: randomUUID(),
    model,
    scope: account.scope,
    input,
    createdAt: Date.now(),
    status: 'PENDING',
    isWithdrawn: false,
    outcome: undefined,
  };
  world.requests.set(request.id, request);
  setTimeout(() => admit(world, model), admissionMs + 1);
  keyed.keep({ fingerprint: keyed.fingerprint, requestId: request.id });
  return json(201, makeHandle(call, request));
}

const listOf = ({ requests }: World, model: Model, status: QueuedRequest['status']): readonly QueuedRequest[] =>
  [...requests.values()].filter((one) => one.model === model && one.status === status);

/** Starts requests that have waited long enough while slots are free. */
function admit(world: World, model: Model): void {
  const free = slots - listOf(world, model, 'RUNNING').length;
  const isReady = ({ isWithdrawn, createdAt }: QueuedRequest) => !isWithdrawn && Date.now() - createdAt >= admissionMs;
  for (const request of listOf(world, model, 'PENDING').filter(isReady).slice(0, Math.max(0, free)))
    void work(world, request);
}

async function work(world: World, request: QueuedRequest): Promise<void> {
  request.status = 'RUNNING';
  request.outcome = (await dispatch(world, request.model, request.input)).attempt;
  request.status = 'COMPLETED';
  admit(world, request.model);
}

export function readStatus(call: Call): Answer {
  const request = requireRequest(call);
  return json(200, makeStatus(call, request), request.status === 'COMPLETED' ? {} : { 'retry-after': 1 });
}

export function collectResult(call: Call): Answer {
  const request = requireRequest(call);
  const { outcome } = request;
  if (request.status !== 'COMPLETED' || outcome === undefined)
    return json(202, makeStatus(call, request), { 'retry-after': 1 });
  if (outcome instanceof Refusal) throw outcome;
  const headers = { 'content-type': outcome.mediaType, 'x-content-type-options': 'nosniff' };
  return { status: 200, headers, body: outcome.bytes };
}

/** Cancels a request. A request that is already running continues. */
export function cancelRequest(call: Call): Answer {
  const request = requireRequest(call);
  const isCompleted = request.status === 'COMPLETED';
  if (request.status === 'PENDING') {
    request.isWithdrawn = true;
    setTimeout(() => Object.assign(request, { status: 'COMPLETED', outcome: cancelled }), withdrawalMs);
  }
  const status = isCompleted ? 'ALREADY_COMPLETED' : 'CANCELLATION_REQUESTED';
  return json(isCompleted ? 409 : 202, { request_id: request.id, status, noted_at: new Date().toISOString() });
}

function requireRequest(call: Call): QueuedRequest {
  const { world, account, names } = call;
  const model = requireModel(call);
  const request = world.requests.get(names[2] ?? '');
  if (request !== undefined && request.scope === account.scope && request.model === model) return request;
  throw new Refusal(404, 'request_not_found', 'There is no such request under this model.');
}

function makeHandle({ world, method }: Call, request: QueuedRequest) {
  const { id, model, status, createdAt } = request;
  const place = `${world.has('submit-relative-urls') && method === 'POST' ? '' : world.origin()}/v2/models/${model.id}/requests/${id}`;
  // This server ignores the query of these URLs, but callers must send it, because they must not change URLs.
  const mark = `?via=${id.slice(0, 8)}`;
  return {
    request_id: id,
    status,
    ...(status === 'PENDING' && { queue_position: listOf(world, model, 'PENDING').indexOf(request) }),
    status_url: `${place}/status${mark}`,
    response_url: `${place}${mark}`,
    cancel_url: `${place}/cancel${mark}`,
    submitted_at: new Date(createdAt).toISOString(),
  };
}

function makeStatus(call: Call, request: QueuedRequest) {
  const handle = makeHandle(call, request);
  const { outcome } = request;
  return outcome instanceof Refusal ? { ...handle, error_type: outcome.errorType } : handle;
}
