import { isoTime } from '../wire/system-clock.ts';
import type { BodyRecord, ConformanceReport, ExchangeRecord } from './report.ts';

/** HAR 1.2 with every exchange of the results once, for the tools that read it. */
export function renderHar(report: ConformanceReport): string {
  const seen = new Set<string>();
  const exchanges = report.results.flatMap(({ ruleId, evidence }) =>
    evidence.flatMap((exchange) => {
      const key = JSON.stringify([exchange.request, exchange.response, exchange.startedAtMs, exchange.durationMs]);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ exchange, ruleId }];
    }),
  );
  const entries = exchanges
    .toSorted((one, other) => one.exchange.startedAtMs - other.exchange.startedAtMs)
    .map(({ exchange, ruleId }) => entryOf(exchange, ruleId));
  const comment = 'Credentials are left out.';
  return `${JSON.stringify({ log: { version: '1.2', creator: { name: 'switchyard conform', version: '1' }, comment, entries } })}\n`;
}

function entryOf(exchange: ExchangeRecord, ruleId: string): object {
  const { step, request, response, startedAtMs, durationMs } = exchange;
  const body = textOf(request.body);
  const wait = Math.min(durationMs, exchange.waitMs ?? durationMs);
  return {
    startedDateTime: isoTime(startedAtMs),
    time: durationMs,
    comment: `${ruleId}: ${step}`,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(request.headers),
      queryString: [...(URL.parse(request.url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: sizeOf(request.body),
      ...(body === undefined ? {} : { postData: { mimeType: headerOf(request.headers, 'content-type'), text: body } }),
    },
    response: responseOf(response),
    cache: {},
    timings: { send: 0, wait, receive: durationMs - wait },
  };
}

function responseOf(response: ExchangeRecord['response']): object {
  const shared = { httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '', headersSize: -1 };
  if (response.kind === 'no-response') {
    const content = { size: 0, mimeType: '' };
    return {
      ...shared,
      status: 0,
      statusText: response.because,
      headers: [],
      content,
      bodySize: -1,
      comment: response.detail,
    };
  }
  const { status, headers, body } = response;
  const text = textOf(body);
  const content = {
    size: sizeOf(body),
    mimeType: headerOf(headers, 'content-type'),
    ...(text === undefined ? {} : { text }),
  };
  return { ...shared, status, statusText: '', headers: headersOf(headers), content, bodySize: sizeOf(body) };
}

function headersOf(headers: readonly (readonly [string, string])[]): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function headerOf(headers: readonly (readonly [string, string])[], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

function textOf(body: BodyRecord): string | undefined {
  return body.kind === 'text' ? body.text : undefined;
}

function sizeOf(body: BodyRecord): number {
  return body.kind === 'none' ? 0 : body.sizeBytes;
}
