import {
  compileSchema,
  type JsonObject,
  type OpenApiDocument,
  resolvePointer,
  type Schema,
  type Violation,
} from '../../../specs/src/index.ts';
import { mediaTypeOf } from '../answer.ts';
import { matchesMediaType } from '../documented.ts';
import type { Draft } from '../finding.ts';
import { excerpt, finding, requireJson } from '../require.ts';
import type { Sighting } from './sighting.ts';

type Root = OpenApiDocument | JsonObject;
export type SchemaInRoot = { readonly schema: Schema; readonly root: Root; readonly openapi?: '3.0' | '3.1' };
/** Violations that the documents leave open. */
export type Tolerance = (violation: Violation, value: unknown) => boolean;

/** The JSON body against a schema. */
export function requireBody(sighting: Sighting, within: SchemaInRoot, isTolerated?: Tolerance): readonly Draft[] {
  const { body, answer } = sighting;
  if (body.kind === 'malformed') return requireJson(answer);
  const { schema, ...options } = within;
  const violations = compileSchema(
    schema,
    options,
  )(body.value).filter((one) => isTolerated?.(one, resolvePointer(body.value, one.pointer)) !== true);
  return violations.map(({ pointer, message }) => {
    const found = resolvePointer(body.value, pointer);
    const actual = found === undefined ? 'absent' : excerpt(JSON.stringify(found));
    // A place inside a list is one kind of place, however long the list is.
    return finding('schema-violated', { step: answer.step, pointer }, { expected: message, actual });
  });
}

/** One of the media types that the operation lists for the status; a type with parameters is the same type. */
export function requireMediaTypeOf({ answer, operation }: Sighting): readonly Draft[] {
  // NS-41: the media type of refusals is not given.
  if (answer.status >= 400) return [];
  const types = Object.keys(operation.responses[String(answer.status)]?.content ?? {});
  const actual = mediaTypeOf(answer);
  if (types.length === 0 || types.some((type) => matchesMediaType(type, actual))) return [];
  const at = { step: answer.step, header: 'Content-Type' };
  return [finding('media-type-unexpected', at, { expected: types.join(' or '), actual: actual ?? 'absent' })];
}
