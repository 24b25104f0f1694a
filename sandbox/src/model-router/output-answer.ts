import type { JsonObject } from '../../../specs/src/index.ts';
import type { Answer } from '../answer.ts';
import type { ModelDocument } from '../models/model-document.ts';
import { produceOutput } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';

/** A model's result as run and collect both send it, to the byte (MR-COL-06, MR-HDR-22). */
export function outputAnswer(
  { model, document, input }: { model: ServedModel; document: ModelDocument; input: JsonObject },
  seed: number,
): Answer {
  const output = produceOutput(model, document, { input, seed });
  return {
    status: 200,
    headers: { 'Content-Type': output.mediaType, 'X-Content-Type-Options': 'nosniff' },
    serviceHeaders: {},
    body: output.body,
  };
}
