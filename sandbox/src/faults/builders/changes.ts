import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Bytes } from '../../digest.ts';
import { errorType, type Reply, replyHeader, type ServerRequest, upstreamStatus } from '../../http/messages.ts';
import { parseJson, type Revive } from '../../parse-json.ts';
import { type Around, type Change, type FaultContext, only } from './fault.ts';
import { asMain, type When } from './requests.ts';

/** A condition on replies, for the `reply` of a selector. */
export type ReplyCondition = (reply: Reply) => boolean;

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
export function onRequest(change: (request: ServerRequest) => ServerRequest): Change {
  return (app) => (request) => app(change(request));
}

/** Serves matching calls as if they came from the main caller. */
export const serveAsMain = (when: When): Change => only({ when }, onRequest(asMain));

export type ReplyChange = (reply: Reply, around: Around) => Reply | Promise<Reply>;

export function onReply(change: ReplyChange): Change {
  return (app, context, where) => async (request) => {
    const [reply, around] = [await app(request), { request, app, context }];
    const { status = [reply.status], category = read.category(reply) } = where;
    const hasStatus = typeof status === 'function' ? status(reply.status) : [status].flat().includes(reply.status);
    const isSelected = hasStatus && category === read.category(reply) && where.reply?.(reply, around) !== false;
    return isSelected ? change(reply, around) : reply;
  };
}

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

/** Creates a change with state: `make` is called once per sandbox. */
export function withState(make: (context: FaultContext) => Change): Change {
  return (app, context, where) => make(context)(app, context, where);
}

/** Combines changes; the first one is closest to the healthy application. */
export function all(...changes: readonly Change[]): Change {
  return (app, context, where) => changes.reduce((inner, change) => change(inner, context, where), app);
}

/** `at`: time of the reply (ms). */
export type FirstCall = { request: ServerRequest; reply: Reply; at: number };

/**
 * Remembers the first call per key whose reply matches `takes`; `serve` handles later calls with that key. Calls
 * without a key are unchanged.
 */
export function withFirstCalls(
  readKey: (request: ServerRequest) => string | undefined,
  takes: (reply: Reply, around: Around) => boolean,
  serve: (first: FirstCall, around: Around) => Reply | Promise<Reply>,
): Change {
  return (app, context) => {
    const firsts = new Map<string, FirstCall>();
    return async (request) => {
      const [key, around] = [readKey(request), { request, app, context }];
      if (key === undefined) return app(request);
      const first = firsts.get(key);
      if (first !== undefined) return serve(first, around);
      const reply = await app(request);
      if (takes(reply, around)) firsts.set(key, { request, reply, at: context.clock.now() });
      return reply;
    };
  };
}

/** `serve` handles calls that arrive while an earlier call with the same slot is in progress. */
export function whileRunning(
  readSlot: (request: ServerRequest) => string,
  serve: (first: ServerRequest, around: Around) => Promise<Reply>,
): Change {
  return (app, context) => {
    const running = new Map<string, ServerRequest>();
    return async (request) => {
      const slot = readSlot(request);
      const first = running.get(slot);
      if (first !== undefined) return serve(first, { request, app, context });
      running.set(slot, request);
      return app(request).finally(() => running.delete(slot));
    };
  };
}

/**
 * Changes replies for which `readKey` returns a key; `times` is the number of replies with that key, including this one. A reply without a key
 * is unchanged.
 */
export function changeByCount(
  readKey: (reply: Reply, around: Around) => string | undefined,
  change: (reply: Reply, times: number, around: Around) => Reply | Promise<Reply>,
): Change {
  return withState(() => {
    const seen = new Map<string, number>();
    return onReply((reply, around) => {
      const key = readKey(reply, around);
      if (key === undefined) return reply;
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      return change(reply, times, around);
    });
  });
}

/** Changes the second and later replies with the same key. Default: to a 500. */
export const changeRepeats = (
  readKey: (request: ServerRequest) => string | null,
  change: ReplyChange = (reply) => refusal(reply, 500, 'internal_error'),
): Change =>
  changeByCount(
    (_, { request }) => readKey(request) ?? undefined,
    (reply, times, around) => (times === 1 ? reply : change(reply, around)),
  );

/** `change` receives the value of a header, or undefined if it is absent, and returns undefined to remove it. */
export function changeHeader(name: string, change: (value: string | undefined) => string | undefined): Change {
  return onReply((reply) => withHeader(reply, name, change(replyHeader(reply, name))));
}

/** Changes a member if it exists. */
export function changeMember(member: string, change: (value: JsonValue) => JsonValue): Change {
  return onJson((body) => {
    const value = body[member];
    return value === undefined ? body : { ...body, [member]: change(value) };
  });
}

/** Cuts a body after this many bytes; a negative number counts from its end. */
export const cutAfter = (bytes: number): Change =>
  onReply((reply) => ({ ...reply, body: read.bytes(reply).slice(0, bytes) }));

export const set = {
  status: (status: number): Change => onReply((reply) => ({ ...reply, status })),
  header: (name: string, value: string): Change => changeHeader(name, () => value),
  member: (member: string, value: JsonValue): Change => onJson({ [member]: value }),
  text: (text: string, status?: number): Change => onReply((reply) => withText(reply, text, status)),
  /** Sets the category of a router error in both header and body. */
  category: (category: string): Change =>
    onReply((reply) => {
      const body = read.object(reply);
      const renamed = 'error_type' in body ? withJson(reply, { ...body, error_type: category }) : reply;
      return withHeader(renamed, errorType, category);
    }),
};

export const drop = {
  header: (name: string): Change => changeHeader(name, () => undefined),
  member: (member: string): Change => onJson((body) => without(body, member)),
};

/** Replaces headers and members that the reply already has. */
export const replace = {
  header: (name: string, value: string): Change =>
    changeHeader(name, (before) => (before === undefined ? undefined : value)),
  member: (member: string, value: JsonValue): Change => changeMember(member, () => value),
};

/** Returns an error in the router's envelope. */
export const refuse = (status: number, category: string): Change =>
  onReply((reply) => refusal(reply, status, category));

/** Returns a 500, which is always wrong, even if the documents don't define the correct response. */
export const failWith500: Change = refuse(500, 'internal_error');
