// What the benches use of peers. These are installed in bench/ when a bench runs, so `npm run check` compiles without them.

declare module '@fal-ai/client' {
  type Request = { url: string };
  export function createFalClient(config: {
    credentials: string;
    requestMiddleware: (request: Request) => Promise<Request>;
  }): { run(model: string, options: { input: object }): Promise<{ data: unknown }> };
}

declare module 'openai' {
  export class OpenAI {
    constructor(options: { apiKey: string; baseURL: string; timeout?: number });
    readonly images: { generate(request: { model: string; prompt: string }): Promise<{ created: number }> };
  }
}

declare module 'replicate' {
  export default class Replicate {
    constructor(options: { auth: string; baseUrl: string });
    run(model: `${string}/${string}`, options: { input: object }): Promise<object>;
  }
}

declare module 'stripe' {
  export class Stripe {
    constructor(key: string, options: { host: string; port: string; protocol: 'http'; timeout?: number });
    rawRequest(method: 'POST', path: string, body: object): Promise<{ id: string }>;
  }
}

declare module 'ky' {
  const ky: { post(url: string, options: { json: object; timeout?: number }): { json<Of>(): Promise<Of> } };
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
    send(command: InvokeCommand): Promise<{ Payload?: Uint8Array }>;
  }
}

declare module '@hey-api/openapi-ts' {
  export function createClient(config: {
    input: object;
    output: { path: string; entryFile: boolean };
    plugins: readonly string[];
    logs: { level: 'silent'; file: boolean };
  }): Promise<unknown>;
}
