import { nameScope } from './accounts.ts';
import { type Answer, jsonAnswer, Refusal } from './answers.ts';
import { type Call, makeFingerprint, readKey, requireModel } from './call.ts';
import { checkInput, parseInput } from './input.ts';
import type { Request } from './queue.ts';
import { makeRefusal } from './run.ts';

// The four routes below /v2/models/{provider}/{model}/requests

export async function submitRequest(call: Call): Promise<Answer> {
  const model = requireModel(call);
  const key = readKey(call);
  const bytes = await call.body();
  const input = parseInput(bytes);
  const fingerprint = makeFingerprint(call, input);
  const scope = nameScope(call.account);
  const { keys, limits, queue, bugs } = call.world;

  const known = key === undefined ? undefined : keys.find(scope, key);
  if (known) {
    keys.check(known, fingerprint, bugs.has('submit-replays-new-body'));
    const request = known.state.kind === 'submitted' ? queue.find(known.state.requestId) : undefined;
    if (!request) throw new Refusal(409, 'invalid_input', 'This Idempotency-Key cannot be replayed.');
    return jsonAnswer(201, makeHandle(call, request), { 'idempotent-replayed': 'true' });
  }
  limits.takeQuota(call.account);
  if (!bugs.has('submit-validates-late')) checkInput(model, input);
  if (!call.account.credits) throw new Refusal(402, 'insufficient_credits', 'The workspace has no credits left.');
  const request = queue.submit(model, scope, { input, bytes });
  if (key !== undefined) keys.open(scope, key, fingerprint, { kind: 'submitted', requestId: request.id });
  return jsonAnswer(201, makeHandle(call, request));
}

export function readStatus(call: Call): Answer {
  const request = requireRequest(call, call.world.bugs.has('status-any-model'));
  const pending = request.status !== 'COMPLETED';
  return jsonAnswer(200, makeStatus(call, request), pending ? { 'retry-after': 1 } : {});
}

export function collectResult(call: Call): Answer {
  const { bugs } = call.world;
  const request = requireRequest(call);
  const { outcome } = request;
  if (request.status !== 'COMPLETED' || !outcome) {
    return jsonAnswer(202, makeStatus(call, request), {
      'retry-after': bugs.has('collect-wait-in-fractions') ? 0.75 : 1,
    });
  }
  if (outcome.kind === 'failure') {
    // Without a reason from the model the request failed as a request.
    throw makeRefusal(call, outcome, {}, outcome.blame === 'router' ? 410 : outcome.status);
  }
  const { bytes, mediaType } = outcome.output;
  const headers = { 'content-type': mediaType, 'x-content-type-options': 'nosniff' };
  return {
    status: 200,
    headers,
    body: bugs.has('collect-decodes-bytes') ? Buffer.from(bytes.toString('utf8')) : bytes,
  };
}

export function cancelRequest(call: Call): Answer {
  const request = requireRequest(call);
  const accepted = call.world.queue.cancel(request) || call.world.bugs.has('cancel-completed-accepted');
  const status = accepted ? 'CANCELLATION_REQUESTED' : 'ALREADY_COMPLETED';
  return jsonAnswer(accepted ? 202 : 409, {
    request_id: request.id,
    status,
    noted_at: new Date(call.world.clock.now()).toISOString(),
  });
}

function requireRequest(call: Call, underAnyModel = false): Request {
  const model = requireModel(call);
  const request = call.world.queue.find(call.names[2] ?? '');
  const anyone =
    call.world.bugs.has('collect-any-workspace') && call.method === 'GET' && !call.path.endsWith('/status');
  const own = request && (request.scope === nameScope(call.account) || anyone);
  if (!request || !own || !(request.model === model || underAnyModel)) {
    throw new Refusal(404, 'request_not_found', 'There is no such request under this model.');
  }
  return request;
}

function makeHandle(call: Call, request: Request): Record<string, unknown> {
  const { bugs, queue } = call.world;
  const origin = bugs.has('submit-relative-urls') && call.method === 'POST' ? '' : call.origin;
  const place = `${origin}/v2/models/${request.model.id}/requests/${request.id}`;
  // The query of the URLs means nothing to this server: callers follow URLs as they are.
  const mark = `?via=${request.id.slice(0, 8)}`;
  const ahead = queue.ahead(request) + (bugs.has('status-position-from-one') && call.method === 'GET' ? 1 : 0);
  return {
    request_id: request.id,
    status: request.status,
    ...(request.status === 'PENDING' && { queue_position: ahead }),
    status_url: `${place}/status${mark}`,
    response_url: `${place}${mark}`,
    cancel_url: `${place}/cancel${mark}`,
    submitted_at: new Date(request.createdAt).toISOString(),
  };
}

function makeStatus(call: Call, request: Request): Record<string, unknown> {
  const { bugs } = call.world;
  const handle = makeHandle(call, request);
  if (request.status !== 'COMPLETED') return handle;
  if (request.outcome?.kind !== 'failure')
    return bugs.has('status-error-type-null') ? { ...handle, error_type: null } : handle;
  const { errorType } = request.outcome;
  return bugs.has('cancel-without-error-type') && errorType === 'cancelled'
    ? handle
    : { ...handle, error_type: errorType };
}
