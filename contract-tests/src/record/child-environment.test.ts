import { afterEach, expect, test, vi } from 'vitest';
import { pickEnvironment } from './supervise.ts';

afterEach(() => vi.unstubAllEnvs());

test('the process of a check only gets the environment variables that Node needs', () => {
  for (const name of ['SWITCHYARD_API_KEY', 'SWITCHYARD_TOKEN', 'NODE_AUTH_TOKEN', 'ANY_OTHER'])
    vi.stubEnv(name, 'secret');
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/own.pem');
  const environment = pickEnvironment();
  expect(environment).toMatchObject({ PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: '/own.pem' });
  expect(Object.values(environment)).not.toContain('secret');
});
