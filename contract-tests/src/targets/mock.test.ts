import { type ChildProcess, type ForkOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { WireRequest } from '../contract/exchange.ts';
import { createHttpExchange } from '../wire/http-exchanger.ts';
import { refuseOldNode, startMock } from './mock.ts';

const httpExchange = createHttpExchange();
let specs: EffectiveSpecs;
let mock: Awaited<ReturnType<typeof startMock>>;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
  mock = await startMock(specs);
});
afterAll(() => mock.close());

function get(url: string, ...headers: WireRequest['headers']): Promise<unknown> {
  return httpExchange({ method: 'GET', url, headers, body: undefined }, 5_000);
}

test('the mock serves both documents', async () => {
  expect(await get(`${mock.routerUrl}/v2/models`, ['X-API-Key', 'any'])).toMatchObject({ status: 200 });
  expect(await get(`${mock.workflowUrl}/api/v2/jobs/a/workflow`, ['Authorization', 'Bearer any'])).toMatchObject({
    status: 200,
  });
});

test('the mock keeps running after a request that makes its parser throw', async () => {
  const headers = [
    ['X-API-Key', 'any'],
    ['Content-Type', 'application/json'],
  ] as const;
  const body = new TextEncoder().encode('{"a":');
  await httpExchange({ method: 'POST', url: `${mock.routerUrl}/v2/models/a/b`, headers, body }, 300);
  expect(await get(`${mock.routerUrl}/v2/models`, ['X-API-Key', 'any'])).toMatchObject({ status: 200 });
});

test('the mock can be closed twice, and then refuses connections', async () => {
  await mock.close();
  await mock.close();
  expect(await get(`${mock.routerUrl}/v2/models`)).toMatchObject({ because: 'refused' });
});

test('the mock reports which port is in use, and leaves no process running', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  await expect(startMock(specs, { port: address.port })).rejects.toThrow(/the mock did not start: .*EADDRINUSE/);
  taken.close();
});

test('the mock fails if it is not ready in time', async () => {
  await expect(startMock(specs, { startWithinMs: 1 })).rejects.toThrow('not ready within 1 ms');
});

test('the mock exits when its parent is killed', async () => {
  const entryPoint = (module: string) =>
    JSON.stringify(fileURLToPath(new URL(`../../../${module}/src/index.ts`, import.meta.url)));
  const script = `
    const { startMock } = await import(${entryPoint('contract-tests')});
    const { buildEffectiveSpecs, defaultSpecSettings } = await import(${entryPoint('specs')});
    const mock = await startMock(await buildEffectiveSpecs(defaultSpecSettings));
    process.stdout.write(mock.routerUrl);
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = await once(parent.stdout, 'data');
  expect(await get(`${address}/v2/models`, ['X-API-Key', 'any'])).toMatchObject({ status: 200 });
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await expect.poll(() => get(`${address}/v2/models`), { timeout: 5_000 }).toMatchObject({ because: 'refused' });
});

test('the mock suggests the command that installs Prism if it is missing', async () => {
  vi.resetModules();
  vi.doMock('node:module', () => ({
    createRequire: () => ({
      resolve: () => {
        throw new Error('Cannot find module');
      },
    }),
  }));
  const withoutPrism = await import('./mock.ts');
  await expect(withoutPrism.startMock(specs)).rejects.toThrow('npm install --save-dev @stoplight/prism-cli@5.16.0');
  vi.doUnmock('node:module');
});

test('the mock runs with an empty environment', async () => {
  vi.resetModules();
  const environments: (NodeJS.ProcessEnv | undefined)[] = [];
  vi.doMock('node:child_process', async (original) => {
    const actual = await original<typeof import('node:child_process')>();
    const fork = (path: string, args: readonly string[], options: ForkOptions): ChildProcess => {
      environments.push(options.env);
      return actual.fork(path, args, options);
    };
    return { ...actual, fork };
  });
  const { startMock: startWatched } = await import('./mock.ts');
  await (await startWatched(specs)).close();
  expect(environments).toEqual([{}, {}]);
  vi.doUnmock('node:child_process');
});

test.each([
  { node: '>=24.18.0', version: 'v24.18.0', fits: true },
  { node: '>=24.18.0', version: 'v26.1.0', fits: true },
  { node: '>=24.18.0', version: 'v24.17.9', fits: false },
  { node: '>=24.18.0', version: 'v22.18.0', fits: false },
  { node: undefined, version: 'v22.18.0', fits: true },
])('Prism of $node is compatible with Node $version: $fits', ({ node, version, fits }) => {
  const check = (): void => refuseOldNode({ engines: node === undefined ? {} : { node } }, version);
  if (fits) expect(check).not.toThrow();
  else expect(check).toThrow(HarnessError);
});
