import { isObject, toObject } from '../http/read-body.ts';
import type { Answer, Deadline } from './attempt.ts';
import { perform } from './call.ts';
import type { Connection } from './connection.ts';
import { type CallIdentity, protocolFailure } from './failures.ts';
import { formatQuery, modelUrl } from './model-address.ts';

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

/** Neither a page nor a document is longer, and no catalog has more pages. */
const maxBytes = 16 * 1024 * 1024;
const mostPages = 10_000;

/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export async function* listModels(
  { limit, startPage }: { limit?: number | undefined; startPage: () => Deadline },
  connection: Connection,
): AsyncGenerator<CatalogModel, void, void> {
  const identity = { operation: 'models' } as const;
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const url = `${connection.baseUrl}/v2/models${formatQuery({ limit: limit?.toString(), cursor })}`;
    const answer = await perform({ ...identity, url, repetition: 'read', maxBytes, time: startPage() }, connection);
    const page = readPage(identity, answer);
    for (const entry of page.entries) yield readEntry(identity, answer, entry);
    if (!page.hasMore) return;
    // Neither a silent end nor an endless loop (MR-CAT-26).
    if (page.next === undefined || seen.has(page.next) || seen.size === mostPages)
      throw protocolFailure(
        identity,
        answer,
        `more models are promised, and the next cursor is ${page.next === undefined ? 'missing' : 'an earlier one, or one too many'}`,
      );
    seen.add(page.next);
    cursor = page.next;
  }
}

function readPage(
  identity: CallIdentity,
  answer: Answer,
): { entries: readonly unknown[]; hasMore: boolean; next: string | undefined } {
  const { data: entries, has_more: hasMore, next_cursor: next } = toObject(answer.body);
  if (!Array.isArray(entries) || typeof hasMore !== 'boolean')
    throw protocolFailure(identity, answer, 'the body is no model list');
  return { entries, hasMore, next: typeof next === 'string' && next !== '' ? next : undefined };
}

function readEntry(identity: CallIdentity, answer: Answer, raw: unknown): CatalogModel {
  const { id, billing, input_schema_url: url } = isObject(raw) ? raw : {};
  if (!isObject(raw) || typeof id !== 'string' || !id.includes('/'))
    throw protocolFailure(identity, answer, 'an entry has no model id');
  const word = isObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
  const slash = id.indexOf('/');
  return {
    id,
    provider: id.slice(0, slash),
    model: id.slice(slash + 1),
    chargesOnPolicyRejection: word === 'yes' || word === 'no' ? word : 'unknown',
    ...(typeof url === 'string' ? { inputSchemaUrl: url } : {}),
    raw,
  };
}

export async function readModel(id: string, time: Deadline, connection: Connection): Promise<CatalogModel> {
  const identity = { operation: 'model', model: id } as const;
  const url = modelUrl(connection.baseUrl, id, identity);
  const answer = await perform({ ...identity, url, repetition: 'read', maxBytes, time }, connection);
  return readEntry(identity, answer, toObject(answer.body));
}

/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export async function readSchema(
  id: string,
  { etag, time }: { etag?: string | undefined; time: Deadline },
  connection: Connection,
): Promise<SchemaAnswer> {
  const identity = { operation: 'schema', model: id } as const;
  const headers = etag === undefined ? {} : { 'If-None-Match': etag };
  const url = `${modelUrl(connection.baseUrl, id, identity)}/openapi.json`;
  const isSuccess = (status: number): boolean => status === 200 || (status === 304 && etag !== undefined);
  const answer = await perform(
    { ...identity, url, headers, repetition: 'read', isSuccess, maxBytes, time },
    connection,
  );
  const tag = answer.response.headers.get('etag') ?? undefined;
  if (answer.status === 304) return { notModified: true, etag: tag ?? etag ?? '' };
  if (answer.body.kind !== 'json') throw protocolFailure(identity, answer, 'the body is no JSON document');
  return { notModified: false, etag: tag, document: answer.body.value };
}
