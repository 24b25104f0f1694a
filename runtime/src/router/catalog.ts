import { isObject, toObject } from '../http/read-body.ts';
import type { RouterCall } from './connection.ts';
import type { CallIdentity } from './failures.ts';
import { formatQuery, modelUrl, splitId } from './model-address.ts';
import { type Answer, ask } from './policy.ts';

export type CatalogModel = {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** Whether a refusal by content policy is charged; every unknown word counts as `unknown`. */
  readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
  /** Where its schema document is, where the listing says so. The client reads it with `schema(id)`. */
  readonly inputSchemaUrl?: string;
  /** The entry as it came, with the raw word and members that nobody knows. */
  readonly raw: Readonly<Record<string, unknown>>;
};
export type SchemaAnswer =
  | { readonly notModified: true; readonly etag: string }
  | { readonly notModified: false; readonly etag: string | undefined; readonly document: unknown };

/** Neither a page, a document nor a cursor is longer, and no catalog has more pages. */
const maxBytes = 16 * 1024 * 1024;

/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export async function* listModels(
  limit: number | undefined,
  startPage: () => RouterCall,
): AsyncGenerator<CatalogModel, void, void> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  const parse = ({ body }: Answer): { entries: CatalogModel[]; next: string | undefined } | string => {
    const { data, has_more: hasMore, next_cursor: next } = toObject(body);
    if (!Array.isArray(data) || typeof hasMore !== 'boolean') return 'model list';
    const entries = data.map(readEntry).filter((one) => one !== undefined);
    if (entries.length < data.length) return entryIsDue;
    if (!hasMore) return { entries, next: undefined };
    // Neither a silent end nor an endless loop (MR-CAT-26).
    const isNext = typeof next === 'string' && next !== '' && next.length <= 2048 && !seen.has(next);
    if (isNext && seen.size < 10_000) return { entries, next };
    return 'whole list: the next cursor is missing or too long, an earlier one, or one too many';
  };
  do {
    const call = startPage();
    const url = `${call.client.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
    const page = await ask({ identity: { operation: 'models' }, repetition: 'read', url, maxBytes, parse }, call);
    yield* page.entries;
    cursor = page.next;
    seen.add(cursor ?? '');
  } while (cursor !== undefined);
}

const entryIsDue = 'catalog of models with their ids';

function readEntry(raw: unknown): CatalogModel | undefined {
  if (!isObject(raw)) return undefined;
  const { id, billing, input_schema_url: url } = raw;
  if (typeof id !== 'string') return undefined;
  const [provider, model] = splitId(id);
  if (provider === undefined || model === undefined) return undefined;
  const word = isObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
  return {
    id,
    provider,
    model,
    chargesOnPolicyRejection: word === 'yes' || word === 'no' ? word : 'unknown',
    ...(typeof url === 'string' ? { inputSchemaUrl: url } : {}),
    raw,
  };
}

type Identity = CallIdentity & { readonly model: string };

export async function readModel(identity: Identity, call: RouterCall): Promise<CatalogModel> {
  const url = modelUrl(call.client.baseUrl, identity);
  const parse = ({ body }: Answer): CatalogModel | string => readEntry(toObject(body)) ?? entryIsDue;
  return await ask({ identity, repetition: 'read', url, maxBytes, parse }, call);
}

/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export async function readSchema(
  identity: Identity,
  known: string | undefined,
  call: RouterCall,
): Promise<SchemaAnswer> {
  const url = `${modelUrl(call.client.baseUrl, identity)}/openapi.json`;
  const parse = ({ status, response, body }: Answer): SchemaAnswer | string => {
    const etag = response.headers.get('etag') ?? undefined;
    if (status === 304) return { notModified: true, etag: etag ?? known ?? '' };
    return body.kind === 'json' ? { notModified: false, etag, document: body.value } : 'JSON document';
  };
  const condition = known === undefined ? {} : { headers: { 'If-None-Match': known }, successes: [200, 304] };
  return await ask({ identity, repetition: 'read', url, maxBytes, parse, ...condition }, call);
}
