import { decodeBody, isReplay, parseBody, replayHeader, type StepResponse } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import type { Expectation } from './checks.ts';
import { error, formed, header } from './expectations.ts';

export function hasSameBytes(one: StepResponse, other: StepResponse): boolean {
  return one.body.length === other.body.length && one.body.every((byte, index) => byte === other.body[index]);
}

export function findByteDifferences(response: StepResponse, wanted: StepResponse): readonly Finding[] {
  if (hasSameBytes(response, wanted)) return [];
  const describe = ({ body }: StepResponse, text: string): string => `${body.length} bytes: ${excerpt(text)}`;
  const [expected, actual] = [describe(wanted, decodeBody(wanted)), describe(response, decodeBody(response))];
  return [finding('bytes-differ', { step: response.step }, expected, actual)];
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

export const noReplay: Expectation = (response) => {
  const at = { step: response.step, header: replayHeader };
  return isReplay(response) ? [finding('header-unexpected', at, 'absent or false', 'true')] : [];
};

export const conflict: Expectation = error(409, 'invalid_input');
