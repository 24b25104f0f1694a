import type { JsonObject } from '../../../specs/src/index.ts';
import type { Answer } from '../answer.ts';
import type { ServedModel } from '../models/served-model.ts';
import { callProvider, nativeChoice } from '../provider/provider.ts';
import { answerOfProvider } from './provider-answer.ts';

/** A model's result as run and collect both send it, to the byte (MR-COL-06, MR-HDR-22). */
export function outputAnswer({ model, input }: { model: ServedModel; input: JsonObject }, seed: number): Answer {
  const body = { bytes: new TextEncoder().encode(JSON.stringify(input)), input };
  const context = { seed, origin: '', dispatchedAt: 0 };
  return answerOfProvider(callProvider(model, body, { choice: nativeChoice, context }));
}
