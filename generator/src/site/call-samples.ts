import { isJsonObject, type JsonObject, type JsonValue, sampleValues } from '../../../specs/src/index.ts';
import { printModelPath } from '../catalog/model-id.ts';
import type { Arrangement } from '../emit/arrange-package.ts';
import type { EmitSettings } from '../emit/emitted-file.ts';
import { code, denseJson, literal } from '../emit/source.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { toSubpath } from '../model/names.ts';

/** How the generated packages are imported. */
export type ImportSettings = {
  readonly names: EmitSettings['packageNames'];
  readonly layout: Arrangement['layout'];
  readonly hasDescriptors: boolean;
};

const longestExample = 2_000;
const longestLine = 80;

/** What a call of a model looks like; both read address and credential from the environment. */
export function callSamples(model: ModelBinding, settings: ImportSettings): { typescript: string; curl: string } {
  const input = sampleInput(model);
  return { typescript: typescriptCall(model, input, settings), curl: curlCall(model, input) };
}

/** The document's own example where it is a short object with the fields of the input, else a small value of the schema. */
function sampleInput(model: ModelBinding): JsonObject {
  const { details, inputAuthored, schemas } = model;
  const example = details['exampleInput'];
  if (isUsable(example, model)) return example;
  if (!inputAuthored) return {};
  const source = { schema: schemas.input, definitions: schemas.definitions };
  for (const sample of sampleValues(source, { random: () => 0, prefer: 'small' }))
    if (isUsable(sample, model)) return sample;
  return {};
}

function isUsable(value: JsonValue | undefined, model: ModelBinding): value is JsonObject {
  if (value === undefined || !isJsonObject(value)) return false;
  return JSON.stringify(value).length <= longestExample && fitsInput(model, value);
}

/** A document may keep an example of an earlier schema, which the compiler would refuse in a call. */
function fitsInput({ input, types }: ModelBinding, example: JsonObject): boolean {
  const { type } = input;
  const whole = type.kind === 'reference' ? types.find(({ name }) => name === type.name)?.type : type;
  if (whole?.kind !== 'object') return true;
  const isKnown = (name: string): boolean =>
    whole.rest !== 'closed' || whole.patterns.length > 0 || whole.fields.has(name);
  const isComplete = [...whole.fields.values()].every(
    ({ name, required }) => !required || Object.hasOwn(example, name),
  );
  return isComplete && Object.keys(example).every(isKnown);
}

function typescriptCall(model: ModelBinding, input: JsonObject, settings: ImportSettings): string {
  const { router, own } = nameModules(model, settings);
  const value = literal(input, longestLine);
  const [imported, call] = settings.hasDescriptors
    ? [code`{ model }`, code`model, ${value}`]
    : [code`type { Input }`, code`${literal(model.modelId)}, ${value} satisfies Input`];
  return code`import { createModelRouter } from ${literal(router)};
import ${imported} from ${literal(own)};

const { data } = await createModelRouter().run(${call});`.text;
}

function nameModules({ modelId }: ModelBinding, { names, layout }: ImportSettings): { router: string; own: string } {
  const subpath = toSubpath(modelId);
  return layout === 'folder'
    ? { router: './model-router/index.js', own: `./models/${subpath}.js` }
    : { router: names.modelRouter, own: `${names.models}/${subpath}` };
}

// The variables are those that the generated client reads.
function curlCall({ modelId }: ModelBinding, input: JsonObject): string {
  const path = printModelPath(modelId).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const body = denseJson(input).text.replaceAll("'", "'\\''");
  return [
    `curl -sS -X POST "\${MODEL_ROUTER_URL}/v2/models/${path}"`,
    `-H "X-API-Key: \${MODEL_ROUTER_API_KEY}"`,
    "-H 'Content-Type: application/json'",
    `--data-binary '${body}'`,
  ].join(' \\\n  ');
}
