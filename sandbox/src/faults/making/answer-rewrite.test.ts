import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../../specs/src/index.ts';
import { manualClock } from '../../clock.ts';
import type { Decorator, DecoratorContext } from '../decorator.ts';
import { changeStatus, dropHeader, rewriteAnswer, rewriteJson, setCategory, setHeader } from './answer-rewrite.ts';
import { rewriteRequest, withQuery } from './request-rewrite.ts';

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const context: DecoratorContext = { brand: specs.settings.brand, clock: manualClock(), specs, random: () => 0.5 };
const bytes = new Uint8Array([0, 255, 10, 0, 254]);

async function ask(decorate: Decorator, answer: () => Response, path = '/v2/models/a/b'): Promise<Response> {
  return decorate(async () => answer(), context)(new Request(`http://sandbox.test${path}`, { method: 'POST' }));
}

test('a rewrite leaves binary bodies byte for byte, and drops the length it may have changed', async () => {
  const headers = { 'Content-Type': 'audio/wav', 'Content-Length': '5' };
  const response = await ask(
    rewriteJson({ on: 'any' }, () => ({})),
    () => new Response(bytes, { headers }),
  );
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  expect(response.headers.has('content-length')).toBe(false);
});

test.each([304, 204])('a %i stays without body whatever a rewrite wants', async (status) => {
  const decorate = rewriteAnswer({ on: 'any' }, (answer) => ({ ...answer, body: bytes }));
  const response = await ask(decorate, () => new Response(null, { status }));
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([status, 0]);
});

test('a body that only claims to be JSON passes as it is', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await ask(
    rewriteJson({ on: 'any' }, () => ({})),
    () => new Response('{"cut', { headers }),
  );
  expect(await response.text()).toBe('{"cut');
});

test.each([
  ['another operation', { on: ['readModel'] as const }],
  ['another status', { on: ['runModel'] as const, status: 404 }],
])('%s is not touched', async (_, where) => {
  expect((await ask(changeStatus(where, 500), () => new Response('as it was'))).status).toBe(200);
});

test('what is no operation of either API is never touched', async () => {
  const decorate = changeStatus({ on: 'any' }, 500);
  expect((await ask(decorate, () => new Response(), '/__sandbox/clock')).status).toBe(200);
});

test('headers are set and dropped by verbatim or by branded name', async () => {
  const answer = () => new Response('x', { headers: { 'X-Service-Request-Id': '1', 'Retry-After': '2' } });
  const where = { on: 'router' as const };
  expect((await ask(dropHeader(where, { branded: 'Request-Id' }), answer)).headers.has('X-Service-Request-Id')).toBe(
    false,
  );
  expect((await ask(setHeader(where, 'Retry-After', '9'), answer)).headers.get('Retry-After')).toBe('9');
});

test('a category changes in header and body alike', async () => {
  const answer = () => Response.json({ detail: 'No.', error_type: 'forbidden' }, { status: 403 });
  const response = await ask(setCategory({ on: 'any' }, 'not_enabled'), answer);
  expect(response.headers.get('X-Service-Error-Type')).toBe('not_enabled');
  expect(await response.json()).toEqual({ detail: 'No.', error_type: 'not_enabled' });
});

test('a changed request keeps method, body and what was not changed', async () => {
  const decorate = rewriteRequest(['runModel'], (request) => ({
    url: withQuery(request, (query) => query.set('strict_mode', 'true')),
    headers: { 'idempotency-key': undefined },
  }));
  const app = decorate(async (request) => {
    const seen = [
      request.method,
      new URL(request.url).search,
      request.headers.get('idempotency-key'),
      await request.text(),
    ];
    return Response.json(seen);
  }, context);
  const headers = { 'Idempotency-Key': 'k' };
  const response = await app(
    new Request('http://sandbox.test/v2/models/a/b', { method: 'POST', headers, body: 'kept' }),
  );
  expect(await response.json()).toEqual(['POST', '?strict_mode=true', null, 'kept']);
});
