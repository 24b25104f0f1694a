import {
  compileSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  SpecError,
  sampleValues,
} from '../../../specs/src/index.ts';
import { printModelPath } from '../catalog/model-id.ts';
import type { Arrangement, EmitSettings } from '../emit/emitted-file.ts';
import { printValidatedInput } from '../emit/shipped-schemas.ts';
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

/** What a call of a model looks like: a program around its input, which a form may replace, and what a template prints others from. */
export function callSamples(model: ModelBinding, settings: ImportSettings) {
  const input = sampleInput(model);
  return {
    typescript: typescriptCall(model, input, settings),
    input: denseJson(input).text,
    path: printModelPath(model.modelId),
    /** What the tool of an agent imports; types alone cannot be a tool. */
    modules: settings.hasDescriptors && nameModules(model, settings),
  };
}

/** The first that the schema accepts: the document's own example where it is short, else values of the schema. */
function sampleInput(model: ModelBinding): JsonObject {
  const { details, inputAuthored, schemas } = model;
  const accepts = compileInput(model);
  const isUsable = (value: JsonValue | undefined): value is JsonObject =>
    value !== undefined && isJsonObject(value) && JSON.stringify(value).length <= longestExample && accepts(value);
  if (isUsable(details['exampleInput'])) return details['exampleInput'];
  if (!inputAuthored) return {};
  const source = { schema: schemas.input, definitions: schemas.definitions };
  for (const prefer of ['call', 'full', 'small'] as const)
    for (const sample of sampleValues(source, { random: () => 0, prefer })) if (isUsable(sample)) return sample;
  return {};
}

function compileInput(model: ModelBinding): (value: JsonObject) => boolean {
  try {
    const printed = printValidatedInput(model);
    const check = compileSchema(isJsonObject(printed) ? printed : printed === true);
    return (value) => check(value).length === 0;
  } catch (error) {
    if (error instanceof SpecError) return () => true; // beyond a bound of the check
    throw error;
  }
}

function typescriptCall(model: ModelBinding, input: JsonObject, settings: ImportSettings) {
  const { router, own } = nameModules(model, settings);
  const [imported, first, last] = settings.hasDescriptors
    ? [code`{ model }`, code`model, `, '']
    : [code`type { Input }`, code`${literal(model.modelId)}, `, ' satisfies Input'];
  const before = code`import { createModelRouter } from ${literal(router)};
import ${imported} from ${literal(own)};

const { data } = await createModelRouter().run(${first}`.text;
  return { before, input: literal(input, longestLine).text, after: `${last});` };
}

function nameModules({ modelId }: ModelBinding, { names, layout }: ImportSettings): { router: string; own: string } {
  const subpath = toSubpath(modelId);
  return layout === 'folder'
    ? { router: './model-router/index.js', own: `./models/${subpath}.js` }
    : { router: names.modelRouter, own: `${names.models}/${subpath}` };
}
