import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  isJsonObject,
  type JsonObject,
} from '../../specs/src/index.ts';
import { sandboxCredentials } from '../src/http/authentication.ts';
import type { SandboxOptions } from '../src/options.ts';
import { createSandbox, type Sandbox } from '../src/sandbox.ts';

export type TestCall = {
  headers?: Record<string, string>;
  body?: BodyInit;
  json?: unknown;
  /** Router credential. If absent, the main one is sent; if undefined, none. */
  as?: string | undefined;
  signal?: AbortSignal;
};
export type Reply = { status: number; headers: Headers; bytes: Uint8Array; text: string; json: JsonObject };
export type TestSandbox = Sandbox & {
  /** Sends a call. Default credential: the main one of the router. */
  call(method: string, path: string, call?: TestCall): Promise<Reply>;
};

export const testSpecs: EffectiveSpecs = await buildEffectiveSpecs(defaultSpecSettings);

/** Creates a sandbox with a manual clock that is called without a socket. */
export function createTestSandbox(options: Partial<SandboxOptions> = {}): TestSandbox {
  const sandbox = createSandbox({ specs: testSpecs, clock: 'manual', ...options });
  return {
    ...sandbox,
    call: async (method, path, call = {}) => {
      const credential = 'as' in call ? call.as : sandboxCredentials.router.main;
      const body = call.json === undefined ? call.body : JSON.stringify(call.json);
      const url = path.startsWith('http') ? path : `http://sandbox.test${path}`;
      const headers = { ...(credential === undefined ? {} : { 'X-API-Key': credential }), ...call.headers };
      const { signal = null } = call;
      return readReply(await sandbox.fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) }));
    },
  };
}

async function readReply(response: Response): Promise<Reply> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, bytes, text, json: parse(response, text) };
}

function parse(response: Response, text: string): JsonObject {
  if (response.headers.get('content-type') !== 'application/json') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {}; // A broken schema document is served unchanged.
  }
}

/** Creates a catalog model whose document contains this operation. */
export function testModel(id: string, operation: JsonObject, more: JsonObject = {}) {
  const document = { openapi: '3.1.0', info: {}, paths: { [`/v2/models/${id}`]: { post: operation } }, ...more };
  return { id, billing: 'no', bytes: new TextEncoder().encode(JSON.stringify(document)) };
}
