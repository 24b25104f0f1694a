import { expect, test } from 'vitest';
import { createTestSandbox, type Reply, type TestSandbox } from '../../tests/test-sandbox.ts';

const hourMs = 60 * 60 * 1000;

function listLinks({ text }: Reply): string[] {
  return [...text.matchAll(/"(https?:\/\/sandbox[^"]+)"/g)].map(([, url = '']) => url);
}

async function openLinks(sandbox: TestSandbox, links: readonly string[]): Promise<number[]> {
  const replies = await Promise.all(links.map((link) => sandbox.call('GET', link, { as: undefined })));
  return replies.map(({ status }) => status);
}

test('the lifetime of asset links begins when a queued request ends, not when it is collected', async () => {
  const sandbox = createTestSandbox();
  const path = '/v2/models/sandbox/outcomes';
  const json = { assets: [{ hosting: 'hosted_12h' }], delay_ms: 1000 };
  const handle = (await sandbox.call('POST', `${path}/requests`, { json })).json;
  sandbox.clock.advance(2 * hourMs);
  const collect = () => sandbox.call('GET', String(handle['response_url']));
  const links = listLinks(await collect());
  expect(await openLinks(sandbox, links)).toEqual([200]);
  sandbox.clock.advance(10 * hourMs + 1150);
  expect(listLinks(await collect())).toEqual(links);
  expect(await openLinks(sandbox, links)).toEqual([410]);
});

test('results have no hosted assets if the option assetFamilies is empty', async () => {
  const sandbox = createTestSandbox({ assetFamilies: [] });
  const reply = await sandbox.call('POST', '/v2/models/image-provider/still-2.1', { json: { prompt: 'A quay' } });
  expect([reply.status, listLinks(reply)]).toEqual([200, []]);
});

test('a response of the asset route has no API headers', async () => {
  const sandbox = createTestSandbox();
  const reply = await sandbox.call('GET', '/__assets/service/none', { as: undefined });
  expect([reply.status, reply.headers.get('x-service-request-id')]).toEqual([404, null]);
});
