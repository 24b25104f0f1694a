import type { ModelBinding, NamedType } from '../model/model-binding.ts';
import { subpathOf } from '../model/subpath.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import { printDocs } from './print-docs.ts';
import { printType, spaced } from './print-type.ts';
import { type Code, code, comment, identifier, importOf, literal, printImports } from './source.ts';

/** The two files of a model's subpath: its types, and its descriptor as data. */
export function emitModel(model: ModelBinding, settings: EmitSettings): EmittedFile[] {
  const folder = `models/${subpathOf(model.modelId)}`;
  const head = printHead(model, settings);
  return [
    { path: `${folder}/index.d.ts`, contents: printDeclarations(model, head, settings).text },
    { path: `${folder}/index.js`, contents: printDescriptor(model, head).text },
  ];
}

// No time and no machine: the same document gives the same bytes.
function printHead(model: ModelBinding, { generatorVersion }: EmitSettings): Code {
  return comment([
    `Model ${model.modelId}. Made by switchyard ${generatorVersion}; edits are lost.`,
    `Schema document: ${model.digest}, entity tag ${model.entityTag ?? 'none'}`,
  ]);
}

function printDeclarations(model: ModelBinding, head: Code, { scope }: EmitSettings): Code {
  const router = `${scope}/model-router`;
  const descriptor = importOf(router, 'ModelDescriptor', 'type');
  const body = code`${printDocs(model.input.docs, 'What the model takes.')}export type Input =${spaced(printType(model.input.type))};

${printDocs(model.output.docs, 'What the model gives.')}export type Output =${spaced(printType(model.output.type))};
${model.types.map(printNamed)}
export declare const model: ${descriptor}<${literal(model.modelId)}, Input, Output>;

declare module ${literal(router)} {
  interface Models {
    ${literal(model.modelId)}: { input: Input; output: Output };
  }
}
`;
  return code`${head}
${printImports(body)}
${body}`;
}

function printNamed({ name, type, docs }: NamedType): Code {
  return code`
${printDocs(docs)}export type ${identifier(name)} =${spaced(printType(type))};
`;
}

function printDescriptor(model: ModelBinding, head: Code): Code {
  const { providers } = model;
  return code`${head}
export const model = {
  id: ${literal(model.modelId)},
  inputAuthored: ${literal(model.inputAuthored)},
  outputAuthored: ${literal(model.outputAuthored)},
  outputMediaTypes: ${literal([...model.outputMediaTypes])},
  providers: ${literal({ default: providers.default, alternates: providers.alternates.map((one) => ({ ...one })) })},
  chargesOnPolicyRejection: ${literal(model.chargesOnPolicyRejection)},
  schemaDigest: ${literal(model.digest)},
};
`;
}
