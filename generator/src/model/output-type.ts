import type { CanonicalSchema } from '../schema/canonical-schema.ts';
import { bytesType, stringType, type TypeModel, unknownType } from '../typing/type-model.ts';
import { unionOf } from '../typing/unions.ts';
import { essenceOf, isJsonMediaType, isWildcard } from './schema-document.ts';

type Described = { readonly mediaType: string; readonly schema: CanonicalSchema };

/**
 * One type over all media types of the answer: JSON as its schema says, text as string, everything else as bytes. Behind
 * a wildcard any of them may come (MR-SCH-35), so the schema's type and bytes both stand there.
 */
export function outputTypeOf(outputs: readonly Described[], typeOf: (schema: CanonicalSchema) => TypeModel): TypeModel {
  if (outputs.length === 0) return unknownType;
  return unionOf(outputs.flatMap((output) => typesOf(output, typeOf)));
}

function typesOf({ mediaType, schema }: Described, typeOf: (schema: CanonicalSchema) => TypeModel): TypeModel[] {
  if (isJsonMediaType(mediaType)) return [typeOf(schema)];
  if (isWildcard(mediaType)) return isBinary(schema) ? [bytesType] : [typeOf(schema), bytesType];
  return essenceOf(mediaType).startsWith('text/') ? [stringType] : [bytesType];
}

function isBinary({ limits, type }: CanonicalSchema): boolean {
  return limits?.get('format') === 'binary' && type?.length === 1 && type[0] === 'string';
}
