import { expect, test } from 'vitest';
import { createTestSandbox } from '../../tests/test-sandbox.ts';

const origin = 'http://page.test';
const preflightCall = {
  as: undefined,
  headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-api-key' },
};

test.each([[['*']], [[origin]]])(
  'with the option cors set to %j, a page may call the sandbox and read every header',
  async (cors) => {
    const sandbox = createTestSandbox({ cors });
    const preflight = await sandbox.call('OPTIONS', '/v2/models/sandbox/outcomes', preflightCall);
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'x-api-key',
    });
    const listed = await sandbox.call('GET', '/v2/models', { headers: { Origin: origin } });
    expect(listed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(listed.headers.get('access-control-expose-headers')).toContain('X-Service-Request-Id');
  },
);

test.each([undefined, ['http://other.test']])(
  'with the option cors set to %j, a page of an origin that is not listed may not call the sandbox',
  async (cors) => {
    const sandbox = createTestSandbox(cors === undefined ? {} : { cors });
    expect((await sandbox.call('OPTIONS', '/v2/models', preflightCall)).status).toBe(401);
    const listed = await sandbox.call('GET', '/v2/models', { headers: { Origin: origin } });
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  },
);
