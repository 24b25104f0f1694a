import { isDeepStrictEqual } from 'node:util';
import type { ProbeContext } from '../../contract/context.ts';
import {
  decodeBody,
  isReplay,
  parseBody,
  parseJson,
  readMediaType,
  readResponse,
  replayHeader,
  type StepResponse,
  wasAnswered,
} from '../../contract/evidence.ts';
import { excerpt, type Finding, finding, notApplicable } from '../../contract/finding.ts';
import type { Exchange } from '../../contract/probe.ts';
import type { Check } from '../../contract/rule.ts';
import { all, type Expectation, either, first, on, wrongMediaType } from './checks.ts';
import { error, formed, header } from './expectations.ts';

export function hasSameBytes(one: StepResponse, other: StepResponse): boolean {
  return one.body.length === other.body.length && one.body.every((byte, index) => byte === other.body[index]);
}

export function byteFindings(response: StepResponse, wanted: StepResponse): readonly Finding[] {
  if (hasSameBytes(response, wanted)) return [];
  const describe = ({ body }: StepResponse, text: string): string => `${body.length} bytes: ${excerpt(text)}`;
  const [expected, actual] = [describe(wanted, decodeBody(wanted)), describe(response, decodeBody(response))];
  return [finding('bytes-differ', { step: response.step }, expected, actual)];
}

export function sameBytes(as: string): Expectation {
  return (response, _, evidence) => byteFindings(response, readResponse(evidence, as));
}

export function sameType(as: string): Expectation {
  return (response, _, evidence) => {
    const [actual, expected = 'absent'] = [readMediaType(response), readMediaType(readResponse(evidence, as))];
    return (actual ?? 'absent') === expected ? [] : wrongMediaType(response.step, expected, actual);
  };
}

/** The JSON value of another step's response, which a replay may write otherwise; of what is no JSON the bytes. */
export function sameValue(as: string): Expectation {
  return (response, _, evidence) => {
    const earlier = readResponse(evidence, as);
    const [one, other] = [parseBody(earlier), parseBody(response)];
    const isSame = one.kind === 'json' && other.kind === 'json' && isDeepStrictEqual(one.value, other.value);
    return isSame ? [] : byteFindings(response, earlier);
  };
}

/** Media type, and where that is the same, value of another step's response. */
export function sameResult(as: string): Expectation {
  return first(sameType(as), sameValue(as));
}

const stringLiteral = /"(?:[^"\\]|\\.)*"/g;

/** Links are signed for each call, so queries of URLs do not count. All else of a JSON text stays byte for byte. */
export function withoutSignatures(response: StepResponse): StepResponse {
  if (parseBody(response).kind === 'malformed') return response;
  const text = decodeBody(response).replace(stringLiteral, (literal) => {
    const value = String(JSON.parse(literal));
    return /^https?:\/\/[^?]+\?/.test(value) ? JSON.stringify(value.replace(/\?.*$/, '')) : literal;
  });
  return { ...response, body: new TextEncoder().encode(text) };
}

export const replay: Expectation = header(replayHeader, formed('true', /^true$/i));

/** True for the conflict of a result with a link to another host, which may be one that cannot be replayed (MR-IDM-17, MR-IDM-52, OP-095). */
const isUnreplayable = (...[response, context, evidence]: Parameters<Expectation>): boolean =>
  conflict(response, context, evidence).length === 0 && evidence.some((one) => hasForeignLink(one, context));

/** The expectations on a response, or a conflict that shows that the key of a linked result is known. */
export function orUnreplayable(...then: readonly Expectation[]): Expectation {
  return either(isUnreplayable, () => [], all(...then));
}

/** The expectations on replays; not applicable where a linked result gave none. */
export function ifReplayable(steps: string | readonly string[], ...then: readonly Expectation[]): Check {
  return (evidence, context) => {
    const isLinked = (name: string): boolean =>
      wasAnswered(evidence, name) && isUnreplayable(readResponse(evidence, name), context, evidence);
    const replayed = [steps].flat().filter((name) => !isLinked(name));
    const findings = on(replayed, ...then)(evidence, context);
    if (findings.length > 0 || replayed.length === [steps].flat().length) return findings;
    return notApplicable('the result has a link to another host, and its key answers 409: no replay was seen');
  };
}

function hasForeignLink({ request, result }: Exchange, { baseUrls }: ProbeContext): boolean {
  if (request.method !== 'POST' || result.kind === 'no-response') return false;
  const body = decodeBody(result);
  // Read and written again: JSON may escape any character of a link.
  const text = JSON.stringify(parseJson(body)) ?? body;
  const hosts = [...text.matchAll(/https?:\/\/([^/?"]+)/g)].map(([, host]) => host);
  return hosts.some((host = '') => !baseUrls.router?.includes(host));
}

export const noReplay: Expectation = (response) => {
  const at = { step: response.step, header: replayHeader };
  return isReplay(response) ? [finding('header-unexpected', at, 'absent or false', 'true')] : [];
};

export const conflict: Expectation = error(409, 'invalid_input');
