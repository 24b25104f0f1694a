import type { Credential } from '../config.ts';
import type { Clock, Http, HttpOutcome } from '../ports.ts';
import { decideRetry, defaultRetryPolicy } from './retry.ts';

export type SourceAnswer =
  | { kind: 'answer'; status: number; headers: ReadonlyMap<string, string>; bytes: Uint8Array }
  | { kind: 'no-answer'; because: 'refused' | 'reset' | 'deadline' | 'too-large' | 'failed'; detail: string }
  | { kind: 'redirect-refused'; status: number; headers: ReadonlyMap<string, string>; origin: string };

/** A router, seen as conditional GETs below its base URL. */
export type Source = {
  readonly baseUrl: string;
  /** Milliseconds, for bounds over many requests. */
  now(): number;
  /** `path` starts with `/v2`; retries, deadline and same-origin redirects are dealt with inside. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<SourceAnswer>;
};

const deadlineMs = 60_000;
const redirectsAtMost = 5;
/** Of one page or one document; real ones take a hundredth of it, and several are held at once. */
const largestBody = 16 * 1024 * 1024;

export function createSource(
  config: { routerUrl: string; credential: Credential | undefined },
  ports: { http: Http; clock: Clock },
): Source {
  const baseUrl = config.routerUrl.replace(/\/+$/, '');
  const credentials = credentialHeaders(config.credential);
  return {
    baseUrl,
    now: () => ports.clock.now(),
    async get(path, headers = {}) {
      let url = `${baseUrl}${path}`;
      for (let redirects = 0; redirects <= redirectsAtMost; redirects++) {
        const outcome = await attempt(
          { url, headers: { accept: 'application/json', ...credentials, ...headers } },
          ports,
        );
        const next = outcome.kind === 'answer' ? redirectTarget(outcome, url) : undefined;
        if (outcome.kind !== 'answer' || next === undefined) return outcome;
        // A credential never leaves the origin it was given for.
        if (next.origin !== new URL(url).origin)
          return { kind: 'redirect-refused', status: outcome.status, headers: outcome.headers, origin: originOf(next) };
        url = next.href;
      }
      return { kind: 'no-answer', because: 'failed', detail: `more than ${redirectsAtMost} redirects` };
    },
  };
}

function credentialHeaders(credential: Credential | undefined): Record<string, string> {
  if (credential === undefined) return {};
  return credential.kind === 'api-key'
    ? { 'x-api-key': credential.value }
    : { authorization: `Bearer ${credential.value}` };
}

async function attempt(
  request: { url: string; headers: Readonly<Record<string, string>> },
  ports: { http: Http; clock: Clock },
): Promise<HttpOutcome> {
  for (let number = 1; ; number++) {
    const outcome = await ports.http({ ...request, deadlineMs, maxBytes: largestBody });
    const decision = decideRetry(outcome, number, { policy: defaultRetryPolicy, clock: ports.clock });
    if (decision.kind === 'stop') return outcome;
    await ports.clock.sleep(decision.ms);
  }
}

// What is not of the web has no origin; its address may hold anything, so that only its scheme is told.
function originOf({ origin, protocol }: URL): string {
  return origin === 'null' ? `${protocol}…` : origin;
}

function redirectTarget(
  answer: { status: number; headers: ReadonlyMap<string, string> },
  from: string,
): URL | undefined {
  const location = answer.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return undefined;
  return URL.parse(location, from) ?? undefined;
}
