import { expect, test } from 'vitest';
import { createFakeRouter, modelDocument, type Reply } from './fake-router.ts';
import { createMemoryFiles } from './memory-files.ts';
import { runGenerate } from './run-generate.ts';

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
