import type { Validator } from './validator.ts';

/** A validator in the form of Standard Schema, version 1. Formats inform only. */
export function standardSchema(validator: Validator): {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'switchyard';
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: unknown }
      | { readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[] };
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
