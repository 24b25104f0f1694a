import type { Brand } from '../../../specs/src/index.ts';
import { sha256 } from '../digest.ts';
import { type ServedModel, serveModel } from '../models/served-model.ts';
import type { CatalogModel } from '../options.ts';
import { readCursor, writeCursor } from './cursor.ts';

/** One build: cursors of another build are of no use here (MR-CAT-09). */
export type Catalog = {
  buildId: string;
  models: readonly ServedModel[];
  byId: ReadonlyMap<string, ServedModel>;
  /** What it was built from. */
  sources: readonly CatalogModel[];
};

/** `generation` tells a rebuild of the same models from the build before. */
export function buildCatalog(models: readonly CatalogModel[], brand: Brand, generation: number = 0): Catalog {
  const served = models.map((model) => serveModel(model, brand));
  const told = [generation, ...models.map((model) => [model.id, model.billing])];
  return {
    buildId: sha256(JSON.stringify(told)).slice(0, 16),
    models: served,
    byId: new Map(served.map((model) => [model.id, model])),
    sources: models,
  };
}

export type Page = { models: readonly ServedModel[]; nextCursor: string | undefined };
export type PageRequest = { cursor: string | undefined; limit: number; secret: string };

/** Undefined for a cursor that is malformed, expired or of another build: a listing never restarts (MR-CAT-52). */
export function pageOf(catalog: Catalog, request: PageRequest, now: number): Page | undefined {
  const start = request.cursor === undefined ? 0 : positionOf(catalog, request.cursor, { ...request, now });
  if (start === undefined) return undefined;
  const end = start + request.limit;
  const place = { buildId: catalog.buildId, position: end };
  return {
    models: catalog.models.slice(start, end),
    nextCursor: end < catalog.models.length ? writeCursor(request.secret, place, now) : undefined,
  };
}

function positionOf(catalog: Catalog, cursor: string, at: { secret: string; now: number }): number | undefined {
  const state = readCursor(at.secret, cursor);
  if (state === undefined || state.buildId !== catalog.buildId || state.expiresAt <= at.now) return undefined;
  return state.position;
}
