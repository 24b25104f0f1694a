import { expect, test } from 'vitest';
import { generate } from '../src/generate.ts';
import { createFakeRouter, modelDocument, type Reply } from './fake-router.ts';
import { createMemoryFiles } from './memory-files.ts';
import { configWith, runGenerate } from './run-generate.ts';

const ids = ['p/a', 'p/b'] as const;

function routerWith(document: Reply) {
  const router = createFakeRouter(Object.fromEntries(ids.map((id) => [id, modelDocument(id)])));
  const breakDocument = () => {
    router.intercept = (_, url) => (url.pathname.includes('/p/b/') ? document : undefined);
  };
  return { router, breakDocument };
}

test('reports an HTML page instead of a document with status and request id, and keeps the earlier document for offline runs', async () => {
  const page = { headers: { etag: '"page"', 'content-type': 'text/html' }, body: '<!doctype html>Sign in' };
  const { router, breakDocument } = routerWith(page);
  const files = createMemoryFiles();
  await runGenerate(router, files);
  breakDocument();
  const report = await runGenerate(router, files);
  expect(report.diagnostics).toMatchObject([{ code: 'document-not-json', model: 'p/b', severity: 'error' }]);
  expect(report.diagnostics[0]?.message).toMatch(/HTML .*status 200, media type text\/html.*request id req-1/);
  expect(report.diagnostics[0]?.help).toContain('keeps its last good output');
  for (const path of [...files.contents.keys()].filter((path) => path.includes('/out/'))) files.contents.delete(path);
  expect(await runGenerate(router, files, { source: 'offline' })).toMatchObject({
    models: { generated: 2, failed: 0 },
    diagnostics: [],
  });
});

test('does not send back an entity tag that would match anything', async () => {
  const { router, breakDocument } = routerWith({ headers: { etag: '*' }, body: modelDocument('p/b') });
  breakDocument();
  const files = createMemoryFiles();
  await runGenerate(router, files);
  const report = await runGenerate(router, files);
  expect(report.diagnostics).toMatchObject([{ code: 'entity-tag-malformed', model: 'p/b', severity: 'note' }]);
  expect(router.requests.filter(({ headers }) => headers['if-none-match'] === '*')).toEqual([]);
});

test('limits the time spent on failing responses, and reports the remaining documents as not read', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `p/m${String(index).padStart(2, '0')}`);
  const router = createFakeRouter(Object.fromEntries(many.map((id) => [id, modelDocument(id)])));
  router.intercept = (_, url) =>
    url.pathname.endsWith('/openapi.json') ? { status: 503, headers: { 'retry-after': '30' } } : undefined;
  let now = 0;
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
    parseInstant: () => undefined,
  };
  const ports = { http: router.http, files: createMemoryFiles(), clock };
  const report = await generate(configWith({ concurrency: 1 }), ports);
  expect(report.models).toMatchObject({ generated: 0, failed: 60 });
  expect(now).toBeLessThan(20 * 60_000);
  const messages = report.diagnostics.map(({ message }) => message);
  expect(messages.at(-1)).toContain('was not read, because the deadline');
});
