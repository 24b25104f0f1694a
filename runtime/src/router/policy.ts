import { type Body, readMediaType, toObject } from '../http/read-body.ts';
import type { Answer as Attempt, Decision, NextAttempt, Policy, Progress } from '../http/send.ts';
import type { RouterCall } from './connection.ts';
import { type Answered, type CallIdentity, failAnswered, isBilled } from './failures.ts';
import { type KnownCategory, type ResponseFacts, readCategory, readResponseFacts } from './response-facts.ts';

/**
 * How a call may be repeated. A billed call without a key is never repeated; one with a key always keeps it.
 * `read` is a GET that costs nothing, `poll` asks for the state of a request that was admitted, `collect` fetches the result of a queued
 * request, `cancel` asks to end one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';

/** A request to the router, and what may come back. */
export type Question<Result> = Pick<
  Policy<CallIdentity, Result>,
  'identity' | 'method' | 'url' | 'headers' | 'body' | 'timeoutMs' | 'maxBytes' | 'isStream' | 'expiry'
> & {
  readonly repetition: Repetition;
  /** The statuses whose body is read; 200 by default. */
  readonly successes?: readonly number[];
  /** The result in a readable answer; a text names what its body would have to be. */
  readonly parse: (answer: Answer) => Result | string;
  /** True where the answer is an output of a model. */
  readonly isOutput?: boolean;
  /** The media types of the output, where they are known. */
  readonly outputMediaTypes?: readonly string[] | undefined;
  /** The category with which a queued request ended, as its status said. */
  readonly endsWith?: KnownCategory | undefined;
};
export type Answer = Answered & {
  readonly identity: CallIdentity;
  readonly url: string;
  readonly response: Response;
  readonly end: (why?: unknown) => void;
  readonly attempts: number;
};

/** How a question is sent until its outcome is known. */
export function toPolicy<Result extends object>(
  question: Question<Result>,
  call: RouterCall,
): Policy<CallIdentity, Result> {
  const { identity, repetition } = question;
  const { operation, model, idempotencyKey, queued, mayHaveRun } = identity;
  return {
    ...question,
    facts: { operation, model, idempotencyKey },
    isRepeatable: repetition !== 'unkeyed',
    isBilled: isBilled(identity),
    isAdmitted: queued !== undefined || mayHaveRun === true,
    isPoll: repetition === 'poll',
    enter: isBilled(identity) ? (limitMs) => call.client.limits.enter(call, limitMs) : undefined,
    decide: (attempt, progress) => decideAnswer(question, attempt, progress, call),
  };
}

function decideAnswer<Result extends object>(
  question: Question<Result>,
  { response, body: given, end }: Attempt,
  { attempts, mayHaveRun }: Progress,
  { client, redact }: RouterCall,
): Decision<Result> {
  const { identity, repetition, successes = [200], parse, url } = question;
  const { status, headers } = response;
  const facts = readResponseFacts(headers, client.brand, redact);
  const mediaType = readMediaType(headers);
  let body = given;
  if (isPage(question, response, given, facts)) {
    if (given.kind === 'stream') end();
    const why = `the body is ${mediaType || 'of no media type'}, and not an answer of the router`;
    body = { kind: 'broken', why, text: given.text ?? '', ...(given.bytes && { bytes: given.bytes }) };
  }
  const { detail, error_type: word } = toObject(body);
  const category = readCategory(headers.get(`x-${client.brand}-error-type`) ?? '', word, redact);
  client.limits.learn(status, category.known, facts);
  const answered = { status, body, facts, category, response };
  const isReadable = body.kind !== 'broken' && (body.kind !== 'empty' || status === 304);
  const isSuccess = successes.includes(status);
  const result = isSuccess && isReadable ? parse({ ...answered, identity, url, end, attempts }) : '';
  if (typeof result !== 'string') return { facts, result };
  const isBroken = isSuccess && status < 300;
  let broken = isReadable ? `the body is not a ${result}` : (body.why ?? 'the body cannot be read');
  if (!isReadable && body.isFinal && identity.idempotencyKey !== undefined)
    broken += `; as: 'stream' collects it with the key ${identity.idempotencyKey}`;
  const isHidden = status === 0; // a redirect that a browser hides
  const outcome =
    isBroken && !isReadable
      ? // A success that broke off counts as no response: the same key fetches the result again.
        { status: 0, isFinal: body.isFinal === true }
      : {
          ...{ status, known: category.known, retryAfterMs: facts.retryAfterMs },
          // A body of another form comes again, unless it is a state that is awaited.
          isFinal: isHidden || (isBroken && repetition !== 'poll' && status !== 202),
          isUnsent: isHidden,
          isRouters: facts.requestId !== undefined || typeof detail === 'string',
        };
  const { next, mayRun } = decideNext(question, outcome);
  const isRetryable = next !== undefined;
  return {
    facts,
    type: isBroken ? undefined : category.known,
    error: failAnswered(identity, answered, {
      ...{ redact, attempts, isRetryable, mayHaveRun },
      broken: isBroken ? broken : undefined,
    }),
    next,
    mayHaveRun: isBilled(identity) && mayRun,
    // The service waits for an output itself then, and asking again collects it.
    isAdmitted: next?.isTold === true && outcome.status > 0 && outcome.status !== 429,
  };
}

/**
 * True for a success that is the page of something in front of the router. Every other output is delivered as it is, whatever its type: it
 * is paid for.
 */
function isPage(
  { isOutput, outputMediaTypes: types }: Question<unknown>,
  { ok, headers }: Response,
  { kind }: Body,
  { requestId }: ResponseFacts,
): boolean {
  if (!ok) return false;
  const mediaType = readMediaType(headers);
  const isText = mediaType === 'text/html' || mediaType === 'text/plain';
  if (isText) return requestId === undefined && !(isOutput && types?.some((one) => one.startsWith('text/')));
  // It cannot be the output of a model that gives only JSON.
  const isJsonOnly = isOutput === true && types !== undefined && types.every((one) => one.endsWith('json'));
  return mediaType === '' && isJsonOnly && (kind === 'bytes' || kind === 'text');
}

/** How an attempt failed. */
type Outcome = {
  /** 0 for a success that broke off before its end, and for a redirect that is hidden. */
  readonly status: number;
  readonly known?: KnownCategory;
  readonly retryAfterMs?: number | undefined;
  readonly isUnsent?: boolean;
  /** It will end so again. */
  readonly isFinal: boolean;
  /** True where the router itself answered, as far as that shows. */
  readonly isRouters?: boolean;
};

/**
 * The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16): the next attempt, and whether a billed call that ended so may
 * have reached a provider, which nothing that comes later takes back (MR-IDM-20).
 */
function decideNext(
  { repetition, endsWith }: Question<unknown>,
  { status, known, retryAfterMs: ms, isUnsent = false, isFinal, isRouters = true }: Outcome,
): { next: NextAttempt | undefined; mayRun: boolean } {
  const isPoll = repetition === 'poll';
  const isCollect = repetition === 'collect';
  const isQuestion = isPoll || isCollect || repetition === 'read';
  const isCeiling = known === 'concurrency_limit_exceeded';
  // A conflict that asks to wait and gives no other reason, as where a gateway has replaced the body.
  const isUnnamedWait = status === 409 && ms !== undefined && known === 'internal_error';
  const isStrange = status === 400 && !isRouters;
  const isConflict = status === 409 && (isCeiling || isUnnamedWait);
  const mayRun = !isUnsent && (status < 300 || status >= 500 || status === 408 || isStrange || isConflict);
  // Statuses with which a queued request ended, and one that repeats how the status said that it ended (MR-CTG-21, MR-CTG-23).
  const hasEnded =
    isQuestion &&
    known !== undefined &&
    [endsWith, 'cancelled', 'queue_timeout', 'content_policy_violation'].includes(known);
  const isLagging = status === 404 && (isPoll || (isCollect && endsWith === undefined)); // a replica
  // A success of another form decides nothing, nor does a 400 of something in front of the router. An admitted request goes on.
  const isUnclear = status < 300 || status >= 500 || [408, 425, 429].includes(status) || isStrange;
  let isTold = status === 504 && ms !== undefined && known === 'deadline_exceeded';
  if (status === 429) isTold = ms !== undefined || isCeiling || known === 'rate_limited';
  if (status === 409) isTold = repetition === 'keyed' ? isConflict : (isPoll || isCollect) && isUnnamedWait;
  let next: NextAttempt | undefined;
  if (repetition === 'unkeyed' || isFinal) next = undefined;
  else if (isTold) next = { isTold, ms };
  else if (isLagging && !hasEnded) next = { isTold: false, ms };
  else if (isUnclear && !hasEnded) next = { isTold: isPoll, ms };
  return { next, mayRun };
}
