import type { Http, HttpOutcome, HttpRequest, NoAnswer } from '../ports.ts';

/** The platform's fetch as a port: one GET, no redirect, a deadline over headers and body, a bounded body. */
export const fetchHttp: Http = async (request) => {
  try {
    return await send(request);
  } catch (error) {
    return { kind: 'no-answer', because: reasonOf(error), detail: describe(error) };
  }
};

async function send(request: HttpRequest): Promise<HttpOutcome> {
  const response = await fetch(request.url, {
    headers: request.headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(request.deadlineMs),
  });
  const bytes = await readBody(response, request.maxBytes);
  if (bytes === undefined) {
    return { kind: 'no-answer', because: 'too-large', detail: `the body is longer than ${request.maxBytes} bytes` };
  }
  return { kind: 'answer', status: response.status, headers: new Map(response.headers), bytes };
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  if (response.body === null) return new Uint8Array();
  // What announces itself as too long need not be read at all.
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  const reader = response.body.getReader();
  for (let length = 0, part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

const refusals = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_INVALID_URL']);
const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function reasonOf(error: unknown): NoAnswer {
  if (error instanceof Error && error.name === 'TimeoutError') return 'deadline';
  const code = codeOf(error);
  if (code === undefined) return 'failed';
  if (refusals.has(code)) return 'refused';
  return resets.has(code) ? 'reset' : 'failed';
}

// Node wraps the socket's error once or twice, and several attempts (IPv6, IPv4) into an aggregate.
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

function describe(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === undefined ? message : `${message}: ${code}`;
}
