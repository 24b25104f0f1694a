import { redactCause } from '../http/credential.ts';
import type { GuardedResponse } from '../http/guard-stream.ts';
import { explainLoss, perform, type Sending, type Verdict } from '../http/perform.ts';
import { isMediaType, type ReadBody, readMediaType, toObject } from '../http/read-body.ts';
import type { Sent } from '../http/send.ts';
import { type KnownCategory, readCategory } from './categories.ts';
import type { Work } from './connection.ts';
import { type Answered, type CallIdentity, explainBody, fail, failAnswered, isBilled } from './failures.ts';
import { type AttemptOutcome, isCollecting, mayHaveRun, nextStep, type Repetition } from './outcome.ts';
import { type ResponseFacts, readResponseFacts } from './response-facts.ts';
import type { RouterError } from './router-error.ts';

/** One question to the router, sent until its outcome is known. */
export type Question = CallIdentity &
  Omit<Sending, 'attempts' | 'facts' | 'isAdmitted' | 'queued'> & {
    readonly repetition: Repetition;
    /** Whether a status, with its body, is a result and no error; 200 by default. */
    readonly isSuccess?: (status: number, body: Answered['body']) => boolean;
    /** Of a queued request: what the status said that it ended with. */
    readonly endsWith?: KnownCategory | undefined;
  };
type Call = Question & Sending & { mayHaveRun?: boolean | undefined };
export type Answer = Answered & {
  readonly call: Call;
  readonly response: Response;
  /** Of a stream: sets what is done when it was read to its end, or was not. */
  readonly whenRead?: GuardedResponse['whenRead'] | undefined;
};

/** The answer of the router, by the table of retry outcomes. Throws a `RouterError`. */
export function ask(question: Question, work: Work): Promise<Answer> {
  const { operation, model, key, queued, mayHaveRun = false } = question;
  const facts = { operation, model, key };
  const call: Call = { ...question, facts, attempts: 0, isAdmitted: queued !== undefined || mayHaveRun, mayHaveRun };
  const { limits, signal, endsAt } = work;
  const enter = (limitMs: number): Promise<() => void> => limits.enter({ signal, endsAt, limitMs });
  return perform(call, { read: (sent) => read(call, sent, work), enter: isBilled(call) ? enter : undefined }, work);
}

/** A success whose body is readable and not what is due. */
export function failProtocol({ call, ...answered }: Answer, due: string, { credential }: Work): RouterError {
  return failAnswered(call, answered, { redact: credential.redact, broken: `the body is no ${due}` });
}

function read(call: Call, sent: Exclude<Sent, { kind: 'unsendable' }>, work: Work): Verdict<Answer> {
  if (sent.kind === 'answered') return readAnswer(call, sent, work);
  const { redact } = work.credential;
  const { text, kind, isUnsent, isFinal } = explainLoss(sent);
  const event = { facts: undefined, attributes: { 'error.type': kind.kind } };
  const more = { ...kind, redact, isOpen: !isUnsent, cause: redactCause(sent.cause, redact) };
  return conclude(call, { kind: 'lost', isUnsent, isFinal }, event, (isRetryable) =>
    fail(call, text, { ...more, isRetryable }),
  );
}

/** What follows an attempt that failed, and what it says of all that come later. */
function conclude(
  call: Call,
  outcome: AttemptOutcome,
  event: Verdict<Answer>['event'],
  explain: (isRetryable: boolean) => RouterError,
): Verdict<Answer> {
  const next = nextStep(call.repetition, outcome, call.endsWith);
  const error = explain(next !== undefined);
  call.mayHaveRun ||= isBilled(call) && mayHaveRun(outcome);
  call.isAdmitted ||= next?.isTold === true && isCollecting(outcome);
  return { event, error, next };
}

function readAnswer(call: Call, sent: Extract<Sent, { kind: 'answered' }>, work: Work): Verdict<Answer> {
  const { response, whenRead } = sent;
  const { status, headers } = response;
  const { redact } = work.credential;
  const facts = readResponseFacts(headers, work.brand, redact);
  const body = isUnexpected(call, response, facts) ? leaveUnread(sent) : sent.body;
  const category = readCategory(headers.get(`x-${work.brand}-error-type`) ?? '', toObject(body)['error_type'], redact);
  learn(status, category.known, facts, work);
  const isSuccess = call.isSuccess?.(status, body) ?? status === 200;
  const attributes = { 'http.response.status_code': status, ...(isSuccess ? {} : { 'error.type': category.known }) };
  const event = { facts, attributes };
  const answered = { status, body, facts, category };
  if (
    isSuccess &&
    !/^(?:malformed|oversized|unexpected)$/.test(body.kind) &&
    (body.kind !== 'empty' || status === 304)
  ) {
    if (body.kind === 'stream') call.mayHaveRun = true;
    return { event, result: { ...answered, call, response, whenRead } };
  }
  // A success that broke off counts as no response: the same key fetches the result again.
  const outcome: AttemptOutcome = isSuccess
    ? { kind: 'lost', isFinal: body.kind === 'oversized' }
    : { kind: 'answered', status, category, retryAfterSeconds: facts.retryAfterSeconds };
  const location = status >= 300 && status < 400 ? redact(headers.get('location') ?? '') || undefined : undefined;
  const broken = isSuccess ? explainBody(body, call) : undefined;
  return conclude(call, outcome, event, (isRetryable) =>
    failAnswered(call, { ...answered, location }, { redact, isRetryable, broken }),
  );
}

/** What an answer says to other calls of the client. */
function learn(status: number, known: KnownCategory, facts: ResponseFacts, { limits }: Work): void {
  limits.noteSpend(facts.committedSpend);
  if (status !== 429) return;
  if (known === 'concurrency_limit_exceeded') limits.slowDown(facts.retryAfterSeconds);
  if (known === 'rate_limited') limits.pause(facts.retryAfterSeconds);
}

/**
 * A success that is none of the router's, such as the page of a proxy. It takes two signs of three: a page, another media type than
 * is documented, and no request id. An output of an odd type is paid for, and its key leads to no other one.
 */
function isUnexpected({ mediaTypes = ['*/*'] }: Call, response: Response, { requestId }: ResponseFacts): boolean {
  const mediaType = readMediaType(response.headers);
  if (!response.ok || mediaType === '') return false;
  const isPage = mediaType === 'text/html' && !mediaTypes.some((one) => one.startsWith('text/'));
  const isOther = !isMediaType(mediaType, mediaTypes);
  return requestId === undefined ? isPage || isOther : isPage && isOther;
}

function leaveUnread({ response, body }: Extract<Sent, { kind: 'answered' }>): ReadBody {
  if (body.kind === 'stream') void response.body?.cancel().catch(() => undefined); // it may be gone already
  const mediaType = readMediaType(response.headers);
  return { kind: 'unexpected', mediaType, text: body.kind === 'text' ? body.text : '' };
}
