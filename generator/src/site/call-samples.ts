import type { JsonSchema } from '../../../runtime/src/validation/check.ts';
import { createValidator } from '../../../runtime/src/validation/validator.ts';
import {
  createSampler,
  isJsonMediaType,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  linearPattern,
} from '../../../specs/src/index.ts';
import { printModelPath } from '../catalog/model-id.ts';
import type { EmitSettings, OutputLayout } from '../emit/emitted-file.ts';
import { printValidatedInput } from '../emit/shipped-schemas.ts';
import { code, denseJson, literal } from '../emit/source.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { toSubpath } from '../model/names.ts';

/** Facts about the generated packages that decide how sample code imports them. */
export type ImportSettings = {
  readonly names: EmitSettings['packageNames'];
  readonly layout: OutputLayout['layout'];
  readonly hasDescriptors: boolean;
};

const longestExample = 2_000;
const longestLine = 100;

/** The code of a call: the printed input, and the code before and after the input. */
type SampleCall = { readonly before: string; readonly input: string; readonly after: string };

/** The sample call of a model, and data for the call with curl. */
export type CallSamples = {
  readonly typescript: SampleCall;
  readonly input: string;
  readonly path: string;
};

/** Creates the sample call of a model; undefined if no valid input was found. */
export function createCallSamples(model: ModelBinding, settings: ImportSettings): CallSamples | undefined {
  const input = findSampleInput(model);
  if (input === undefined) return undefined;
  return {
    typescript: settings.layout === 'folder' ? printFetchCall(model, input) : printClientCall(model, input, settings),
    input: denseJson(input).text,
    path: printModelPath(model.modelId),
  };
}

/** Returns the document's example if it is short and valid, or else a value made from the schema. */
function findSampleInput(model: ModelBinding): JsonObject | undefined {
  const { details, inputAuthored, schemas } = model;
  const isInput = createSampleCheck(printValidatedInput(model));
  const { definitions } = schemas;
  const schema = { type: ['object' as const], allOf: [inputAuthored ? schemas.input : {}] };
  const input = createSampler({ schema, definitions })({
    random: () => 0,
    prefer: 'call',
    isValid: (value) => JSON.stringify(value).length <= longestExample && isInput(value) && !hasUnsafeInteger(value),
    examples: details['exampleInput'] === undefined ? [] : [details['exampleInput']],
  });
  return isJsonObject(input) ? input : undefined;
}

/** True if a value contains an integer beyond 2^53, which a sample would print rounded. */
function hasUnsafeInteger(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeInteger);
}

/** Creates a check with the validator that the generated packages use for this schema. */
export function createSampleCheck(printed: JsonValue | undefined): (value: JsonValue) => boolean {
  // No check of the cast: the emitters only print valid schemas.
  const schema = isJsonObject(printed) ? (printed as JsonSchema) : printed === true;
  return createValidator(schema, linearPattern).accepts;
}

function printClientCall(
  { modelId }: ModelBinding,
  input: JsonObject,
  { names, hasDescriptors }: ImportSettings,
): SampleCall {
  const [imported, first, last] = hasDescriptors
    ? [code`{ model }`, code`model, `, '']
    : [code`type { Input }`, code`${literal(modelId)}, `, ' satisfies Input'];
  const before = code`import { createModelRouter } from ${literal(names.modelRouter)};
import ${imported} from ${literal(`${names.models}/${toSubpath(modelId)}`)};

const { data } = await createModelRouter().run(${first}`.text;
  return printCall(before, input, `${last});`);
}

function printCall(before: string, input: JsonObject, after: string): SampleCall {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const layout = { width: longestLine, column: line.length + after.indexOf(';'), indent: line.match(/^ */)?.[0] ?? '' };
  return { before, input: literal(input, layout).text, after };
}

function printFetchCall({ modelId, outputMediaTypes }: ModelBinding, input: JsonObject): SampleCall {
  const path = literal(`/v2/models/${printModelPath(modelId)}`);
  const before = code`const response = await fetch(process.env.MODEL_ROUTER_URL + ${path}, {
  method: "POST",
  headers: { "X-API-Key": process.env.MODEL_ROUTER_API_KEY ?? "", "Content-Type": "application/json" },
  body: JSON.stringify(`.text;
  const read = outputMediaTypes.every(isJsonMediaType) ? 'json' : 'blob';
  return printCall(before, input, `),\n});\nconst data = await response.${read}();`);
}
