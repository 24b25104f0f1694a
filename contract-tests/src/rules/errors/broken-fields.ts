import {
  compileSchema,
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readSchema,
  sampleValues,
} from '../../../../specs/src/index.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';

type Path = readonly (string | number)[];
/** A valid input of which one field alone is wrong, and the path to it as `loc` gives it: outermost first, integers for indices. */
export type BrokenField = { readonly input: JsonValue; readonly path: Path };
export type FieldKind = keyof typeof kinds;

/** No scalar type accepts an object. */
export const wrongScalar: JsonObject = { not_a_scalar: true };

const kinds = {
  'in an array': (path: Path) => path.some((part) => typeof part === 'number'),
  'in an object': (path: Path) => path.length > 1 && path.every((part) => typeof part === 'string'),
  'at the top': (path: Path) => path.length === 1,
} as const;

const samplesAtMost = 6;
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

const known = new WeakMap<DiscoveredModel, Map<FieldKind, BrokenField | undefined>>();

/** Undefined where the model has no such field, or none whose error has one certain place. */
export function breakField(model: DiscoveredModel, kind: FieldKind): BrokenField | undefined {
  const earlier = known.get(model) ?? new Map<FieldKind, BrokenField | undefined>();
  known.set(model, earlier);
  if (!earlier.has(kind)) earlier.set(kind, findField(model, kind));
  return earlier.get(kind);
}

function findField({ inputSchema, document, input }: DiscoveredModel, kind: FieldKind): BrokenField | undefined {
  const check = compileSchema(inputSchema, { root: document, side: 'input' });
  const canonical = readSchema(document, inputSchema, 'input');
  const samples = [...sampleValues(canonical, { random: () => 0, prefer: 'full' })].slice(0, samplesAtMost);
  for (const valid of [input, ...samples.filter((sample) => check(sample).length === 0)]) {
    for (const path of listLeaves(valid).slice(0, leavesAtMost).filter(kinds[kind])) {
      const broken = breakAt(valid, path);
      const pointers = check(broken).map(({ pointer }) => pointer);
      const place = formatPointer(path.map(String));
      if (pointers.length > 0 && pointers.every((pointer) => pointer === place)) return { input: broken, path };
    }
  }
  return undefined;
}
