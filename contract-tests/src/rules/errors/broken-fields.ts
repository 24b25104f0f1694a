import type { JsonObject, JsonValue } from '../../../../specs/src/index.ts';
import { compileSchema, createSampler, formatPointer, isJsonObject, readSchema } from '../../../../specs/src/index.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';

/** Path in the format of `loc`: outermost field first, integers for indices. */
export type FieldPath = readonly (string | number)[];
/** An input in which only these fields are invalid. */
export type BrokenInput = { readonly input: JsonValue; readonly paths: readonly FieldPath[] };

const isName = (part: string | number): boolean => typeof part === 'string';
const places = {
  'in an array': (path: FieldPath) => !path.every(isName),
  'in an object': (path: FieldPath) => path.length > 1 && path.every(isName),
  'at the top': (path: FieldPath) => path.length === 1,
} as const;
export type FieldPlace = keyof typeof places;

/** An object, which no scalar type accepts. */
const wrongScalar: JsonObject = { not_a_scalar: true };

/** Invalidates fields of a valid input; undefined if it has too few fields whose error is reported at the field itself. */
export function breakFields(
  { inputSchema, document, input }: DiscoveredModel,
  place: FieldPlace,
  count = 1,
): BrokenInput | undefined {
  const check = compileSchema(inputSchema, { root: document, side: 'input' });
  const sample = createSampler(readSchema(document, inputSchema, 'input'));
  const samples = (['full', 'small'] as const).map((prefer) => sample({ random: () => 0, prefer, check }));
  for (const valid of [input, ...samples.filter((one) => one !== undefined)]) {
    const paths: FieldPath[] = [];
    for (const path of listLeaves(valid).slice(0, 100).filter(places[place])) {
      const pointers = check(breakAt(valid, path)).map(({ pointer }) => pointer);
      const own = formatPointer(path.map(String));
      if (pointers.length > 0 && pointers.every((pointer) => pointer === own)) paths.push(path);
      if (paths.length === count) return { input: paths.reduce(breakAt, valid), paths };
    }
  }
  return undefined;
}

function listLeaves(value: JsonValue, path: FieldPath = []): readonly FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => listLeaves(one, [...path, index]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => listLeaves(one, [...path, name]));
  return [path];
}

function breakAt(value: JsonValue, [first, ...rest]: FieldPath): JsonValue {
  if (first === undefined) return wrongScalar;
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? breakAt(one, rest) : one));
  return isJsonObject(value) ? { ...value, [first]: breakAt(value[first] ?? null, rest) } : value;
}
