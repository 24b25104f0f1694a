const members = ['status_url', 'response_url', 'cancel_url'];
const literal = new RegExp(`("(?:${members.join('|')})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*")`, 'g');

/** Whether this response may hold the URLs of a queue handle: of a submission, a status, a cancellation, a result to come. */
export function mayHoldHandle(method: string, path: string, status: number): boolean {
  const found = /^\/v2\/models\/[^/?]+\/[^/?]+\/requests(\/[^?]*)?(?:\?|$)/.exec(path);
  if (found === null) return false;
  const [, rest = ''] = found;
  if (rest === '') return method === 'POST';
  if (method === 'PUT') return rest.endsWith('/cancel');
  return method === 'GET' && (rest.endsWith('/status') || status === 202);
}

/**
 * The text with the three URLs of a handle below `own` in place of `base`; every other character stays. A URL of another origin
 * keeps its path from `/v2/models/` on; one without such a path stays as it is.
 */
export function withHandleUrls(text: string, base: string, own: string): string {
  return text.replace(literal, (whole, before: string, quoted: string) => {
    const url = textOf(quoted);
    const path = url === undefined ? undefined : pathOf(url, base);
    return path === undefined ? whole : `${before}${JSON.stringify(`${own}${path}`)}`;
  });
}

function textOf(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

function pathOf(url: string, base: string): string | undefined {
  if (url.startsWith(`${base}/`)) return url.slice(base.length);
  if (!/^https?:\/\//.test(url)) return undefined;
  const at = url.indexOf('/v2/models/');
  return at === -1 ? undefined : url.slice(at);
}
