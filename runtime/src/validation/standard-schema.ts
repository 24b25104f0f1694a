import { type JsonObjectSchema, toDraft07 } from './json-schema.ts';
import type { Validator } from './validator.ts';

type Convert = (options: { readonly target: string }) => { readonly [keyword: string]: unknown };
type Standard = {
  readonly version: 1;
  readonly vendor: 'switchyard';
  readonly validate: (
    value: unknown,
  ) =>
    | { readonly value: unknown }
    | { readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[] };
  readonly jsonSchema?: { readonly input: Convert; readonly output: Convert };
};

/**
 * A validator in the form of Standard Schema, version 1, and with `schema` in that of Standard JSON Schema too. Formats inform only.
 * A target that is neither `draft-2020-12` nor `draft-07` throws, as that standard wants.
 */
export function standardSchema(validator: Validator, schema?: JsonObjectSchema): { readonly '~standard': Standard } {
  const standard: Standard = {
    version: 1,
    vendor: 'switchyard',
    validate(value) {
      const result = validator.validate(value);
      if (result.valid) return { value: result.value };
      return { issues: result.detail.map(({ msg, loc }) => ({ message: msg, path: loc })) };
    },
  };
  if (schema === undefined) return { '~standard': standard };
  const convert: Convert = ({ target }) => {
    // A copy each time: some libraries change what they get.
    if (target === 'draft-2020-12') return structuredClone(schema);
    if (target === 'draft-07') return toDraft07(schema);
    throw new TypeError(`inputSchema is given as draft-2020-12 or draft-07, and not as ${target}`);
  };
  return { '~standard': { ...standard, jsonSchema: { input: convert, output: convert } } };
}
