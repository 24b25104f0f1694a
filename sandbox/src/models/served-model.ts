import {
  applyBrand,
  type Brand,
  compileSchema,
  defaultBrand,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Schema,
  type Side,
  type Violation,
} from '../../../specs/src/index.ts';
import type { CatalogModel } from '../catalog-folder.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { parseJson } from '../parse-json.ts';
import { type ModelDocument, parseModelDocument } from './model-document.ts';

/** The schema document as sent, with the strong entity tag over those bytes (MR-SCH-08, MR-SCH-09). */
export type Snapshot = { bytes: Bytes; entityTag: string };
export type ValueCheck = (value: JsonValue) => readonly Violation[];

/** One model of the catalog; what is expensive is done on first use and kept. */
export type ServedModel = {
  id: string;
  provider: string;
  model: string;
  billing: string;
  snapshot(): Snapshot;
  /** Undefined when the bytes hold no JSON object. */
  document(): ModelDocument | undefined;
  /** Undefined when the input is unauthored, or its schema cannot be compiled. */
  checkInput(): ValueCheck | undefined;
};

export function serveModel(model: CatalogModel, brand: Brand): ServedModel {
  const earlier = served.get(model.bytes) ?? new Map<string, ServedModel>();
  const key = [brand, model.id, model.billing].join(' ');
  const one = earlier.get(key) ?? readModel(model, brand);
  served.set(model.bytes, earlier.set(key, one));
  return one;
}

// A catalog used by many sandboxes is parsed and compiled once.
const served = new WeakMap<Uint8Array, Map<string, ServedModel>>();

function readModel(model: CatalogModel, brand: Brand): ServedModel {
  const slash = model.id.indexOf('/');
  const root = once(() => parseRoot(model.bytes, brand));
  const document = once(() => {
    const value = root();
    return value === undefined ? undefined : parseModelDocument(value, brand, model.id);
  });
  return {
    id: model.id,
    provider: model.id.slice(0, slash),
    model: model.id.slice(slash + 1),
    billing: model.billing,
    snapshot: once(() => takeSnapshot(model.bytes, brand, root)),
    document,
    checkInput: once(() => {
      const parsed = document();
      return parsed?.input === undefined
        ? undefined
        : compileCheck(parsed.input.raw, { root: parsed.root, side: 'input' });
    }),
  };
}

/**
 * Parts of the schema that cannot be read, such as a reference that leads nowhere, accept every value. Undefined when the
 * schema cannot be compiled even so: such a model is treated as one that describes nothing.
 */
export function compileCheck(schema: Schema, source: { root: JsonObject; side?: Side }): ValueCheck | undefined {
  try {
    return compileSchema(schema, { ...source, unreadable: 'accept' });
  } catch {
    return undefined;
  }
}

function takeSnapshot(bytes: Uint8Array, brand: Brand, root: () => JsonObject | undefined): Snapshot {
  const value = brand === defaultBrand ? undefined : root();
  const served =
    value === undefined ? new Uint8Array(bytes) : new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  return { bytes: served, entityTag: `"${sha256(served)}"` };
}

function parseRoot(bytes: Uint8Array, brand: Brand): JsonObject | undefined {
  const value = parseJson(bytes);
  const branded = value === undefined ? undefined : applyBrand(value, brand);
  return isJsonObject(branded) ? branded : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
