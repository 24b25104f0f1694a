import type { Client, FetchOptions, Middleware } from 'openapi-fetch';
import createClient from 'openapi-fetch';
import type { OperationDescriptor } from './descriptor.ts';
import { readAnswer, type UnexpectedBody } from './paths-answer.ts';

export type PathsClientOptions = {
  /** Without `/v2` or `/api/v2`, which the paths include. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
};

/** Of an API that takes a key in a header of its own. */
export type ApiKeyOption = {
  /** Sent in that header; the service prefers it to a token. */
  readonly apiKey?: string;
};

/** What a package knows of its API. */
export type PathsApi = {
  readonly operations: { readonly [id: string]: OperationDescriptor };
  /** Where the API takes an API key; without it a key is not sent. */
  readonly apiKeyHeader?: string;
};

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
type PathsWith<Paths, Name extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { readonly [Key in Name]: object } ? Path : never;
}[keyof Paths];
type OperationOf<Paths, Path extends keyof Paths, Name extends Method> = Paths[Path] extends {
  readonly [Key in Name]: infer Operation;
}
  ? Operation
  : never;

/** How a successful body is read in place of by its media type. */
type ParsedAs = { text: string; blob: Blob; arrayBuffer: ArrayBuffer; stream: ReadableStream<Uint8Array> | null };
type Parsing = keyof ParsedAs | 'json';
type CallOptions<Operation, As extends Parsing> = FetchOptions<Operation> & {
  /** Without it, or with `json`, the media type of the response decides. */
  readonly parseAs?: As;
};
type CallArguments<Options> = object extends Options ? [options?: Options] : [options: Options];

/** One method of a client; never throws for what a response holds. */
export type PathsMethod<Paths, Name extends Method> = <
  Path extends PathsWith<Paths, Name>,
  As extends Parsing = 'json',
>(
  path: Path,
  ...options: CallArguments<CallOptions<OperationOf<Paths, Path, Name>, As>>
) => Promise<PathsAnswer<OperationOf<Paths, Path, Name>, As>>;

/** A documented success as `data`. All else is an `error`: a documented one, or the body that came in its place. */
export type PathsAnswer<Operation, As extends Parsing = 'json'> =
  | {
      readonly data: As extends keyof ParsedAs ? ParsedAs[As] : BodiesOf<Operation, true>;
      readonly error?: never;
      readonly response: Response;
    }
  | { readonly data?: never; readonly error: BodiesOf<Operation, false> | UnexpectedBody; readonly response: Response };

type BodiesOf<Operation, IsSuccess extends boolean> = Operation extends { readonly responses: infer Responses }
  ? {
      [Status in keyof Responses]: (
        `${Status & (string | number)}` extends `2${string}`
          ? true
          : false
      ) extends IsSuccess
        ? BodyOf<Responses[Status]>
        : never;
    }[keyof Responses]
  : never;
type BodyOf<Answer> = Answer extends { readonly content: infer Content } ? DecodedBody<Content> : undefined;
type DecodedBody<Content> = {
  [Media in keyof Content]: Media extends `${string}json`
    ? Content[Media]
    : Media extends `text/${string}`
      ? string
      : Media extends `${string}*`
        ? unknown
        : Uint8Array;
}[keyof Content];

/** One typed method per HTTP method, over the paths of an API; each returns `{ data, error, response }`. */
export type PathsClient<Paths extends object> = {
  readonly [Name in Method as Uppercase<Name>]: PathsMethod<Paths, Name>;
} & Pick<Client<Paths>, 'use' | 'eject'>;

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const;

export function createPathsClient<Paths extends object>(
  { baseUrl, token, fetch, apiKey }: PathsClientOptions & ApiKeyOption,
  { operations, apiKeyHeader }: PathsApi,
): PathsClient<Paths> {
  const client = createClient<Record<string, Record<Lowercase<(typeof methods)[number]>, object>>>({
    baseUrl,
    // Platforms follow a redirect to another origin with `X-API-Key`, and neither API has redirects.
    redirect: 'error',
    headers: {
      ...(apiKey === undefined || apiKeyHeader === undefined ? {} : { [apiKeyHeader]: apiKey }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(fetch === undefined ? {} : { fetch }),
  });
  const answers = new WeakMap<Response, object>();
  // Registered first, so it comes last: the middlewares of callers see responses as they arrive.
  client.use(readingMiddleware(operations, answers));
  const call = (method: (typeof methods)[number]) => async (path: string, options: Record<string, unknown>) => {
    const { response, ...parsed } = await client.request(
      method.toLowerCase() as Lowercase<typeof method>,
      path,
      options,
    );
    return answers.get(response) ?? { ...parsed, response };
  };
  const { use, eject } = client;
  // The types of paths exist at compile time only.
  return { ...Object.fromEntries(methods.map((one) => [one, call(one)])), use, eject } as unknown as PathsClient<Paths>;
}

/** Reads bodies itself, since openapi-fetch would throw for what is no JSON; it gets an empty response in their place. */
function readingMiddleware(operations: PathsApi['operations'], answers: WeakMap<Response, object>): Middleware {
  const all = Object.values(operations);
  return {
    async onResponse({ request, response, schemaPath, options }) {
      if (response.ok && options.parseAs !== 'json') return undefined;
      const operation = all.find(({ method, path }) => method === request.method && path === schemaPath);
      const answer = await readAnswer(response, { operation, signal: request.signal });
      const standIn = new Response(null, { status: 204 });
      answers.set(standIn, answer);
      return standIn;
    },
  };
}
