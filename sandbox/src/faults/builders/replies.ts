import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { errorType, type Reply, replyHeader, upstreamStatus } from '../../http/messages.ts';
import { parseJson, type Revive } from '../../parse-json.ts';

/** A condition on replies, for the `reply` of a selector. */
export type OfReply = (reply: Reply) => boolean;

/** The category that a router error names in its header. */
export function readCategory(reply: Reply): string | undefined {
  return replyHeader(reply, errorType);
}

export const isRefusal = (status: number): boolean => status >= 400;

/** Conditions on replies; the last five are about the request of a status response, by its body. */
export const is = {
  json: (reply: Reply): boolean => /json/.test(replyHeader(reply, 'content-type') ?? ''),
  file: (reply: Reply): boolean => !is.json(reply),
  replay: (reply: Reply): boolean => replyHeader(reply, 'idempotent-replayed') === 'true',
  fromProvider: (reply: Reply): boolean => replyHeader(reply, upstreamStatus) !== undefined,
  completed: (reply: Reply): boolean => readObject(reply)['status'] === 'COMPLETED',
  pending: (reply: Reply): boolean => !is.completed(reply),
  cancelled: (reply: Reply): boolean => readObject(reply)['error_type'] === 'cancelled',
  success: (reply: Reply): boolean => is.completed(reply) && !('error_type' in readObject(reply)),
  failed: (reply: Reply): boolean => is.completed(reply) && !is.success(reply) && !is.cancelled(reply),
};

/** Sets a header; undefined removes it. */
export function withHeader(reply: Reply, name: string, value: string | undefined): Reply {
  const wanted = name.toLowerCase();
  const kept = Object.entries(reply.headers).filter(([one]) => one.toLowerCase() !== wanted);
  return { ...reply, headers: Object.fromEntries(value === undefined ? kept : [...kept, [name, value]]) };
}

export const asReplay = (reply: Reply): Reply => withHeader(reply, 'Idempotent-Replayed', 'true');

export function readText({ body }: Reply): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

export function readBytes({ body }: Reply): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

const mark = '=';
const marked = /(\\?)"=(-?[\d.]{16,}(?:[eE][+-]?\d+)?)\1"/g;
export const isLongInteger = (text: string): boolean => text.startsWith(mark);
const keepDigits: Revive = (_, value, { source }) =>
  source !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value) ? mark + source : value;

/**
 * The parsed body; undefined if it is not JSON. Integers that JavaScript would round are texts until `withText` writes them.
 */
export function readJson(reply: Reply): JsonValue | undefined {
  return is.json(reply) ? parseJson(readText(reply), keepDigits) : undefined;
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
