import { expect, test } from 'vitest';
import { defaultBrand } from '../../../specs/src/index.ts';
import { createTestSandbox } from '../../tests/test-sandbox.ts';
import type { SandboxOptions } from '../options.ts';
import { sandboxCredentials } from './authentication.ts';
import { createRequestLog } from './request-log.ts';

const model = '/v2/models/sandbox/outcomes';
const secret = 'A confidential prompt';

async function logCalls(log: SandboxOptions['log']): Promise<string[]> {
  const written: string[] = [];
  const sandbox = createTestSandbox({ ...(log === undefined ? {} : { log }), writeLog: (line) => written.push(line) });
  const keyed = { json: { note: secret }, headers: { 'Idempotency-Key': 'a-key-of-mine' } };
  await sandbox.call('POST', model, keyed);
  await sandbox.call('POST', model, keyed);
  await sandbox.call('GET', `/v2/models/nobody/none?secret=${encodeURIComponent(secret)}`, { as: 'sk-of-a-stranger' });
  await sandbox.call('POST', model, { json: { note: secret, outcome: 'provider_error' } });
  return written;
}

test('the log in json has one line per request, with id, caller, operation, outcome and duration', async () => {
  const entries: Record<string, unknown>[] = (await logCalls('json')).map((line) => JSON.parse(line));
  expect(entries.map(({ credential, operation, status, outcome }) => [credential, operation, status, outcome])).toEqual(
    [
      ['main', 'POST /v2/models/{provider}/{model}', 200, 'ok'],
      ['main', 'POST /v2/models/{provider}/{model}', 200, 'replayed'],
      ['unknown', 'GET /v2/models/{provider}/{model}', 401, 'unauthorized'],
      ['main', 'POST /v2/models/{provider}/{model}', 502, 'provider_error'],
    ],
  );
  for (const line of entries) {
    expect(line['requestId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(line['durationMs']).toEqual(expect.any(Number));
  }
});

test.each(['json', 'text'] as const)(
  'the log in %s never contains credentials, keys, bodies or queries',
  async (log) => {
    const text = (await logCalls(log)).join('');
    expect(text.split('\n')).toHaveLength(5);
    const words = ['sk-of-a-stranger', 'a-key-of-mine', secret, 'secret'];
    for (const hidden of [...Object.values(sandboxCredentials.router), ...words]) expect(text).not.toContain(hidden);
  },
);

test('the log in text has readable lines, and the log option off writes nothing', async () => {
  expect((await logCalls('text'))[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} request credential=main operation="POST .*" .*outcome=ok/,
  );
  for (const log of [undefined, 'off'] as const) expect(await logCalls(log)).toEqual([]);
});

test.each(['json', 'text'] as const)('the log in %s escapes terminal sequences that come from documents', (format) => {
  const written: string[] = [];
  const write = (line: string): void => void written.push(line);
  const { notice } = createRequestLog(format, defaultBrand, String, write);
  notice('not converted', { model: 'a\u001b]8;;https://a.test\u0007b\u009b2J\u202ec\nd' });
  expect(written.join('')).toMatch(/not converted.*a|a.*not converted/);
  expect(written.join('')).not.toMatch(/[[\p{Cc}\p{Cf}]--\n]|\n./v);
});
