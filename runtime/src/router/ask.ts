import type { Dialect, Failure, Sending, Answer as Sent, Verdict } from '../http/attempt.ts';
import { explainLoss } from '../http/explain-failure.ts';
import { perform } from '../http/perform.ts';
import { type Body, isMediaType, readMediaType, toObject } from '../http/read-body.ts';
import { type KnownCategory, readCategory } from './categories.ts';
import type { Work } from './connection.ts';
import { type Answered, type CallIdentity, fail, failAnswered, isBilled } from './failures.ts';
import { type AttemptOutcome, mayHaveRun, nextStep, type Repetition } from './outcome.ts';
import { type ResponseFacts, readResponseFacts } from './response-facts.ts';

/** One question to the router, sent until its outcome is known. */
export type Question<Result> = CallIdentity &
  Omit<Sending, 'attempts' | 'facts' | 'isAdmitted' | 'queued'> & {
    /** `read` by default. */
    readonly repetition?: Repetition;
    /** The statuses whose body is read; 200 by default. */
    readonly successes?: readonly number[];
    /** What a readable answer says, the answer itself by default; a text is what its body would have to be. */
    readonly parse?: ((answer: Answer, work: Work) => Result | string) | undefined;
    /** Of a queued request: what the status said that it ended with. */
    readonly endsWith?: KnownCategory | undefined;
  };
type Call = CallIdentity & Sending & { mayHaveRun?: boolean | undefined };
type Asked<Result> = Question<Result> & Call;
export type Answer = Answered & { readonly call: Call; readonly response: Response };

/** What the router says, by the table of retry outcomes. Throws a `RouterError`. */
export function ask<Result>(question: Question<Result>, work: Work): Promise<Result> {
  const { operation, model, key, queued, mayHaveRun = false } = question;
  const facts = { operation, model, key };
  const isAdmitted = queued !== undefined || mayHaveRun;
  const call: Asked<Result> = { ...question, facts, attempts: 0, isAdmitted, mayHaveRun };
  const dialect: Dialect<Result> = {
    read: (sent) => readAnswer(call, sent, work),
    lose: (cause) => lose(call, cause, work),
    enter: isBilled(call) ? (limitMs) => work.limits.enter(work, limitMs) : undefined,
  };
  return perform(call, dialect, work);
}

function lose(call: Asked<unknown>, cause: unknown, { credential }: Work): Failure {
  const { text, facts, isFinal } = explainLoss(cause, credential.redact);
  return conclude(call, { status: 0, isUnsent: !facts.isOpen, isFinal }, (isRetryable) => ({
    type: facts.kind,
    error: fail(call, text, { ...facts, isRetryable }),
  }));
}

/** What follows an attempt that failed, and what it says of all that come later. */
function conclude(
  call: Asked<unknown>,
  outcome: AttemptOutcome,
  explain: (isRetryable: boolean) => Omit<Failure, 'next'>,
): Failure {
  const next = nextStep(call.repetition ?? 'read', outcome, call.endsWith);
  const failure = { ...explain(next !== undefined), next };
  call.mayHaveRun ||= isBilled(call) && mayHaveRun(outcome);
  // The service waits for an output itself then, and asking again collects it.
  call.isAdmitted ||= next?.isTold === true && outcome.status > 0 && outcome.status !== 429;
  return failure;
}

function readAnswer<Result>(call: Asked<Result>, { response, body: given }: Sent, work: Work): Verdict<Result> {
  const { status, headers } = response;
  const { successes = [200], parse = (answer: Answer): Result => answer as Result } = call; // as its caller knows
  const { redact } = work.credential;
  const facts = readResponseFacts(headers, work.brand, redact);
  const body = isUnexpected(call, response, facts) ? leaveUnread(response, given, call.outputMediaTypes) : given;
  const category = readCategory(headers.get(`x-${work.brand}-error-type`) ?? '', toObject(body)['error_type'], redact);
  const { known } = category;
  const { retryAfterSeconds } = facts;
  work.limits.learn(status, known, facts);
  const answered = { status, body, facts, category, response };
  const isReadable = body.kind !== 'broken' && (body.kind !== 'empty' || status === 304);
  const isSuccess = successes.includes(status);
  const result = isSuccess && isReadable ? parse({ ...answered, call }, work) : '';
  if (isSuccess && body.kind === 'stream') call.mayHaveRun = true; // whatever becomes of what is left of it
  if (typeof result !== 'string') return { facts, result };
  const isBroken = isSuccess && status < 300;
  const broken = isReadable ? `the body is no ${result}` : explainBody(body, call);
  // A success that broke off counts as no response: the same key fetches the result again.
  const isLost = isBroken && !isReadable;
  // A redirect that a browser hides has the status 0 too. A body of another form comes again, unless it is a state that is awaited.
  const isHidden = status === 0;
  const isFinal = isHidden || (isBroken && call.repetition !== 'poll' && status !== 202);
  const outcome = isLost
    ? { status: 0, isFinal: body.isFinal === true }
    : { status, known, retryAfterSeconds, isFinal, isUnsent: isHidden };
  return conclude(call, outcome, (isRetryable) => ({
    facts,
    type: isBroken ? undefined : known,
    error: failAnswered(call, answered, { redact, isRetryable, broken: isBroken ? broken : undefined }),
  }));
}

function explainBody({ why = 'the body cannot be read', isFinal }: Body, { key }: CallIdentity): string {
  return isFinal && key !== undefined ? `${why}; as: 'stream' collects it with the key ${key}` : why;
}

/** A success that is none of the router's, such as the page of a proxy. */
function isUnexpected(
  { operation, url, stream, outputMediaTypes }: Call,
  response: Response,
  { requestId }: ResponseFacts,
): boolean {
  const mediaType = readMediaType(response.headers);
  if (!response.ok || mediaType === '') return false;
  // Another provider has outputs of its own.
  const types = (operation === 'run' && !/_provider=/.test(url) && outputMediaTypes) || ['*/*'];
  const isPage = mediaType === 'text/html';
  // A stream has no type of the model, so it collects what is no page.
  if (!isMediaType(mediaType, types)) return isPage || !stream;
  // Where nothing is known, one sign is not enough: a page shows no header of a response from elsewhere.
  return isPage && requestId === undefined && !types.some((one) => one.startsWith('text/'));
}

function leaveUnread(
  response: Response,
  { kind, text }: Body,
  mediaTypes: readonly string[] = ['an answer of the router'],
): Body {
  if (kind === 'stream') void response.body?.cancel().catch(() => undefined); // it may be gone already
  const why = `the body is ${readMediaType(response.headers)}, where ${mediaTypes.join(' or ')} is due`;
  return { kind: 'broken', why, text: text ?? '' };
}
