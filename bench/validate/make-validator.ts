import { createValidator, type Validator } from '../../runtime/src/validation/validator.ts';
import {
  bundleJsonSchema,
  createSchemaReader,
  isJsonObject,
  type JsonObject,
  linearPattern,
  pointerAsName,
} from '../../specs/src/index.ts';

/** The validator that a generated package would have for a schema; undefined where a part of it cannot be read. */
export function makeValidator(schema: JsonObject | boolean): Validator | undefined {
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
