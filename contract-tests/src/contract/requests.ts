import type { ScenarioRequest, WireRequest } from './exchange.ts';
import type { ApiName } from './target.ts';

export type RequestParts = Omit<ScenarioRequest, 'api' | 'method' | 'to'>;

export function get(api: ApiName, to: string, parts: RequestParts = {}): ScenarioRequest {
  return { api, method: 'GET', to, ...parts };
}

export const onKeptConnection: RequestParts = { headers: [['Connection', 'keep-alive']] };

/** Percent-encodes a text for use in a URL. Replaces lone surrogates, which URLs cannot express. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Returns `/v2/models/{provider}/{model}` with percent-encoded segments, because ids may contain any character. */
export function modelPath(id: string): string {
  return `/v2/models/${id.split('/').map(encodeText).join('/')}`;
}

/** Decodes a path segment. Returns it unchanged if its percent-encoding is invalid. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True unless the call is a read, a cancellation, or a call of the workflow API. */
export function mayStartRun(
  { api, method }: { readonly api: ApiName; readonly method: string },
  { url, body }: WireRequest,
): boolean {
  if (api !== 'router' || safeMethods.has(method)) return false;
  return method === 'POST' || (body !== undefined && !/\/cancel$/.test(new URL(url).pathname));
}
