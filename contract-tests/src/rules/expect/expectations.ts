import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext, ServiceHeaders } from '../../contract/context.ts';
import {
  decodeBody,
  decodeUtf8,
  parseBody,
  readHeader,
  readMediaType,
  readMember,
  type StepResponse,
} from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import { all, asRead, type Expectation, jsonText, wrongAt, wrongMediaType } from './checks.ts';

type ResponseExpectation = (response: StepResponse) => readonly Finding[];

/** One of the statuses. `then` is checked on a response with an expected status only. */
export function status(wanted: number | readonly number[], ...then: readonly Expectation[]): Expectation {
  const allowed = [wanted].flat();
  return (response, context) => {
    if (allowed.includes(response.status)) return all(...then)(response, context);
    return [finding('status-unexpected', { step: response.step }, allowed.join(' or '), quoteAnswer(response))];
  };
}

function quoteAnswer({ status, body }: StepResponse): string {
  const text = decodeUtf8(body) ?? `${body.length} bytes that are not text`;
  return `${status} ${excerpt(text)}`.trim();
}

/** A status for which `is` holds; `expected` is the text of the finding. */
export function statusThat(is: (status: number) => boolean, expected: string): ResponseExpectation {
  return ({ status, step }) => (is(status) ? [] : [finding('status-unexpected', { step }, expected, String(status))]);
}

/** Any status but these. */
export function notStatus(unwanted: readonly number[], expected: string): ResponseExpectation {
  return statusThat((status) => !unwanted.includes(status), expected);
}

export const refused = statusThat((status) => status >= 400, 'a refusal');

/** `Retry-After`, or `errorType` and the other headers of the brand. */
export type HeaderName = Capitalize<string> | keyof ServiceHeaders;

export function nameHeader(header: HeaderName, { headers }: Pick<ProbeContext, 'headers'>): string {
  const own: Readonly<Record<string, string>> = headers;
  return own[header] ?? header;
}

export function header(header: HeaderName, wanted?: string | Matcher<string>): Expectation {
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

/** A header of the same purpose under another brand is most of the answer to why this one is missing, and the answer the rest of it. */
export function describeAbsence(response: StepResponse, name: string): string {
  const purpose = `-${name.split('-').slice(-2).join('-')}`.toLowerCase();
  const isOther = (sent: string): boolean => /^x-/i.test(sent) && sent.toLowerCase().endsWith(purpose);
  const other = /^x-.+-.+-/i.test(name) ? response.headers.map(([sent]) => sent).find(isOther) : undefined;
  return other === undefined
    ? `absent; answered ${quoteAnswer(response)}`
    : `absent; ${excerpt(other)} is there: if that is your brand, set brand`;
}

export function noHeader(header: HeaderName): Expectation {
  return (response, context) => {
    const name = nameHeader(header, context);
    const value = readHeader(response, name);
    if (value === undefined) return [];
    const at = { step: response.step, header: name };
    return [finding('header-unexpected', at, `no header ${name}`, excerpt(value))];
  };
}

/** The error category of the response's header. */
export function category(...wanted: readonly string[]): Expectation {
  return header('errorType', { expected: wanted.join(' or '), is: (type) => wanted.includes(type) });
}

export function error(code: number | readonly number[], ...categories: readonly string[]): Expectation {
  return status(code, category(...categories));
}

/** One of the media types; parameters such as `charset` are ignored. */
export function mediaType(...wanted: readonly string[]): ResponseExpectation {
  return (response) => {
    const actual = readMediaType(response);
    if (actual !== undefined && wanted.includes(actual)) return [];
    return wrongMediaType(response.step, wanted.join(' or '), actual);
  };
}

export const json: ResponseExpectation = (response) => {
  const parsed = parseBody(response);
  if (parsed.kind === 'json') return [];
  const actual = `${parsed.because}: ${excerpt(decodeBody(response))}`;
  return [finding('body-malformed', { step: response.step }, 'a JSON body', actual)];
};

export const jsonType: ResponseExpectation = (response) => {
  const actual = readMediaType(response);
  const isJson = /(?:^application\/json|\+json)$/.test(actual ?? '');
  return isJson ? [] : wrongMediaType(response.step, 'a JSON media type', actual);
};

export const emptyBody: ResponseExpectation = ({ body, step }) =>
  body.length === 0 ? [] : [finding('body-unexpected', { step }, 'no body', `${body.length} bytes`)];

type Wanted = string | boolean | number | MemberMatcher;

/** The member at a JSON pointer; an absent one is `undefined` to the matcher. */
export function member(pointer: string, wanted: Wanted): ResponseExpectation {
  const matcher =
    typeof wanted === 'object'
      ? wanted
      : { expected: JSON.stringify(wanted), is: (value: JsonValue | undefined) => value === wanted };
  return (response) => {
    if (parseBody(response).kind === 'malformed') return json(response);
    const value = readMember(response, pointer);
    if (matcher.is(value)) return [];
    const actual = value === undefined ? `absent; answered ${quoteAnswer(response)}` : jsonText(value);
    return wrongAt(response.step, pointer, matcher.expected, actual);
  };
}

export function members(members: Readonly<Record<string, Wanted>>): ResponseExpectation {
  const expectations = Object.entries(members).map(([pointer, matcher]) => member(pointer, matcher));
  return (response) => expectations.flatMap((expectation) => expectation(response));
}

/** Cancelling a completed request answers 409 too: of the request of another caller, that is not a refusal. */
const notCarriedOut: ResponseExpectation = (response) =>
  response.status === 409 && readMember(response, '/status') === 'ALREADY_COMPLETED'
    ? [finding('status-unexpected', { step: response.step }, '404', quoteAnswer(response))]
    : refused(response);

/** The id names no request of this caller under this model: the text gives it a category and no status (`partReading: 'OP-093'`). */
export const requestNotFound = all<Parameters<Expectation>>(
  notCarriedOut,
  asRead('OP-093', status(404)),
  category('request_not_found'),
);

export type Matcher<T> = { readonly expected: string; readonly is: (value: T) => boolean };
export type MemberMatcher = Matcher<JsonValue | undefined>;

export const absent: MemberMatcher = { expected: 'absent', is: (value) => value === undefined };
export const text: MemberMatcher = { expected: 'a string', is: (value) => typeof value === 'string' };
export const object: MemberMatcher = { expected: 'an object', is: isJsonObject };
export const array: MemberMatcher = { expected: 'an array', is: Array.isArray };

/** MR-QUE-02: 8-4-4-4-12 lowercase hexadecimal digits. */
export const lowercaseUuid: MemberMatcher = {
  expected: 'a lowercase UUID of 36 characters',
  is: (value) => typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
};

export function formed(expected: string, pattern: RegExp): Matcher<string> {
  return { expected, is: (value) => pattern.test(value.trim()) };
}

export const filled = formed('a value that is not empty', /./);
export const wholeNumber = formed('a whole number', /^\d+$/);
export const wholeSeconds = formed('a whole number of seconds', /^\d+$/);
export const strongEntityTag = formed('a strong entity tag in double quotes', /^"[\x21\x23-\x7e\x80-\xff]*"$/);

/** Expects the scripted model to report that its provider received this. */
export function received(wanted: Readonly<Record<string, string>>): Expectation {
  return (response) =>
    Object.entries(wanted).flatMap(([member, value]): readonly Finding[] => {
      const at = { step: response.step, pointer: `/received/${member}` };
      const got = readMember(response, at.pointer);
      const actual = got === undefined ? 'absent' : JSON.stringify(got);
      return got === value ? [] : [finding('values-differ', at, JSON.stringify(value), actual)];
    });
}
