import {
  isCredentialHeader,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
  secretsInHeader,
} from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import { parseJson } from '../contract/evidence.ts';
import type { Exchange, RawHeaders } from '../contract/exchange.ts';
import type { ApiName } from '../contract/target.ts';
import { parseTime } from '../wire/system-clock.ts';

type Bases = Readonly<Partial<Record<ApiName, string | undefined>>>;
export type ReadHar = {
  readonly exchanges: readonly Exchange[];
  readonly urls: Bases;
  /** Number of entries that are left out: for other servers, without a response, or with an incomplete body. */
  readonly skipped: number;
};

const maxEntries = 20_000;
const maxBytes = 64 * 1024 * 1024;

/** Reads recorded traffic (HAR 1.2). Throws `HarnessError` for anything else. */
export function readHar(text: string, configuredUrls: Bases): ReadHar {
  const parsed = parseJson(text);
  if (parsed === undefined) throw new HarnessError('not a HAR file: invalid JSON');
  const listed = resolvePointer(parsed, '/log/entries');
  if (!Array.isArray(listed)) throw new HarnessError('not a HAR file: it has no /log/entries');
  const entries = listed.filter(isJsonObject);
  const urls =
    configuredUrls.router === undefined && configuredUrls.workflow === undefined ? findBases(entries) : configuredUrls;
  const exchanges: Exchange[] = [];
  let bytes = 0;
  for (const entry of entries.toSorted((one, other) => readStart(one) - readStart(other))) {
    const exchange = readExchange(entry, urls);
    if (exchange === undefined || exchange.result.kind !== 'response' || exchanges.length >= maxEntries) continue;
    const size = exchange.result.body.length + (exchange.request.body?.length ?? 0);
    if (bytes + size > maxBytes) continue;
    bytes += size;
    exchanges.push(exchange);
  }
  return { exchanges, urls, skipped: listed.length - exchanges.length };
}

function findBases(entries: readonly JsonObject[]): Bases {
  const urls = entries.map((entry) => resolvePointer(entry, '/request/url')).filter((one) => typeof one === 'string');
  const findBase = (path: string): string | undefined => {
    const url = urls.find((one) => /^https?:\/\//.test(one) && one.includes(path));
    return url?.slice(0, url.indexOf(path));
  };
  return { router: findBase('/v2/models'), workflow: findBase('/api/v2/jobs/') };
}

function readExchange(entry: JsonObject, urls: Bases): Exchange | undefined {
  const { request, response, time } = entry;
  if (!isJsonObject(request) || !isJsonObject(response)) return undefined;
  const { url, method } = request;
  const { status } = response;
  if (typeof url !== 'string' || typeof method !== 'string') return undefined;
  // If both APIs have the same base URL, the path distinguishes them.
  const isBelow = (base: string | undefined, path = '/'): boolean => base !== undefined && url.startsWith(base + path);
  const isWorkflow = isBelow(urls.workflow, urls.router === undefined ? '/' : '/api/');
  const api = isWorkflow ? 'workflow' : isBelow(urls.router) ? 'router' : undefined;
  const text = resolvePointer(response, '/content/text');
  const isBase64 = resolvePointer(response, '/content/encoding') === 'base64';
  const body = Buffer.from(typeof text === 'string' ? text : '', isBase64 ? 'base64' : 'utf8');
  if (api === undefined || typeof status !== 'number' || status < 200 || status > 599) return undefined;
  // An incomplete body would cause false findings.
  if (isCut(body, resolvePointer(response, '/content/size'))) return undefined;
  const posted = resolvePointer(request, '/postData/text');
  if (typeof posted === 'string' && isCut(posted, request['bodySize'])) return undefined;
  const headers = readHeaders(response['headers']);
  // A HAR file has decoded bodies together with the headers of the encoded ones.
  const isEncoded = headers.some(([name]) => /^content-encoding$/i.test(name));
  const decodedHeaders = isEncoded ? headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name)) : headers;
  return {
    step: `${method} ${url.split('?', 1)[0]?.replace(/^https?:\/\/[^/]*/, '')}`.slice(0, 200),
    attempt: 1,
    api,
    request: {
      method,
      url,
      headers: readHeaders(request['headers']),
      body: typeof posted === 'string' ? new TextEncoder().encode(posted) : undefined,
    },
    result: { kind: 'response', status, headers: decodedHeaders, body },
    timing: { startedAtMs: readStart(entry), durationMs: typeof time === 'number' && time >= 0 ? time : 0 },
  };
}

/** Length of a byte order mark, which the recorder may have removed. */
const markBytes = 3;

function isCut(content: string | Uint8Array, size: JsonValue | undefined): boolean {
  const length = Buffer.byteLength(content);
  return typeof size === 'number' && size > length + (length === 0 ? 0 : markBytes);
}

function readHeaders(value: JsonValue | undefined): RawHeaders {
  return (Array.isArray(value) ? value : []).flatMap((line) => {
    const [name, text] = ['/name', '/value'].map((pointer) => resolvePointer(line, pointer));
    // HTTP/2 recordings list the request line as pseudo-headers.
    return typeof name === 'string' && typeof text === 'string' && !name.startsWith(':') ? [[name, text] as const] : [];
  });
}

function readStart(entry: JsonObject): number {
  const text = entry['startedDateTime'];
  const ms = typeof text === 'string' ? parseTime(text) : Number.NaN;
  return Number.isNaN(ms) ? 0 : ms;
}

/** Returns the secrets in the headers of these exchanges. Cookies come last, because there may be thousands. */
export function listCredentials(exchanges: readonly Exchange[]): readonly string[] {
  const lines = exchanges.flatMap(({ request, result }) => [
    ...request.headers,
    ...(result.kind === 'response' ? result.headers : []),
  ]);
  const secretHeaders = lines.filter(([name]) => isCredentialHeader(name));
  secretHeaders.sort(([one], [other]) => Number(/cookie$/i.test(one)) - Number(/cookie$/i.test(other)));
  return [...new Set(secretHeaders.flatMap(([name, value]) => secretsInHeader(name, value)))];
}
