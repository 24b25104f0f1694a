import { type Answer, perform, type TimeLimit } from './call.ts';
import type { Connection } from './connection.ts';
import { type CallIdentity, isRecord, protocolFailure } from './failures.ts';
import { modelUrl, queryOf } from './model-address.ts';

export type CatalogModel = {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** Whether a refusal by content policy is charged; every unknown word counts as `unknown`. */
  readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
  /** The entry as it came, with the raw word and members that nobody knows. */
  readonly raw: Readonly<Record<string, unknown>>;
};
export type SchemaAnswer =
  | { readonly notModified: true; readonly etag: string }
  | { readonly notModified: false; readonly etag: string | undefined; readonly document: unknown };

const readTimeoutMs = 60_000;

/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export async function* listModels(
  { limit, timeOf }: { limit?: number | undefined; timeOf: () => TimeLimit },
  connection: Connection,
): AsyncGenerator<CatalogModel, void, void> {
  const identity = { operation: 'models' } as const;
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const url = `${connection.baseUrl}/v2/models${queryOf({ limit: limit?.toString(), cursor })}`;
    const answer = await read({ identity, url, time: timeOf() }, connection);
    const page = readPage(identity, answer);
    for (const entry of page.entries) yield readEntry(identity, answer, entry);
    if (!page.hasMore) return;
    // Neither a silent end nor an endless loop (MR-CAT-26).
    if (page.next === undefined || seen.has(page.next))
      throw protocolFailure(
        identity,
        answer,
        `more models are promised, and the next cursor is ${page.next === undefined ? 'missing' : 'an earlier one'}`,
      );
    seen.add(page.next);
    cursor = page.next;
  }
}

function readPage(
  identity: CallIdentity,
  answer: Answer,
): { entries: readonly unknown[]; hasMore: boolean; next: string | undefined } {
  const body = answer.body.kind === 'json' ? answer.body.value : undefined;
  if (!isRecord(body) || !Array.isArray(body['data']) || typeof body['has_more'] !== 'boolean')
    throw protocolFailure(identity, answer, 'the body is no model list');
  const next = body['next_cursor'];
  return {
    entries: body['data'],
    hasMore: body['has_more'],
    next: typeof next === 'string' && next !== '' ? next : undefined,
  };
}

function readEntry(identity: CallIdentity, answer: Answer, raw: unknown): CatalogModel {
  if (!isRecord(raw) || typeof raw['id'] !== 'string' || !raw['id'].includes('/'))
    throw protocolFailure(identity, answer, 'an entry has no model id');
  const { id, billing } = raw;
  const word = isRecord(billing) ? billing['charges_on_policy_rejection'] : undefined;
  const slash = (id as string).indexOf('/'); // checked above
  return {
    id: id as string,
    provider: (id as string).slice(0, slash),
    model: (id as string).slice(slash + 1),
    chargesOnPolicyRejection: word === 'yes' || word === 'no' ? word : 'unknown',
    raw,
  };
}

export async function readModel(id: string, time: TimeLimit, connection: Connection): Promise<CatalogModel> {
  const identity = { operation: 'model', model: id } as const;
  const answer = await read({ identity, url: modelUrl(connection.baseUrl, id, identity), time }, connection);
  return readEntry(identity, answer, answer.body.kind === 'json' ? answer.body.value : undefined);
}

/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export async function readSchema(
  id: string,
  { etag, time }: { etag?: string | undefined; time: TimeLimit },
  connection: Connection,
): Promise<SchemaAnswer> {
  const identity = { operation: 'schema', model: id } as const;
  const headers = etag === undefined ? {} : { 'If-None-Match': etag };
  const url = `${modelUrl(connection.baseUrl, id, identity)}/openapi.json`;
  const answer = await read({ identity, url, headers, time }, connection);
  const tag = answer.response.headers.get('etag') ?? undefined;
  if (answer.status === 304) return { notModified: true, etag: tag ?? etag ?? '' };
  if (answer.body.kind !== 'json') throw protocolFailure(identity, answer, 'the body is no JSON document');
  return { notModified: false, etag: tag, document: answer.body.value };
}

type Question = {
  readonly identity: CallIdentity;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly time: TimeLimit;
};

function read({ identity, url, headers = {}, time }: Question, connection: Connection): Promise<Answer> {
  const isSuccess = (status: number): boolean => status === 200 || (status === 304 && 'If-None-Match' in headers);
  const outgoing = { method: 'GET', url, headers } as const;
  return perform({ ...identity, repetition: 'read', outgoing, isSuccess, timeoutMs: readTimeoutMs, time }, connection);
}
