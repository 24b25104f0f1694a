import { expect, test, vi } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, parseBrand } from '../../specs/src/index.ts';
import { createTestSandbox, testModel } from '../tests/test-sandbox.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('every router reply has its own request id, and every error its category in header and body', async () => {
  const sandbox = createTestSandbox();
  const calls: [string, string][] = [
    ['GET', '/v2/models'],
    ['GET', '/v2/models?limit=x'],
    ['GET', '/v2/models/no/model'],
    ['POST', '/v2/models/image-provider/still-2.1'],
    ['GET', '/v2/nothing'],
    ['DELETE', '/v2/models'],
    ['GET', '/'],
  ];
  const replies = await Promise.all(calls.map(([method, path]) => sandbox.call(method, path)));
  const ids = replies.map(({ headers }) => headers.get('x-service-request-id'));
  expect(new Set(ids).size).toBe(calls.length);
  for (const id of ids) expect(id).toMatch(uuid);
  for (const { status, headers, json } of replies.filter((reply) => reply.status >= 400)) {
    expect(json['error_type'], String(status)).toBe(headers.get('x-service-error-type'));
    expect(json['detail']).toMatch(/\w/);
  }
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 404, 400, 404, 405, 404]);
  expect(replies[5]?.headers.get('allow')).toBe('GET');
});

test('a router call returns 500 without details if its handler fails', async () => {
  const sandbox = createTestSandbox();
  vi.spyOn(sandbox.clock, 'sleep').mockRejectedValue(new Error('secret cause'));
  const body = '{"delay_ms":1000}';
  const reply = await sandbox.call('POST', '/v2/models/sandbox/outcomes', { body });
  expect(reply.status).toBe(500);
  expect(reply.headers.get('x-service-error-type')).toBe('internal_error');
  expect(reply.text).not.toContain('secret');
});

test('the sandbox uses its brand in headers and extension keys', async () => {
  const specs = await buildEffectiveSpecs({ ...defaultSpecSettings, brand: parseBrand('Acme') });
  const sandbox = createTestSandbox({ specs });
  const document = await sandbox.call('GET', '/v2/models/raw-provider/open-input/openapi.json');
  expect(document.headers.get('x-acme-request-id')).toMatch(uuid);
  expect([...document.headers.keys()].join()).not.toContain('service');
  expect(document.json['x-acme-input-schema-authored']).toBe(false);
  expect(document.text).not.toContain('x-service-');
  const refused = await sandbox.call('POST', '/v2/models/image-provider/still-2.1', { json: {} });
  expect(refused.headers.get('x-acme-error-type')).toBe('invalid_input');
  const open = await sandbox.call('POST', '/v2/models/raw-provider/open-input', { json: { any: ['thing'] } });
  expect(open.status).toBe(200);
});

test('a run still gets a reply if its document contains an invalid media type', async () => {
  const operation = {
    responses: { '200': { description: '', content: { 'text/x\r\nEvil: 1': { schema: { type: 'string' } } } } },
  };
  const sandbox = createTestSandbox({ catalog: [testModel('p/m', operation)] });
  const reply = await sandbox.call('POST', '/v2/models/p/m', { json: {} });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('evil')).toBeNull();
});
