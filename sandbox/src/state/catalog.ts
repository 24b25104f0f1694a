import type { Brand } from '../../../specs/src/index.ts';
import { sha256, sign } from '../digest.ts';
import { type CatalogModel, type ServedModel, serveModel } from '../models/served-model.ts';

/** A build of the catalog; cursors of another build are invalid (MR-CAT-09). */
export type Catalog = {
  readonly buildId: string;
  readonly models: readonly ServedModel[];
  readonly byId: ReadonlyMap<string, ServedModel>;
  /** Models that the catalog was built from. */
  readonly sources: readonly CatalogModel[];
};

/** `generation`: distinguishes builds of the same models. */
export function buildCatalog(sources: readonly CatalogModel[], brand: Brand, generation: number = 0): Catalog {
  const models = sources.map((model) => serveModel(model, brand));
  const content = [generation, ...sources.map((model) => [model.id, model.billing])];
  return {
    buildId: sha256(JSON.stringify(content)).slice(0, 16),
    models,
    byId: new Map(models.map((model) => [model.id, model])),
    sources,
  };
}

type Page = { models: readonly ServedModel[]; nextCursor: string | undefined };
type PageRequest = { cursor: string | undefined; limit: number; seed: number };

/**
 * Returns undefined for a malformed or expired cursor or one of another build: a listing never restarts (MR-CAT-52).
 */
export function readPage(catalog: Catalog, { cursor, limit, seed }: PageRequest, now: number): Page | undefined {
  const secret = sha256(`cursors ${seed}`);
  const first = { buildId: catalog.buildId, start: 0, expiresAt: Number.POSITIVE_INFINITY };
  const position = cursor === undefined ? first : readCursor(secret, cursor);
  if (position === undefined || position.buildId !== catalog.buildId || position.expiresAt <= now) return undefined;
  const { start } = position;
  const end = start + limit;
  const next = { buildId: catalog.buildId, start: end, expiresAt: now + cursorLifetimeMs };
  return {
    models: catalog.models.slice(start, end),
    nextCursor: end < catalog.models.length ? writeCursor(secret, next) : undefined,
  };
}

/** Next page: a position in one build of the catalog, valid until `expiresAt` (ms). */
export type CursorState = { buildId: string; start: number; expiresAt: number };

const cursorLifetimeMs = 60 * 60 * 1000; // Undocumented (OP-020).

export function writeCursor(secret: string, { buildId, start, expiresAt }: CursorState): string {
  const text = `${buildId}.${start}.${expiresAt}`;
  return Buffer.from(`${text}.${sign(secret, text)}`).toString('base64url');
}

/** Returns undefined for a cursor that this sandbox did not create. */
export function readCursor(secret: string, cursor: string): CursorState | undefined {
  if (cursor.length > 512 || !/^[\w-]+$/.test(cursor)) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = /^(\w+)\.(\d+)\.(\d+)\.([\w-]+)$/.exec(text);
  if (match === null) return undefined;
  const [, buildId = '', start = '', expiresAt = '', signature = ''] = match;
  if (sign(secret, `${buildId}.${start}.${expiresAt}`) !== signature) return undefined;
  return { buildId, start: Number(start), expiresAt: Number(expiresAt) };
}
