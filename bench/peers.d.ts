// What the benches use of peers. These are installed in bench/ when a bench runs, so `npm run check` compiles without them.

declare module '@fal-ai/client' {
  type Request = { url: string };
  export function createFalClient(config: {
    credentials: string;
    fetch?: typeof fetch;
    requestMiddleware?: (request: Request) => Promise<Request>;
  }): {
    run(model: string, options: { input: object; abortSignal?: AbortSignal | undefined }): Promise<{ data: unknown }>;
    subscribe(model: string, options: { input: object; pollInterval: number }): Promise<{ data: unknown }>;
    readonly queue: {
      submit(model: string, options: { input: object }): Promise<{ request_id: string }>;
      result(model: string, options: { requestId: string }): Promise<{ data: unknown }>;
    };
  };
  export class ApiError extends Error {}
}

declare module 'openai' {
  export class OpenAI {
    constructor(options: { apiKey: string; baseURL: string; timeout?: number; fetch?: typeof fetch });
    readonly images: {
      generate(
        request: { model: string; prompt: string },
        options?: { signal?: AbortSignal | undefined },
      ): Promise<{ created: number }> & { asResponse(): Promise<Response> };
    };
  }
  export class APIError extends Error {}
}

declare module 'replicate' {
  export default class Replicate {
    constructor(options: { auth: string; baseUrl: string; fetch?: typeof fetch });
    run(model: `${string}/${string}`, options: { input: object; signal?: AbortSignal | undefined }): Promise<object>;
  }
}

declare module 'stripe' {
  export class Stripe {
    constructor(
      key: string,
      options: { host: string; port: string; protocol: string; timeout?: number; httpClient?: object },
    );
    static createFetchHttpClient(call: typeof fetch): object;
    static readonly errors: { readonly StripeError: typeof Error };
    rawRequest(method: 'POST', path: string, body: object): Promise<{ id: string }>;
  }
}

declare module 'ky' {
  type Options = {
    json: object;
    headers: object;
    timeout?: number;
    fetch?: typeof fetch;
    signal?: AbortSignal | undefined;
  };
  const ky: { post(url: string, options: Options): Promise<Response> & { json<Of>(): Promise<Of> } };
  export default ky;
}

declare module '@aws-sdk/client-lambda' {
  export class InvokeCommand {
    constructor(input: { FunctionName: string; Payload: string });
  }
  export class LambdaClient {
    constructor(options: {
      endpoint: string;
      region: string;
      credentials: { accessKeyId: string; secretAccessKey: string };
      requestHandler?: { requestTimeout: number; throwOnRequestTimeout: boolean };
    });
    send(
      command: InvokeCommand,
      options?: { abortSignal?: AbortSignal | undefined },
    ): Promise<{ Payload?: Uint8Array }>;
  }
  export class LambdaServiceException extends Error {}
}

declare module '@hey-api/openapi-ts' {
  export function createClient(config: {
    input: object;
    output: { path: string; entryFile: boolean };
    plugins: readonly string[];
    logs: { level: 'silent'; file: boolean };
  }): Promise<unknown>;
}

declare module 'undici' {
  const call: typeof fetch;

  export { call as fetch };
}
