import type { ServerRequest } from './messages.ts';

export type Match<Entry> =
  | { kind: 'found'; entry: Entry; params: Record<string, string> }
  | { kind: 'wrong-method'; allowed: readonly string[] }
  | { kind: 'unknown-path' };

export type Router<Entry> = { readonly match: (method: string, path: string) => Match<Entry> };

export const adminPrefix = '/__sandbox';

export function isAdminTarget(target: string): boolean {
  const { path } = splitTarget(target);
  return path === adminPrefix || path.startsWith(`${adminPrefix}/`);
}

/** Splits a request target into path and query, both unchanged. */
export function splitTarget(target: string): { path: string; query: string } {
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(target) ?? [];
  return { path, query: query === '?' ? '' : query };
}

/** A request with its path and query. The query begins with its question mark, or is empty. */
export type SplitRequest = { readonly request: ServerRequest; readonly path: string; readonly query: string };

export type Call<Account> = SplitRequest & {
  params: Readonly<Record<string, string>>;
  account: Account;
};

/** Creates a router for paths as they were sent. It decodes each segment separately, so that an encoded slash is not a separator. */
export function createRouter<Entry extends { route: string }>(entries: readonly Entry[]): Router<Entry> {
  const parsed = entries.map((entry) => {
    const [method = '', template = ''] = entry.route.split(' ');
    return { entry, method, template: template.split('/') };
  });
  const byLength = Map.groupBy(parsed, ({ template }) => template.length);
  return {
    match: (requestMethod, path) => {
      const segments = path.split('/').map(decodeSegment);
      const onPath = (byLength.get(segments.length) ?? []).flatMap(({ entry, method, template }) => {
        const params = matchSegments(template, segments);
        return params === undefined ? [] : [{ entry, method, params }];
      });
      const found = onPath.find(({ method }) => method === requestMethod);
      if (found !== undefined) return { kind: 'found', entry: found.entry, params: found.params };
      if (onPath.length === 0) return { kind: 'unknown-path' };
      return { kind: 'wrong-method', allowed: onPath.map(({ method }) => method) };
    },
  };
}

function matchSegments(
  template: readonly string[],
  segments: readonly (string | undefined)[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index];
    if (segment === undefined) return undefined;
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
    } else if (segment === '') return undefined;
    else params[part.slice(1, -1)] = segment;
  }
  return params;
}

/** Decodes a segment. Returns undefined if it has a broken escape or an encoded slash or NUL, or is `.` or `..`. */
function decodeSegment(segment: string): string | undefined {
  if (/^[\w-]*$/.test(segment)) return segment;
  try {
    const decoded = decodeURIComponent(segment);
    return /[/\0]|^\.\.?$/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
