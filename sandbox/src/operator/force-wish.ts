import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Answer, jsonAnswer, withHeaders, withServiceHeaders } from '../answer.ts';
import { SandboxError } from '../errors.ts';
import { refuse } from '../model-router/refusals.ts';
import { proxyAnswer } from '../provider/proxy-answer.ts';
import { type Api, routes } from '../routes.ts';
import type { ForcedAnswer } from './forced-answers.ts';

/** The status each category has here where the operator names none; for several it is not documented (NS-18, NS-19). */
const routerStatuses: ReadonlyMap<string, number> = new Map([
  ['invalid_input', 400],
  ['content_policy_violation', 400],
  ['provider_error', 502],
  ['provider_timeout', 504],
  ['insufficient_credits', 402],
  ['model_not_found', 404],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['concurrency_limit_exceeded', 429],
  ['client_disconnected', 499],
  ['internal_error', 500],
  ['deadline_exceeded', 504],
  ['not_enabled', 403],
  ['service_unavailable', 503],
  ['rate_limited', 429],
  ['cancelled', 410],
  ['queue_timeout', 410],
  ['request_not_found', 404],
]);

/** As documented, foreign to the one operation though most of them are (WX-COD-01 to WX-COD-15). */
const workflowStatuses: ReadonlyMap<string, number> = new Map([
  ['invalid_workflow', 422],
  ['workflow_format_ui', 422],
  ['missing_asset', 422],
  ['hash_mismatch', 409],
  ['blob_not_found', 404],
  ['idempotency_key_reuse', 422],
  ['queue_full', 429],
  ['insufficient_credits', 402],
  ['not_found', 404],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['deployment_not_ready', 429],
  ['deployment_stopped', 422],
  ['rate_limited', 429],
  ['upstream_error', 500],
]);

const members = [
  'operation',
  'times',
  'stage',
  'error_type',
  'code',
  'body',
  'status',
  'upstream_status',
  'retry_after',
  'details',
];
const bodies = ['html', 'truncated_json', 'plain_text'];

/** What the operator wants answered. Throws SandboxError for a wish that cannot be read. */
export function parseForceWish(wish: JsonObject): ForcedAnswer {
  const unknown = Object.keys(wish).find((name) => !members.includes(name));
  if (unknown !== undefined) throw new SandboxError(`${JSON.stringify(unknown)} is none of ${members.join(', ')}`);
  const named = ['error_type', 'code', 'body'].filter((name) => wish[name] !== undefined);
  if (named.length !== 1) throw new SandboxError('name one of error_type, code and body');
  const { api, answer } = parseAnswer(wish);
  const operation = oneOf(wish, 'operation', ['*', ...operationsOf(api)]);
  const stage = oneOf(wish, 'stage', ['before', 'after']) === 'after' ? 'after' : 'before';
  return { operation, api, stage, times: wholeNumber(wish, 'times', { otherwise: 1, from: 1 }) ?? 1, answer, wish };
}

function operationsOf(api: ForcedAnswer['api']): string[] {
  return routes.filter((route) => api === 'both' || route.api === api).map(({ operation }) => operation);
}

function parseAnswer(wish: JsonObject): { api: Api | 'both'; answer: Answer } {
  if (wish['error_type'] !== undefined) return { api: 'model-router', answer: routerError(wish) };
  if (wish['code'] !== undefined) return { api: 'workflow-execution', answer: workflowError(wish) };
  const { status, mediaType, body } = proxyAnswer(oneOf(wish, 'body', bodies), proxyStatusOf(wish));
  const answer: Answer = { status, headers: { 'Content-Type': mediaType }, serviceHeaders: {}, body, isForeign: true };
  return { api: 'both', answer: withHeaders(answer, waitOf(wish, undefined)) };
}

function routerError(wish: JsonObject): Answer {
  const errorType = word(wish, 'error_type');
  const status = statusOf(wish, routerStatuses.get(errorType));
  const answer = refuse({ status, errorType, detail: 'The operator of this sandbox asked for this failure.' });
  const waiting = withHeaders(answer, waitOf(wish, errorType === 'rate_limited' ? 30 : undefined));
  // A 502 is about an answer that a provider gave, so the provider's status belongs to it (NS-33).
  const usual = status === 502 ? 500 : undefined;
  const upstream = wholeNumber(wish, 'upstream_status', { otherwise: usual, from: 100, to: 599 });
  return upstream === undefined ? waiting : withServiceHeaders(waiting, { 'Upstream-Status': String(upstream) });
}

/** Only the message of `upstream_error` is promised to be generic (WX-COD-22). */
function workflowError(wish: JsonObject): Answer {
  const code = word(wish, 'code');
  const status = statusOf(wish, workflowStatuses.get(code));
  const isUpstream = code === 'upstream_error';
  const message = isUpstream
    ? 'Something went wrong. Please try again later.'
    : 'The operator of this sandbox asked for this failure.';
  const { details } = wish;
  if (details !== undefined && details !== null && !isJsonObject(details)) {
    throw new SandboxError('details must be an object or null');
  }
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  return withHeaders(jsonAnswer(status, { error }), waitOf(wish, status === 429 ? 30 : undefined));
}

/** `null` leaves the header out where it would be sent by itself. */
function waitOf(wish: JsonObject, usual: number | undefined): Record<string, string> {
  if (wish['retry_after'] === null) return {};
  const seconds = wholeNumber(wish, 'retry_after', { otherwise: usual, from: 0 });
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

function statusOf(wish: JsonObject, usual: number | undefined): number {
  const status = wholeNumber(wish, 'status', { otherwise: usual, from: 400, to: 599 });
  if (status !== undefined) return status;
  throw new SandboxError('status must be a number from 400 to 599: a word that is not listed has none of its own');
}

function proxyStatusOf(wish: JsonObject): number {
  const status = wholeNumber(wish, 'status', { otherwise: 502, from: 200, to: 599 }) ?? 502;
  if (bodiless.includes(status)) throw new SandboxError(`an answer of status ${status} has no body`);
  return status;
}

const bodiless: readonly number[] = [204, 205, 304];

function word(wish: JsonObject, name: string): string {
  const value = wish[name];
  if (typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value)) return value;
  throw new SandboxError(`${name} must be a word in lower case`);
}

function wholeNumber(
  wish: JsonObject,
  name: string,
  { otherwise, from, to = Number.MAX_SAFE_INTEGER }: { otherwise: number | undefined; from: number; to?: number },
): number | undefined {
  const value: JsonValue | undefined = wish[name];
  if (value === undefined) return otherwise;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to) return value;
  const upTo = to === Number.MAX_SAFE_INTEGER ? 'up' : `to ${to}`;
  throw new SandboxError(`${name} must be a whole number from ${from} ${upTo}`);
}

/** The first of `allowed` where nothing is said. */
function oneOf(wish: JsonObject, name: string, allowed: readonly string[]): string {
  const value = wish[name] ?? allowed[0];
  if (typeof value === 'string' && allowed.includes(value)) return value;
  throw new SandboxError(`${name} must be one of ${allowed.join(', ')}`);
}
