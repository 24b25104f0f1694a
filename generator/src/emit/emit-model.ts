import type { JsonValue } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { toDigest } from '../content.ts';
import type { ModelBinding, NamedType } from '../model/model-binding.ts';
import { toOwnName, toSubpath } from '../model/names.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import { printDocs, printType, spaced } from './print-type.ts';
import { printInputSchema, printOutputSchema, printSchemaData } from './shipped-schemas.ts';
import {
  type Code,
  code,
  generatedHead,
  identifier,
  importType,
  join,
  json,
  jsonLiteral,
  literal,
  printImports,
  word,
} from './source.ts';

export function declarationsPath(id: ModelId): string {
  return `models/${toSubpath(id)}.d.ts`;
}

/** The files of a model's subpath: types, descriptor, schemas as data; and the validators that it shares with others. */
export function emitModel(model: ModelBinding, settings: EmitSettings): EmittedFile[] {
  const stem = `models/${toSubpath(model.modelId)}`;
  const head = printHead(model, settings);
  const validators = emitValidators(model, settings);
  const declarations = printDeclarations(model, { head, validators, settings }).text;
  const files: EmittedFile[] = [{ path: declarationsPath(model.modelId), contents: declarations }];
  if (settings.parts === 'types') return files;
  files.push({ path: `${stem}.js`, contents: printScript(model, head, validators).text });
  files.push({ path: `${stem}.schema.json`, contents: `${json(printSchemaData(model), 0, 'dense').text}\n` });
  return [...files, ...validators.files];
}

// No time and no machine: the same document gives the same bytes.
function printHead(model: ModelBinding, { generatorVersion }: EmitSettings): Code {
  return generatedHead([
    `Model ${model.modelId}. Made by switchyard ${generatorVersion}; edits are lost.`,
    `Schema document: ${model.digest}, entity tag ${model.entityTag ?? 'none'}`,
    'The document is private to those who may read it, and so is this file.',
  ]);
}

/** Our own lines around a model's types; text of a document never starts a line. */
export const typesMark = { start: '\n// Types\n', end: '\n// Values\n' };

type Frame = { head: Code; validators: ModelValidators; settings: EmitSettings };

function printDeclarations(model: ModelBinding, { head, validators, settings }: Frame): Code {
  const router = settings.packageNames.modelRouter;
  const descriptor = importType(router, 'ModelDescriptor');
  const types = code`${printDocs(model.input.docs, { heading: 'What the model takes.' })}export type Input =${spaced(printType(model.input.type))};

${printDocs(model.output.docs, { heading: 'What the model gives; the router does not check it.', type: model.output.type })}export type Output =${spaced(printType(model.output.type))};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = ${printAlternates(model)};
${model.types.map(printNamed)}`;
  const values = code`${
    settings.parts === 'types'
      ? code``
      : code`export declare const model: ${descriptor}<${literal(model.modelId)}, Input, Output, Alternates>;
${exportOwnName(model)}/** What the document states for people; nobody checked it. */
export declare const details: ${importType(router, 'ModelDetails')};
`
  }${validators.sides.map(({ side }) => printValidatorTypes(side, router))}
declare module ${literal(router)} {
  interface ModelsBySubpath {
    ${literal(model.modelId)}: { input: Input; output: Output; alternates: Alternates };
  }
}
`;
  return code`${head}
${printImports(values)}
// Types
${types}
// Values
${values}`;
}

function printAlternates({ providers }: ModelBinding): Code {
  const names = [...new Set(providers.alternates.map(({ provider }) => provider))];
  return names.length === 0 ? code`never` : join(names.map(literal), code` | `);
}

function printNamed({ name, type, docs }: NamedType): Code {
  return code`
${printDocs(docs, { type })}export type ${identifier(name)} =${spaced(printType(type))};
`;
}

function printValidatorTypes(side: 'Input' | 'Output', router: string): Code {
  const result = importType(router, 'ValidationResult');
  const options = importType(router, 'ValidationOptions');
  const schema = importType(router, 'StandardSchema');
  return code`/** For libraries that take Standard Schema; failures are those of \`validate${word(side)}\`. */
export declare const ${word(side.toLowerCase())}Schema: ${schema}<${word(side)}>;
export declare function is${word(side)}(value: unknown): value is ${word(side)};
/** Failures come in the words of the router's own 422. */
export declare function validate${word(side)}(value: unknown, options?: ${options}): ${result}<${word(side)}>;
`;
}

function printScript(model: ModelBinding, head: Code, { sides }: ModelValidators): Code {
  const { providers } = model;
  const imports = sides.map(
    ({ side, file }) => code`import { validator as ${word(side.toLowerCase())} } from ${literal(`../${file}`)};
`,
  );
  const functions = sides.map(
    ({ side }) => code`
export const ${word(side.toLowerCase())}Schema = /* @__PURE__ */ standardSchema(${word(side.toLowerCase())});
export function is${word(side)}(value) {
  return ${word(side.toLowerCase())}.accepts(value);
}
export function validate${word(side)}(value, options) {
  return ${word(side.toLowerCase())}.validate(value, options);
}
`,
  );
  return code`${head}
${imports}${
  sides.length === 0
    ? code``
    : code`import { standardSchema } from '../validation/standard-schema.js';
`
}
export const model = {
  id: ${literal(model.modelId)},
  inputAuthored: ${literal(model.inputAuthored)},
  outputAuthored: ${literal(model.outputAuthored)},
  outputMediaTypes: ${literal([...model.outputMediaTypes])},
  providers: ${literal({ default: providers.default, alternates: providers.alternates.map((one) => ({ ...one })) })},
  chargesOnPolicyRejection: ${literal(model.chargesOnPolicyRejection)},
  schemaDigest: ${literal(model.digest)},
${
  model.uncheckedPatterns.length === 0
    ? code``
    : code`  uncheckedPatterns: ${literal([...model.uncheckedPatterns])},
`
}${printLoader(sides)}};
${exportOwnName(model)}
export const details = ${literal(model.aliasOf === undefined ? model.details : { ...model.details, aliasOf: model.aliasOf })};
${functions}`;
}

/** For editors that import by name: a program with several models has several names for them. */
function exportOwnName({ modelId }: ModelBinding): Code {
  return code`export { model as ${identifier(toOwnName(modelId))} };
`;
}

/** Loaded when an input is checked before it is sent. Bundlers must not see it: a page that checks none would carry it. */
function printLoader(sides: ModelValidators['sides']): Code {
  const file = sides.find(({ side }) => side === 'Input')?.file;
  return file === undefined
    ? code``
    : code`  loadValidator: (file = ${literal(`../${file}`)}) => import(/* webpackIgnore: true */ /* @vite-ignore */ file),
`;
}

/** The sides of a model that have a validator, and its file in the package. */
type ModelValidators = {
  readonly sides: readonly { readonly side: 'Input' | 'Output'; readonly file: string }[];
  readonly files: readonly EmittedFile[];
};

/** One file for each distinct schema, named by its digest: models with the same schema share it. */
function emitValidators(model: ModelBinding, settings: EmitSettings): ModelValidators {
  const schemas: [side: 'Input' | 'Output', schema: JsonValue][] = [];
  if (settings.parts !== 'types') schemas.push(['Input', printInputSchema(model)]);
  const output = settings.parts === 'all-validators' ? printOutputSchema(model) : undefined;
  if (output !== undefined) schemas.push(['Output', output]);
  const made = schemas.map(([side, schema]) => ({ side, ...emitValidator(schema) }));
  const files = new Map(made.map(({ file, contents }) => [file, { path: `models/${file}`, contents }]));
  return { sides: made.map(({ side, file }) => ({ side, file })), files: [...files.values()] };
}

function emitValidator(schema: JsonValue): { file: string; contents: string } {
  const printed = jsonLiteral(schema);
  const file = `validators/${toDigest(printed.text).slice('sha256:'.length, 39)}.js`;
  // Where the word stands for something else, the import costs a little and changes nothing.
  const usesPatterns = printed.text.includes('pattern');
  const matcher = usesPatterns
    ? code`import { linearPattern } from '../validation/linear-pattern.js';
`
    : code``;
  const contents = code`${generatedHead(['Made from the schema alone; edits are lost.'])}${matcher}import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator(${printed}${usesPatterns ? code`, linearPattern` : code``});
`;
  return { file, contents: contents.text };
}
