import { asObject, type JsonObject, measureJson } from '../../../../specs/src/index.ts';
import type { Bytes } from '../../digest.ts';
import { findRouterAccount, type RouterAccount, sandboxCredentials } from '../../http/authentication.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { splitTarget } from '../../http/router.ts';
import { parseJson } from '../../parse-json.ts';

/** A condition on requests, for the member `when` of a selector. */
export type RequestCondition = (request: ServerRequest) => boolean;

export const mainKey: string = sandboxCredentials.router.main;
const mainAccount = findRouterAccount({ 'x-api-key': mainKey });

/** Functions that read a part of a request. Texts and inputs are empty if the request has none. */
export const readRequest = {
  /** The path as sent, without the query. */
  path: ({ target }: ServerRequest): string => splitTarget(target).path,
  query: ({ target }: ServerRequest): URLSearchParams => new URLSearchParams(splitTarget(target).query),
  /** `{provider}/{model}` in a path below `/v2/models/`. */
  modelId: (request: ServerRequest): string => readRequest.path(request).split('/').slice(3, 5).join('/'),
  /** The request id in the path of a queued request. */
  requestId: (request: ServerRequest): string => readRequest.path(request).split('/')[6] ?? '',
  jobId: (request: ServerRequest): string => readRequest.path(request).split('/')[4] ?? '',
  /** The API key, or else the bearer token. */
  credential: ({ headers }: ServerRequest): string =>
    headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /i, '') ?? '',
  /** The idempotency key. */
  key: ({ headers }: ServerRequest): string => headers['idempotency-key'] ?? '',
  /** The body as text; empty if it exceeds the limit. */
  text: ({ body }: ServerRequest): string => (body === 'too-large' ? '' : new TextDecoder().decode(body)),
  /** The JSON object in the body; an empty object for any other body. */
  input: (request: ServerRequest): JsonObject => asObject(parseJson(readRequest.text(request))),
};

/** True if the id of a request or a job has the form of a UUID. */
export const isUuid = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id);

export const isForWorkflowApi: RequestCondition = ({ target }) => !target.startsWith('/v2');

/** Selects calls of one model, for bugs that affect a single model. */
export const isForOneModel: RequestCondition = (request) => readRequest.modelId(request) === 'text-provider/embed';

/** True if the credential belongs to an account that satisfies `condition`. */
const matchAccount =
  (condition: (account: RouterAccount) => boolean): RequestCondition =>
  ({ headers }) => {
    const account = findRouterAccount(headers);
    return account !== undefined && condition(account);
  };

/** Conditions on the caller's credential and account. */
export const caller = {
  hasApiKey: ({ headers }: ServerRequest): boolean => headers['x-api-key'] !== undefined,
  hasToken: ({ headers }: ServerRequest): boolean => headers['authorization'] !== undefined,
  hasTokenOnly: (request: ServerRequest): boolean => caller.hasToken(request) && !caller.hasApiKey(request),
  hasNoCredential: (request: ServerRequest): boolean => !caller.hasToken(request) && !caller.hasApiKey(request),
  hasOtherScheme: (request: ServerRequest): boolean =>
    caller.hasTokenOnly(request) && /^(?!bearer\b)./i.test(request.headers['authorization'] ?? ''),
  hasAccess: matchAccount(({ access, barredFrom }) => access === 'granted' && barredFrom === undefined),
  isDenied: matchAccount(({ access }) => access === 'denied'),
  /** The caller may use the router, but not every model. */
  isBarredFromModel: matchAccount(({ barredFrom }) => barredFrom !== undefined),
  lacksCredits: matchAccount(({ hasCredits }) => !hasCredits),
  isOverRate: matchAccount(({ quota }) => quota === 'used-up'),
  isAtSpendCap: matchAccount(({ spend }) => spend === 'at-cap'),
  /** True for a second credential of the main workspace. */
  isColleague: matchAccount((account) => account !== mainAccount && account.scope === mainAccount?.scope),
  isOfOtherWorkspace: matchAccount(
    (account) => account.access === 'granted' && account.hasWorkspace && account.scope !== mainAccount?.scope,
  ),
  isWithoutWorkspace: matchAccount(({ hasWorkspace }) => !hasWorkspace),
};

/** True if the request has an idempotency key, even an empty or invalid one. */
export const hasKey: RequestCondition = ({ headers }) => headers['idempotency-key'] !== undefined;

/** True for a body that is nested more than 100 levels deep. */
export const isDeeplyNested: RequestCondition = ({ body }) => body !== 'too-large' && measureJson(body).deepest > 100;

export function withTarget(request: ServerRequest, change: (target: string) => string): ServerRequest {
  return { ...request, target: change(request.target) };
}

/** Sets query parameters; undefined removes one. An unchanged query keeps its exact text. */
export function withQuery(request: ServerRequest, parameters: Record<string, string | undefined>): ServerRequest {
  const query = readRequest.query(request);
  const before = query.toString();
  for (const [name, value] of Object.entries(parameters))
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  const after = query.toString();
  return after === before
    ? request
    : { ...request, target: readRequest.path(request) + (after === '' ? '' : `?${after}`) };
}

/** Sets headers by their lowercase names; undefined removes one. */
export function withHeaders(request: ServerRequest, headers: Record<string, string | undefined>): ServerRequest {
  const changed = Object.entries({ ...request.headers, ...headers });
  const present = changed.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...request, headers: Object.fromEntries(present) };
}

export function withBody(request: ServerRequest, body: Bytes | string | JsonObject): ServerRequest {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return { ...withHeaders(request, { 'content-length': undefined }), body: bytes };
}

/** Turns the request into a GET request for `target`, without a body or an idempotency key. */
export function toGetRequest(request: ServerRequest, target: string): ServerRequest {
  return { ...withoutKey(request), method: 'GET', target, body: new Uint8Array() };
}

export function asMainCaller(request: ServerRequest): ServerRequest {
  return withHeaders(request, { 'x-api-key': mainKey });
}

export function withoutKey(request: ServerRequest): ServerRequest {
  return withHeaders(request, { 'idempotency-key': undefined });
}

/** True if the query has the parameter, and with `value` if it is given. */
export const hasParameter =
  (name: string, value?: string): RequestCondition =>
  (request) =>
    value === undefined ? readRequest.query(request).has(name) : readRequest.query(request).get(name) === value;
