import type { ProbeRequest, WireRequest } from './probe.ts';
import type { ApiName } from './target.ts';

export type RequestParts = Omit<ProbeRequest, 'api' | 'method' | 'to'>;

export function get(api: ApiName, to: string, parts: RequestParts = {}): ProbeRequest {
  return { api, method: 'GET', to, ...parts };
}

export const onKeptConnection: RequestParts = { headers: [['Connection', 'keep-alive']] };

/** As a part of an address. A text of the target may hold half of a sign, which no address can. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** `/v2/models/{provider}/{model}`, segments percent-encoded: ids of a real catalog may hold more than letters. */
export function modelPath(id: string): string {
  return `/v2/models/${id.split('/').map(encodeText).join('/')}`;
}

/** A segment of a path, decoded; unchanged if its percent-encoding is invalid. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const harmless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True unless the call is a read, a cancellation, or one of the workflow API. */
export function mayStartRun(
  { api, method }: Pick<ProbeRequest, 'api' | 'method'>,
  { url, body }: WireRequest,
): boolean {
  if (api !== 'router' || harmless.has(method)) return false;
  return method === 'POST' || (body !== undefined && !/\/cancel$/.test(new URL(url).pathname));
}
