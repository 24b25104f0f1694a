import type { BodyRecord, ConformanceReport, ExchangeRecord } from './report.ts';

/** HAR 1.2 with every exchange of the results once, for the tools that read it. */
export function renderHar(report: ConformanceReport): string {
  const seen = new Set<string>();
  const entries = report.results.flatMap(({ ruleId, evidence }) =>
    evidence.flatMap((exchange) => {
      const key = JSON.stringify([exchange.request, exchange.response, exchange.durationMs]);
      if (seen.has(key)) return [];
      seen.add(key);
      return [entryOf(exchange, ruleId, seen.size)];
    }),
  );
  const comment = 'Credentials are left out. Entries are in the order of the rules; their dates only keep that order.';
  return `${JSON.stringify({ log: { version: '1.2', creator: { name: 'switchyard conform', version: '1' }, comment, entries } })}\n`;
}

function entryOf({ step, request, response, durationMs }: ExchangeRecord, ruleId: string, index: number): object {
  const body = textOf(request.body);
  return {
    startedDateTime: `1970-01-01T${clockTime(index)}Z`,
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
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

function clockTime(index: number): string {
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${part(Math.floor(index / 3_600) % 24)}:${part(Math.floor(index / 60) % 60)}:${part(index % 60)}.000`;
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
