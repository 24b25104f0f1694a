import type { JsonObject } from '../../../specs/src/index.ts';
import { sha256, sign } from '../digest.ts';
import type { RouterAccount } from '../http/authentication.ts';
import { isReply, jsonReply, type Reply } from '../http/messages.ts';
import type { Call } from '../http/router.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { World } from '../state/world.ts';
import { invalidInput, routerErrors } from './replies.ts';

export type RouterCall = Call<RouterAccount>;

/** Returns the model in the path, or an error. An unknown provider gets the same error as an unknown model. */
export function findModel({ params, account }: RouterCall, { catalog }: World): ServedModel | Reply {
  const model = catalog.byId.get(`${params['provider']}/${params['model']}`) ?? routerErrors.modelNotFound;
  return !isReply(model) && model.id === account.barredFrom ? routerErrors.noModelAccess : model;
}

/** Returns the path of a model, or a path below it. Encodes each segment, but not the slash in the id (OP-245). */
export function buildModelPath(model: ServedModel, ...rest: readonly string[]): string {
  return ['/v2/models', ...[model.provider, model.model, ...rest].map(encodeURIComponent)].join('/');
}

function createCatalogEntry({ id, provider, model, billing }: ServedModel): JsonObject {
  return { id, provider, model, billing: { charges_on_policy_rejection: billing } };
}

const defaultLimit = 20;
const maxLimit = 100;

/** Lists a page. Rejects expired cursors and those of a different catalog build: a listing must not restart silently (MR-CAT-52). */
export function listModels(call: RouterCall, { catalog: { buildId, models }, config }: World): Reply {
  const query = new URLSearchParams(call.query);
  const limit = parseLimit(query.get('limit'));
  if (limit === undefined) return invalidInput('limit must be an integer.');
  const secret = sha256(`cursors ${config.seed}`);
  const now = config.clock.now();
  const cursor = query.get('cursor');
  const position =
    cursor === null ? { buildId, start: 0, expiresAt: Number.POSITIVE_INFINITY } : readCursor(secret, cursor);
  if (position === undefined || position.buildId !== buildId || position.expiresAt <= now)
    return invalidInput('The cursor is malformed or has expired; start again without one.');
  const end = position.start + limit;
  const next = { buildId, start: end, expiresAt: now + cursorLifetimeMs };
  return jsonReply(200, {
    data: models.slice(position.start, end).map(createCatalogEntry),
    has_more: end < models.length,
    ...(end < models.length ? { next_cursor: writeCursor(secret, next) } : {}),
    limit,
  });
}

/** Contents of a cursor: where the next page starts in a catalog build. Valid until `expiresAt` (ms). */
type CursorState = { buildId: string; start: number; expiresAt: number };

const cursorLifetimeMs = 60 * 60 * 1000; // Undocumented (OP-020).

function writeCursor(secret: string, { buildId, start, expiresAt }: CursorState): string {
  const text = `${buildId}.${start}.${expiresAt}`;
  return Buffer.from(`${text}.${sign(secret, text)}`).toString('base64url');
}

/** Returns undefined for a cursor that this sandbox did not create. */
function readCursor(secret: string, cursor: string): CursorState | undefined {
  const text = cursor.length > 512 ? '' : Buffer.from(cursor, 'base64url').toString('latin1');
  const [, buildId = '', start, expiresAt] = /^(\w+)\.(\d+)\.(\d+)\.[\w-]+$/.exec(text) ?? [];
  const state = { buildId, start: Number(start), expiresAt: Number(expiresAt) };
  return writeCursor(secret, state) === cursor ? state : undefined;
}

/** Zero and negative numbers select the default; numbers above the maximum are clamped (MR-CAT-13 to MR-CAT-15, OP-030). */
function parseLimit(text: string | null): number | undefined {
  if (text !== null && !/^-?\d+$/.test(text)) return undefined;
  const limit = Number(text);
  return limit <= 0 ? defaultLimit : Math.min(limit, maxLimit);
}

export function readModel(call: RouterCall, world: World): Reply {
  const model = findModel(call, world);
  if (isReply(model)) return model;
  const { origin } = call.request;
  const url = `${origin}${buildModelPath(model, 'openapi.json')}`;
  // The optional member `input_schema_url` must be an HTTPS URL (MR-MOD-06), so it is omitted on plain HTTP.
  const isLinkable = origin.startsWith('https:') && url.length <= 2048;
  return jsonReply(200, { ...createCatalogEntry(model), ...(isLinkable ? { input_schema_url: url } : {}) });
}

export function readSchemaDocument(call: RouterCall, world: World): Reply {
  const model = findModel(call, world);
  if (isReply(model)) return model;
  const { bytes, entityTag } = model.snapshot();
  const headers = { ETag: entityTag, 'Cache-Control': 'private, must-revalidate' };
  if (isUnchanged(call.request.headers['if-none-match'], entityTag)) {
    return { status: 304, headers, body: '' };
  }
  return { status: 200, headers: { 'Content-Type': 'application/json', ...headers }, body: bytes };
}

/** True if `If-None-Match` contains the tag or `*`. Ignores the `W/` of weak tags, as in RFC 9110 (OP-028). */
function isUnchanged(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.replace(/^W\//, '') === entityTag);
}
