import type { JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext, ServiceHeaders } from '../../contract/context.ts';
import {
  decodeBody,
  parseBody,
  readHeader,
  readMediaType,
  readMember,
  readResponse,
  type StepResponse,
  wasAnswered,
} from '../../contract/evidence.ts';
import {
  type CheckResult,
  excerpt,
  type Finding,
  type FindingLocation,
  finding,
  observed,
} from '../../contract/finding.ts';
import type { Evidence } from '../../contract/probe.ts';
import type { Check } from '../../contract/rule.ts';
import type { Matcher, MemberMatcher } from './matchers.ts';

type Holds = (response: StepResponse, context: ProbeContext, evidence: Evidence) => boolean;

/** What a rule expects of one response; `[]` when the response meets it. */
export type Expectation = (response: StepResponse, context: ProbeContext, evidence: Evidence) => readonly Finding[];
/** An expectation that reads the response alone. */
type ResponseExpectation = (response: StepResponse) => readonly Finding[];
/** A check that never gives an observation. */
export type FindingsCheck = (evidence: Evidence, context: ProbeContext) => readonly Finding[];
type StepNames = string | readonly string[] | ((context: ProbeContext) => readonly string[]);

/** Every expectation on the (last) response to each of the steps. */
export function onResponse(steps: StepNames, ...expectations: readonly Expectation[]): FindingsCheck {
  return (evidence, context) =>
    listNames(steps, context).flatMap((name) => {
      const response = readResponse(evidence, name);
      return expectAll(...expectations)(response, context, evidence);
    });
}

/** The same, without the steps that the probe left out. */
export function onResponseIfSent(steps: StepNames, ...expectations: readonly Expectation[]): FindingsCheck {
  return (evidence, context) => {
    const sent = listNames(steps, context).filter((name) => wasAnswered(evidence, name));
    return onResponse(sent, ...expectations)(evidence, context);
  };
}

function listNames(steps: StepNames, context: ProbeContext): readonly string[] {
  if (typeof steps === 'function') return steps(context);
  return typeof steps === 'string' ? [steps] : steps;
}

export function allChecks(...checks: readonly FindingsCheck[]): FindingsCheck {
  return (evidence, context) => checks.flatMap((check) => check(evidence, context));
}

/** The checks one after the other, up to the first that finds something. */
export function firstFailing(...checks: readonly FindingsCheck[]): FindingsCheck {
  return (evidence, context) => {
    for (const check of checks) {
      const findings = check(evidence, context);
      if (findings.length > 0) return findings;
    }
    return [];
  };
}

type Observe = (evidence: Evidence, context: ProbeContext) => string;

/** What the documents leave open about these steps is noted, but a failure of the server is no answer to anything. */
export function leftOpen(steps: string | readonly string[], observe: Observe): Check {
  const answered = onResponseIfSent(
    steps,
    expectStatusThat((status) => status < 500, 'an answer that is no failure of the server'),
  );
  return (evidence, context) => {
    const findings = answered(evidence, context);
    return findings.length > 0 ? findings : observed(observe(evidence, context));
  };
}

/** `result` where the evidence does not allow the check. */
export function unless(
  prevents: (evidence: Evidence, context: ProbeContext) => boolean,
  result: CheckResult,
  check: Check,
): Check {
  return (evidence, context) => (prevents(evidence, context) ? result : check(evidence, context));
}

function expectAll(...expectations: readonly Expectation[]): Expectation {
  return (response, context, evidence) =>
    expectations.flatMap((expectation) => expectation(response, context, evidence));
}

/** The expectations where this holds; any other response is right. */
export function expectIf(holds: Holds, ...then: readonly Expectation[]): Expectation {
  return (response, context, evidence) =>
    holds(response, context, evidence) ? expectAll(...then)(response, context, evidence) : [];
}

/** One of the statuses. `then` is checked on a response with an expected status only. */
export function expectStatus(status: number | readonly number[], ...then: readonly Expectation[]): Expectation {
  const allowed = [status].flat();
  return (response, context, evidence) => {
    if (allowed.includes(response.status)) return expectAll(...then)(response, context, evidence);
    const actual = `${response.status} ${excerpt(decodeBody(response))}`.trim();
    return [finding('status-unexpected', { step: response.step }, allowed.join(' or '), actual)];
  };
}

/** A status for which `is` holds; `expected` is the text of the finding. */
export function expectStatusThat(is: (status: number) => boolean, expected: string): ResponseExpectation {
  return ({ status, step }) => (is(status) ? [] : [finding('status-unexpected', { step }, expected, String(status))]);
}

/** `Retry-After`, or `errorType` and the other headers of the brand. */
export type HeaderName = Capitalize<string> | keyof ServiceHeaders;

export function nameHeader(header: HeaderName, { headers }: Pick<ProbeContext, 'headers'>): string {
  const own: Readonly<Record<string, string>> = headers;
  return own[header] ?? header;
}

/** The header, and this value or one that matches. */
export function expectHeader(header: HeaderName, wanted?: string | Matcher<string>): Expectation {
  const matcher =
    typeof wanted === 'string' ? { expected: wanted, is: (value: string) => value.trim() === wanted } : wanted;
  return (response, context) => {
    const name = nameHeader(header, context);
    const at = { step: response.step, header: name };
    const value = readHeader(response, name);
    const expected = matcher?.expected ?? `header ${name}`;
    if (value === undefined) return [finding('header-missing', at, expected, describeAbsence(response, name))];
    return matcher === undefined || matcher.is(value)
      ? []
      : [finding('header-malformed', at, expected, excerpt(value))];
  };
}

/** A header of the same purpose under another brand is most of the answer to why this one is missing. */
function describeAbsence({ headers }: StepResponse, name: string): string {
  const purpose = `-${name.split('-').slice(-2).join('-')}`.toLowerCase();
  const isOther = (sent: string): boolean => /^x-/i.test(sent) && sent.toLowerCase().endsWith(purpose);
  const other = /^x-.+-.+-/i.test(name) ? headers.map(([sent]) => sent).find(isOther) : undefined;
  return other === undefined ? 'absent' : `absent; ${excerpt(other)} is there: if that is your brand, set brand`;
}

export function forbidHeader(header: HeaderName): Expectation {
  return (response, context) => {
    const name = nameHeader(header, context);
    const value = readHeader(response, name);
    if (value === undefined) return [];
    const at = { step: response.step, header: name };
    return [finding('header-unexpected', at, `no header ${name}`, excerpt(value))];
  };
}

/** The error category of the response's header. */
export function expectCategory(...wanted: readonly string[]): Expectation {
  return expectHeader('errorType', { expected: wanted.join(' or '), is: (type) => wanted.includes(type) });
}

/** A refusal with this status and category. */
export function expectError(status: number | readonly number[], ...categories: readonly string[]): Expectation {
  return expectStatus(status, expectCategory(...categories));
}

/** One of the media types; parameters such as `charset` are ignored. */
export function expectMediaType(...wanted: readonly string[]): ResponseExpectation {
  return (response) => {
    const actual = readMediaType(response);
    if (actual !== undefined && wanted.includes(actual)) return [];
    return [mediaTypeFinding(response, { expected: wanted.join(' or '), actual })];
  };
}

export function mediaTypeFinding(
  response: StepResponse,
  types: { expected: string; actual: string | undefined },
): Finding {
  const at = { step: response.step, header: 'Content-Type' };
  return finding('media-type-unexpected', at, types.expected, types.actual ?? 'absent');
}

export const expectJson: ResponseExpectation = (response) => {
  const parsed = parseBody(response);
  if (parsed.kind === 'json') return [];
  const actual = `${parsed.because}: ${excerpt(decodeBody(response))}`;
  return [finding('body-malformed', { step: response.step }, 'a JSON body', actual)];
};

export const expectJsonType: ResponseExpectation = (response) => {
  const actual = readMediaType(response);
  const isJson = /(?:^application\/json|\+json)$/.test(actual ?? '');
  return isJson ? [] : [mediaTypeFinding(response, { expected: 'a JSON media type', actual })];
};

export const expectEmptyBody: ResponseExpectation = ({ body, step }) =>
  body.length === 0 ? [] : [finding('body-unexpected', { step }, 'no body', `${body.length} bytes`)];

/** This value, or one that matches. */
type Wanted = string | boolean | number | MemberMatcher;

/** The member at a JSON pointer; an absent one is `undefined` to the matcher. */
export function expectMember(pointer: string, wanted: Wanted): ResponseExpectation {
  const matcher =
    typeof wanted === 'object'
      ? wanted
      : { expected: JSON.stringify(wanted), is: (value: JsonValue | undefined) => value === wanted };
  return (response) => {
    if (parseBody(response).kind === 'malformed') return expectJson(response);
    const value = readMember(response, pointer);
    if (matcher.is(value)) return [];
    return [unexpectedValue({ step: response.step, pointer }, matcher.expected, value)];
  };
}

/** The members by their JSON pointers. */
export function expectMembers(members: Readonly<Record<string, Wanted>>): ResponseExpectation {
  const expectations = Object.entries(members).map(([pointer, matcher]) => expectMember(pointer, matcher));
  return (response) => expectations.flatMap((expectation) => expectation(response));
}

/** The one finding that the value at a JSON pointer is another than expected. */
export function wrongValue(step: string, pointer: string, expected: string, actual: string): readonly Finding[] {
  return [finding('value-unexpected', { step, pointer }, expected, actual)];
}

export function unexpectedValue(at: FindingLocation, expected: string, actual: JsonValue | undefined): Finding {
  return finding('value-unexpected', at, expected, jsonText(actual));
}

function jsonText(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : excerpt(JSON.stringify(value));
}

/** The member that an earlier response has at the same place; nothing is expected where that has none. */
export function expectSameMember(pointer: string, as: string): Expectation {
  return (response, _, evidence) => {
    const wanted = readMember(readResponse(evidence, as), pointer);
    if (wanted === undefined) return [];
    return expectMember(pointer, { expected: jsonText(wanted), is: (value) => value === wanted })(response);
  };
}

/** The id names no request of this caller under this model (C-15). */
export const expectRequestNotFound: Expectation = expectError(404, 'request_not_found');
