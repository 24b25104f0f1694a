import { createSampler, isJsonMediaType, type JsonValue } from '../../../specs/src/index.ts';
import { type ModelId, splitModelId } from '../catalog/model-id.ts';
import { truncate } from '../diagnostics.ts';
import { printOutputSchema, printValidatedInput } from '../emit/shipped-schemas.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { toSubpath } from '../model/names.ts';
import type { Docs, TsType } from '../typing/ts-type.ts';
import { type CallSamples, createCallSamples, createSampleCheck, type ImportSettings } from './call-samples.ts';
import {
  type FieldList,
  type FieldRow,
  flattenRows,
  listFields,
  newRowBudget,
  type RowBudget,
  readDescription,
} from './field-list.ts';
import { guessModalities, nameModalities } from './modalities.ts';

/** The content of a model's page as plain data. Texts from the document are not escaped yet. */
export type ModelPage = {
  readonly id: ModelId;
  /** Path of the page in the site, encoded like the paths of generated files. */
  readonly path: string;
  readonly provider: string;
  /** Empty if the document only repeats the id. */
  readonly title: string;
  readonly description: string;
  /** Modalities that the document lists, or else those derived from its fields. */
  readonly takes: readonly string[];
  readonly gives: readonly string[];
  readonly deprecated: boolean;
  /** Empty for a model that is not an alias. */
  readonly aliasOf: string;
  /** Text that explains whether a content-policy rejection is billed. */
  readonly charging: string;
  readonly alternates: ModelBinding['providers']['alternates'];
  readonly inputAuthored: boolean;
  readonly outputAuthored: boolean;
  readonly mediaTypes: readonly string[];
  /** Undefined if no valid input was found. */
  readonly samples: CallSamples | undefined;
  readonly inputExample: string;
  readonly outputExample: string;
  readonly hasOutputExample: boolean;
} & Sections;

/** The fields of the input, of the output, and of every named type that input or output refer to. */
type Sections = {
  readonly input: Section;
  readonly output: Section;
  readonly types: readonly Section[];
  /** Number of named types that were omitted. */
  readonly omittedTypes: number;
};
type Section = FieldList & {
  readonly name: string;
  readonly description: string;
  /** True for an object that accepts no members other than the listed ones. */
  readonly isClosed: boolean;
};

const longestExample = 8_000;
const maxTypes = 500;

const charging = { yes: 'charged', no: 'not charged', unknown: 'not stated to be free' } as const;

export function describeModelPage(model: ModelBinding, settings: ImportSettings): ModelPage {
  const { modelId, details } = model;
  const [provider] = splitModelId(modelId);
  const title = readText(details['title']);
  const documented = details['exampleInput'];
  const isShown = documented !== undefined && createSampleCheck(printValidatedInput(model))(documented);
  const inputExample = isShown ? documented : undefined;
  const outputExample = findSampleOutput(model);
  const { sections, rows } = describeSections(model);
  const [takes, gives] = [readTexts(details['inputModalities']), readTexts(details['outputModalities'])];
  return {
    id: modelId,
    path: `models/${toSubpath(modelId)}.html`,
    provider,
    title: title === modelId ? '' : title,
    description: readDescription(details['description']),
    takes: takes.length > 0 ? nameModalities(takes) : guessModalities('takes', rows.input, []),
    gives: gives.length > 0 ? nameModalities(gives) : guessModalities('gives', rows.output, model.outputMediaTypes),
    deprecated: model.deprecated,
    aliasOf: model.aliasOf ?? '',
    charging: charging[model.chargesOnPolicyRejection],
    alternates: model.providers.alternates,
    inputAuthored: model.inputAuthored,
    outputAuthored: model.outputAuthored,
    mediaTypes: model.outputMediaTypes,
    samples: createCallSamples(model, settings),
    ...sections,
    inputExample: printExample(inputExample),
    outputExample: printExample(outputExample),
    hasOutputExample: outputExample !== undefined && outputExample === details['exampleOutput'],
  };
}

/** Returns the sections of a page, and all rows of input and output including the rows of named types that they refer to. */
function describeSections({ input, output, types }: ModelBinding): {
  sections: Sections;
  rows: { readonly input: FieldRow[]; readonly output: FieldRow[] };
} {
  const budget = newRowBudget();
  const named = new Map(types.map((one) => [one.name, one]));
  const describeDirection = (name: string, { type, docs }: ModelBinding['input']) => {
    const whole = type.kind === 'reference' ? named.get(type.name) : undefined;
    return describeSection({ name, type: whole?.type ?? type, docs: { ...whole?.docs, ...docs } }, budget);
  };
  const directions = { input: describeDirection('input', input), output: describeDirection('output', output) };
  const all = types.slice(0, maxTypes).map((one) => describeSection(one, budget));
  const used = new Set<Section>();
  const listRows = (side: Section): FieldRow[] => {
    const rows: FieldRow[] = [];
    const reached = new Set([side]);
    // The loop also visits sections that are added while it runs.
    for (const one of reached) {
      const own = flattenRows(one);
      const names = new Set(own.flatMap(({ type }) => type.flatMap(({ text, isName }) => (isName ? [text] : []))));
      for (const other of all.filter(({ name }) => names.has(name))) {
        reached.add(other);
        used.add(other);
      }
      rows.push(...own);
    }
    return rows;
  };
  const rows = { input: listRows(directions.input), output: listRows(directions.output) };
  const shown = all.filter((one) => used.has(one));
  return { sections: { ...directions, types: shown, omittedTypes: types.length - all.length }, rows };
}

function describeSection({ name, type, docs }: { name: string; type: TsType; docs: Docs }, budget: RowBudget): Section {
  const isClosed = type.kind === 'object' && type.rest.kind === 'never';
  return { name, ...listFields(type, docs, name, budget), description: readDescription(docs.description), isClosed };
}

/** Returns the documented example output if it is valid or not JSON, or else a value made from the schema and its examples. */
function findSampleOutput(model: ModelBinding): JsonValue | undefined {
  const { schemas, details } = model;
  const { exampleOutput: example } = details;
  const json = schemas.outputs.find(({ mediaType }) => isJsonMediaType(mediaType));
  if (json === undefined) return example;
  const isValid = createSampleCheck(printOutputSchema(model));
  const examples = example === undefined ? [] : [example];
  const sample = createSampler({ schema: json.schema, definitions: schemas.definitions });
  return sample({ random: () => 0, prefer: 'full', isValid, examples });
}

function printExample(value: JsonValue | undefined): string {
  return value === undefined ? '' : truncate(JSON.stringify(value, undefined, 2), longestExample);
}

function readText(value: JsonValue | undefined): string {
  return readDescription(value).replace(/\s+/g, ' ').trim();
}

function readTexts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').map((one) => truncate(one, 50)) : [];
}
