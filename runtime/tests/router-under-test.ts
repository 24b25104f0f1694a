import { afterAll, beforeAll, expect } from 'vitest';
import { listPending, type PendingCall } from '../src/resume/index.ts';
import { createModelRouterFor } from '../src/router/create-router.ts';
import type { ModelRouterOptions } from '../src/router/options.ts';
import type { RouterError } from '../src/router/router-error.ts';
import { manualClock, type Reply, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

export const createModelRouter = createModelRouterFor<{
  'image-provider/still': { input: { prompt: string }; output: { images: string[] }; alternates: string };
}>({ brand: 'Service', apiKeyHeader: 'X-API-Key' });
export type Router = ReturnType<typeof createModelRouter>;
export const id = 'image-provider/still';
export const input = { prompt: 'a harbour' };
export const requestId = '0f9a1b2c-3d4e-4f50-8a6b-7c8d9e0f1a2b';
export const secret = 'secret-key-1';

/** Starts a scripted server for the tests of a file. */
export function serveScripts(): () => ScriptedServer {
  let server: ScriptedServer | undefined;
  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterAll(() => server?.close());
  return () => server ?? expect.unreachable('it is started before the first test');
}

export function createClient(server: ScriptedServer, options: Partial<ModelRouterOptions> = {}) {
  const clock = manualClock();
  const credential = options.token === undefined ? { apiKey: secret } : {};
  return { clock, router: createModelRouter({ baseUrl: server.url, clock, ...credential, ...options }) };
}

export const catchFailure = <Failure = RouterError>(work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => expect.unreachable('it resolved'),
    (error: Failure) => error,
  );

/** Returns the body of a status response. Its URLs are not the documented ones, so a client cannot build them. */
export function queueState(server: ScriptedServer, status: string, more: object = {}): object {
  const at = `${server.url}/elsewhere/${requestId}`;
  const addresses = { status_url: `${at}/s`, response_url: `${at}/r`, cancel_url: `${at}/c` };
  return { request_id: requestId, status, ...addresses, ...more };
}

export const admitted = (server: ScriptedServer, more: object = {}): Exclude<Reply, string> => ({
  status: 201,
  body: queueState(server, 'WAITING', { queue_position: 0, ...more }),
});

/** Returns the only pending call of a client. */
export async function onlyPending(router: Router): Promise<PendingCall> {
  const [call, ...rest] = await listPending(router);
  expect(rest).toEqual([]);
  return call ?? expect.unreachable('nothing is pending');
}
