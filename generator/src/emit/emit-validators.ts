import type { JsonValue } from '../../../specs/src/index.ts';
import { digestOf } from '../digest.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { inputSchemaOf, outputSchemaOf } from '../validators/shipped-schemas.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import { code, jsonLiteral } from './source.ts';

/** Which sides of a model have a validator, and in which file of the package it stands. */
export type ModelValidators = {
  readonly sides: readonly { readonly side: 'Input' | 'Output'; readonly file: string }[];
  readonly files: readonly EmittedFile[];
};

/** One file for each distinct schema, named by its digest: models that ask for the same share it. */
export function emitValidators(model: ModelBinding, settings: EmitSettings): ModelValidators {
  const schemas: [side: 'Input' | 'Output', schema: JsonValue][] = [];
  if (settings.parts !== 'types') schemas.push(['Input', inputSchemaOf(model)]);
  const output = settings.parts === 'all-validators' ? outputSchemaOf(model) : undefined;
  if (output !== undefined) schemas.push(['Output', output]);
  const made = schemas.map(([side, schema]) => ({ side, ...emitValidator(schema) }));
  const files = new Map(made.map(({ file, contents }) => [file, { path: `models/${file}`, contents }]));
  return { sides: made.map(({ side, file }) => ({ side, file })), files: [...files.values()] };
}

function emitValidator(schema: JsonValue): { file: string; contents: string } {
  const printed = jsonLiteral(schema);
  const file = `validators/${digestOf(printed.text).slice('sha256:'.length, 39)}.js`;
  const contents = code`import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator(${printed});
`;
  return { file, contents: contents.text };
}
