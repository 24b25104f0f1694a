import { asObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Bytes } from '../../digest.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { parseJson } from '../../parse-json.ts';
import { readPath } from './operations.ts';

export const mainKey: string = sandboxCredentials.router.main;

/** `{provider}/{model}` of a request below `/v2/models/`. */
export function readModelId(request: ServerRequest): string {
  return readPath(request).split('/').slice(3, 5).join('/');
}

/** The request id in a queue path; empty in any other path. */
export function readRequestId(request: ServerRequest): string {
  return readPath(request).split('/')[6] ?? '';
}

/** The id in the path of a job; empty in any other path. */
export function readJobId(request: ServerRequest): string {
  return readPath(request).split('/')[4] ?? '';
}

export function readQuery({ target }: ServerRequest): URLSearchParams {
  return new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '');
}

export const isOfRouter = ({ target }: ServerRequest): boolean => target.startsWith('/v2');
export const isOfWorkflow = (request: ServerRequest): boolean => !isOfRouter(request);

export function isOfModel(model: string): (request: ServerRequest) => boolean {
  return (request) => readModelId(request) === model;
}

export function isOfJob(...ids: readonly string[]): (request: ServerRequest) => boolean {
  return (request) => ids.includes(readJobId(request));
}

/** True if the API key belongs to this alias, for example `no-access`. */
export function isFrom(alias: string): (request: ServerRequest) => boolean {
  return ({ headers }) => headers['x-api-key']?.endsWith(`-${alias}`) === true;
}

export function hasHeader(name: string): (request: ServerRequest) => boolean {
  return ({ headers }) => headers[name] !== undefined;
}

export function lacksHeader(name: string): (request: ServerRequest) => boolean {
  return ({ headers }) => headers[name] === undefined;
}

export function hasNoCredential({ headers }: ServerRequest): boolean {
  return headers['x-api-key'] === undefined && headers['authorization'] === undefined;
}

export const hasKey: (request: ServerRequest) => boolean = hasHeader('idempotency-key');

/** The idempotency key; empty without one. */
export function readKey({ headers }: ServerRequest): string {
  return headers['idempotency-key'] ?? '';
}

/** The body as text; empty for one above the limit. */
export function readBodyText({ body }: ServerRequest): string {
  return body === 'too-large' ? '' : new TextDecoder().decode(body);
}

/** The JSON object in the body; empty for any other body. */
export function readInput(request: ServerRequest): JsonObject {
  return asObject(parseJson(readBodyText(request)));
}

export function withTarget(request: ServerRequest, change: (target: string) => string): ServerRequest {
  return { ...request, target: change(request.target) };
}

/** A query that `change` leaves as it is keeps its spelling. */
export function withQuery(request: ServerRequest, change: (query: URLSearchParams) => void): ServerRequest {
  const query = readQuery(request);
  const before = query.toString();
  change(query);
  const after = query.toString();
  return after === before ? request : { ...request, target: readPath(request) + (after === '' ? '' : `?${after}`) };
}

export function withoutQuery(request: ServerRequest, ...names: readonly string[]): ServerRequest {
  return withQuery(request, (query) => {
    for (const name of names) query.delete(name);
  });
}

/** Sets headers by their names in lower case; `undefined` removes one. */
export function withHeaders(request: ServerRequest, headers: Record<string, string | undefined>): ServerRequest {
  const kept = Object.entries(request.headers).filter(([name]) => !(name in headers));
  const added = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...request, headers: Object.fromEntries([...kept, ...added]) };
}

export function withBody(request: ServerRequest, body: Bytes | string | JsonObject): ServerRequest {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return { ...withHeaders(request, { 'content-length': undefined }), body: bytes };
}

/** The same call of a model that accepts any input, with an empty one and no key. */
export function asEmptyRun(request: ServerRequest): ServerRequest {
  return withoutKey(withBody(atOutcomes(request), '{}'));
}

/** The same call of the outcome model. */
export function atOutcomes(request: ServerRequest): ServerRequest {
  return withTarget(request, (target) => target.replace(/^\/v2\/models\/[^/]+\/[^/?]+/, '/v2/models/sandbox/outcomes'));
}

export function asMain(request: ServerRequest): ServerRequest {
  return withHeaders(request, { 'x-api-key': mainKey });
}

export function withoutKey(request: ServerRequest): ServerRequest {
  return withHeaders(request, { 'idempotency-key': undefined });
}

/** Any value of this member of the input, or this value. */
export function hasInput(member: string, value?: JsonValue): (request: ServerRequest) => boolean {
  return (request) => isGiven(readInput(request)[member], value);
}

/** The same of a parameter of the query. */
export function hasQuery(name: string, value?: string): (request: ServerRequest) => boolean {
  return (request) => isGiven(readQuery(request).get(name) ?? undefined, value);
}

function isGiven(found: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  return wanted === undefined ? found !== undefined : found === wanted;
}
