import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../../specs/src/index.ts';
import { createTestSandbox } from '../../tests/test-sandbox.ts';

const path = '/v2/models/p/m/openapi.json';
const bytes = new TextEncoder().encode('{ "openapi":"3.0.4",\n "x-service-input-schema-authored" : true }  \n');
const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
const sandbox = createTestSandbox({ catalog: [{ id: 'p/m', billing: 'no', bytes }] });

test('the sandbox serves a schema document unchanged, with a strong entity tag for its bytes', async () => {
  const reply = await sandbox.call('GET', path);
  expect(reply.status).toBe(200);
  expect(reply.bytes).toEqual(bytes);
  expect(reply.headers.get('etag')).toBe(tag);
  expect(reply.headers.get('cache-control')).toBe('private, must-revalidate');
  expect(reply.headers.get('content-type')).toBe('application/json');
});

test.each([
  ['the entity tag', tag, 304],
  ['the weak form of the entity tag', `W/${tag}`, 304],
  ['a list with the tag', `"one, two", W/"x", ${tag}`, 304],
  ['an asterisk', '*', 304],
  ['a different tag', '"other"', 200],
  ['a list without the tag', '"a", "b"', 200],
  ['the tag without quotes', tag.slice(1, -1), 200],
  ['an empty value', '', 200],
])('the schema document route handles If-None-Match with %s as documented', async (_, header, status) => {
  const reply = await sandbox.call('GET', path, { headers: { 'If-None-Match': header } });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('etag')).toBe(tag);
  expect(reply.headers.get('cache-control')).toBe('private, must-revalidate');
  expect(reply.headers.get('x-service-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(reply.bytes.length).toBe(status === 304 ? 0 : bytes.length);
});

test.each(['/v2/models', '/v2/models/p/m'])('the route %s ignores conditional headers', async (other) => {
  const reply = await sandbox.call('GET', other, { headers: { 'If-None-Match': '*' } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('etag')).toBeNull();
});

test('the sandbox serves a schema document that is not JSON unchanged, and rejects runs of its model', async () => {
  const broken = new TextEncoder().encode('{"openapi": "3.1');
  const half = createTestSandbox({ catalog: [{ id: 'p/m', billing: 'no', bytes: broken }] });
  expect((await half.call('GET', path)).bytes).toEqual(broken);
  for (const route of ['/v2/models/p/m', '/v2/models/p/m/requests']) {
    const reply = await half.call('POST', route, { json: {} });
    expect([reply.status, reply.json['error_type']]).toEqual([500, 'internal_error']);
  }
});

test('the sandbox serves a schema document with a different brand, and keeps all digits of its integers', async () => {
  const document = '{"openapi": "3.1.0", "x-limit": 18446744073709551615, "x-service-router-alt-providers": []}';
  const catalog = [{ id: 'p/m', billing: 'no', bytes: new TextEncoder().encode(document) }];
  const branded = createTestSandbox({ catalog, specs: buildEffectiveSpecs({ brand: 'Acme' }) });
  expect((await branded.call('GET', path)).text).toBe(document.replace('x-service-', 'x-acme-'));
});
