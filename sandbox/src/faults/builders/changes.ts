import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Bytes } from '../../digest.ts';
import { errorType, type Reply, replyHeader, type ServerRequest, upstreamStatus } from '../../http/messages.ts';
import { parseJson, type Revive } from '../../parse-json.ts';
import type { Around, Change, FaultContext, Selector } from './fault.ts';

export const isRefusal = (status: number): boolean => status >= 400;

/** Conditions on replies. `completed` and the conditions after it read the body of a status response. */
export const is = {
  json: (reply: Reply): boolean => /json/.test(replyHeader(reply, 'content-type') ?? ''),
  file: (reply: Reply): boolean => !is.json(reply),
  replay: (reply: Reply): boolean => replyHeader(reply, 'idempotent-replayed') === 'true',
  fromProvider: (reply: Reply): boolean => replyHeader(reply, upstreamStatus) !== undefined,
  completed: (reply: Reply): boolean => read.object(reply)['status'] === 'COMPLETED',
  pending: (reply: Reply): boolean => !is.completed(reply),
  cancelled: (reply: Reply): boolean => read.object(reply)['error_type'] === 'cancelled',
  success: (reply: Reply): boolean => is.completed(reply) && !('error_type' in read.object(reply)),
  failed: (reply: Reply): boolean => is.completed(reply) && !is.success(reply) && !is.cancelled(reply),
};

const integerMark = '=';
const markedIntegers = /(\\?)"=(-?[\d.]{16,}(?:[eE][+-]?\d+)?)\1"/g;
export const isLongInteger = (text: string): boolean => text.startsWith(integerMark);
const keepDigits: Revive = (_, value, { source }) =>
  source !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value) ? integerMark + source : value;

/** Readers of replies. */
export const read = {
  /** The category in the header of a router error. */
  category: (reply: Reply): string | undefined => replyHeader(reply, errorType),
  text: ({ body }: Reply): string => (typeof body === 'string' ? body : new TextDecoder().decode(body)),
  bytes: ({ body }: Reply): Bytes => (typeof body === 'string' ? new TextEncoder().encode(body) : body),
  /** Undefined if the body is not JSON. Integers that JavaScript would round stay strings until `withText` writes them. */
  json: (reply: Reply): JsonValue | undefined => (is.json(reply) ? parseJson(read.text(reply), keepDigits) : undefined),
  /** The JSON object in the body; an empty one for any other body. */
  object: (reply: Reply): JsonObject => asObject(read.json(reply)),
};

/** Sets a header; undefined removes it. */
export function withHeader(reply: Reply, name: string, value: string | undefined): Reply {
  const wanted = name.toLowerCase();
  const kept = Object.entries(reply.headers).filter(([one]) => one.toLowerCase() !== wanted);
  return { ...reply, headers: Object.fromEntries(value === undefined ? kept : [...kept, [name, value]]) };
}

export const asReplay = (reply: Reply): Reply => withHeader(reply, 'Idempotent-Replayed', 'true');

export function withText(reply: Reply, text: string, status: number = reply.status): Reply {
  return { ...reply, status, body: text.replace(markedIntegers, '$2') };
}

export function withJson(reply: Reply, body: JsonValue, status?: number): Reply {
  return withText(reply, JSON.stringify(body), status);
}

/** Returns an error in the router's envelope, with the same category in header and body. */
export function refusal(from: Reply, status: number, category: string): Reply {
  const body = { detail: 'The request could not be served.', error_type: category };
  return withJson(withHeader(withHeader(from, errorType, category), 'Content-Type', 'application/json'), body, status);
}

export function without(object: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name)));
}

/** Changes the objects in a list; returns an empty list for anything else. */
export function mapObjects(list: JsonValue | undefined, change: (object: JsonObject) => JsonValue): JsonValue[] {
  return Array.isArray(list) ? list.map((one) => (isJsonObject(one) ? change(one) : one)) : [];
}

/** Changes the request before the application reads it. */
export function onRequest(change: (request: ServerRequest, context: FaultContext) => ServerRequest): Change {
  return (app, context) => (request) => app(change(request, context));
}

export function onReply(change: (reply: Reply, around: Around) => Reply | Promise<Reply>): Change {
  return (app, context, where) => async (request) => {
    const [reply, around] = [await app(request), { request, app, context }];
    return isSelected(reply, where, around) ? change(reply, around) : reply;
  };
}

function isSelected(
  reply: Reply,
  { status = [reply.status], category, reply: holds }: Selector,
  around: Around,
): boolean {
  const hasStatus = typeof status === 'function' ? status(reply.status) : [status].flat().includes(reply.status);
  return hasStatus && (category ?? read.category(reply)) === read.category(reply) && holds?.(reply, around) !== false;
}

/** Replies without calling the application. */
export const answer =
  (make: () => Reply): Change =>
  () =>
  async () =>
    make();

/** Replaces the reply with the application's reply to a changed copy of the request. */
export const resend = (change: (request: ServerRequest) => ServerRequest): Change =>
  onReply((_, { request, app }) => app(change(request)));

/** Members to set on an object, or a function that returns its replacement. */
export type JsonChange = JsonObject | ((object: JsonObject, around: Around) => JsonValue | Promise<JsonValue>);

/** Changes a JSON object, or its member `member`; leaves any other body unchanged. */
export function onJson(change: JsonChange, member?: string): Change {
  return onReply(async (reply, around) => {
    const body = read.json(reply);
    const object = member === undefined ? body : asObject(body)[member];
    if (!isJsonObject(body) || !isJsonObject(object)) return reply;
    const changed = typeof change === 'function' ? await change(object, around) : { ...object, ...change };
    return withJson(reply, member === undefined ? changed : { ...body, [member]: changed });
  });
}

/** Changes the text of JSON bodies, which may be invalid JSON. */
export function onText(change: (text: string) => string): Change {
  return onReply((reply) => (is.json(reply) ? withText(reply, change(read.text(reply))) : reply));
}

/** Combines changes; the first one is closest to the healthy application. */
export function all(...changes: readonly Change[]): Change {
  return (app, context, where) => changes.reduce((inner, change) => change(inner, context, where), app);
}

/** The change depends on the number of calls so far, including this one. */
export function onEachCall(change: (count: number) => Change): Change {
  return (app, context, where) => {
    let count = 0;
    return (request) => change(++count)(app, context, where)(request);
  };
}

/** An earlier call that a change remembers. `at`: time of the reply (ms). */
export type Earlier = { request: ServerRequest; reply: Reply; at: number };

/**
 * Changes calls with the same key as an earlier one. `readKey` is called again with the reply of a call, because a
 * submission only has its request id in the reply; calls with an empty key are unchanged. `isKept` decides which calls are
 * remembered, by default those with a selected reply: the first one of a key, or the newest one with `keeps: 'newest'`.
 */
export function remember(
  readKey: (request: ServerRequest, reply?: Reply) => string,
  change: (earlier: Earlier) => Change,
  {
    isKept,
    keeps = 'first',
  }: { isKept?: (reply: Reply, request: ServerRequest) => boolean; keeps?: 'first' | 'newest' } = {},
): Change {
  return (app, context, where) => {
    const calls = new Map<string, Earlier>();
    return async (request) => {
      const earlier = calls.get(readKey(request));
      const reply = await (earlier === undefined ? app : change(earlier)(app, context, where))(request);
      const key = readKey(request, reply);
      const isWanted = isKept?.(reply, request) ?? isSelected(reply, where, { request, app, context });
      if (key !== '' && isWanted && (keeps === 'newest' || !calls.has(key)))
        calls.set(key, { request, reply, at: context.clock.now() });
      return reply;
    };
  };
}

/** Changes calls that arrive while an earlier call with the same key is in progress. */
export function whileRunning(
  readKey: (request: ServerRequest) => string,
  change: (first: ServerRequest) => Change,
): Change {
  return (app, context, where) => {
    const running = new Map<string, ServerRequest>();
    return async (request) => {
      const key = readKey(request);
      const first = running.get(key);
      if (first !== undefined) return change(first)(app, context, where)(request);
      running.set(key, request);
      return app(request).finally(() => running.delete(key));
    };
  };
}

/** A function as the value only changes headers and members that are present. */
export const set = {
  status: (status: number): Change => onReply((reply) => ({ ...reply, status })),
  header: (name: string, value: string | ((before: string) => string)): Change =>
    onReply((reply) => {
      if (typeof value === 'string') return withHeader(reply, name, value);
      const before = replyHeader(reply, name);
      return before === undefined ? reply : withHeader(reply, name, value(before));
    }),
  member: (member: string, value: JsonValue | ((before: JsonValue) => JsonValue)): Change =>
    onJson((body) => {
      if (typeof value !== 'function') return { ...body, [member]: value };
      const before = body[member];
      return before === undefined ? body : { ...body, [member]: value(before) };
    }),
  text: (text: string, status?: number): Change => onReply((reply) => withText(reply, text, status)),
  /** Sets the category of a router error in both header and body. */
  category: (category: string): Change =>
    all(
      set.member('error_type', () => category),
      onReply((reply) => withHeader(reply, errorType, category)),
    ),
};

export const drop = {
  header: (name: string): Change => onReply((reply) => withHeader(reply, name, undefined)),
  member: (member: string): Change => onJson((body) => without(body, member)),
};

/** Returns an error in the router's envelope. */
export const refuse = (status: number, category: string): Change =>
  onReply((reply) => refusal(reply, status, category));

/** Returns a 500, which is always wrong, even if the documents don't define the correct response. */
export const failWith500: Change = refuse(500, 'internal_error');
