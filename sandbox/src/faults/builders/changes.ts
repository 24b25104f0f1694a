import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Bytes } from '../../digest.ts';
import { errorType, type Reply, replyHeader, type ServerRequest, upstreamStatus } from '../../http/messages.ts';
import { type JsonReviver, parseJson } from '../../parse-json.ts';
import type { Change, ChangeContext, FaultContext, Selector } from './fault.ts';
import { asMainCaller } from './requests.ts';

export const isErrorStatus = (status: number): boolean => status >= 400;

/** Conditions on replies. `completed` and the conditions after it are for status responses. */
export const is = {
  json: (reply: Reply): boolean => /json/.test(replyHeader(reply, 'content-type') ?? ''),
  file: (reply: Reply): boolean => !is.json(reply),
  replay: (reply: Reply): boolean => replyHeader(reply, 'idempotent-replayed') === 'true',
  fromProvider: (reply: Reply): boolean => replyHeader(reply, upstreamStatus) !== undefined,
  completed: (reply: Reply): boolean => readReply.object(reply)['status'] === 'COMPLETED',
  pending: (reply: Reply): boolean => !is.completed(reply),
  cancelled: (reply: Reply): boolean => readReply.object(reply)['error_type'] === 'cancelled',
  success: (reply: Reply): boolean => is.completed(reply) && !('error_type' in readReply.object(reply)),
  failed: (reply: Reply): boolean => is.completed(reply) && !is.success(reply) && !is.cancelled(reply),
};

// Integers that JavaScript would round are read as strings with this prefix; `withText` writes their digits without it.
const integerMark = '=';
const markedIntegers = /(\\?)"=(-?[\d.]{16,}(?:[eE][+-]?\d+)?)\1"/g;
export const isLongInteger = (text: string): boolean => text.startsWith(integerMark);
const keepDigits: JsonReviver = (_, value, { source }) =>
  source !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value) ? integerMark + source : value;

/** Functions that read a part of a reply. */
export const readReply = {
  /** The category in the header of a router error. */
  category: (reply: Reply): string | undefined => replyHeader(reply, errorType),
  text: ({ body }: Reply): string => (typeof body === 'string' ? body : new TextDecoder().decode(body)),
  bytes: ({ body }: Reply): Bytes => (typeof body === 'string' ? new TextEncoder().encode(body) : body),
  /** Undefined if the body is not JSON. Integers that JavaScript would round are strings, see `integerMark`. */
  json: (reply: Reply): JsonValue | undefined =>
    is.json(reply) ? parseJson(readReply.text(reply), keepDigits) : undefined,
  /** The JSON object in the body; an empty one for any other body. */
  object: (reply: Reply): JsonObject => asObject(readReply.json(reply)),
};

/** Sets a header; undefined removes it. */
export function withHeader(reply: Reply, name: string, value: string | undefined): Reply {
  const others = Object.entries(reply.headers).filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...reply, headers: Object.fromEntries(value === undefined ? others : [...others, [name, value]]) };
}

export const markAsReplay = (reply: Reply): Reply => withHeader(reply, 'Idempotent-Replayed', 'true');

export function withText(reply: Reply, text: string, status: number = reply.status): Reply {
  return { ...reply, status, body: text.replace(markedIntegers, '$2') };
}

export function withJson(reply: Reply, body: JsonValue, status?: number): Reply {
  return withText(reply, JSON.stringify(body), status);
}

/** Replaces the reply with an error in the router's envelope, with the same category in header and body. */
export function withError(reply: Reply, status: number, category: string): Reply {
  const body = { detail: 'The request could not be served.', error_type: category };
  return withJson(withHeader(withHeader(reply, errorType, category), 'Content-Type', 'application/json'), body, status);
}

export function omitMembers(object: JsonObject, ...members: readonly string[]): JsonObject {
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

/** Changes the reply, if it is selected. */
export function onReply(change: (reply: Reply, call: ChangeContext) => Reply | Promise<Reply>): Change {
  return (app, context, where) => async (request) => {
    const [reply, call] = [await app(request), { request, app, context }];
    return isSelected(reply, where, call) ? change(reply, call) : reply;
  };
}

function isSelected(
  reply: Reply,
  { status = [reply.status], category, reply: condition }: Selector,
  call: ChangeContext,
): boolean {
  const hasStatus = typeof status === 'function' ? status(reply.status) : [status].flat().includes(reply.status);
  return (
    hasStatus &&
    (category ?? readReply.category(reply)) === readReply.category(reply) &&
    condition?.(reply, call) !== false
  );
}

/** Replies without calling the application, so that it does not see the request. */
export const replyWith =
  (createReply: () => Reply): Change =>
  () =>
  async () =>
    createReply();

/** If the reply to a call is selected, sends a changed copy of the request, and returns the reply to the copy. */
export const resend = (change: (request: ServerRequest) => ServerRequest): Change =>
  onReply((_, { request, app }) => app(change(request)));

/** Handles calls as if the main caller had sent them. */
export const treatAsMainCaller: Change = onRequest(asMainCaller);

/** If the reply to a call is selected, sends the call again as the main caller, and returns the second reply. */
export const resendAsMainCaller: Change = resend(asMainCaller);

/** Members to set in an object, or a function that returns the new value. */
export type JsonChange = JsonObject | ((object: JsonObject, call: ChangeContext) => JsonValue | Promise<JsonValue>);

/** Changes the JSON object in the body of a reply, or the object in its member `member`. Other bodies stay unchanged. */
export function onJson(change: JsonChange, member?: string): Change {
  return onReply(async (reply, call) => {
    const body = readReply.json(reply);
    const object = member === undefined ? body : asObject(body)[member];
    if (!isJsonObject(body) || !isJsonObject(object)) return reply;
    const changed = typeof change === 'function' ? await change(object, call) : { ...object, ...change };
    return withJson(reply, member === undefined ? changed : { ...body, [member]: changed });
  });
}

/** Changes the text of JSON bodies. The new text may be invalid JSON. */
export function onText(change: (text: string) => string): Change {
  return onReply((reply) => (is.json(reply) ? withText(reply, change(readReply.text(reply))) : reply));
}

/** Combines changes. The first one is the innermost: it changes requests last, and replies first. */
export function combineChanges(...changes: readonly Change[]): Change {
  return (app, context, where) => changes.reduce((inner, change) => change(inner, context, where), app);
}

/** Applies a change that depends on the number of selected calls so far, including this one. */
export function onEachCall(change: (count: number) => Change): Change {
  return (app, context, where) => {
    let count = 0;
    return (request) => change(++count)(app, context, where)(request);
  };
}

/** A call that `onLaterCalls` has remembered. `at`: time of the reply (ms). */
export type EarlierCall = { request: ServerRequest; reply: Reply; at: number };

/**
 * Remembers one call for each key, and changes later calls with that key. `readKey` is called before a call, and again with its
 * reply, because only the reply of a submission has its request id; calls with an empty key are neither remembered nor changed.
 * `isRemembered` selects the calls to remember; default: those whose reply the fault selects. `remembers: 'newest'` remembers
 * the newest call of a key instead of the first one.
 */
export function onLaterCalls(
  readKey: (request: ServerRequest, reply?: Reply) => string,
  change: (earlier: EarlierCall) => Change,
  {
    isRemembered,
    remembers = 'first',
  }: { isRemembered?: (reply: Reply, request: ServerRequest) => boolean; remembers?: 'first' | 'newest' } = {},
): Change {
  return (app, context, where) => {
    const calls = new Map<string, EarlierCall>();
    return async (request) => {
      const earlier = calls.get(readKey(request));
      const reply = await (earlier === undefined ? app : change(earlier)(app, context, where))(request);
      const key = readKey(request, reply);
      const isSuitable = isRemembered?.(reply, request) ?? isSelected(reply, where, { request, app, context });
      if (key !== '' && isSuitable && (remembers === 'newest' || !calls.has(key)))
        calls.set(key, { request, reply, at: context.clock.now() });
      return reply;
    };
  };
}

/** Changes calls that arrive while a call with the same key is running. */
export function onConcurrentCalls(
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

/** Changes that set a part of a reply. If the value is a function, it only changes a header or member that is present. */
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
    combineChanges(
      set.member('error_type', () => category),
      onReply((reply) => withHeader(reply, errorType, category)),
    ),
};

/** Changes that remove a part of a reply. */
export const drop = {
  header: (name: string): Change => onReply((reply) => withHeader(reply, name, undefined)),
  member: (member: string): Change => onJson((body) => omitMembers(body, member)),
};

/** Replaces the reply with an error in the router's envelope. */
export const replyWithError = (status: number, category: string): Change =>
  onReply((reply) => withError(reply, status, category));

export const rejectAs400: Change = replyWithError(400, 'invalid_input');

/** Returns a 500, which is always wrong, even if the documents don't define the correct response. */
export const failWith500: Change = replyWithError(500, 'internal_error');
