import type { Answer } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { SetupFailure } from '../../errors.ts';
import type { Draft } from '../../finding.ts';
import type { ProbeRequest } from '../../probe.ts';
import { requireHeader } from '../../require.ts';
import type { SurveyedModel } from '../../survey.ts';

/** Cut off in the middle, so that no lenient parser can take it for an object. */
export const malformedBody: NonNullable<ProbeRequest['body']> = {
  kind: 'bytes',
  bytes: new TextEncoder().encode('{"prompt": "half a'),
  mediaType: 'application/json',
};

export function requireCategory(answer: Answer, context: ProbeContext, ...wanted: readonly string[]): readonly Draft[] {
  const expected = wanted.join(' or ');
  return requireHeader(answer, context.headers.errorType, { expected, is: (type) => wanted.includes(type) });
}

/** Input the model's own schema refuses; throws when the schema refuses nothing. */
export function invalidInputOf(model: SurveyedModel): unknown {
  if (model.invalidInput === undefined) throw new SetupFailure(`the schema of ${model.id} refuses no object`);
  return model.invalidInput;
}
