import type { Exchange, RawHeaders } from '../contract/probe.ts';
import type { Target } from '../contract/target.ts';
import { createHeaderRedactor, createRedactor } from '../report/redact.ts';
import { isoTime } from '../wire/system-clock.ts';

/** Recorded traffic as HAR 1.2, without credentials: headers that hold one are replaced, and each text is searched for them. */
export function renderHar(exchanges: readonly Exchange[], target: Target): string {
  const hide: Hide = { redact: createRedactor(target), redactHeader: createHeaderRedactor(target) };
  const entries = exchanges.map((exchange) => entryOf(exchange, hide));
  const creator = { name: 'switchyard', version: '1' };
  return `${JSON.stringify({ log: { version: '1.2', creator, entries } }, null, 1)}\n`;
}

type Hide = {
  readonly redact: ReturnType<typeof createRedactor>;
  readonly redactHeader: ReturnType<typeof createHeaderRedactor>;
};

function entryOf({ request, result, timing }: Exchange, hide: Hide) {
  const { redact } = hide;
  const sent = textOf(request.body ?? new Uint8Array());
  const time = Math.max(0, Math.round(timing.durationMs));
  const wait = Math.min(time, (result.kind === 'response' ? result.waitMs : undefined) ?? time);
  const response =
    result.kind === 'response'
      ? { status: result.status, headers: linesOf(result.headers, hide), content: contentOf(result, redact) }
      : { status: 0, headers: [], content: { size: 0, mimeType: '' }, comment: redact(result.detail) };
  return {
    startedDateTime: isoTime(timing.startedAtMs),
    time,
    request: {
      method: request.method,
      url: redact(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: linesOf(request.headers, hide),
      queryString: [],
      ...(sent === undefined || sent === ''
        ? {}
        : { postData: { mimeType: typeOf(request.headers), text: redact(sent) } }),
      headersSize: -1,
      bodySize: request.body?.length ?? 0,
    },
    response: {
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...response,
    },
    cache: {},
    timings: { send: 0, wait, receive: time - wait },
  };
}

function contentOf(
  { body, headers }: { readonly body: Uint8Array; readonly headers: RawHeaders },
  redact: Hide['redact'],
) {
  const text = textOf(body);
  const kept =
    text === undefined ? { text: Buffer.from(body).toString('base64'), encoding: 'base64' } : { text: redact(text) };
  return { size: body.length, mimeType: typeOf(headers), ...kept };
}

function typeOf(headers: RawHeaders): string {
  return headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
}

function linesOf(headers: RawHeaders, { redact, redactHeader }: Hide) {
  return headers.map(([name, value]) => {
    const [, shown] = redactHeader(name, value);
    return { name, value: redact(shown) };
  });
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
