import {
  compileSchema,
  createSampler,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SchemaCheck,
  SpecError,
  type Violation,
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

/** What a call of a model looks like, and what a template prints others from; undefined where no valid input was found. */
export function callSamples(model: ModelBinding, settings: ImportSettings) {
  const input = sampleInput(model);
  if (input === undefined) return undefined;
  return {
    typescript: typescriptCall(model, input, settings),
    input: denseJson(input).text,
    path: printModelPath(model.modelId),
    /** What the tool of an agent imports; types alone cannot be a tool. */
    modules: settings.hasDescriptors && nameModules(model, settings),
  };
}

/** The document's own example where it is short and valid, else a sample of the schema. */
function sampleInput(model: ModelBinding): JsonObject | undefined {
  const { details, inputAuthored, schemas } = model;
  const check = compilePrinted(printValidatedInput(model));
  if (check === undefined) return undefined;
  const source = { schema: inputAuthored ? schemas.input : {}, definitions: schemas.definitions };
  const input = createSampler({ ...source, schema: { type: ['object'], allOf: [source.schema] } })({
    random: () => 0,
    prefer: 'call',
    check: (value) => (JSON.stringify(value).length > longestExample ? [tooLong] : check(value)),
    examples: details['exampleInput'] === undefined ? [] : [details['exampleInput']],
  });
  return isJsonObject(input) ? input : undefined;
}

const tooLong: Violation = { pointer: '', keyword: 'length', message: 'is too long to be shown', params: {} };

/** The check of a shipped schema; undefined beyond a bound of the check. */
export function compilePrinted(printed: JsonValue | undefined): SchemaCheck | undefined {
  try {
    return compileSchema(printed !== undefined && isJsonObject(printed) ? printed : printed === true);
  } catch (error) {
    if (error instanceof SpecError) return undefined;
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
