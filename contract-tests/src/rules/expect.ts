// Expectations on responses, under one name: `expect.on(again, expect.status(200, expect.replay))`.

import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../contract/answer.ts';
import { decodeBody, parseBody, parseJson, readHeader, readMediaType, readMember } from '../contract/evidence.ts';
import { type CheckResult, type Finding, finding, notApplicable, observed } from '../contract/finding.ts';
import { type Expectation, either, jsonText, wrongMediaType } from './expect/checks.ts';
import { member } from './expect/expectations.ts';
import { conflict, findByteDifferences } from './expect/same-response.ts';

export {
  asRead,
  type Expectation,
  either,
  first,
  jsonText,
  readCents,
  where,
  wrongAt,
  wrongMediaType,
} from './expect/checks.ts';
export * from './expect/expectations.ts';
export {
  conflict,
  findByteDifferences,
  hasSameBytes,
  noReplay,
  replay,
  withoutSignatures,
} from './expect/same-response.ts';

/** Responses of a scenario: one, several, or none if the scenario left the call out. */
export type Answers = Answer | undefined | readonly (Answer | undefined)[];

const listAnswers = (answers: Answers): readonly Answer[] => [answers].flat().filter((one) => one !== undefined);

/** Returns the findings of all expectations on each of the responses. */
export function on(answers: Answers, ...expectations: readonly Expectation[]): readonly Finding[] {
  return listAnswers(answers).flatMap((answer) =>
    expectations.flatMap((expectation) => expectation(answer, answer.context)),
  );
}

/** Notes what the documents leave open about these responses; a server failure is still a finding. */
export function leftOpen(answers: Answers, observation: string): CheckResult {
  const failures = listAnswers(answers).filter((answer) => answer.status >= 500);
  if (failures.length === 0) return observed(observation);
  return failures.map(({ step, status }) =>
    finding('status-unexpected', { step }, 'a status below 500', String(status)),
  );
}

/** Notes how a call is answered that the documents leave open; `readings`: what it bears on. */
export function noted(answer: Answer, call: string, readings?: string): CheckResult {
  const word = readHeader(answer, answer.context.headers.errorType) ?? readMember(answer, '/status');
  const text = typeof word === 'string' ? `${answer.status} ${word}` : String(answer.status);
  return leftOpen(answer, `${call} is answered with ${text}${readings === undefined ? '' : ` (${readings})`}`);
}

export function hasSucceeded(answer: Answer | undefined): answer is Answer {
  return answer?.status === 200;
}

/** The member that an earlier response has at the same place; nothing is expected where that has none. */
export function sameMember(pointer: string, as: Answer): Expectation {
  const wanted = readMember(as, pointer);
  if (wanted === undefined) return () => [];
  return member(pointer, { expected: jsonText(wanted), is: (value) => value === wanted });
}

export function sameBytes(as: Answer): Expectation {
  return (response) => findByteDifferences(response, as);
}

export function sameType(as: Answer): Expectation {
  return (response) => {
    const [actual, expected = 'absent'] = [readMediaType(response), readMediaType(as)];
    return (actual ?? 'absent') === expected ? [] : wrongMediaType(response.step, expected, actual);
  };
}

/** The JSON value of another response, which a replay may write otherwise; of what is no JSON the bytes. */
export function sameValue(as: Answer): Expectation {
  return (response) => {
    const [one, other] = [parseBody(as), parseBody(response)];
    const isSame = one.kind === 'json' && other.kind === 'json' && isDeepStrictEqual(one.value, other.value);
    return isSame ? [] : findByteDifferences(response, as);
  };
}

/** Media type, and where that is the same, value of another response. */
export function sameResult(as: Answer): Expectation {
  return (response, context) => {
    const otherType = sameType(as)(response, context);
    return otherType.length > 0 ? otherType : sameValue(as)(response, context);
  };
}

/** True for the conflict of a result with a link to another host, which may be one that cannot be replayed (MR-IDM-17, MR-IDM-52, OP-095). */
function isUnreplayable(answer: Answer, first: Answer): boolean {
  return on(answer, conflict).length === 0 && hasForeignLink(first);
}

/** The expectations on a response, or a conflict that shows that the key of a linked result is known. */
export function orUnreplayable(first: Answer, ...then: readonly Expectation[]): Expectation {
  return either(
    (response, context) => conflict(response, context).length === 0 && hasForeignLink(first),
    () => [],
    (response, context) => then.flatMap((one) => one(response, context)),
  );
}

/** The expectations on replays of a first response; not applicable where a linked result gave none. */
export function ifReplayable(replays: Answers, first: Answer, ...then: readonly Expectation[]): CheckResult {
  const all = listAnswers(replays);
  const replayed = all.filter((one) => !isUnreplayable(one, first));
  const findings = on(replayed, ...then);
  if (findings.length > 0 || replayed.length === all.length) return findings;
  return notApplicable('the result has a link to another host, and its key answers 409: no replay was seen');
}

function hasForeignLink(answer: Answer): boolean {
  const body = decodeBody(answer);
  // Read and written again: JSON may escape any character of a link.
  const text = JSON.stringify(parseJson(body)) ?? body;
  const hosts = [...text.matchAll(/https?:\/\/([^/?"]+)/g)].map(([, host]) => host);
  return hosts.some((host = '') => !answer.context.baseUrls.router?.includes(host));
}

/** An input of the owner did not bring about the failure that it stands in for: that says nothing of the server. */
export function ifItFails(answer: Answer, check: () => CheckResult): CheckResult {
  return !answer.context.isScripted && hasSucceeded(answer)
    ? notApplicable('the input that was given for it succeeded')
    : check();
}

/** The check where the request whose status was polled until its `end` has succeeded. */
export function ifSucceeded(end: Answer, check: () => CheckResult): CheckResult {
  return readMember(end, '/error_type') === undefined ? check() : notApplicable('the request did not succeed');
}
