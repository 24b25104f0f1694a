import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { httpExchange } from '../adapters/http-exchanger.ts';
import { type Mock, startMock } from './start-mock.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock(await buildEffectiveSpecs(defaultSpecSettings));
});
afterAll(() => mock.close());

test('the mock serves both documents', async () => {
  const ask = (url: string, header: readonly [string, string]) =>
    httpExchange({ method: 'GET', url, headers: [header], body: undefined }, 5_000);
  expect(await ask(`${mock.routerUrl}/v2/models`, ['X-API-Key', 'any'])).toMatchObject({ status: 200 });
  expect(await ask(`${mock.workflowUrl}/api/v2/jobs/a/workflow`, ['Authorization', 'Bearer any'])).toMatchObject({
    status: 200,
  });
});
