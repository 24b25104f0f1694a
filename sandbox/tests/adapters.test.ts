import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, headerName } from '../../specs/src/index.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { createSandbox } from '../src/sandbox.ts';

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const sandbox = createSandbox({ specs, clock: 'manual', bodyLimitBytes: 2000 });
const key = { 'x-api-key': sandbox.credentials.router.main };
let server: Listening;
beforeAll(async () => {
  server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  sandbox.close();
});

const json = { ...key, 'content-type': 'application/json' };
const still = '/v2/models/image-provider/still-2.1';
const calls: { title: string; path: string; init?: RequestInit }[] = [
  { title: 'a page', path: '/v2/models?limit=3', init: { headers: key } },
  { title: 'a HEAD request for a page', path: '/v2/models?limit=3', init: { headers: key, method: 'HEAD' } },
  { title: 'a schema document', path: `${still}/openapi.json`, init: { headers: key } },
  { title: 'a 304', path: `${still}/openapi.json`, init: { headers: { ...key, 'if-none-match': '*' } } },
  { title: 'a call without a credential', path: '/v2/models' },
  { title: 'an unknown path', path: '/v2/nothing', init: { headers: key } },
  {
    title: 'a run',
    path: still,
    init: { method: 'POST', headers: json, body: JSON.stringify({ prompt: 'a boat — ⛵' }) },
  },
  { title: 'a body that is not JSON', path: still, init: { method: 'POST', headers: json, body: '{"prompt":' } },
  { title: 'a run without a body', path: still, init: { method: 'POST', headers: json } },
  {
    title: 'a body above the limit',
    path: still,
    init: { method: 'POST', headers: json, body: JSON.stringify({ prompt: 'x'.repeat(3000) }) },
  },
  {
    title: 'a run that returns bytes',
    path: '/v2/models/audio-provider/sound-effects',
    init: { method: 'POST', headers: json, body: JSON.stringify({ text: 'rain' }) },
  },
  { title: 'a workflow', path: `/api/v2/jobs/${sandbox.jobs.save}/workflow`, init: { headers: workflowKey() } },
  { title: 'an unknown job', path: '/api/v2/jobs/none/workflow', init: { headers: workflowKey() } },
];

function workflowKey(): Record<string, string> {
  return { authorization: `Bearer ${sandbox.credentials.workflow.main}` };
}

/** Returns the parts of a response that must be equal in both replies, without ids and headers of the connection. */
async function readComparableParts(response: Response): Promise<object> {
  const varying = ['date', 'connection', 'keep-alive', 'content-length', headerName(sandbox.brand, 'Request-Id')];
  const headers = [...response.headers].filter(
    ([name]) => !varying.some((one) => one.toLowerCase() === name.toLowerCase()),
  );
  return { status: response.status, headers, body: await response.text() };
}

test.each(calls)('$title has the same reply on a socket and in process', async ({ path, init = {} }) => {
  const there = await fetch(`${server.url}${path}`, init);
  const here = await sandbox.fetch(new Request(`${server.url}${path}`, init));
  const [wired, plain] = [await readComparableParts(there), await readComparableParts(here)];
  if (init.method === 'HEAD') expect(wired).toMatchObject({ ...plain, body: '' });
  else expect(wired).toEqual(plain);
  expect(there.headers.has(headerName(sandbox.brand, 'Request-Id'))).toBe(path.startsWith('/v2'));
});
