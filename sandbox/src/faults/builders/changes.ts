import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { errorType, type Reply, replyHeader, type ServerRequest } from '../../http/messages.ts';
import { type Around, type Change, type FaultContext, only, rowIn } from './fault.ts';
import {
  is,
  readBytes,
  readCategory,
  readJson,
  readObject,
  readText,
  refusal,
  withHeader,
  withJson,
  without,
  withText,
} from './replies.ts';
import { asMain, type When } from './requests.ts';

export type ReplyChange = (reply: Reply, around: Around) => Reply | Promise<Reply>;

export function onReply(change: ReplyChange): Change {
  return (app, context, where) => async (request) => {
    const [reply, around] = [await app(request), { request, app, context }];
    const { status = [reply.status], category = readCategory(reply) } = where;
    const hasStatus = typeof status === 'function' ? status(reply.status) : [status].flat().includes(reply.status);
    const isSelected = hasStatus && category === readCategory(reply) && where.reply?.(reply, around) !== false;
    return isSelected ? change(reply, around) : reply;
  };
}

/** Replaces the reply with the application's reply to a changed copy of the request. */
export const resend = (change: (request: ServerRequest) => ServerRequest): Change =>
  onReply((_, { request, app }) => app(change(request)));

/** Members to set on an object, or what becomes of it. */
export type JsonChange = JsonObject | ((object: JsonObject, around: Around) => JsonValue | Promise<JsonValue>);

function changeObject(change: JsonChange, object: JsonObject, around: Around): JsonValue | Promise<JsonValue> {
  return typeof change === 'function' ? change(object, around) : { ...object, ...change };
}

/** Changes JSON objects; any other body stays as it is. */
export function onJson(change: JsonChange): Change {
  return onReply(async (reply, around) => {
    const body = readJson(reply);
    return isJsonObject(body) ? withJson(reply, await changeObject(change, body, around)) : reply;
  });
}

/** Changes an object that is a member of the body; without it the body stays as it is. */
export function onMember(member: string, change: JsonChange): Change {
  return onJson(async (body, around) => {
    const value = body[member];
    return isJsonObject(value) ? { ...body, [member]: await changeObject(change, value, around) } : body;
  });
}

/** Serialises JSON bodies of any kind again. */
export function onJsonText(change: (body: JsonValue) => string): Change {
  return onReply((reply) => {
    const body = readJson(reply);
    return body === undefined ? reply : withText(reply, change(body));
  });
}

/** Changes the text of JSON bodies, which need not parse. */
export function onText(change: (text: string) => string): Change {
  return onReply((reply) => (is.json(reply) ? withText(reply, change(readText(reply))) : reply));
}

/** Changes what the healthy application reads. */
export function onRequest(change: (request: ServerRequest, context: FaultContext) => ServerRequest): Change {
  return (app, context) => (request) => app(change(request, context));
}

/** Serves such calls as calls of the main key. */
export const serves = (when: When): Change => only({ when }, onRequest(asMain));

/** Rows of calls that give a 500, which is also wrong where the documents leave the right response open. */
export const breakRow = rowIn((when: When) => only({ when }, refuse(500, 'internal_error')));

/** Rows that change a reply, the JSON object in its body, or the text of JSON. */
export const replyRow = rowIn(onReply);
export const bodyRow = rowIn(onJson);
export const textRow = rowIn(onText);

/** For changes that remember: `make` is called once per sandbox. */
export function withState(make: (context: FaultContext) => Change): Change {
  return (app, context, where) => make(context)(app, context, where);
}

/** The first change sits closest to the healthy application. */
export function all(...changes: readonly Change[]): Change {
  return (app, context, where) => changes.reduce((inner, change) => change(inner, context, where), app);
}

/** `at` is the time of the reply (ms). */
export type FirstCall = { request: ServerRequest; reply: Reply; at: number };

/** Remembers the first call per key whose reply it `takes`; `serve` handles the later calls under that key. Calls without one pass. */
export function remembering(
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

/** Serves calls that arrive while another one of the same slot is in progress, given that one. */
export const whileRunning =
  (
    readSlot: (request: ServerRequest) => string,
    serve: (first: ServerRequest, around: Around) => Promise<Reply>,
  ): Change =>
  (app, context) => {
    const running = new Map<string, ServerRequest>();
    return async (request) => {
      const slot = readSlot(request);
      const first = running.get(slot);
      if (first !== undefined) return serve(first, { request, app, context });
      running.set(slot, request);
      return app(request).finally(() => running.delete(slot));
    };
  };

/**
 * Changes replies that share a key with earlier ones: `times` counts them, this one included.
 * A reply without a key stays as it is.
 */
export function counted(
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

/** `change` gets the value of a header, undefined where the reply lacks it, and returns undefined to leave it out. */
export function changeHeader(name: string, change: (value: string | undefined) => string | undefined): Change {
  return onReply((reply) => withHeader(reply, name, change(replyHeader(reply, name))));
}

/** A body ends after so many bytes, or so many before its end for a negative number. */
export const cutAfter = (bytes: number): Change =>
  onReply((reply) => ({ ...reply, body: readBytes(reply).slice(0, bytes) }));

/** Changes a member that is there; a body without it stays as it is. */
export function changeMember(member: string, change: (value: JsonValue) => JsonValue): Change {
  return onJson((body) => {
    const value = body[member];
    return value === undefined ? body : { ...body, [member]: change(value) };
  });
}

export const set = {
  status: (status: number): Change => onReply((reply) => ({ ...reply, status })),
  header: (name: string, value: string): Change => changeHeader(name, () => value),
  member: (member: string, value: JsonValue): Change => onJson({ [member]: value }),
  text: (text: string, status?: number): Change => onReply((reply) => withText(reply, text, status)),
  /** The category of a router error in header and body, so that they still agree. */
  category: (category: string): Change =>
    onReply((reply) => {
      const body = readObject(reply);
      const renamed = 'error_type' in body ? withJson(reply, { ...body, error_type: category }) : reply;
      return withHeader(renamed, errorType, category);
    }),
};

export const drop = {
  header: (name: string): Change => changeHeader(name, () => undefined),
  member: (member: string): Change => onJson((body) => without(body, member)),
};

/** Sets what the reply has already. */
export const replace = {
  header: (name: string, value: string): Change =>
    changeHeader(name, (before) => (before === undefined ? undefined : value)),
  member: (member: string, value: JsonValue): Change => changeMember(member, () => value),
};

/** Refuses in the envelope of the router. */
export const refuse = (status: number, category: string): Change =>
  onReply((reply) => refusal(reply, status, category));

/** Changes replies from the second one on that has the same key. */
export const later = (readKey: (request: ServerRequest) => string | null, change: ReplyChange): Change =>
  counted(
    (_, { request }) => readKey(request) ?? undefined,
    (reply, times, around) => (times === 1 ? reply : change(reply, around)),
  );

/** Fails from the second reply on that has the same key. */
export const breaksLater = (readKey: (request: ServerRequest) => string | null): Change =>
  later(readKey, (reply) => refusal(reply, 500, 'internal_error'));
