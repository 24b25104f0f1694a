import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { errorType, type Reply, replyHeader } from '../../http/messages.ts';
import { parseJson, type Revive } from '../../parse-json.ts';

/** The category that a router error names in its header. */
export function readCategory(reply: Reply): string | undefined {
  return replyHeader(reply, errorType);
}

export function withHeader(reply: Reply, name: string, value: string): Reply {
  return { ...reply, headers: { ...withoutHeader(reply, name).headers, [name]: value } };
}

export function withoutHeader(reply: Reply, name: string): Reply {
  const wanted = name.toLowerCase();
  const kept = Object.entries(reply.headers).filter(([one]) => one.toLowerCase() !== wanted);
  return { ...reply, headers: Object.fromEntries(kept) };
}

export function readText({ body }: Reply): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

export function readBytes({ body }: Reply): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

/** True for a reply that is labelled as JSON, whatever it holds. */
export function isJson(reply: Reply): boolean {
  return /json/.test(replyHeader(reply, 'content-type') ?? '');
}

const mark = '=';
const marked = /(\\?)"=(-?[\d.]{16,}(?:[eE][+-]?\d+)?)\1"/g;
export const isLongInteger = (text: string): boolean => text.startsWith(mark);
const keepDigits: Revive = (_, value, { source }) =>
  source !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value) ? mark + source : value;

/** The parsed body; undefined where it is not JSON. Integers that JavaScript would round are texts until `withText` writes them. */
export function readJson(reply: Reply): JsonValue | undefined {
  return isJson(reply) ? parseJson(readText(reply), keepDigits) : undefined;
}

/** The JSON object in the body; empty for any other body. */
export function readObject(reply: Reply): JsonObject {
  return asObject(readJson(reply));
}

export function withText(reply: Reply, text: string, status: number = reply.status): Reply {
  return { ...reply, status, body: text.replace(marked, '$2') };
}

export function withJson(reply: Reply, body: JsonValue, status?: number): Reply {
  return withText(reply, JSON.stringify(body), status);
}

/** The first text of a JSON body is another one. */
export function withOtherText(reply: Reply): Reply {
  return isJson(reply) ? withText(reply, readText(reply).replace(/(:\s*"[^"\\]*)"/, '$1-again"')) : reply;
}

export const isReplay = (reply: Reply): boolean => replyHeader(reply, 'idempotent-replayed') === 'true';
export const asReplay = (reply: Reply): Reply => withHeader(reply, 'Idempotent-Replayed', 'true');
export const isFile = (reply: Reply): boolean => !isJson(reply);
export const isRefusal = (status: number): boolean => status >= 400;

/** A refusal in the envelope of the router, with header and body in agreement. */
export function refusal(from: Reply, status: number, category: string): Reply {
  const body = { detail: 'The request could not be served.', error_type: category };
  return withJson(withHeader(withHeader(from, errorType, category), 'Content-Type', 'application/json'), body, status);
}

export function without(object: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name)));
}

/** Changes the objects in a list; anything that is not a list becomes an empty one. */
export function mapObjects(list: JsonValue | undefined, change: (object: JsonObject) => JsonValue): JsonValue[] {
  return Array.isArray(list) ? list.map((one) => (isJsonObject(one) ? change(one) : one)) : [];
}
