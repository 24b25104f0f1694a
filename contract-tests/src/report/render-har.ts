import { readHeader } from '../contract/evidence.ts';
import { printTime } from '../wire/system-clock.ts';
import type { BodyRecord, ConformanceReport, ExchangeRecord } from './report.ts';

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
    .map(({ exchange, ruleId }) => describeEntry(exchange, ruleId));
  const comment = 'Credentials and bodies that are no text are left out; a body that is cut has a comment.';
  return `${JSON.stringify({ log: { version: '1.2', creator: { name: 'switchyard conform', version: '1' }, comment, entries } })}\n`;
}

const everywhere = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function describeEntry(exchange: ExchangeRecord, ruleId: string): object {
  const { step, request, startedAtMs, durationMs } = exchange;
  const { headers, body, method, url } = request;
  const wait = Math.min(durationMs, exchange.waitMs ?? durationMs);
  return {
    startedDateTime: printTime(startedAtMs),
    time: durationMs,
    comment: `${ruleId}: ${step}`,
    request: {
      ...everywhere,
      method,
      url,
      headers: listLines(headers),
      queryString: listLines([...(URL.parse(url)?.searchParams ?? [])]),
      bodySize: readSize(body),
      ...(body.kind === 'text' && { postData: { mimeType: readType(headers), ...describeText(body) } }),
    },
    response: { ...everywhere, redirectURL: '', ...describeResponse(exchange) },
    cache: {},
    timings: { send: 0, wait, receive: durationMs - wait },
  };
}

function describeResponse({ response }: ExchangeRecord): object {
  if (response.kind === 'no-response') {
    const { because, detail } = response;
    const content = { size: 0, mimeType: '' };
    return { status: 0, statusText: because, headers: [], content, bodySize: -1, comment: detail };
  }
  const { status, headers, body } = response;
  const size = readSize(body);
  const content = { size, mimeType: readType(headers), ...(body.kind === 'text' && describeText(body)) };
  return { status, statusText: '', headers: listLines(headers), content, bodySize: size };
}

function listLines(lines: readonly (readonly [string, string])[]): object[] {
  return lines.map(([name, value]) => ({ name, value }));
}

function readType(headers: readonly (readonly [string, string])[]): string {
  return readHeader({ headers }, 'content-type') ?? '';
}

function describeText({ text, sizeBytes, isCut }: Extract<BodyRecord, { kind: 'text' }>): object {
  return { text, ...(isCut && { comment: `cut: it had ${sizeBytes} bytes` }) };
}

/** Of a body that is whole, what the file holds of it, which may be redacted: a larger size says that it is cut. */
function readSize(body: BodyRecord): number {
  if (body.kind === 'none') return 0;
  return body.kind === 'text' && !body.isCut ? Buffer.byteLength(body.text) : body.sizeBytes;
}
