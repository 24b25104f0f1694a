import { type Answer, textOf } from '../answer.ts';
import type { Draft } from '../finding.ts';
import { excerpt, finding } from '../require.ts';

export function sameBytes(one: Answer, other: Answer): boolean {
  return one.body.length === other.body.length && one.body.every((byte, index) => byte === other.body[index]);
}

export function requireSameBytes(answer: Answer, wanted: Answer): readonly Draft[] {
  if (sameBytes(answer, wanted)) return [];
  const describe = ({ body }: Answer, text: string): string => `${body.length} bytes: ${excerpt(text)}`;
  const said = { expected: describe(wanted, textOf(wanted)), actual: describe(answer, textOf(answer)) };
  return [finding('bytes-differ', { step: answer.step }, said)];
}

/** Links are signed anew for each call, so two results that are the same may differ in the queries of their URLs. */
export function withoutSignatures(answer: Answer): Answer {
  const text = textOf(answer).replace(/(https?:\/\/[^"\s?]+)\?[^"\s]*/g, '$1');
  return { ...answer, body: new TextEncoder().encode(text) };
}
