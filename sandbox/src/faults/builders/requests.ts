import { asObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Bytes } from '../../digest.ts';
import { findRouterAccount, type RouterAccount, sandboxCredentials } from '../../http/authentication.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { outcomeModelIds } from '../../own-catalog.ts';
import { parseJson } from '../../parse-json.ts';
import { readPath } from './fault.ts';

/** A condition on requests, for the `when` of a selector. */
export type When = (request: ServerRequest) => boolean;

export const mainKey: string = sandboxCredentials.router.main;
const mainAccount = findRouterAccount({ 'x-api-key': mainKey });

/** Reads `{provider}/{model}` of a request below `/v2/models/`. */
export function readModelId(request: ServerRequest): string {
  return readPath(request).split('/').slice(3, 5).join('/');
}

/** Reads the request id in a queue path; empty in any other path. */
export function readRequestId(request: ServerRequest): string {
  return readPath(request).split('/')[6] ?? '';
}

/** Reads the id in the path of a job; empty in any other path. */
export function readJobId(request: ServerRequest): string {
  return readPath(request).split('/')[4] ?? '';
}

/** True if a path's id of a request or a job has the form of a UUID. */
export const isUuid = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id);

export function readQuery({ target }: ServerRequest): URLSearchParams {
  return new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '');
}

export const isOfWorkflow: When = ({ target }) => !target.startsWith('/v2');

/** True for calls of one model of the sandbox's own catalog, for bugs that concern a single model. */
export const isOfOneModel: When = (request) => readModelId(request) === 'text-provider/embed';

/** True if the credential belongs to an account of which `holds` is true. */
const isFrom =
  (holds: (account: RouterAccount) => boolean): When =>
  ({ headers }) => {
    const account = findRouterAccount(headers);
    return account !== undefined && holds(account);
  };

/** Conditions on the credential of the caller and on its account. */
export const caller = {
  hasApiKey: ({ headers }: ServerRequest): boolean => headers['x-api-key'] !== undefined,
  hasToken: ({ headers }: ServerRequest): boolean => headers['authorization'] !== undefined,
  hasTokenOnly: (request: ServerRequest): boolean => caller.hasToken(request) && !caller.hasApiKey(request),
  hasNoCredential: (request: ServerRequest): boolean => !caller.hasToken(request) && !caller.hasApiKey(request),
  hasOtherScheme: (request: ServerRequest): boolean =>
    caller.hasTokenOnly(request) && /^(?!bearer\b)./i.test(request.headers['authorization'] ?? ''),
  hasAccess: isFrom(({ access, barredFrom }) => access === 'granted' && barredFrom === undefined),
  isDenied: isFrom(({ access }) => access === 'denied'),
  /** The caller may use the router, but not every model. */
  isBarredFromModel: isFrom(({ barredFrom }) => barredFrom !== undefined),
  lacksCredits: isFrom(({ hasCredits }) => !hasCredits),
  isOverRate: isFrom(({ quota }) => quota === 'used-up'),
  isAtSpendCap: isFrom(({ spend }) => spend === 'at-cap'),
  /** Another credential of the main workspace. */
  isColleague: isFrom((account) => account !== mainAccount && account.scope === mainAccount?.scope),
  isOfOtherWorkspace: isFrom(
    (account) => account.access === 'granted' && account.hasWorkspace && account.scope !== mainAccount?.scope,
  ),
  isWithoutWorkspace: isFrom(({ hasWorkspace }) => !hasWorkspace),
};

/** Reads the API key, or without one the bearer token; empty without either. */
export function readCredential({ headers }: ServerRequest): string {
  return headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /i, '') ?? '';
}

export const hasKey: When = ({ headers }) => headers['idempotency-key'] !== undefined;

/** Reads the idempotency key; empty without one. */
export function readKey({ headers }: ServerRequest): string {
  return headers['idempotency-key'] ?? '';
}

/** Reads the body as text; empty for one above the limit. */
export function readBodyText({ body }: ServerRequest): string {
  return body === 'too-large' ? '' : new TextDecoder().decode(body);
}

/** Reads the JSON object in the body; empty for any other body. */
export function readInput(request: ServerRequest): JsonObject {
  return asObject(parseJson(readBodyText(request)));
}

export function withTarget(request: ServerRequest, change: (target: string) => string): ServerRequest {
  return { ...request, target: change(request.target) };
}

/** Sets parameters of the query; undefined removes one. A query that stays the same keeps its spelling. */
export function withQuery(request: ServerRequest, parameters: Record<string, string | undefined>): ServerRequest {
  const query = readQuery(request);
  const before = query.toString();
  for (const [name, value] of Object.entries(parameters))
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  const after = query.toString();
  return after === before ? request : { ...request, target: readPath(request) + (after === '' ? '' : `?${after}`) };
}

/** Sets headers by their names in lower case; undefined removes one. */
export function withHeaders(request: ServerRequest, headers: Record<string, string | undefined>): ServerRequest {
  const changed = Object.entries({ ...request.headers, ...headers });
  const given = changed.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...request, headers: Object.fromEntries(given) };
}

export function withBody(request: ServerRequest, body: Bytes | string | JsonObject): ServerRequest {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return { ...withHeaders(request, { 'content-length': undefined }), body: bytes };
}

/** Makes the same call of the outcome model, which accepts any input, with an empty one and no key. */
export function asEmptyRun(request: ServerRequest): ServerRequest {
  const target = request.target.replace(/^(\/v2\/models\/)[^/]+\/[^/?]+/, (_, start) => start + outcomeModelIds.main);
  return withoutKey(withBody({ ...request, target }, '{}'));
}

/** Makes a GET of another path from the request, without a body or a key. */
export function asRead(request: ServerRequest, target: string): ServerRequest {
  return { ...withoutKey(request), method: 'GET', target, body: new Uint8Array() };
}

export function asMain(request: ServerRequest): ServerRequest {
  return withHeaders(request, { 'x-api-key': mainKey });
}

export function withoutKey(request: ServerRequest): ServerRequest {
  return withHeaders(request, { 'idempotency-key': undefined });
}

/** True if the query has this parameter, with this value if one is given. */
export const hasQuery =
  (name: string, value?: string): When =>
  (request) =>
    value === undefined ? readQuery(request).has(name) : readQuery(request).get(name) === value;
