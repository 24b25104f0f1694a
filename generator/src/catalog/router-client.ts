import { type Brand, createRedactor } from '../../../specs/src/index.ts';
import type { Clock, Http, HttpOutcome, HttpRequest, Ports } from '../ports.ts';
import { type RouterReply, type RouterResponse, readReply, type Subject } from './router-reply.ts';

export type Credential = { kind: 'api-key' | 'bearer'; value: string };

/** Sends GET requests below a router's base URL. */
export type RouterClient = {
  /** Names of extension headers (`x-…`) in all responses so far, up to 1,000. */
  readonly headerNames: ReadonlySet<string>;
  /** Returns the current time in milliseconds, for limits over many requests. */
  now(): number;
  /** Sends a GET request; `path` starts with `/v2`. Handles retries, the deadline and redirects within the origin. */
  get(path: string, subject: Subject, headers?: Readonly<Record<string, string>>): Promise<RouterReply>;
};

const retries = { attempts: 4, firstWaitMs: 250, longestWaitMs: 60_000 };

const deadlineMs = 60_000;
const maxRedirects = 5;
/** Maximum size of a page or document in bytes. Real documents are a hundred times smaller. */
const largestBody = 16 * 1024 * 1024;

const maxHeaderNames = 1_000;

type HttpPorts = Pick<Ports, 'http' | 'clock'>;
type RouterAddress = {
  readonly routerUrl: string;
  readonly credential: Credential | undefined;
  readonly brand: Brand;
  /** Headers for gateways, sent with every request. The client's own headers take precedence. */
  readonly headers?: HttpRequest['headers'] | undefined;
  /** Secrets in addition to the credential; responses that repeat one are rejected. */
  readonly secrets?: readonly string[] | undefined;
};

export function createRouterClient(
  { routerUrl, credential, brand, headers: extra, secrets = [] }: RouterAddress,
  ports: HttpPorts,
): RouterClient {
  const baseUrl = routerUrl.replace(/\/+$/, '');
  const ownHeaders: Record<string, string> = { ...extra, accept: 'application/json' };
  if (credential?.kind === 'api-key') ownHeaders['x-api-key'] = credential.value;
  if (credential?.kind === 'bearer') ownHeaders['authorization'] = `Bearer ${credential.value}`;
  const guardedPorts = { ...ports, http: refuseEchoes(ports.http, [credential?.value ?? [], secrets].flat()) };
  const headerNames = new Set<string>();
  return {
    headerNames,
    now: () => ports.clock.now(),
    async get(path, subject, headers = {}) {
      const response = await followRedirects(`${baseUrl}${path}`, { ...ownHeaders, ...headers }, guardedPorts);
      for (const name of response.kind === 'response' ? response.headers.keys() : [])
        if (headerNames.size < maxHeaderNames && name.startsWith('x-')) headerNames.add(name);
      return readReply(response, subject, { brand, baseUrl });
    },
  };
}

/**
 * Rejects responses that repeat a secret in a header name, a header value or the body, because parts of responses are printed,
 * cached and published.
 */
function refuseEchoes(http: Http, secrets: readonly string[]): Http {
  if (secrets.length === 0) return http;
  const redact = createRedactor(secrets);
  return async (request) => {
    const outcome = await http(request);
    // Only the status of a 304 is used, so its headers need not be searched for the credential.
    if (outcome.kind === 'response' && outcome.status === 304 && 'if-none-match' in request.headers)
      return { ...outcome, headers: new Map() };
    let text: string;
    if (outcome.kind === 'no-response') text = outcome.detail;
    else {
      const { buffer, byteOffset, length } = outcome.bytes;
      const body = Buffer.from(buffer, byteOffset, length).toString('latin1');
      text = `${[...outcome.headers].flat().join(' ')} ${body}`;
    }
    if (redact(text) === text) return outcome;
    const detail = outcome.kind === 'response' ? `status ${outcome.status}` : outcome.because;
    return { kind: 'no-response', because: 'credential-repeated', detail };
  };
}

async function followRedirects(
  address: string,
  headers: HttpRequest['headers'],
  ports: HttpPorts,
): Promise<RouterResponse> {
  let url = address;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const outcome = await getWithRetries(url, headers, ports);
    const next = outcome.kind === 'response' ? readRedirectTarget(outcome, url) : undefined;
    if (outcome.kind !== 'response' || next === undefined) return outcome;
    // Credentials are only sent to the configured origin.
    if (next.origin !== new URL(url).origin) {
      const { status, headers } = outcome;
      // An address such as `data:…` has no origin and may contain anything, so only its scheme is shown.
      const origin = next.origin === 'null' ? `${next.protocol}…` : next.origin;
      return { kind: 'redirect-refused', status, headers, origin };
    }
    url = next.href;
  }
  return { kind: 'no-response', because: 'failed', detail: `more than ${maxRedirects} redirects` };
}

async function getWithRetries(url: string, headers: HttpRequest['headers'], ports: HttpPorts): Promise<HttpOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await ports.http({ url, headers, deadlineMs, maxBytes: largestBody });
    const waitMs = computeRetryDelayMs(outcome, attempt, ports.clock);
    if (waitMs === undefined) return outcome;
    await ports.clock.sleep(waitMs);
  }
}

function readRedirectTarget(response: Extract<HttpOutcome, { kind: 'response' }>, from: string): URL | undefined {
  const location = response.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return undefined;
  return URL.parse(location, from) ?? undefined;
}

type RetryClock = Pick<Clock, 'now' | 'parseInstant'>;

/**
 * Returns the milliseconds to wait before a GET is retried after a 429, a 503 or a lost connection. The wait doubles with each
 * attempt and is at least `Retry-After`. Returns undefined if the request isn't retried, or if `Retry-After` is too long.
 */
export function computeRetryDelayMs(outcome: HttpOutcome, attempt: number, clock: RetryClock): number | undefined {
  if (attempt >= retries.attempts || !isTransient(outcome)) return undefined;
  const requested =
    outcome.kind === 'response' ? parseRetryAfter(outcome.headers.get('retry-after'), clock) : undefined;
  if (requested !== undefined && requested > retries.longestWaitMs) return undefined;
  return Math.max(retries.firstWaitMs * 2 ** (attempt - 1), requested ?? 0);
}

function isTransient(outcome: HttpOutcome): boolean {
  if (outcome.kind === 'no-response') return outcome.because === 'reset' || outcome.because === 'deadline';
  return outcome.status === 429 || outcome.status === 503;
}

/** Returns the milliseconds until the time in `Retry-After` (seconds or a date). Returns undefined for any other text. */
export function parseRetryAfter(value: string | undefined, clock: RetryClock): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const instant = clock.parseInstant(value);
  return instant === undefined ? undefined : Math.max(0, instant - clock.now());
}
