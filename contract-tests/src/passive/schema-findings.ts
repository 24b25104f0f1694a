import {
  compileSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
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
  const { value, isWhole } = judgedPart(body.value);
  const violations = compileSchema(
    schema,
    options,
  )(value)
    .filter(({ keyword }) => isWhole || !needsTheWhole.has(keyword))
    .filter((one) => isTolerated?.(one, resolvePointer(body.value, one.pointer)) !== true);
  return violations.slice(0, violationsAtMost).map(({ pointer, message }) => {
    const found = resolvePointer(body.value, pointer);
    const actual = found === undefined ? 'absent' : excerpt(JSON.stringify(found));
    // A place inside a list is one kind of place, however long the list is.
    return finding('schema-violated', { step: answer.step, pointer }, { expected: message, actual });
  });
}

const placesAtMost = 1000; // of a list; ten times the longest that either API describes
const violationsAtMost = 100;
const needsTheWhole: ReadonlySet<string> = new Set(['minItems', 'contains', 'minContains']);

/** The checker's work grows with the square of a list, and a hostile one has millions of places: its first say enough. */
function judgedPart(body: JsonValue): { readonly value: JsonValue; readonly isWhole: boolean } {
  let isWhole = true;
  const cut = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) {
      if (value.length <= placesAtMost) return value.map(cut);
      isWhole = false;
      return value.slice(0, placesAtMost).map(cut);
    }
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]))
      : value;
  };
  return { value: cut(body), isWhole };
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
