import { SetupFailure } from '../contract/errors.ts';
import { isScripted, readHeader, readMember } from '../contract/evidence.ts';
import type {
  CredentialUse,
  Evidence,
  Exchange,
  Ports,
  ProbeBody,
  ProbeRequest,
  RawHeaders,
  Step,
  WireRequest,
} from '../contract/probe.ts';
import { mayStartRun } from '../contract/steps.ts';
import type { ApiName, Target } from '../contract/target.ts';
import { findRefusal } from '../requires.ts';
import { countOutages, isDownPage, isOutage, outagesInARow } from './outages.ts';

export function openLog(onAdd: (exchange: Exchange) => void = () => undefined) {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  return {
    exchanges: exchanges as Evidence,
    /** Why nothing more can be asked in a check; undefined while it can. Large results are no fault of a target. */
    whyFull: (): string | undefined =>
      bytes > heldAtMost ? `the responses of this check exceed ${heldAtMost} bytes together` : undefined,
    add: (exchange: Exchange): void => {
      const { request, result } = exchange;
      exchanges.push(exchange);
      // Bodies of requests are those of the rules, which hold them anyway.
      bytes += request.url.length;
      if (result.kind === 'response')
        bytes += result.headers.reduce((sum, line) => sum + line.join('').length, result.body.length);
      onAdd(exchange);
    },
  };
}

export type ExchangeLog = Readonly<ReturnType<typeof openLog>>;

// Every response is kept until the end of the check.
const heldAtMost = 96 * 1024 * 1024;

const repeatsAtMost = 4;
const failuresAtMost = 2;
/** Longer waits that a target asks for are not made. */
const longestWaitMs = 30_000;
const waitsOfCheckMs = 120_000;
const firstWaitMs = 500;

export type Prepared = { readonly wanted: ProbeRequest; readonly request: WireRequest };
type Sending = {
  readonly step: Step;
  readonly attempt: number;
  readonly sender: {
    readonly target: Pick<Target, 'kind'>;
    readonly ports: Pick<Ports, 'exchange' | 'clock'>;
    readonly log: ExchangeLog;
    /** Whether a call was turned away for the moment, without being billed. */
    readonly runs: { isTurnedAway(exchange: Exchange): boolean };
  };
  /** Of one request; it is cut off at `endsAtMs` in any case. */
  readonly deadlineMs: number;
  readonly endsAtMs: number;
};

/** `putOff`: that the target wanted too long a wait before it serves the request, which says nothing about what it serves. */
export type Sent = { readonly exchange: Exchange; readonly putOff?: string };

/**
 * Sends a request. A call that can start no run is sent again after 429, 503, a page of a proxy that reports a service that
 * is down, or a failure that every operation may have (WX-COD-24): after its `Retry-After` (MR-IDM-11, MR-CAT-57), a bounded
 * number of times. A call that could start a run is sent again only where it was turned away unbilled.
 */
export async function send(prepared: Prepared, sending: Sending): Promise<Sent> {
  const { endsAtMs } = sending;
  const { target, ports, log, runs } = sending.sender;
  for (let repeats = 0; ; repeats += 1) {
    const exchange = await sendAttempt(prepared, sending);
    if (!isForNow(exchange, prepared, sending)) return { exchange };
    const waitMs = computeBackoff(exchange, repeats);
    const isLasting =
      target.kind === 'live' && isOutage(exchange) && countOutages(exchange, log.exchanges) >= outagesInARow;
    if (isLasting && repeats === 0)
      return { exchange, putOff: `${describeRequest(exchange)} has met an outage in every call since an earlier rule` };
    if (repeats === (isFailedRead(exchange) ? failuresAtMost : repeatsAtMost))
      return runs.isTurnedAway(exchange) ? putOff(exchange, waitMs) : { exchange };
    if (isTooLong(waitMs, log.exchanges) || ports.clock.now() + waitMs >= endsAtMs) return putOff(exchange, waitMs);
    log.add({ ...exchange, repeatedAfterMs: waitMs });
    await ports.clock.sleep(waitMs);
  }
}

function isForNow(exchange: Exchange, { wanted }: Prepared, { step, sender }: Sending): boolean {
  // What was scripted is what the rule asks for.
  if (isFailedRead(exchange)) return !isScripted(step, exchange);
  if (isLimited(wanted)) return false;
  if (sender.runs.isTurnedAway(exchange)) return true;
  return !mayStartRun(wanted, exchange.request) && isRefused(exchange) && !isScripted(step, exchange);
}

/** The wait before a call is sent again for the `repeats`-th time, in milliseconds. */
export function computeBackoff(exchange: Exchange, repeats: number): number {
  return Math.max(readHint(exchange), firstWaitMs * 2 ** repeats);
}

/** True where the wait, or all waits of the check with it, exceed what a check waits. */
export function isTooLong(waitMs: number, log: Evidence): boolean {
  const waitedMs = log.reduce((sum, { repeatedAfterMs = 0 }) => sum + repeatedAfterMs, 0);
  return waitMs > longestWaitMs || waitedMs + waitMs > waitsOfCheckMs;
}

export function describeRequest({ request }: Pick<Exchange, 'request'>): string {
  return `${request.method} ${new URL(request.url).pathname}`;
}

/** A failure that lasts is no wait that the target asked for, and decides. */
function putOff(exchange: Exchange, ms: number): Sent {
  const { step, result } = exchange;
  if (isFailedRead(exchange)) return { exchange };
  const answer = result.kind === 'response' ? result.status : 'no answer';
  return { exchange, putOff: `the target put off step "${step}" with ${answer}, for ${ms / 1_000} s` };
}

/** A credential that is limited at all times shows what a limit looks like. */
function isLimited({ credentials = [] }: ProbeRequest): boolean {
  return credentials.some(({ who }) => findRefusal(who)?.[0] === 429);
}

function isRefused(exchange: Exchange): boolean {
  const { result } = exchange;
  return (result.kind === 'response' && [429, 503].includes(result.status)) || isDownPage(exchange);
}

/** Every call of the workflow API is a read. */
function isFailedRead({ api, result }: Exchange): boolean {
  const isFailure = api === 'workflow' && result.kind === 'response' && result.status === 500;
  return isFailure && readMember(result, '/error/code') === 'upstream_error';
}

/** `Retry-After` in milliseconds; 0 where it is absent or no number. */
export function readHint({ result }: Exchange): number {
  const seconds = result.kind === 'response' ? readHeader(result, 'Retry-After')?.trim() : undefined;
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : 0;
}

/** The only place that sends. */
async function sendAttempt({ wanted, request }: Prepared, sending: Sending): Promise<Exchange> {
  const { step, attempt, endsAtMs } = sending;
  const { ports } = sending.sender;
  const startedAtMs = ports.clock.now();
  const deadlineMs = Math.min(sending.deadlineMs, endsAtMs - startedAtMs);
  const result = await ports.exchange(request, deadlineMs);
  const isAsGiven = wanted.to.startsWith('/') || new URL(wanted.to).href === request.url;
  return {
    step: step.name,
    attempt,
    api: wanted.api,
    request,
    result,
    timing: { startedAtMs, durationMs: ports.clock.now() - startedAtMs },
    ...(wanted.credentials === undefined ? {} : { credentials: wanted.credentials }),
    ...(isAsGiven ? {} : { rebasedFrom: wanted.to }),
  };
}

/** Unknown to every target; not a secret. */
const wrongCredential = 'switchyard-wrong-credential-0000000000';

function defaultUses(target: Target, api: ApiName): readonly CredentialUse[] {
  // The workflow API may be open to all (WX 5): without a token of its own, none is sent.
  if (api === 'workflow' && target.workflow?.credentials.main === undefined) return [];
  return [{ as: 'usual', who: 'main' }];
}

/** The only place where credential values enter a request. */
export function prepareRequest(target: Target, wanted: ProbeRequest): Prepared {
  const side = target[wanted.api];
  if (side === undefined) throw new SetupFailure(`the target offers no ${wanted.api} API`);
  const url = resolveAddress(side.url, wanted.to);
  const uses = wanted.credentials ?? defaultUses(target, wanted.api);
  const headers: RawHeaders = [
    ...(target.headers ?? []).map(({ name, value }) => [name, value] as const),
    ...(wanted.headers ?? []),
    ...uses.map((use) => makeCredentialHeader(use, target, wanted.api)),
    ...makeTypeHeader(wanted),
    ...(target.kind === 'mock' && wanted.prefer !== undefined ? [['Prefer', `code=${wanted.prefer}`] as const] : []),
  ];
  const request = { method: wanted.method, url, headers, body: encodeBody(wanted.body, target) };
  return { wanted, request };
}

function makeCredentialHeader({ as, who }: CredentialUse, target: Target, api: ApiName): readonly [string, string] {
  const usual = api === 'router' ? (target.router?.scheme ?? 'api-key') : 'bearer';
  const value = readCredential(target, api, who);
  return (as === 'usual' ? usual : as) === 'api-key' ? ['X-API-Key', value] : ['Authorization', `Bearer ${value}`];
}

function readCredential(target: Target, api: ApiName, who: CredentialUse['who']): string {
  if (who === 'wrong') return wrongCredential;
  if (who === 'empty') return '';
  const name = who === 'lengthened' || who === 'shortened' || who === 'recased' ? 'main' : who;
  const value = target[api]?.credentials[name];
  if (value === undefined) throw new SetupFailure(`no ${api} credential "${name}" is configured`);
  if (who === 'shortened') return value.slice(0, -1);
  const capitals = value.toUpperCase();
  // Never the value itself: one without small letters gets a character appended.
  if (who === 'recased' && capitals !== value) return capitals;
  return who === name ? value : `${value}0`;
}

function makeTypeHeader({ body, headers }: ProbeRequest): RawHeaders {
  if (body === undefined || headers?.some(([name]) => name.toLowerCase() === 'content-type')) return [];
  if (body.kind === 'json') return [['Content-Type', 'application/json']];
  return body.mediaType === undefined ? [] : [['Content-Type', body.mediaType]];
}

function encodeBody(body: ProbeBody | undefined, { budget }: Target): Uint8Array | undefined {
  if (body === undefined || body.kind === 'bytes') return body?.bytes;
  const texts = (budget?.models ?? []).flatMap((model) =>
    Object.entries(model.texts ?? {}).filter(([name]) => Reflect.get(model, name) === body.value),
  );
  return new TextEncoder().encode(texts[0]?.[1] ?? JSON.stringify(body.value));
}

const longestAddress = 8_192; // servers take as much; a report repeats it with every exchange

/**
 * The URL of a request: a path below the base, kept as written, or a URL from a response. Such a URL never leads away from the
 * target: with another origin (a proxy in front, an example of a mock) its path is requested below the target's base.
 */
export function resolveAddress(baseUrl: string, to: string): string {
  if (to.length > longestAddress) throw new SetupFailure(`an address of ${to.length} characters is not requested`);
  const base = baseUrl.replace(/\/+$/, '');
  if (to.startsWith('/')) return base + to;
  const followed = new URL(to);
  const own = new URL(base);
  const isOwn = followed.origin === own.origin && followed.username === '' && followed.password === '';
  if (isOwn) return followed.href;
  const prefix = own.pathname.replace(/\/+$/, '');
  const path = followed.pathname + followed.search;
  return prefix !== '' && path.startsWith(`${prefix}/`) ? own.origin + path : base + path;
}
