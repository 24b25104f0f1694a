import { toDigest } from '../src/content.ts';
import type { Http, HttpOutcome, HttpRequest } from '../src/ports.ts';

export type Reply = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array | object };
export type FakeRouter = {
  http: Http;
  requests: HttpRequest[];
  /** Documents by model id, each as an object or as its exact text. Tests may change them between runs. */
  models: Map<string, string | object>;
  /** Returns a reply to send instead of the router's own, or undefined. */
  intercept: (request: HttpRequest, url: URL) => Reply | HttpOutcome | undefined;
};

export const routerUrl = 'http://router.test';

function respond({ status = 200, headers = {}, body = '' }: Reply): HttpOutcome {
  const isText = typeof body === 'string';
  const isBytes = body instanceof Uint8Array;
  const bytes = isBytes ? body : new TextEncoder().encode(isText ? body : JSON.stringify(body));
  const all = {
    ...(isText || isBytes ? {} : { 'content-type': 'application/json' }),
    'x-service-request-id': 'req-1',
    ...headers,
  };
  return { kind: 'response', status, headers: new Map(Object.entries(all)), bytes };
}

/** Creates a router that serves a catalog and schema documents through the Http port, without a socket. */
export function createFakeRouter(models: Record<string, string | object> = {}, pageSize = 100): FakeRouter {
  const router: FakeRouter = {
    requests: [],
    models: new Map(Object.entries(models)),
    intercept: () => undefined,
    async http(request) {
      router.requests.push(request);
      const url = new URL(request.url);
      const special = router.intercept(request, url);
      if (special !== undefined) return 'kind' in special ? special : respond(special);
      return respond(url.pathname === '/v2/models' ? page(router, url, pageSize) : document(router, request, url));
    },
  };
  return router;
}

function page({ models }: FakeRouter, url: URL, pageSize: number): Reply {
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const ids = [...models.keys()];
  const data = ids.slice(start, start + pageSize).map((id) => ({
    id,
    provider: id.split('/')[0],
    model: id.split('/')[1],
    billing: { charges_on_policy_rejection: 'no' },
  }));
  const hasMore = start + pageSize < ids.length;
  return {
    body: { data, has_more: hasMore, limit: pageSize, ...(hasMore ? { next_cursor: String(start + pageSize) } : {}) },
  };
}

function document({ models }: FakeRouter, request: HttpRequest, url: URL): Reply {
  const id = /^\/v2\/models\/(.+)\/openapi\.json$/.exec(url.pathname)?.[1];
  const found = id === undefined ? undefined : models.get(decodeURIComponent(id));
  if (found === undefined) return { status: 404, body: { detail: 'no such model', error_type: 'model_not_found' } };
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  const etag = `"${toDigest(text).slice(7, 23)}"`;
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  return { headers: { etag, 'content-type': 'application/json' }, body: text };
}

/** `operation` and `root`: additional members of the operation and of the document. */
export type ModelSchemas = {
  input?: unknown;
  output?: unknown;
  components?: object;
  content?: object;
  operation?: object;
  root?: object;
};

/** Creates the schema document of a model from its input and output schemas. */
export function modelDocument(id: string, schemas: ModelSchemas = {}): object {
  const { input = { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] } } = schemas;
  const { output = { type: 'object', properties: { url: { type: 'string' } } } } = schemas;
  return {
    openapi: '3.0.4',
    info: { title: id, version: '0' },
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          operationId: 'runModel',
          ...schemas.operation,
          requestBody: { required: true, content: { 'application/json': { schema: input } } },
          responses: {
            200: { description: 'Result', content: schemas.content ?? { 'application/json': { schema: output } } },
          },
        },
      },
    },
    components: { schemas: schemas.components ?? {} },
    'x-service-input-schema-authored': true,
    'x-service-output-schema-authored': true,
    ...schemas.root,
  };
}
