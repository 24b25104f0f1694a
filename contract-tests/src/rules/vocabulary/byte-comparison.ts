import { type Answer, jsonOf, mediaTypeOf, textOf } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import { excerpt, finding } from '../../require.ts';

export function sameBytes(one: Answer, other: Answer): boolean {
  return one.body.length === other.body.length && one.body.every((byte, index) => byte === other.body[index]);
}

export function requireSameBytes(answer: Answer, wanted: Answer): readonly Draft[] {
  if (sameBytes(answer, wanted)) return [];
  const describe = ({ body }: Answer, text: string): string => `${body.length} bytes: ${excerpt(text)}`;
  const said = { expected: describe(wanted, textOf(wanted)), actual: describe(answer, textOf(answer)) };
  return [finding('bytes-differ', { step: answer.step }, said)];
}

/** The same bytes, and told to be the same: a file under another label is another file. */
export function requireSameResult(answer: Answer, wanted: Answer): readonly Draft[] {
  const [type, wantedType] = [mediaTypeOf(answer), mediaTypeOf(wanted)];
  if (type === wantedType) return requireSameBytes(answer, wanted);
  const at = { step: answer.step, header: 'Content-Type' };
  return [finding('media-type-unexpected', at, { expected: wantedType ?? 'absent', actual: type ?? 'absent' })];
}

const stringLiteral = /"(?:[^"\\]|\\.)*"/g;

/**
 * Links are signed anew for each call, so the queries of URLs say nothing of whether two results are the same. All else
 * of a JSON text stays byte for byte, also the way its other strings are escaped.
 */
export function withoutSignatures(answer: Answer): Answer {
  if (jsonOf(answer).kind === 'malformed') return answer;
  const text = textOf(answer).replace(stringLiteral, (literal) => {
    const value = String(JSON.parse(literal));
    return /^https?:\/\/[^?]+\?/.test(value) ? JSON.stringify(value.replace(/\?.*$/, '')) : literal;
  });
  return { ...answer, body: new TextEncoder().encode(text) };
}
