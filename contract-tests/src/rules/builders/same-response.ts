import { isDeepStrictEqual } from 'node:util';
import { decodeBody, parseBody, readMediaType, readResponse, type StepResponse } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import { type Expectation, wrongMediaType } from './checks.ts';

export function hasSameBytes(one: StepResponse, other: StepResponse): boolean {
  return one.body.length === other.body.length && one.body.every((byte, index) => byte === other.body[index]);
}

export function byteFindings(response: StepResponse, wanted: StepResponse): readonly Finding[] {
  if (hasSameBytes(response, wanted)) return [];
  const describe = ({ body }: StepResponse, text: string): string => `${body.length} bytes: ${excerpt(text)}`;
  const [expected, actual] = [describe(wanted, decodeBody(wanted)), describe(response, decodeBody(response))];
  return [finding('bytes-differ', { step: response.step }, expected, actual)];
}

export function expectSameBytes(as: string): Expectation {
  return (response, _, evidence) => byteFindings(response, readResponse(evidence, as));
}

export function expectSameType(as: string): Expectation {
  return (response, _, evidence) => {
    const [actual, expected = 'absent'] = [readMediaType(response), readMediaType(readResponse(evidence, as))];
    return (actual ?? 'absent') === expected ? [] : wrongMediaType(response.step, expected, actual);
  };
}

/** The JSON value of another step's response, which a replay may write otherwise; of what is no JSON the bytes. */
export function expectSameValue(as: string): Expectation {
  return (response, _, evidence) => {
    const first = readResponse(evidence, as);
    const [one, other] = [parseBody(first), parseBody(response)];
    const isSame = one.kind === 'json' && other.kind === 'json' && isDeepStrictEqual(one.value, other.value);
    return isSame ? [] : byteFindings(response, first);
  };
}

/** Media type, and where that is the same, value of another step's response. */
export function expectSameResult(as: string): Expectation {
  return (response, context, evidence) => {
    const findings = expectSameType(as)(response, context, evidence);
    return findings.length > 0 ? findings : expectSameValue(as)(response, context, evidence);
  };
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
