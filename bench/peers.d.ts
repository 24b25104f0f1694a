// Types of the packages in bench/package.json, as far as the bench uses them. The packages are only installed when the
// bench runs, so `npm run check` compiles without them.

declare module '@fal-ai/client' {
  type Request = { url: string };
  export function createFalClient(config: {
    credentials: string;
    requestMiddleware: (request: Request) => Promise<Request>;
  }): { run(model: string, options: { input: object }): Promise<{ data: unknown }> };
}

declare module 'openai' {
  export class OpenAI {
    constructor(options: { apiKey: string; baseURL: string });
    readonly images: { generate(request: { model: string; prompt: string }): Promise<{ created: number }> };
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

declare module 'autocannon' {
  type Load = { url: string; headers: Record<string, string>; connections: number; duration: number };
  type Result = { requests: { average: number }; non2xx: number; errors: number };
  export default function autocannon(load: Load): Promise<Result>;
}
