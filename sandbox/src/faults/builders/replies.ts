import { type Brand, headerName, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { replyHeader, type ServerReply } from '../../http/messages.ts';
import { parseJson } from '../../parse-json.ts';

/** A header by its verbatim name, or by the part after the brand. */
export type HeaderRef = string | { readonly branded: string };
export const requestId: HeaderRef = { branded: 'Request-Id' };
export const errorType: HeaderRef = { branded: 'Error-Type' };
export const upstreamStatus: HeaderRef = { branded: 'Upstream-Status' };
export const creditsUsed: HeaderRef = { branded: 'Credits-Used' };
export const droppedParams: HeaderRef = { branded: 'Router-Dropped-Params' };
export const fallbackProvider: HeaderRef = { branded: 'Router-Fallback-Provider' };

/** What Retry-After must not be: a date. */
export const someDate = 'Tue, 01 Jan 2030 00:01:00 GMT';

export function resolveHeaderName(ref: HeaderRef, { brand }: { brand: Brand }): string {
  return typeof ref === 'string' ? ref : headerName(brand, ref.branded);
}

/** The category that a router error names in its header. */
export function readCategory(reply: ServerReply, context: { brand: Brand }): string | undefined {
  return replyHeader(reply, resolveHeaderName(errorType, context));
}

export function withHeader(reply: ServerReply, name: string, value: string): ServerReply {
  return { ...reply, headers: { ...withoutHeader(reply, name).headers, [name]: value } };
}

export function withoutHeader(reply: ServerReply, name: string): ServerReply {
  const wanted = name.toLowerCase();
  const kept = Object.entries(reply.headers).filter(([one]) => one.toLowerCase() !== wanted);
  return { ...reply, headers: Object.fromEntries(kept) };
}

export function readText({ body }: ServerReply): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

export function readBytes({ body }: ServerReply): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

/** True for a reply that is labelled as JSON, whatever it holds. */
export function isJson(reply: ServerReply): boolean {
  return /json/.test(replyHeader(reply, 'content-type') ?? '');
}

/** The parsed body; undefined where it is not JSON. */
export function readJson(reply: ServerReply): JsonValue | undefined {
  return isJson(reply) ? parseJson(readText(reply)) : undefined;
}

/** The JSON object in the body; empty for any other body. */
export function readObject(reply: ServerReply): JsonObject {
  const body = readJson(reply);
  return isJsonObject(body) ? body : {};
}

export function withText(reply: ServerReply, text: string, status: number = reply.status): ServerReply {
  return { ...reply, status, body: text };
}

export function withJson(reply: ServerReply, body: JsonValue, status?: number): ServerReply {
  return withText(reply, JSON.stringify(body), status);
}

/** The first text of a JSON body is another one. */
export function withOtherText(reply: ServerReply): ServerReply {
  return isJson(reply) ? withText(reply, readText(reply).replace(/(:\s*"[^"\\]*)"/, '$1-again"')) : reply;
}

export const isReplay = (reply: ServerReply): boolean => replyHeader(reply, 'idempotent-replayed') === 'true';
export const asReplay = (reply: ServerReply): ServerReply => withHeader(reply, 'Idempotent-Replayed', 'true');
export const isFile = (reply: ServerReply): boolean => !isJson(reply);
export const isRefusal = (status: number): boolean => status >= 400;

/** A refusal in the envelope of the router, with header and body in agreement. */
export function refusal(
  from: ServerReply,
  context: { brand: Brand },
  { status, category }: { status: number; category: string },
): ServerReply {
  const labelled = withHeader(from, resolveHeaderName(errorType, context), category);
  const body = { detail: 'The request could not be served.', error_type: category };
  return withJson(withHeader(labelled, 'Content-Type', 'application/json'), body, status);
}

export function without(object: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name)));
}

/** An object member of an object; empty where there is none. */
export function readMember(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** Changes the objects in a list; anything that is not a list becomes an empty one. */
export function mapObjects(list: JsonValue | undefined, change: (object: JsonObject) => JsonValue): JsonValue[] {
  return Array.isArray(list) ? list.map((one) => (isJsonObject(one) ? change(one) : one)) : [];
}
