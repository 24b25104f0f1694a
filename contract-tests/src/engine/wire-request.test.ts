import { expect, test } from 'vitest';
import { createRedactor } from '../report/redact.ts';
import type { Target } from '../target.ts';
import { wireRequestOf } from './wire-request.ts';

const sent = (main: string): { value: string | undefined; target: Target } => {
  const target: Target = { kind: 'live', router: { url: 'http://router.test', credentials: { main } } };
  const credentials = [{ as: 'api-key', who: 'recased' }] as const;
  const { request } = wireRequestOf(target, { api: 'router', method: 'GET', to: '/v2/models', credentials });
  return { value: request.headers.find(([name]) => name === 'X-API-Key')?.[1], target };
};

test.each(['sk-Main-1', 'SK-MAIN-1', '123456'])(
  'the credential %s is never sent as itself when it is to be alike',
  (main) => {
    const { value } = sent(main);
    expect(value).toBeDefined();
    expect(value).not.toBe(main);
  },
);

test('what is alike to a credential stays out of reports, too', () => {
  const { value, target } = sent('sk-main-secret');
  expect(createRedactor(target)(`told ${value}`)).toBe('told [redacted]');
});
