import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listModels, readModel } from '../src/catalog/index.ts';
import type { RouterPart } from '../src/router/options.ts';
import { catchFailure, createClient, id, input, secret, serveScripts } from './router-under-test.ts';
import { routerError } from './scripted-server.ts';

const server = serveScripts();

/** Contains the program of the how-to page as a module. */
const folder = mkdtempSync(join(tmpdir(), 'open-telemetry-'));
const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/watch-calls.md'), 'utf8');
const [, code = ''] = /^```ts\n(\/\/ open-telemetry\.ts\n.*?)^```$/ms.exec(page) ?? [];
symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
writeFileSync(join(folder, 'open-telemetry.ts'), code);
const { openTelemetry }: { openTelemetry: () => RouterPart } = await import(
  pathToFileURL(join(folder, 'open-telemetry.ts')).href
);
afterAll(() => rmSync(folder, { recursive: true }));
type RecordedSpan = {
  name: string;
  id: string;
  parent: string | undefined;
  attributes: Record<string, unknown>;
  status: number;
  ended: boolean;
};
const spans: RecordedSpan[] = [];

beforeAll(() => {
  const startSpan = (name: string, options: { attributes: object }, outer = context.active()): object => {
    const spanId = `${spans.length + 1}`.padStart(16, '0');
    const span: RecordedSpan = {
      name,
      id: spanId,
      parent: trace.getSpanContext(outer)?.spanId,
      attributes: { ...options.attributes },
      status: SpanStatusCode.UNSET,
      ended: false,
    };
    spans.push(span);
    return {
      spanContext: () => ({ traceId: 'a'.repeat(32), spanId, traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => (span.attributes[key] = value),
      setStatus: ({ code }: { code: number }) => (span.status = code),
      end: () => (span.ended = true),
    };
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as never);
  propagation.setGlobalPropagator({
    inject: (of, carrier, setter) => setter.set(carrier, 'traceparent', `00-${trace.getSpanContext(of)?.spanId}`),
    extract: (of) => of,
    fields: () => ['traceparent'],
  });
});
afterAll(() => {
  trace.disable();
  propagation.disable();
});

it('creates a span for a call and for each attempt, and sends their ids', async () => {
  const { router } = createClient(server());
  router.use(openTelemetry());
  server().script(routerError(503, 'service_unavailable'), { body: { images: [] } });
  await router.run(id, input);
  const [call, first, second] = spans.splice(0);
  expect(call).toMatchObject({
    name: `generate_content ${id}`,
    parent: undefined,
    status: SpanStatusCode.UNSET,
    ended: true,
    attributes: { 'gen_ai.request.model': id, 'gen_ai.provider.name': 'image-provider' },
  });
  const attributes = { 'http.request.method': 'POST', 'server.address': '127.0.0.1' };
  expect(first).toMatchObject({
    name: 'POST',
    parent: call?.id,
    status: SpanStatusCode.ERROR,
    ended: true,
    attributes,
  });
  expect(first?.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' });
  expect(second).toMatchObject({ parent: call?.id, ended: true, attributes: { 'http.request.resend_count': 1 } });
  expect(server().seen.map(({ headers }) => headers['traceparent'])).toEqual([`00-${first?.id}`, `00-${second?.id}`]);
});

it('the span of a failed call contains the reason of the failure', async () => {
  const { router } = createClient(server());
  router.use(openTelemetry());
  server().script(routerError(403, 'forbidden'));
  await catchFailure(readModel(router, id));
  const [call] = spans.splice(0);
  expect(call).toMatchObject({ name: `readModel ${id}`, status: SpanStatusCode.ERROR, ended: true });
  expect(call?.attributes).toEqual({ 'error.type': 'forbidden' });
});

it('spans do not contain a credential that the server returns as a cursor', async () => {
  const { router } = createClient(server());
  router.use(openTelemetry());
  const listing = { data: [], has_more: true, limit: 1, next_cursor: `of-${secret}` };
  server().script({ body: listing }, { body: { data: [], has_more: false, limit: 1 } });
  for await (const _ of listModels(router)) expect.unreachable('it lists none');
  const seen = spans.splice(0).map(({ attributes }) => attributes['url.full']);
  expect(seen.filter((url) => url !== undefined)).toEqual([
    `${server().url}/v2/models`,
    `${server().url}/v2/models?cursor=of-[redacted]`,
  ]);
});
