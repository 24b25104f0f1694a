import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Http, HttpOutcome } from '../generator/src/index.ts';
import { asObject, isJsonObject, type JsonObject, readOwnCatalog } from '../specs/src/index.ts';
import { type BenchOptions, OptionError } from './options.ts';

/** A model and the schema document that a router serves for it. */
export type BenchDocument = { id: string; billing: string; root: JsonObject; bytes: Uint8Array };

/** Returns the documents in the folder of `--corpus`, or else those of the project's own catalog and the bench fixtures. */
export function readBenchDocuments({ corpus }: BenchOptions): BenchDocument[] {
  if (corpus !== undefined) return readDocuments(corpus);
  const own = readOwnCatalog().map((model) =>
    makeDocument(model.id, model.charges_on_policy_rejection, model.document),
  );
  return [...own, ...readDocuments(join(import.meta.dirname, 'fixtures'))];
}

/** Reads a folder in catalog form. Throws OptionError if its `catalog.json` or a document is missing or malformed. */
export function readDocuments(folder: string): BenchDocument[] {
  const read = (path: string): unknown => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);
  const catalog = read(join(folder, 'catalog.json'));
  if (!Array.isArray(catalog)) throw new OptionError(`bench: ${folder} has no catalog.json with a list of models`);
  return catalog.filter(isJsonObject).map(({ id, billing }) => {
    const path = join(folder, 'models', String(id), 'openapi.json');
    const root = read(path);
    if (!isJsonObject(root)) throw new OptionError(`bench: ${path} is missing or not a JSON object`);
    const charges = asObject(billing)['charges_on_policy_rejection'] ?? 'unknown';
    return { id: String(id), billing: String(charges), root, bytes: readFileSync(path) };
  });
}

export function makeDocument(id: string, billing: string, root: JsonObject): BenchDocument {
  return { id, billing, root, bytes: Buffer.from(JSON.stringify(root)) };
}

/** Returns `count` documents by repeating the given ones under new ids. */
export function multiply(documents: readonly BenchDocument[], count: number): BenchDocument[] {
  return Array.from({ length: count }, (_, index) => {
    const base = documents[index % documents.length];
    if (base === undefined) throw new Error('there are no documents to repeat');
    const round = Math.floor(index / documents.length);
    if (round === 0) return base;
    const id = `${base.id}-x${round}`;
    const text = Buffer.from(base.bytes).toString().replaceAll(`/v2/models/${base.id}`, `/v2/models/${id}`);
    return makeDocument(id, base.billing, JSON.parse(text));
  });
}

/** Writes a folder in catalog form. */
export async function writeDocuments(documents: readonly BenchDocument[], folder: string): Promise<void> {
  for (const { id, bytes } of documents) {
    const path = join(folder, 'models', id, 'openapi.json');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(documents.map(toEntry)));
}

function toEntry({ id, billing }: BenchDocument): JsonObject {
  const [provider = '', model = ''] = id.split('/');
  return { id, provider, model, billing: { charges_on_policy_rejection: billing } };
}

export const tagOf = (bytes: Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;

type Reply = { status: number; headers: Record<string, string>; bytes: Uint8Array };
const pageSize = 100;

/** Creates a router that serves catalog and documents with as little work per request as possible. */
export function routeCatalog(documents: readonly BenchDocument[]): (path: string, ifNoneMatch?: string) => Reply {
  const entries = documents.map(toEntry);
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'private, must-revalidate',
    'x-service-request-id': '00000000-0000-4000-8000-000000000000',
  };
  const byPath = new Map(
    documents.map(({ id, bytes }) => [`/v2/models/${id}/openapi.json`, { bytes, etag: tagOf(bytes) }]),
  );
  return (path, ifNoneMatch) => {
    const { pathname, searchParams } = new URL(path, 'http://router.test');
    if (pathname === '/v2/models') {
      const start = Number(searchParams.get('cursor') ?? 0);
      const next = start + pageSize < entries.length ? { next_cursor: String(start + pageSize) } : {};
      const data = entries.slice(start, start + pageSize);
      const page = { data, has_more: 'next_cursor' in next, limit: pageSize, ...next };
      return { status: 200, headers, bytes: Buffer.from(JSON.stringify(page)) };
    }
    const found = byPath.get(pathname);
    if (found === undefined) return { status: 404, headers: {}, bytes: new Uint8Array() };
    const { bytes, etag } = found;
    const isSame = ifNoneMatch === etag;
    return { status: isSame ? 304 : 200, headers: { ...headers, etag }, bytes: isSame ? new Uint8Array() : bytes };
  };
}

/** Creates an HTTP port for the generator that answers like `routeCatalog`, without a socket. */
export function catalogHttp(documents: readonly BenchDocument[]): Http {
  const answer = routeCatalog(documents);
  return async ({ url, headers: sent }): Promise<HttpOutcome> => {
    const { pathname, search } = new URL(url);
    const { status, headers, bytes } = answer(pathname + search, sent['if-none-match'] ?? sent['If-None-Match']);
    return { kind: 'response', status, headers: new Map(Object.entries(headers)), bytes };
  };
}
