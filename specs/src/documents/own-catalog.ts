import { join } from 'node:path';
import { SpecError } from '../errors.ts';
import { packageRoot, readText } from '../files.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** One handwritten model: its catalog facts and its schema document, both with the printed brand. */
export type OwnCatalogModel = { id: string; charges_on_policy_rejection: string; document: JsonObject };

/** The models under `specs/models`, in the order of their catalog. Throws SpecError on a malformed one. */
export function readOwnCatalog(): readonly OwnCatalogModel[] {
  const folder = join(packageRoot(), 'specs', 'models');
  const path = join(folder, 'catalog.json');
  const catalog = parseJson(readText(path), path);
  if (!Array.isArray(catalog)) throw new SpecError('is not a list', { place: path });
  return catalog.map((entry, index) => readModel(entry, folder, `${path}[${index}]`));
}

function readModel(entry: JsonValue, folder: string, place: string): OwnCatalogModel {
  if (!isJsonObject(entry)) throw new SpecError('is not an object', { place });
  const { id, provider, model, billing } = entry;
  if (!isSegment(provider) || !isSegment(model) || id !== `${provider}/${model}`) {
    throw new SpecError('id must be provider/model, each a slug', { place });
  }
  const charges = isJsonObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
  if (typeof charges !== 'string') throw new SpecError('billing fact is missing', { place });
  const path = join(folder, provider, `${model}.openapi.json`);
  const document = parseJson(readText(path), path);
  if (!isJsonObject(document)) throw new SpecError('is not an object', { place: path });
  return { id, charges_on_policy_rejection: charges, document };
}

// A segment becomes part of a path, so it must be a slug.
function isSegment(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(value);
}

function parseJson(text: string, place: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new SpecError(cause instanceof Error ? cause.message : 'not JSON', { place, cause });
  }
}
