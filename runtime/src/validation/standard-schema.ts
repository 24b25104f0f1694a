import type { Validator } from './validator.ts';

/** One problem of a value; `path` leads from the whole value to the part. */
type Issue = { readonly message: string; readonly path: readonly (string | number)[] };

/** A validator in the form of Standard Schema, version 1. Formats inform only. */
export function standardSchema(validator: Validator): {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'switchyard';
    readonly validate: (value: unknown) => { readonly value: unknown } | { readonly issues: readonly Issue[] };
  };
} {
  return {
    '~standard': {
      version: 1,
      vendor: 'switchyard',
      validate(value) {
        const result = validator.validate(value);
        if (result.valid) return { value: result.value };
        return { issues: result.detail.map(({ msg, loc }) => ({ message: msg, path: loc })) };
      },
    },
  };
}
