import {
  compileSchema,
  createSampler,
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readSchema,
} from '../../../../specs/src/index.ts';
import { cached } from '../../contract/cache.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';

type Path = readonly (string | number)[];
/** An input in which only these fields are invalid, and the paths to them as `loc` gives them: outermost first, integers for indices. */
export type BrokenInput = { readonly input: JsonValue; readonly paths: readonly Path[] };
export type FieldKind = keyof typeof kinds;

/** No scalar type accepts an object. */
const wrongScalar: JsonObject = { not_a_scalar: true };

const isAtTop = (path: Path): boolean => path.length === 1;
const isName = (part: string | number): boolean => typeof part === 'string';
const kinds = {
  'in an array': { isMeant: (path: Path) => !path.every(isName), count: 1 },
  'in an object': { isMeant: (path: Path) => path.length > 1 && path.every(isName), count: 1 },
  'at the top': { isMeant: isAtTop, count: 1 },
  'two at the top': { isMeant: isAtTop, count: 2 },
} as const;

const leavesAtMost = 100;

function listLeaves(value: JsonValue, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => listLeaves(one, [...path, index]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => listLeaves(one, [...path, name]));
  return [path];
}

function breakAt(value: JsonValue, [first, ...rest]: Path): JsonValue {
  if (first === undefined) return wrongScalar;
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? breakAt(one, rest) : one));
  return isJsonObject(value) ? { ...value, [first]: breakAt(value[first] ?? null, rest) } : value;
}

const breakEachKind = cached(
  (model: DiscoveredModel): Readonly<Record<string, BrokenInput | undefined>> =>
    Object.fromEntries(Object.entries(kinds).map(([name, of]) => [name, findFields(model, of)])),
);

/** Undefined where the model has no such fields, or too few whose error has one certain place. */
export function breakInput(model: DiscoveredModel, kind: FieldKind): BrokenInput | undefined {
  return breakEachKind(model)[kind];
}

function findFields(
  { inputSchema, document, input }: DiscoveredModel,
  { isMeant, count }: (typeof kinds)[FieldKind],
): BrokenInput | undefined {
  const check = compileSchema(inputSchema, { root: document, side: 'input' });
  const canonical = readSchema(document, inputSchema, 'input');
  const sample = createSampler(canonical);
  const samples = (['full', 'small'] as const).map((prefer) => sample({ random: () => 0, prefer, check }));
  for (const valid of [input, ...samples.filter((one) => one !== undefined)]) {
    const paths: Path[] = [];
    for (const path of listLeaves(valid).slice(0, leavesAtMost).filter(isMeant)) {
      const pointers = check(breakAt(valid, path)).map(({ pointer }) => pointer);
      const place = formatPointer(path.map(String));
      if (pointers.length > 0 && pointers.every((pointer) => pointer === place)) paths.push(path);
      if (paths.length === count) return { input: paths.reduce(breakAt, valid), paths };
    }
  }
  return undefined;
}
