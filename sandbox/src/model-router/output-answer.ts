import type { JsonObject } from '../../../specs/src/index.ts';
import type { Answer } from '../answer.ts';
import type { ServedModel } from '../models/served-model.ts';
import { callProvider, nativeChoice, type ProviderContext } from '../provider/provider.ts';
import { answerOfProvider } from './provider-answer.ts';

/** A model's result as run and collect both send it, to the byte (MR-COL-06, MR-HDR-22). */
export function outputAnswer(
  { model, input }: { model: ServedModel; input: JsonObject },
  context: ProviderContext,
): Answer {
  const body = { bytes: new TextEncoder().encode(JSON.stringify(input)), input };
  return answerOfProvider(callProvider(model, body, { choice: nativeChoice, context }));
}
