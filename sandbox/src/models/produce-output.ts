import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { createRandom } from '../random.ts';
import { concreteMediaType, sampleMedia } from './media-samples.ts';
import { mergedSchema } from './merged-schema.ts';
import type { ModelDocument, OutputContent } from './model-document.ts';
import { type Sampling, sampleValue } from './sample-value.ts';
import { type Check, compileCheck, type ServedModel } from './served-model.ts';

/** JSON stays a value until it is sent, for what is done to it on the way. */
export type Output = {
  mediaType: string;
  content: { kind: 'json'; value: JsonValue } | { kind: 'bytes'; bytes: Bytes };
};

/** What the provider of a model answers: the same for the same seed, model and input, however it is asked (MR-COL-06). */
export function produceOutput(
  model: ServedModel,
  document: ModelDocument,
  run: { input: JsonObject; seed: number },
): Output {
  const content = document.outputs[0];
  const label = labelOf(model, run);
  if (isBinary(document, content)) {
    const mediaType = concreteMediaType(content.mediaType, document.outputModalities);
    return { mediaType, content: { kind: 'bytes', bytes: sampleMedia(mediaType, createRandom(label)) } };
  }
  const value = produceValue(document, content, label);
  if (/^text\//i.test(content.mediaType) && typeof value === 'string') {
    const bytes = new TextEncoder().encode(value);
    return { mediaType: concreteMediaType(content.mediaType, []), content: { kind: 'bytes', bytes } };
  }
  const concrete = concreteMediaType(content.mediaType, []);
  const mediaType = /json/.test(concrete) ? concrete : 'application/json';
  return { mediaType, content: { kind: 'json', value } };
}

/** What a run is known by: two runs with one label give the same. */
export function labelOf(model: ServedModel, run: { input: JsonObject; seed: number }): string {
  return `${run.seed} ${model.id} ${sha256(canonical(run.input))}`;
}

/** Models that answer bytes cannot be queued. */
export function returnsBytes(document: ModelDocument): boolean {
  return isBinary(document, document.outputs[0]);
}

function isBinary(document: ModelDocument, content: OutputContent): boolean {
  if (/json/i.test(content.mediaType)) return false;
  if (mergedSchema(document.root, content.schema)['format'] === 'binary') return true;
  return /^(?:image|audio|video|model)\/|octet-stream/i.test(content.mediaType);
}

/** An example of the document's own where it obeys the document's own schema, else the first sample that does. */
function produceValue(document: ModelDocument, content: OutputContent, label: string): JsonValue {
  const check = checkOf(document, content);
  const isValid = (value: JsonValue): boolean => check === undefined || check(value).length === 0;
  const example = content.examples.find(isValid);
  if (example !== undefined) return example;
  const samples = samplings.map((manner) => () => {
    const sampling: Sampling = { ...manner, root: document.root, random: createRandom(label) };
    return sampleValue(content.schema, sampling);
  });
  for (const sample of samples) {
    const value = sample();
    if (isValid(value)) return value;
  }
  return samples[0]?.() ?? {};
}

const manners = [
  { takeExamples: true, fillOptional: true },
  { takeExamples: false, fillOptional: true },
  { takeExamples: false, fillOptional: false },
];
const samplings = [0, 1, 2].flatMap((branch) => manners.map((manner) => ({ ...manner, branch })));

const checks = new WeakMap<OutputContent, { check: Check | undefined }>();

function checkOf(document: ModelDocument, content: OutputContent): Check | undefined {
  const known = checks.get(content) ?? { check: compileCheck(content.schema, document.root) };
  checks.set(content, known);
  return known.check;
}

/** Members in order of name, so that two writings of one value count as one input. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: JsonValue) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
