import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { operations } from '../app.ts';
import { parseWholeNumber, parseWord, SandboxError } from '../errors.ts';
import { jsonReply, proxyReply, type Reply, routerError, upstreamStatus, withHeaders } from '../http/messages.ts';
import type { Api, StubbedResponse, World } from '../state/world.ts';
import type { AdminRoutes } from './admin.ts';

const stubKinds = ['error_type', 'code', 'body'];

export const stubRoutes: AdminRoutes = {
  'POST /__sandbox/stubs': {
    description:
      'stubs the next replies: {"operation": "<id>" or "*", "times": 1, "stage": "before" or "after" the work is done} with one of ' +
      '"error_type" (router), "code" (workflow) and "body" (html, truncated_json, plain_text: as from a proxy), and optionally ' +
      '"status", "upstream_status", "retry_after" (null omits it), "details"',
    takes: [...stubKinds, 'operation', 'times', 'stage', 'status', 'upstream_status', 'retry_after', 'details'],
    handle: ({ body }, { world }) => {
      world.stubs.pending.push(parseStub(body));
      return showStubs(world);
    },
  },
  'GET /__sandbox/stubs': {
    description: 'lists the stubbed responses that are still pending',
    handle: (_, { world }) => showStubs(world),
  },
  'DELETE /__sandbox/stubs': {
    description: 'removes all stubbed responses',
    handle: (_, { world }) => {
      world.stubs.pending = [];
      return showStubs(world);
    },
  },
};

export function showStubs({ stubs }: World): { pending: JsonObject[] } {
  return { pending: stubs.pending.map(({ wanted, times }) => ({ ...wanted, times })) };
}

/** Default status of each category; the documents don't define all of them (OP-018, OP-019). */
const routerStatuses = statusByWord({
  400: ['invalid_input', 'content_policy_violation'],
  401: ['unauthorized'],
  402: ['insufficient_credits'],
  403: ['forbidden', 'not_enabled'],
  404: ['model_not_found', 'request_not_found'],
  410: ['cancelled', 'queue_timeout'],
  429: ['concurrency_limit_exceeded', 'rate_limited'],
  499: ['client_disconnected'],
  500: ['internal_error'],
  502: ['provider_error'],
  503: ['service_unavailable'],
  504: ['provider_timeout', 'deadline_exceeded'],
});

/** All documented statuses, although the implemented operation only returns few of them (WX-COD-01 to WX-COD-15). */
const workflowStatuses = statusByWord({
  401: ['unauthorized'],
  402: ['insufficient_credits'],
  403: ['forbidden'],
  404: ['blob_not_found', 'not_found'],
  409: ['hash_mismatch'],
  422: ['invalid_workflow', 'workflow_format_ui', 'missing_asset', 'idempotency_key_reuse', 'deployment_stopped'],
  429: ['queue_full', 'deployment_not_ready', 'rate_limited'],
  500: ['upstream_error'],
});

function statusByWord(words: Readonly<Record<number, readonly string[]>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(words).flatMap(([status, list]) => list.map((word) => [word, Number(status)])));
}

const stubDetail = 'This failure is a stubbed response of the sandbox.';
const bodies = ['html', 'truncated_json', 'plain_text'];
export const stubWords = { error_type: [...routerStatuses.keys()], code: [...workflowStatuses.keys()], body: bodies };

export function parseStub(wanted: JsonObject): StubbedResponse {
  const givenKinds = stubKinds.filter((name) => wanted[name] !== undefined);
  if (givenKinds.length !== 1) throw new SandboxError('the body must have exactly one of error_type, code and body');
  let api: Api | 'both' = 'both';
  let reply: Reply;
  if (wanted['error_type'] !== undefined) [api, reply] = ['model-router', stubbedRouterError(wanted)];
  else if (wanted['code'] !== undefined) [api, reply] = ['workflow-execution', stubbedWorkflowError(wanted)];
  else {
    const status = parseWholeNumber('status', wanted['status'] ?? 502, { from: 200, to: 599 });
    if ([204, 205, 304].includes(status)) throw new SandboxError(`a response with status ${status} cannot have a body`);
    const response = proxyReply(parseWord('body', wanted['body'], bodies), status);
    reply = withHeaders(response, readWait(wanted, undefined));
  }
  const known = operations.filter((one) => api === 'both' || one.api === api).map(({ operation }) => operation);
  const operation = parseWord('operation', wanted['operation'] ?? '*', ['*', ...known]);
  const stage = parseWord('stage', wanted['stage'] ?? 'before', ['before', 'after']);
  const times = parseWholeNumber('times', wanted['times'] ?? 1, { from: 1 });
  return { operation, api, stage, times, reply, wanted };
}

function stubbedRouterError(wanted: JsonObject): Reply {
  const errorType = readWord(wanted, 'error_type');
  const status = readStatus(wanted, routerStatuses.get(errorType));
  const wait = readWait(wanted, errorType === 'rate_limited' ? 30 : undefined);
  // A 502 reports a provider's response, so it includes the provider's status (OP-033).
  const upstream = wanted['upstream_status'] ?? (status === 502 ? 500 : undefined);
  if (upstream === undefined) return routerError(status, errorType, stubDetail, wait);
  const named = String(parseWholeNumber('upstream_status', upstream, { from: 100, to: 599 }));
  return routerError(status, errorType, stubDetail, { ...wait, [upstreamStatus]: named });
}

/** Only `upstream_error` has a generic message by contract (WX-COD-22). */
function stubbedWorkflowError(wanted: JsonObject): Reply {
  const code = readWord(wanted, 'code');
  const status = readStatus(wanted, workflowStatuses.get(code));
  const message = code === 'upstream_error' ? 'Something went wrong. Please try again later.' : stubDetail;
  const { details } = wanted;
  if (details !== undefined && details !== null && !isJsonObject(details))
    throw new SandboxError('details must be an object or null');
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  return jsonReply(status, { error }, readWait(wanted, status === 429 ? 30 : undefined));
}

/** `null` omits the header even if it would be sent by default. */
function readWait(wanted: JsonObject, usual: number | undefined): Record<string, string> {
  const { retry_after: seconds = usual ?? null } = wanted;
  return seconds === null ? {} : { 'Retry-After': String(parseWholeNumber('retry_after', seconds)) };
}

function readStatus(wanted: JsonObject, usual: number | undefined): number {
  const { status = usual } = wanted;
  if (status !== undefined) return parseWholeNumber('status', status, { from: 400, to: 599 });
  throw new SandboxError('status (400 to 599) is required for an error_type or code that has no default status');
}

function readWord(wanted: JsonObject, name: string): string {
  const value = wanted[name];
  if (typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value)) return value;
  throw new SandboxError(`${name} must be a lowercase word`);
}
