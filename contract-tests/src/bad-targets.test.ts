import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { runConformance } from './conform.ts';
import type { Target } from './contract/target.ts';
import { conformToFolder } from './record/conform-to-folder.ts';
import { exitCodeOf } from './report/report.ts';
import { httpPorts } from './targets/ports.ts';
import { createHttpExchange } from './wire/http-exchanger.ts';
import { systemClock } from './wire/system-clock.ts';

const ports = { exchange: createHttpExchange(), clock: systemClock };
const outDir = mkdtempSync(join(tmpdir(), 'conform-'));
const servers: http.Server[] = [];
let specs: EffectiveSpecs;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

async function serve(listener: http.RequestListener): Promise<Target> {
  const server = http.createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  const jobs = { save: 'job-save', api: 'job-api', foreign: 'job-foreign', expired: 'job-expired' };
  const credentials = { main: 'sk-main-secret', neighbour: 'sk-neighbour-secret', other: 'sk-other-secret' };
  return { kind: 'sandbox', router: { url, credentials }, workflow: { url, credentials, jobs } };
}

function always(status: number, mediaType: string, body: string): http.RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': mediaType }).end(body);
  };
}

const deep = '['.repeat(20_000) + ']'.repeat(20_000);
const pageOfMany = `{"data":[${'{"id":"a/b"},'.repeat(8_000)}3],"has_more":false,"limit":20}`;
const page =
  '{"data":[null,3,{"id":"a/b"}],"has_more":true,"next_cursor":"same","limit":"x","detail":[null,{"loc":3}],"error":null,"workflow":7}';

describe('a target that does not respond like the APIs fails, but no rule is errored', () => {
  test.each([
    { name: '200 and an empty object for everything', listener: always(200, 'application/json', '{}') },
    { name: '200 and a list for everything', listener: always(200, 'application/json', '[]') },
    { name: '200 and null for everything', listener: always(200, 'application/json', 'null') },
    { name: '200 without a body for everything', listener: always(200, 'application/json', '') },
    { name: '200 and members of the wrong type', listener: always(200, 'application/json', page) },
    { name: 'truncated JSON', listener: always(200, 'application/json', '{"data":[{"id":') },
    { name: 'JSON nested 20,000 deep', listener: always(200, 'application/json', deep) },
    { name: 'a page of 8,000 models', listener: always(200, 'application/json', pageOfMany) },
    { name: 'HTML for everything', listener: always(200, 'text/html', '<html><body>Welcome</body></html>') },
    { name: '404 and HTML for everything', listener: always(404, 'text/html', '<h1>Not Found</h1>') },
    { name: 'a redirect for everything', listener: always(302, 'text/html', '') },
    {
      name: 'a wrong credential',
      listener: always(401, 'application/json', '{"detail":"no","error_type":"unauthorized"}'),
    },
  ])('a target fails without an errored rule if it returns $name', async ({ listener }) => {
    const report = await runConformance({ target: await serve(listener), specs }, ports);
    expect(report.results.filter(({ outcome }) => outcome.kind === 'errored')).toEqual([]);
    expect(report.discovery.problems.length).toBeGreaterThan(0);
    expect(exitCodeOf(report)).toBe(1);
  });
});

test('reports a rejected credential before other problems', async () => {
  const report = await runConformance({ target: await serve(always(401, 'application/json', '{}')), specs }, ports);
  expect(report.discovery.problems[0]).toBe(
    'GET /v2/models?limit=100 returned 401: the credential "main" was rejected',
  );
});

test('suggests checking the base URL if every path returns 404', async () => {
  const report = await runConformance({ target: await serve(always(404, 'text/html', '<h1>no</h1>')), specs }, ports);
  expect(report.discovery.problems[0]).toContain('returned 404: is the base URL right?');
});

test('stops sending requests when the check has stored the maximum amount of data', async () => {
  const body = `{"data":[],"has_more":false,"limit":20${' '.repeat(30_000_000)}}`;
  let sent = 0;
  const large: http.RequestListener = (...given) => {
    sent += 1;
    always(200, 'application/json', body)(...given);
  };
  const report = await runConformance({ target: await serve(large), specs }, ports);
  expect(sent).toBe(4);
  const why = report.results.map(({ outcome }) => (outcome.kind === 'not-applicable' ? outcome.because : ''));
  expect(why).toContain('the responses of this check exceed 100663296 bytes in total');
}, 60_000);

test.each([
  [
    'is stopped as unreachable, with advice',
    '{"now_ms":5}',
    { kind: 'unreachable', because: expect.stringContaining('--clock real') },
  ],
  [
    'is offered but cannot be advanced as unreachable, with the reason',
    '{"error":"none"}',
    { kind: 'unreachable', because: expect.stringContaining('was not advanced') },
  ],
])('reports a sandbox whose clock %s', async (_, clock, reachability) => {
  const served = await serve((request, response) => {
    const isHook = request.url?.startsWith('/hooks');
    const hook = request.url === '/hooks' ? '{"version":1,"hooks":["clock"]}' : clock;
    always(200, 'application/json', isHook ? hook : '{"data":[],"has_more":false,"limit":20}')(request, response);
  });
  const target = { ...served, hooks: { url: `${served.router?.url}/hooks` } };
  const report = await runConformance(
    { target, specs, rules: ['catalog.page.*'], limits: { requestMs: 500 } },
    httpPorts(target),
  );
  expect(report.reachability).toMatchObject(reachability);
});

test('writes all reports if nothing responds at the target', async () => {
  const target: Target = {
    kind: 'live',
    router: { url: 'http://127.0.0.1:9', credentials: { main: 'sk-main-secret' } },
  };
  const report = await conformToFolder({ target, specs }, outDir);
  expect(exitCodeOf(report)).toBe(3);
  expect(JSON.parse(readFileSync(join(outDir, 'result.json'), 'utf8')).reachability.kind).toBe('unreachable');
  expect(readFileSync(join(outDir, 'junit.xml'), 'utf8')).toContain('the target was not reached');
});

test('concurrent and sequential scenarios have the same outcomes', async () => {
  const target = await serve(always(200, 'application/json', '{}'));
  const rules = ['catalog.*', 'workflow.*'];
  const report = await conformToFolder({ target, specs, rules }, outDir);
  const sequential = await runConformance({ target, specs, rules }, ports);
  const outcomes = (results: typeof report.results) => results.map(({ ruleId, outcome }) => [ruleId, outcome.kind]);
  expect(outcomes(report.results)).toEqual(outcomes(sequential.results));
  expect(exitCodeOf(report)).toBe(1);
  expect(readFileSync(join(outDir, 'result.json'), 'utf8')).not.toContain('sk-main-secret');
});
