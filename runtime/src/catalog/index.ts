import { type CallOptions, performCall, readDeadlineMs, startCall } from '../http/call.ts';
import { isObject, toObject } from '../http/read-body.ts';
import { send } from '../http/send.ts';
import {
  buildModelUrl,
  connectionOf,
  formatQuery,
  type RouterCall,
  type RouterOf,
  splitId,
} from '../router/connection.ts';
import { type Answer, createPolicy } from '../router/policy.ts';

export type CatalogModel = {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** `yes` if a content-policy rejection is charged. Any other value from the service becomes `unknown`. */
  readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
  /** URL of the schema document, if the listing has it. Use `readModelSchema` to read it. */
  readonly inputSchemaUrl?: string;
  /** The unchanged entry, including unknown members. */
  readonly raw: Readonly<Record<string, unknown>>;
};
/** A page of the catalog. `nextCursor` is undefined on the last page. */
export type CatalogPage = { readonly models: readonly CatalogModel[]; readonly nextCursor: string | undefined };
export type SchemaAnswer =
  | { readonly notModified: true; readonly etag: string }
  | { readonly notModified: false; readonly etag: string | undefined; readonly document: unknown };
export type CatalogOptions = CallOptions & {
  readonly limit?: number | undefined;
};

const maxBytes = 16 * 1024 * 1024;
const listOperation = { operation: 'listModels' } as const;

/** Lists all models; one that is added meanwhile may be missed. Default deadline: 2 minutes for each page. */
export function listModels(
  router: RouterOf<unknown>,
  options: CatalogOptions = {},
): AsyncGenerator<CatalogModel, void, void> {
  const client = router[connectionOf];
  const start = () => startCall(client, listOperation, { defaultMs: readDeadlineMs, options: ['limit'] }, options);
  const sharedCall = start();
  const readAll = async function* (): AsyncGenerator<CatalogModel, void, void> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const call = options.deadlineMs === undefined ? start() : sharedCall;
      const page = await readPage({ limit: options.limit, cursor }, call, seen);
      yield* page.models;
      cursor = page.nextCursor;
      seen.add(cursor ?? '');
    } while (cursor !== undefined);
  };
  return readAll();
}

/** Reads one page of the catalog. `cursor`: `nextCursor` of the previous page. */
export function listModelsPage(
  router: RouterOf<unknown>,
  options: CatalogOptions & { readonly cursor?: string | undefined } = {},
): Promise<CatalogPage> {
  const client = router[connectionOf];
  const { cursor } = options;
  const method = { defaultMs: readDeadlineMs, options: ['limit', 'cursor'] };
  return performCall(client, listOperation, method, options, (call) =>
    readPage(options, call, new Set(cursor === undefined ? [] : [cursor])),
  );
}

/** Reads the entry of one model. */
export function readModel(router: RouterOf<unknown>, model: string, options?: CallOptions): Promise<CatalogModel> {
  const client = router[connectionOf];
  const identity = { operation: 'readModel', model } as const;
  return performCall(client, identity, { defaultMs: readDeadlineMs }, options, (call) => {
    const parse = ({ body }: Answer): CatalogModel | string => readEntry(toObject(body)) ?? expectedEntries;
    const url = buildModelUrl(client, identity);
    return send(call, createPolicy({ identity, repetition: 'read', url, maxBytes, parse }, call));
  });
}

/** Reads the schema document of a model; with `etag`, only if it changed. Nothing is cached. */
export function readModelSchema(
  router: RouterOf<unknown>,
  model: string,
  options: CallOptions & { readonly etag?: string | undefined } = {},
): Promise<SchemaAnswer> {
  const client = router[connectionOf];
  const identity = { operation: 'readModelSchema', model } as const;
  const { etag: knownEtag } = options;
  const parse = ({ status, response, body }: Answer): SchemaAnswer | string => {
    const etag = response.headers.get('etag') ?? undefined;
    if (status === 304) return { notModified: true, etag: etag ?? knownEtag ?? '' };
    return body.kind === 'json' ? { notModified: false, etag, document: body.value } : 'JSON document';
  };
  return performCall(client, identity, { defaultMs: readDeadlineMs, options: ['etag'] }, options, (call) => {
    const url = `${buildModelUrl(client, identity)}/openapi.json`;
    const condition = knownEtag === undefined ? {} : { headers: { 'If-None-Match': knownEtag }, successes: [200, 304] };
    return send(call, createPolicy({ identity, repetition: 'read', url, maxBytes, parse, ...condition }, call));
  });
}

/** `seen`: cursors of earlier pages. */
function readPage(
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  call: RouterCall,
  seen: ReadonlySet<string>,
): Promise<CatalogPage> {
  const url = `${call.client.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
  const parse = ({ body }: Answer): CatalogPage | string => {
    const { data, has_more: hasMore, next_cursor: next } = toObject(body);
    if (!Array.isArray(data) || typeof hasMore !== 'boolean') return 'model list';
    const models = data.map(readEntry).filter((one) => one !== undefined);
    if (models.length < data.length) return expectedEntries;
    if (!hasMore) return { models, nextCursor: undefined };
    // Without these checks, a listing could end early or never end (MR-CAT-26).
    const isNext = typeof next === 'string' && next !== '' && next.length <= 2048 && !seen.has(next);
    if (isNext && seen.size < 10_000) return { models, nextCursor: next };
    return 'complete list: the next cursor is missing, too long or repeated, or there are too many pages';
  };
  return send(call, createPolicy({ identity: listOperation, repetition: 'read', url, maxBytes, parse }, call));
}

const expectedEntries = 'catalog of models with their ids';

function readEntry(raw: unknown): CatalogModel | undefined {
  if (!isObject(raw)) return undefined;
  const { id, billing, input_schema_url: url } = raw;
  const [provider, model] = typeof id === 'string' ? splitId(id) : [];
  if (typeof id !== 'string' || provider === undefined || model === undefined) return undefined;
  const word = isObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
  const chargesOnPolicyRejection = word === 'yes' || word === 'no' ? word : 'unknown';
  const schema = typeof url === 'string' ? { inputSchemaUrl: url } : {};
  return { id, provider, model, chargesOnPolicyRejection, ...schema, raw };
}
