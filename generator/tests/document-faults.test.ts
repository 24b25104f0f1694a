import { expect, test } from 'vitest';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles } from './memory-files.ts';
import { runGenerate } from './run-generate.ts';

test('reports an HTML page instead of a document with status and request id, and keeps the earlier document for offline runs', async () => {
  const router = createFakeRouter({ 'p/a': modelDocument('p/a'), 'p/b': modelDocument('p/b') });
  const files = createMemoryFiles();
  await runGenerate(router, files);
  const page = { headers: { etag: '"page"', 'content-type': 'text/html' }, body: '<!doctype html>Sign in' };
  router.intercept = (_, url) => (url.pathname.includes('/p/b/') ? page : undefined);
  const report = await runGenerate(router, files);
  expect(report.diagnostics).toMatchObject([{ code: 'document-not-json', model: 'p/b', severity: 'error' }]);
  expect(report.diagnostics[0]?.message).toMatch(/HTML .*status 200, media type text\/html.*request id req-1/);
  for (const path of [...files.contents.keys()].filter((path) => path.includes('/out/'))) files.contents.delete(path);
  expect(await runGenerate(router, files, { source: 'offline' })).toMatchObject({
    models: { generated: 2, failed: 0 },
    diagnostics: [],
  });
});
