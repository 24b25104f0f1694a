import { canonicalText, type JsonObject, type JsonValue, listBodyKinds } from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { createRandom } from '../random.ts';
import { concreteMediaType, sampleMedia } from './media-samples.ts';
import { readPicture } from './picture.ts';
import type { ModelDocument, OutputContent, ServedModel } from './served-model.ts';

/** JSON stays a value until it is sent, because its links are replaced first. */
export type Output = { mediaType: string; content: JsonValue | Bytes };

/** Reason why a model has no output: the sandbox could not make a value that is valid for its document. */
export type NoOutput = { because: string };

/**
 * Returns the output of a model's provider: the same for the same seed, model and input, on both routes (MR-COL-06).
 */
export function produceOutput(
  model: ServedModel,
  document: ModelDocument,
  run: { input: JsonObject; seed: number },
): Output | NoOutput {
  const content = document.outputs[0];
  const label = labelRun(model, run);
  if (isBinary(content)) {
    const mediaType = concreteMediaType(content.mediaType, document.outputModalities);
    return { mediaType, content: sampleMedia(mediaType, createRandom(label), readPicture(run.input)) };
  }
  // Prefer the example of this input, then any valid example of the document, then a valid sample.
  const own = document.outputByInput.get(canonicalText(run.input));
  const value = content.sample({
    random: createRandom(label),
    prefer: 'full',
    check: content.check,
    examples: own === undefined ? content.examples : [own, ...content.examples],
  });
  if (value === undefined) {
    const because = `${model.id}: no value could be made that is valid for the schema of its output (${content.mediaType})`;
    return { because: `${because}; an example in its document, or a handler of the sandbox, is used instead` };
  }
  const concrete = concreteMediaType(content.mediaType, []);
  if (/^text\//i.test(content.mediaType) && typeof value === 'string') {
    return { mediaType: concrete, content: new TextEncoder().encode(value) };
  }
  return { mediaType: /json/.test(concrete) ? concrete : 'application/json', content: value };
}

/** Identifies a run: two runs with the same label have the same output. */
export function labelRun(model: ServedModel, run: { input: JsonObject; seed: number }): string {
  return `${run.seed} ${model.id} ${sha256(canonicalText(run.input))}`;
}

/** True if the output is bytes; the queue rejects models with such an output. */
export function returnsBytes(document: ModelDocument): boolean {
  return isBinary(document.outputs[0]);
}

function isBinary({ mediaType, canonical }: OutputContent): boolean {
  return listBodyKinds(mediaType, canonical)[0] === 'bytes';
}
