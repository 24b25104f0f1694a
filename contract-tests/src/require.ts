import type { JsonValue } from '../../specs/src/index.ts';
import { type Answer, headerOf, headerValues, jsonOf, mediaTypeOf, memberOf, textOf } from './answer.ts';
import type { Draft, FindingCode, Place } from './finding.ts';

/** A named predicate: `is` decides, `expected` is what the finding says. */
export type Matcher<T> = { readonly expected: string; readonly is: (value: T) => boolean };

export function finding(code: FindingCode, at: Place, said: { expected: string; actual: string }): Draft {
  return { code, at, ...said };
}

export function requireStatus(answer: Answer, ...allowed: readonly number[]): readonly Draft[] {
  if (allowed.includes(answer.status)) return [];
  const actual = `${answer.status} ${excerpt(textOf(answer))}`.trim();
  return [finding('status-unexpected', { step: answer.step }, { expected: allowed.join(' or '), actual })];
}

export function requireHeader(answer: Answer, name: string, matcher?: Matcher<string>): readonly Draft[] {
  const at: Place = { step: answer.step, header: name };
  const value = headerOf(answer, name);
  if (value === undefined) {
    return [finding('header-missing', at, { expected: matcher?.expected ?? `header ${name}`, actual: 'absent' })];
  }
  if (matcher === undefined || matcher.is(value)) return [];
  return [finding('header-malformed', at, { expected: matcher.expected, actual: excerpt(value) })];
}

export function forbidHeader(answer: Answer, name: string): readonly Draft[] {
  const value = headerOf(answer, name);
  if (value === undefined) return [];
  const at: Place = { step: answer.step, header: name };
  return [finding('header-unexpected', at, { expected: `no header ${name}`, actual: excerpt(value) })];
}

export function requireSingleHeader(answer: Answer, name: string): readonly Draft[] {
  const { length } = headerValues(answer, name);
  if (length < 2) return [];
  const at: Place = { step: answer.step, header: name };
  return [finding('header-repeated', at, { expected: 'one line', actual: `${length} lines` })];
}

/** Parameters such as `charset` are ignored. */
export function requireMediaType(answer: Answer, wanted: string): readonly Draft[] {
  const actual = mediaTypeOf(answer);
  if (actual === wanted) return [];
  const at: Place = { step: answer.step, header: 'Content-Type' };
  return [finding('media-type-unexpected', at, { expected: wanted, actual: actual ?? 'absent' })];
}

export function requireJson(answer: Answer): readonly Draft[] {
  const parsed = jsonOf(answer);
  if (parsed.kind === 'json') return [];
  const actual = `${parsed.because}: ${excerpt(textOf(answer))}`;
  return [finding('body-malformed', { step: answer.step }, { expected: 'a JSON body', actual })];
}

export function requireEmptyBody(answer: Answer): readonly Draft[] {
  if (answer.body.length === 0) return [];
  return [
    finding('body-unexpected', { step: answer.step }, { expected: 'no body', actual: `${answer.body.length} bytes` }),
  ];
}

/** Judges one member; `undefined` reaches the matcher when it is absent. */
export function requireMember(
  answer: Answer,
  pointer: string,
  matcher: Matcher<JsonValue | undefined>,
): readonly Draft[] {
  const parsed = jsonOf(answer);
  if (parsed.kind === 'malformed') return requireJson(answer);
  const value = memberOf(answer, pointer);
  if (matcher.is(value)) return [];
  const actual = value === undefined ? 'absent' : excerpt(JSON.stringify(value));
  return [finding('value-unexpected', { step: answer.step, pointer }, { expected: matcher.expected, actual })];
}

export function requireEqual(at: Place, actual: JsonValue | undefined, expected: JsonValue): readonly Draft[] {
  const [want, got] = [JSON.stringify(expected), actual === undefined ? 'absent' : JSON.stringify(actual)];
  return want === got ? [] : [finding('values-differ', at, { expected: excerpt(want), actual: excerpt(got) })];
}

export const wholeSeconds: Matcher<string> = {
  expected: 'a whole number of seconds',
  is: (value) => /^\d+$/.test(value.trim()),
};

export function equalTo(wanted: JsonValue): Matcher<JsonValue | undefined> {
  return { expected: JSON.stringify(wanted), is: (value) => value === wanted };
}

export const absent: Matcher<JsonValue | undefined> = { expected: 'absent', is: (value) => value === undefined };

/** At most 160 characters, one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 157)}…`;
}
