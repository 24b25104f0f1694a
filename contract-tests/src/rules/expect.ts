// Expectations on responses, imported as `expect`: `expect.on(again, expect.status(200, expect.replay))`.

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { ServiceHeaders, TargetContext } from '../contract/context.ts';
import { NotApplicable } from '../contract/endings.ts';
import {
  decodeBody,
  decodeUtf8,
  isReplay,
  parseBody,
  parseJson,
  readHeader,
  readMediaType,
  readMember,
  replayHeader,
  type StepResponse,
} from '../contract/evidence.ts';
import { type CheckResult, excerpt, type Finding, finding, notApplicable, observed } from '../contract/finding.ts';
import type { Answer } from '../contract/scenario.ts';

/** Returns the findings about one response; empty if it is as expected. */
export type Expectation = (response: StepResponse, context: TargetContext) => readonly Finding[];
type ResponseExpectation = (response: StepResponse) => readonly Finding[];

/** Responses of a scenario; undefined for a call that was omitted. */
export type Answers = Answer | undefined | readonly (Answer | undefined)[];

const listAnswers = (answers: Answers): readonly Answer[] => [answers].flat().filter((one) => one !== undefined);

/** Applies all expectations to each response and returns the findings. Throws `NotApplicable` without a response. */
export function on(answers: Answers, ...expectations: readonly Expectation[]): readonly Finding[] {
  const responses = listAnswers(answers);
  if (responses.length === 0) throw new NotApplicable('the scenario got no response that the rule applies to');
  return responses.flatMap((answer) => expectations.flatMap((expectation) => expectation(answer, answer.context)));
}

/** Records an observation about behaviour that the documents leave open. A server failure is still a finding. */
export function recordObservation(answers: Answers, observation: string): CheckResult {
  const failures = listAnswers(answers).filter((answer) => answer.status >= 500);
  if (failures.length === 0) return observed(observation);
  return failures.map(({ step, status }) =>
    finding('status-unexpected', { step }, 'a status below 500', String(status)),
  );
}

/** Records the response to a call that the documents don't define. `readings`: ids of the related open points. */
export function recordAnswer(answer: Answer, call: string, readings?: string): CheckResult {
  const word = readHeader(answer, answer.context.headers.errorType) ?? readMember(answer, '/status');
  const text = typeof word === 'string' ? `${answer.status} ${word}` : String(answer.status);
  return recordObservation(answer, `${call} is answered with ${text}${readings === undefined ? '' : ` (${readings})`}`);
}

export function hasSucceeded(answer: Answer | undefined): answer is Answer {
  return answer?.status === 200;
}

/** Runs the check, unless a configured input that should fail succeeded. */
export function unlessInputSucceeded(answer: Answer, check: () => CheckResult): CheckResult {
  return !answer.context.isScripted && hasSucceeded(answer)
    ? notApplicable('the configured input succeeded, although it should fail')
    : check();
}

/** Runs the check, unless the status of the request has an error_type. */
export function ifRequestSucceeded(end: Answer, check: () => CheckResult): CheckResult {
  return readMember(end, '/error_type') === undefined ? check() : notApplicable('the request did not succeed');
}

type Finds<Given extends readonly unknown[]> = (...given: Given) => readonly Finding[];

/**
 * Marks findings that rely on a reading (our interpretation of ambiguous API text, by id), if one is given. The rule must
 * list it as `partReading`.
 */
export function withReading<Given extends readonly unknown[]>(
  reading: string | undefined,
  check: Finds<Given>,
): Finds<Given> {
  return reading === undefined ? check : (...given) => check(...given).map((one) => ({ ...one, reading }));
}

type Condition = (...given: Parameters<Expectation>) => boolean;

/** Applies `then` if the condition is true, and `otherwise` if it is false. */
export function either(condition: Condition, then: Expectation, otherwise: Expectation): Expectation {
  return (...given) => (condition(...given) ? then : otherwise)(...given);
}

/** Applies the expectations if the condition is true; accepts any other response. */
export function where(condition: Condition, ...then: readonly Expectation[]): Expectation {
  return (...given) => (condition(...given) ? then.flatMap((one) => one(...given)) : []);
}

/** Expects one of the statuses. Applies `then` only if the status is correct. */
export function status(wanted: number | readonly number[], ...then: readonly Expectation[]): Expectation {
  const allowed = [wanted].flat();
  return (response, context) => {
    if (allowed.includes(response.status)) return then.flatMap((one) => one(response, context));
    const at = { step: response.step };
    return [finding('status-unexpected', at, allowed.join(' or '), quoteAnswer(response), { statuses: allowed })];
  };
}

function quoteAnswer({ status, body }: StepResponse): string {
  const text = decodeUtf8(body) ?? `${body.length} bytes that are not text`;
  return `${status} ${excerpt(text)}`.trim();
}

export function notStatus(...unwanted: readonly number[]): ResponseExpectation {
  const expected = `any status other than ${unwanted.join(' or ')}`;
  return ({ status, step }) =>
    unwanted.includes(status) ? [finding('status-unexpected', { step }, expected, String(status))] : [];
}

/** Expects a 4xx status: a failure with 5xx is not a rejection. */
export const clientError: ResponseExpectation = ({ status, step }) =>
  status >= 400 && status < 500 ? [] : [finding('status-unexpected', { step }, 'a 4xx status', String(status))];

/** Expects an error category in the response header. */
export function category(...wanted: readonly string[]): Expectation {
  return header('errorType', { expected: wanted.join(' or '), is: (type) => wanted.includes(type) });
}

export function error(code: number | readonly number[], ...categories: readonly string[]): Expectation {
  return status(code, category(...categories));
}

/** Expects a 4xx status, but not 409 ALREADY_COMPLETED, which would show the state of another caller's request. */
const rejectedWithoutState: Expectation = (response) =>
  response.status === 409 && readMember(response, '/status') === 'ALREADY_COMPLETED'
    ? [finding('status-unexpected', { step: response.step }, '404', quoteAnswer(response), { statuses: [404] })]
    : clientError(response);

/** Expects an error for an id that isn't a request of this caller and model. The status relies on OP-093. */
export const requestNotFound: Expectation = (response, context) =>
  [rejectedWithoutState, withReading('OP-093', status(404)), category('request_not_found')].flatMap((one) =>
    one(response, context),
  );

export type Matcher<T> = { readonly expected: string; readonly is: (value: T) => boolean };

/** A header name, or the key of a branded header such as `errorType`. */
export type HeaderName = Capitalize<string> | keyof ServiceHeaders;

export function resolveHeaderName(header: HeaderName, { headers }: Pick<TargetContext, 'headers'>): string {
  const branded: Readonly<Record<string, string>> = headers;
  return branded[header] ?? header;
}

export function header(header: HeaderName, wanted?: string | Matcher<string>): Expectation {
  const matcher =
    typeof wanted === 'string' ? { expected: wanted, is: (value: string) => value.trim() === wanted } : wanted;
  return (response, context) => {
    const name = resolveHeaderName(header, context);
    const at = { step: response.step, header: name };
    const value = readHeader(response, name);
    const expected = matcher?.expected ?? `header ${name}`;
    if (value === undefined) return [finding('header-missing', at, expected, describeAbsence(response, name))];
    return matcher === undefined || matcher.is(value)
      ? []
      : [finding('header-malformed', at, expected, excerpt(value))];
  };
}

/** Explains a missing header: names a similar header with a different brand, if there is one, or quotes the response. */
export function describeAbsence(response: StepResponse, name: string): string {
  const purpose = `-${name.split('-').slice(-2).join('-')}`.toLowerCase();
  const isOther = (sent: string): boolean => /^x-/i.test(sent) && sent.toLowerCase().endsWith(purpose);
  const other = /^x-.+-.+-/i.test(name) ? response.headers.map(([sent]) => sent).find(isOther) : undefined;
  return other === undefined
    ? `absent; answered ${quoteAnswer(response)}`
    : `absent, but there is ${excerpt(other)}: if that is your brand, set the option brand`;
}

export function noHeader(header: HeaderName): Expectation {
  return (response, context) => {
    const name = resolveHeaderName(header, context);
    const value = readHeader(response, name);
    if (value === undefined) return [];
    return [finding('header-unexpected', { step: response.step, header: name }, `no header ${name}`, excerpt(value))];
  };
}

export function matchingPattern(expected: string, pattern: RegExp): Matcher<string> {
  return { expected, is: (value) => pattern.test(value.trim()) };
}

export const nonEmpty = matchingPattern('a non-empty value', /./);
export const wholeSeconds = matchingPattern('a whole number of seconds', /^\d+$/);
export const strongEntityTag = matchingPattern('a strong entity tag in double quotes', /^"[\x21\x23-\x7e\x80-\xff]*"$/);

/** Returns a header as whole cents; `NaN` if it isn't an integer. */
export function readCents(response: Pick<StepResponse, 'headers'>, header: string): number {
  const value = readHeader(response, header)?.trim() ?? '';
  return /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
}

export function wrongMediaType(step: string, expected: string, actual = 'absent'): readonly Finding[] {
  return [finding('media-type-unexpected', { step, header: 'Content-Type' }, expected, actual)];
}

export const json: ResponseExpectation = (response) => {
  const parsed = parseBody(response);
  if (parsed.kind === 'json') return [];
  const actual = response.body.length === 0 ? 'no bytes' : `${parsed.because}: ${excerpt(decodeBody(response))}`;
  return [finding('body-malformed', { step: response.step }, 'a JSON body', actual)];
};

export const jsonType: ResponseExpectation = (response) => {
  const actual = readMediaType(response);
  const isJson = /(?:^application\/json|\+json)$/.test(actual ?? '');
  return isJson ? [] : wrongMediaType(response.step, 'a JSON media type', actual);
};

export const emptyBody: ResponseExpectation = ({ body, step }) =>
  body.length === 0 ? [] : [finding('body-unexpected', { step }, 'no body', `${body.length} bytes`)];

/** Expects a body that isn't empty. `what`: the expected content, for the finding. */
export function nonEmptyBody(what: string): ResponseExpectation {
  return ({ body, step }) => (body.length > 0 ? [] : [finding('body-unexpected', { step }, what, 'no bytes')]);
}

export type MemberMatcher = Matcher<JsonValue | undefined>;

/** Matches members for which `is` is true; `expected` describes them in the finding. */
export function matching(expected: string, is: MemberMatcher['is']): MemberMatcher {
  return { expected, is };
}

type ExpectedMember = string | boolean | number | MemberMatcher;

/** Expects a member at a JSON pointer; the matcher receives `undefined` if it is absent. */
export function member(pointer: string, wanted: ExpectedMember): ResponseExpectation {
  const matcher =
    typeof wanted === 'object'
      ? wanted
      : { expected: JSON.stringify(wanted), is: (value: JsonValue | undefined) => value === wanted };
  return (response) => {
    if (parseBody(response).kind === 'malformed') return json(response);
    const value = readMember(response, pointer);
    if (matcher.is(value)) return [];
    if (value !== undefined) return wrongAt(response.step, pointer, matcher.expected, jsonText(value));
    const at = { step: response.step, pointer };
    const actual = `absent; answered ${quoteAnswer(response)}`;
    return [finding('value-unexpected', at, matcher.expected, actual, { isAbsent: true })];
  };
}

export function members(members: Readonly<Record<string, ExpectedMember>>): ResponseExpectation {
  return (response) => Object.entries(members).flatMap(([pointer, wanted]) => member(pointer, wanted)(response));
}

export const absent: MemberMatcher = { expected: 'absent', is: (value) => value === undefined };
export const text: MemberMatcher = { expected: 'a string', is: (value) => typeof value === 'string' };
export const object: MemberMatcher = { expected: 'an object', is: isJsonObject };
export const array: MemberMatcher = { expected: 'an array', is: Array.isArray };

/** Matches an equal JSON value, or an absent member for `undefined`. */
export function equal(wanted: JsonValue | undefined): MemberMatcher {
  return { expected: jsonText(wanted), is: (value) => isDeepStrictEqual(value, wanted) };
}

/** Returns the finding for an unexpected value at a JSON pointer. */
export function wrongAt(step: string, pointer: string, expected: string, actual: string): readonly Finding[] {
  return [finding('value-unexpected', { step, pointer }, expected, actual)];
}

export function jsonText(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : excerpt(JSON.stringify(value));
}

/** Expects the same member as in an earlier response. Accepts anything if that response lacks it. */
export function sameMember(pointer: string, as: Answer): Expectation {
  const wanted = readMember(as, pointer);
  if (wanted === undefined) return () => [];
  return member(pointer, equal(wanted));
}

export function sameBytes(as: StepResponse): ResponseExpectation {
  const describe = (response: StepResponse) => `${response.body.length} bytes: ${excerpt(decodeBody(response))}`;
  return (response) =>
    Buffer.compare(response.body, as.body) === 0
      ? []
      : [finding('bytes-differ', { step: response.step }, describe(as), describe(response))];
}

export function sameMediaType(as: Answer): ResponseExpectation {
  return (response) => {
    const [actual, expected = 'absent'] = [readMediaType(response), readMediaType(as)];
    return (actual ?? 'absent') === expected ? [] : wrongMediaType(response.step, expected, actual);
  };
}

/** Expects the same JSON value, because a replay may be formatted differently; or the same bytes if it isn't JSON. */
export function sameValue(as: Answer): ResponseExpectation {
  return (response) => {
    const [one, other] = [parseBody(as), parseBody(response)];
    const isSame = one.kind === 'json' && other.kind === 'json' && isDeepStrictEqual(one.value, other.value);
    return isSame ? [] : sameBytes(as)(response);
  };
}

/** Expects the same media type as another response and then the same value. */
export function sameResult(as: Answer): ResponseExpectation {
  return (response) => {
    const otherType = sameMediaType(as)(response);
    return otherType.length > 0 ? otherType : sameValue(as)(response);
  };
}

export const replay: Expectation = header(replayHeader, matchingPattern('true', /^true$/i));

export const noReplay: Expectation = (response) => {
  const at = { step: response.step, header: replayHeader };
  return isReplay(response) ? [finding('header-unexpected', at, 'absent or false', 'true')] : [];
};

export const conflict: Expectation = error(409, 'invalid_input');

/** True for a conflict because the first result has a link to another host (MR-IDM-17, MR-IDM-52, OP-095). */
function isUnreplayable(response: StepResponse, context: TargetContext, first: Answer): boolean {
  return conflict(response, context).length === 0 && hasForeignLink(first);
}

/** Accepts a response that meets the expectations, or a conflict because a linked result cannot be replayed. */
export function orUnreplayable(first: Answer, ...then: readonly Expectation[]): Expectation {
  return where((response, context) => !isUnreplayable(response, context, first), ...then);
}

/** Applies the expectations to replays of a first response. Not applicable if a linked result could not be replayed. */
export function ifReplayable(replays: Answers, first: Answer, ...then: readonly Expectation[]): CheckResult {
  const all = listAnswers(replays);
  const replayed = all.filter((one) => !isUnreplayable(one, one.context, first));
  const findings = replayed.length === 0 ? [] : on(replayed, ...then);
  if (findings.length > 0 || replayed.length === all.length) return findings;
  return notApplicable(
    'a repeated call got 409 instead of a replay, because the first result has a link to another host',
  );
}

function hasForeignLink(answer: Answer): boolean {
  const body = decodeBody(answer);
  // Normalize the JSON, because it may escape any character of a link.
  const text = JSON.stringify(parseJson(body)) ?? body;
  const hosts = [...text.matchAll(/https?:\/\/([^/?"]+)/g)].map(([, host]) => host);
  return hosts.some((host = '') => !answer.context.baseUrls.router?.includes(host));
}
