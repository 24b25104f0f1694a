import { createHash } from 'node:crypto';
import type { Http, HttpOutcome } from '../../generator/src/index.ts';
import type { BenchDocument } from './document.ts';

type Served = { status: number; headers: Record<string, string>; bytes: Uint8Array };

const pageSize = 100;
const none = new Uint8Array();

/** The read-only routes of a router over fixed documents, with as little work per request as possible. */
export function createCatalogRouter(
  documents: readonly BenchDocument[],
): (path: string, ifNoneMatch?: string) => Served {
  const entries = documents.map(({ id, billing }) => {
    const [provider, model] = id.split('/');
    return { id, provider, model, billing: { charges_on_policy_rejection: billing } };
  });
  const byPath = new Map(
    documents.map(({ id, bytes }) => [
      `/v2/models/${id}/openapi.json`,
      { bytes, tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` },
    ]),
  );
  return (path, ifNoneMatch) => {
    const url = new URL(path, 'http://router.test');
    if (url.pathname === '/v2/models') return page(entries, Number(url.searchParams.get('cursor') ?? 0));
    const found = byPath.get(url.pathname);
    if (found === undefined) return { status: 404, headers: {}, bytes: none };
    const headers = {
      etag: found.tag,
      'content-type': 'application/json',
      'cache-control': 'private, must-revalidate',
      'x-service-request-id': '00000000-0000-4000-8000-000000000000',
    };
    return ifNoneMatch === found.tag
      ? { status: 304, headers, bytes: none }
      : { status: 200, headers, bytes: found.bytes };
  };
}

function page(entries: readonly object[], start: number): Served {
  const next = start + pageSize;
  const more = next < entries.length;
  const body = {
    data: entries.slice(start, next),
    has_more: more,
    limit: pageSize,
    ...(more ? { next_cursor: String(next) } : {}),
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(body)) };
}

/** The same without a socket, as the generator's HTTP port. */
export function catalogHttp(documents: readonly BenchDocument[]): Http {
  const answer = createCatalogRouter(documents);
  return async ({ url, headers }): Promise<HttpOutcome> => {
    const { pathname, search } = new URL(url);
    const {
      status,
      headers: said,
      bytes,
    } = answer(`${pathname}${search}`, headers['if-none-match'] ?? headers['If-None-Match']);
    return { kind: 'response', status, headers: new Map(Object.entries(said)), bytes };
  };
}
