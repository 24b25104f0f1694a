import { type JsonValue, linearPattern } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { toDigest } from '../content.ts';
import type { ModelBinding, NamedType } from '../model/model-binding.ts';
import { toOwnName, toSubpath } from '../model/names.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import { printDocs, printType, spaced } from './print-type.ts';
import {
  printAnnotatedInputSchema,
  printOutputSchema,
  printSchemaData,
  printValidatedInput,
} from './shipped-schemas.ts';
import {
  type Code,
  code,
  denseJson,
  generatedHead,
  identifier,
  importType,
  join,
  jsonLiteral,
  literal,
  printImports,
  word,
} from './source.ts';

export function declarationsPath(id: ModelId): string {
  return `models/${toSubpath(id)}.d.ts`;
}

/** Emits the files of a model: types, descriptor, schemas as data, and the validators, which models with equal schemas share. */
export function emitModel(model: ModelBinding, settings: EmitSettings): EmittedFile[] {
  const stem = `models/${toSubpath(model.modelId)}`;
  // Contains no time or machine name, so that the same document always gives the same bytes.
  const head = generatedHead([
    `Model ${model.modelId}. Made by switchyard ${settings.generatorVersion}; edits are lost.`,
    `Schema document: ${model.digest}, entity tag ${model.entityTag ?? 'none'}`,
    'The document is private to those who may read it, and so is this file.',
  ]);
  const validators = printValidators(model, settings);
  const declarations = printDeclarations(model, { head, validators, settings }).text;
  const types = { path: declarationsPath(model.modelId), contents: declarations };
  if (settings.parts === 'types') return [types];
  return [
    types,
    { path: `${stem}.js`, contents: printScript(model, head, validators).text },
    { path: `${stem}.schema.json`, contents: `${denseJson(printSchemaData(model)).text}\n` },
    ...validators.map(({ file, contents }) => ({ path: `models/${file}`, contents })),
  ];
}

/** Extracts the types from a model's declarations by the marker lines, which text of a document can't imitate. */
export function readTypes(declarations: string): string | undefined {
  const [, types, values] = declarations.split(/\n\/\/ (?:Types|Values)\n/);
  return values === undefined ? undefined : types;
}

type Frame = { head: Code; validators: readonly Validator[]; settings: EmitSettings };

function printDeclarations(model: ModelBinding, { head, validators, settings }: Frame): Code {
  const router = settings.packageNames.modelRouter;
  const types = code`${printDocs(model.input.docs, { heading: 'What the model takes.' })}export type Input =${spaced(printType(model.input.type))};

${printDocs(model.output.docs, { heading: 'What the model gives; the router does not check it.', type: model.output.type })}export type Output =${spaced(printType(model.output.type))};

/** Alternate providers listed in the document; the router may accept others. */
export type Alternates = ${printAlternates(model)};
${model.types.map(printNamed)}`;
  const descriptor = code`export declare const model: ${importType(router, 'ModelDescriptor')}<${literal(model.modelId)}, Input, Output, Alternates>;
${exportOwnName(model)}/** What the document states for people; nobody checked it. */
export declare const details: ${importType(router, 'ModelDetails')};
`;
  const values = code`${settings.parts === 'types' ? code`` : descriptor}${validators.map(({ side }) => printValidatorTypes(side, router))}
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
  return code`\n${printDocs(docs, { type })}export type ${identifier(name)} =${spaced(printType(type))};\n`;
}

function printValidatorTypes(side: Validator['side'], router: string): Code {
  const type = word(side);
  return code`/** For libraries that take Standard Schema; failures are those of \`validate${type}\`. */
export declare const ${word(side.toLowerCase())}Schema: ${importType(router, 'StandardSchema')}<${type}>;
${
  side === 'Input'
    ? code`/** The input as one object, in JSON Schema 2020-12 with descriptions: for agents and forms. */
export declare const inputJsonSchema: ${importType(router, 'JsonObjectSchema')};
`
    : code``
}export declare function is${type}(value: unknown): value is ${type};
/** Failures have the form of the router's own 422, in the words of the sandbox. */
export declare function validate${type}(value: unknown, options?: ${importType(router, 'ValidationOptions')}): ${importType(router, 'ValidationResult')}<${type}>;
`;
}

function printScript(model: ModelBinding, head: Code, validators: readonly Validator[]): Code {
  const { providers, uncheckedPatterns, details, aliasOf } = model;
  const names = validators.map(({ side, file }) => ({ type: word(side), name: word(side.toLowerCase()), file }));
  const imports = names.map(({ name, file }) => code`import { validator as ${name} } from ${literal(`../${file}`)};\n`);
  if (names.length > 0) imports.push(code`import { standardSchema } from '../validation/standard-schema.js';\n`);
  const unchecked = code`  uncheckedPatterns: ${literal([...uncheckedPatterns])},\n`;
  const functions = names.map(
    ({ type, name }) => code`
${
  type.text === 'Input'
    ? code`export const inputJsonSchema = ${jsonLiteral(printAnnotatedInputSchema(model))};
`
    : code``
}export const ${name}Schema = /* @__PURE__ */ standardSchema(${name}${type.text === 'Input' ? code`, inputJsonSchema` : code``});
export function is${type}(value) {
  return ${name}.accepts(value);
}
export function validate${type}(value, options) {
  return ${name}.validate(value, options);
}
`,
  );
  return code`${head}
${imports}
export const model = {
  id: ${literal(model.modelId)},
  inputAuthored: ${literal(model.inputAuthored)},
  outputAuthored: ${literal(model.outputAuthored)},
  outputMediaTypes: ${literal([...model.outputMediaTypes])},
  providers: ${literal(providers)},
  chargesOnPolicyRejection: ${literal(model.chargesOnPolicyRejection)},
  schemaDigest: ${literal(model.digest)},
${uncheckedPatterns.length === 0 ? code`` : unchecked}};
${exportOwnName(model)}
export const details = ${literal(aliasOf === undefined ? details : { ...details, aliasOf })};
${functions}`;
}

/** Exports the model under its own name too, so that editors can import several models without renaming. */
function exportOwnName({ modelId }: ModelBinding): Code {
  return code`export { model as ${identifier(toOwnName(modelId))} };
`;
}

/** A validator of inputs or outputs and its file: one for each distinct schema, named by its digest. */
type Validator = { readonly side: 'Input' | 'Output'; readonly file: string; readonly contents: string };

function printValidators(model: ModelBinding, { parts }: EmitSettings): readonly Validator[] {
  if (parts === 'types') return [];
  // Patterns that could be checked, but exceed the limit on their number.
  const left = model.uncheckedPatterns.filter((pattern) => linearPattern(pattern) !== undefined);
  const input = printValidator('Input', printValidatedInput(model, { largeIntegers: 'text' }), left);
  const output = parts === 'all-validators' ? printOutputSchema(model, { largeIntegers: 'text' }) : undefined;
  return output === undefined ? [input] : [input, printValidator('Output', output, left)];
}

function printValidator(side: Validator['side'], schema: JsonValue, left: readonly string[]): Validator {
  const printed = jsonLiteral(schema);
  const read =
    left.length === 0
      ? code`linearPattern`
      : code`(pattern) => (${literal([...left])}.includes(pattern) ? undefined : linearPattern(pattern))`;
  const distinct = left.length === 0 ? printed.text : `${printed.text}${read.text}`;
  const file = `validators/${toDigest(distinct).slice('sha256:'.length, 39)}.js`;
  // If the word occurs for another reason, the unneeded import is harmless.
  const usesPatterns = printed.text.includes('pattern');
  const matcher = usesPatterns ? code`import { linearPattern } from '../validation/linear-pattern.js';\n` : code``;
  const contents = code`${generatedHead(['Generated from the schema; edits are lost.'])}${matcher}import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator(${printed}${usesPatterns ? code`, ${read}` : code``});
`;
  return { side, file, contents: contents.text };
}
