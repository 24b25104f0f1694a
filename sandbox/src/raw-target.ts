/**
 * The path of a request as it was on the wire. A URL has dot segments resolved and so would let `/v2/x/%2e%2e/models` pass for
 * `/v2/models`; the socket adapter notes down what the caller wrote.
 */
const rawPaths = new WeakMap<Request, string>();

export function rememberRawTarget(request: Request, target: string): void {
  // In absolute form the path is what follows the origin, and an empty one is the root.
  rawPaths.set(request, target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/');
}

export function pathOf(request: Request): string {
  return rawPaths.get(request) ?? new URL(request.url).pathname;
}
