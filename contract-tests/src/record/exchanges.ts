import { type Redactor, redactTree } from '../../../specs/src/index.ts';
import { cached } from '../contract/cache.ts';
import { decodeUtf8 } from '../contract/evidence.ts';
import type { Exchange, RawHeaders } from '../contract/exchange.ts';
import type { Target } from '../contract/target.ts';
import { shellHeaders } from '../report/curl-line.ts';
import { cutExchange, type ReportRedactor } from '../report/redact.ts';
import type { BodyRecord, ExchangeRecord, MessageRecord } from '../report/report.ts';
import type { ConformanceInput } from '../run/check.ts';
import { originOf } from '../run/engine.ts';
import { type Queued, readQueued } from '../run/settle.ts';
import type { KeptExchange, RecordedExchange } from './entries.ts';

/** Converts each exchange once and records it on first use, because rules share exchanges. */
export function openExchanges(
  { target, recorded }: ConformanceInput,
  redactor: ReportRedactor,
  add: (entry: RecordedExchange) => void,
) {
  const { redact } = redactor;
  let count = 0;
  const find = cached((original: Exchange): { readonly exchange: ExchangeRecord; at?: number } => {
    return { exchange: cutExchange(redactTree(recordExchange(original, target, redactor), redact)) };
  });
  const keep = (named: Exchange, queued?: Queued): KeptExchange => {
    const original = originOf(named);
    const found = find(original);
    const { repeatedAfterMs } = original;
    if (found.at === undefined)
      add({
        kind: 'exchange',
        exchange: found.exchange,
        ...(repeatedAfterMs && { repeatedAfterMs }),
        ...(queued && { queued: redactTree(queued, redact) }),
      });
    found.at ??= count++;
    return { at: found.at, step: redact(named.step) };
  };
  return {
    keep,
    convert: (named: Exchange): ExchangeRecord => ({ ...find(originOf(named)).exchange, step: redact(named.step) }),
    /** Immediately records calls that are retried or queued. */
    note: (exchange: Exchange): void => {
      // Learn the values of configured headers, parameters and members, to redact them in all later entries.
      if (target.redact !== undefined) find(exchange);
      // Only cancel requests that this check submitted.
      const queued = recorded === undefined ? readQueued(exchange, target) : undefined;
      if (queued || exchange.repeatedAfterMs) keep(exchange, queued);
    },
  };
}

function recordExchange(exchange: Exchange, target: Target, redactor: ReportRedactor): ExchangeRecord {
  const { step, attempt, api, request, result, timing, rebasedFrom } = exchange;
  const { redactHeader, redactMembers } = redactor;
  const credentials = shellHeaders(request.headers, api, { target, ...redactor });
  const message = (headers: RawHeaders, body: Uint8Array = new Uint8Array()): MessageRecord => ({
    headers: headers.map(([name, value]) => [name, redactHeader(name, value)]),
    body: recordBody(body, redactMembers),
  });
  return {
    step,
    attempt,
    request: {
      method: request.method,
      url: request.url,
      ...message(request.headers, request.body),
      ...(credentials.length === 0 ? {} : { credentials }),
    },
    response:
      result.kind === 'response'
        ? { kind: result.kind, status: result.status, ...message(result.headers, result.body) }
        : result,
    startedAtMs: Math.round(timing.startedAtMs),
    durationMs: Math.round(timing.durationMs),
    ...(result.kind === 'response' && result.waitMs !== undefined ? { waitMs: result.waitMs } : {}),
    ...(rebasedFrom === undefined ? {} : { rebasedFrom }),
  };
}

/** Maximum length to redact. It is longer than what is shown, because redaction shortens texts. */
const maxBodyRead = 256 * 1024;

function recordBody(body: Uint8Array, redactMembers: Redactor): BodyRecord {
  if (body.length === 0) return { kind: 'none' };
  const decoded = decodeUtf8(body);
  if (decoded === undefined) return { kind: 'binary', sizeBytes: body.length };
  const text = redactMembers(decoded);
  const isCut = text.length > maxBodyRead;
  return { kind: 'text', text: text.slice(0, maxBodyRead), sizeBytes: body.length, isCut };
}
