import type { App, Reply } from './messages.ts';

const preflightSeconds = 600;

/** Allows pages of these origins (`*`: all) to call the app. Replies to preflight requests itself, because they have no credential. */
export function withCors(app: App, origins: readonly string[]): App {
  if (origins.length === 0) return app;
  return async (request) => {
    const { origin, 'access-control-request-method': wanted, ...headers } = request.headers;
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return app(request);
    if (request.method === 'OPTIONS' && wanted !== undefined)
      return preflight(origin, { method: wanted, headers: headers['access-control-request-headers'] });
    return withCorsHeaders(await app(request), origin);
  };
}

function preflight(origin: string, wanted: { method: string; headers: string | undefined }): Reply {
  const headers = {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': wanted.method,
    ...(wanted.headers === undefined ? {} : { 'Access-Control-Allow-Headers': wanted.headers }),
    'Access-Control-Max-Age': String(preflightSeconds),
    Vary: 'Origin',
  };
  return { status: 204, headers, body: '' };
}

/** Lets a page read every header, because callers need request ids, categories and `Retry-After`. */
function withCorsHeaders(reply: Reply, origin: string): Reply {
  const vary = Object.entries(reply.headers).find(([name]) => name.toLowerCase() === 'vary');
  const headers = {
    ...reply.headers,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': Object.keys(reply.headers).join(', '),
    [vary?.[0] ?? 'Vary']: [vary?.[1], 'Origin'].filter(Boolean).join(', '),
  };
  return { ...reply, headers };
}
