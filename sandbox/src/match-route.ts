import { type Api, type Route, routes } from './routes.ts';

export type Match =
  | { kind: 'route'; route: Route; params: Record<string, string> }
  | { kind: 'wrong-method'; allowed: readonly string[] }
  | { kind: 'unknown-path' };

type Pattern = { route: Route; segments: readonly string[] };

const patterns: readonly Pattern[] = routes.map((route) => ({ route, segments: route.path.split('/').slice(1) }));
// By number of segments, so that a call is compared with two or three patterns and not with all.
const byLength = Map.groupBy(patterns, ({ segments }) => segments.length);

export function matchRoute(method: string, pathname: string): Match {
  const segments = pathname.split('/').slice(1).map(decodeSegment);
  const onPath = (byLength.get(segments.length) ?? []).flatMap(({ route, segments: wanted }) => {
    const params = matchSegments(wanted, segments);
    return params === undefined ? [] : [{ route, params }];
  });
  const found = onPath.find(({ route }) => route.method === method);
  if (found !== undefined) return { kind: 'route', ...found };
  if (onPath.length === 0) return { kind: 'unknown-path' };
  return { kind: 'wrong-method', allowed: onPath.map(({ route }) => route.method) };
}

/** Whose envelope answers what no route serves. */
export function apiOf(pathname: string): Api {
  return /^\/api(?:\/|$)/.test(pathname) ? 'workflow-execution' : 'model-router';
}

function matchSegments(
  wanted: readonly string[],
  segments: readonly (string | undefined)[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, pattern] of wanted.entries()) {
    const segment = segments[index];
    if (segment === undefined || segment === '') return undefined;
    if (pattern.startsWith('{')) params[pattern.slice(1, -1)] = segment;
    else if (pattern !== segment) return undefined;
  }
  return params;
}

/** Undefined for what cannot be one segment: broken escapes, a slash or NUL hidden in them, and dot segments. */
function decodeSegment(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment);
    return /[/\0]|^\.\.?$/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
