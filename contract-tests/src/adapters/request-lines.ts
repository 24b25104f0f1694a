import type { NoResponse, RawHeaders, WireRequest } from '../probe.ts';

/** The path as written and all header lines: those of the probe, and those that any request needs. */
export function requestLines(request: WireRequest): { readonly path: string; readonly lines: RawHeaders } {
  const { host } = new URL(request.url);
  const lines = [...request.headers, ['Host', host] as const, ['Connection', 'close'] as const, ...lengthOf(request)];
  return { path: literalPath(request.url), lines };
}

/** Methods that usually carry a body say when they carry none; node:http would send an empty chunked one instead. */
const expectsBody = /^(?:POST|PUT|PATCH)$/;

function lengthOf({ method, headers, body }: WireRequest): RawHeaders {
  const isDeclared = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  if (isDeclared || (body === undefined && !expectsBody.test(method))) return [];
  return [['Content-Length', String(body?.length ?? 0)]];
}

/** WHATWG URL collapses `%2e%2e` and empty segments; a probe means what it wrote. */
function literalPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : url.slice(start);
}

export function noResponse(because: NoResponse['because'], detail: string): NoResponse {
  return { kind: 'no-response', because, detail };
}

const reasons: readonly (readonly [RegExp, NoResponse['because']])[] = [
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unresolved'],
  [/^(?:CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/, 'tls'],
  [/^HPE_/, 'malformed'],
];

export function reasonOf(error: Error): NoResponse {
  const code = 'code' in error ? String(error.code) : '';
  const because = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset';
  return noResponse(because, code === '' ? error.message : `${code}: ${error.message}`);
}
