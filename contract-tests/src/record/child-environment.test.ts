import { afterEach, expect, test, vi } from 'vitest';
import { pickEnvironment } from './supervise.ts';

afterEach(() => vi.unstubAllEnvs());

test('gives the process of a check the variables that Node needs and no others', () => {
  for (const name of ['SWITCHYARD_API_KEY', 'SWITCHYARD_TOKEN', 'NODE_AUTH_TOKEN', 'ANY_OTHER'])
    vi.stubEnv(name, 'secret');
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/own.pem');
  const environment = pickEnvironment();
  expect(environment).toMatchObject({ PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: '/own.pem' });
  expect(Object.values(environment)).not.toContain('secret');
});
