import { createValidator, type Validator } from '../../runtime/src/validation/validator.ts';
import {
  bundleJsonSchema,
  createSchemaReader,
  isJsonObject,
  type JsonObject,
  linearPattern,
  pointerAsName,
} from '../../specs/src/index.ts';
import type { Cell } from '../report/table.ts';

/** One line of the result: what was measured, how much, and what is wanted. */
export type Figure = { what: string; value: Cell; beside: string; target: string; isMet: boolean };

/** The validator that a generated package would have for a schema; undefined where a part of it cannot be read. */
export function validatorOf(schema: JsonObject | boolean): Validator | undefined {
  let isReadable = true;
  const reader = createSchemaReader(isJsonObject(schema) ? schema : {}, {
    claimName: (_, pointer) => pointerAsName(pointer),
    report: () => {
      isReadable = false;
    },
  });
  const read = reader.read(schema, '');
  const printed = bundleJsonSchema(read, reader.definitions());
  if (!isReadable || (typeof printed !== 'boolean' && !isJsonObject(printed))) return undefined;
  return createValidator(printed, linearPattern);
}
