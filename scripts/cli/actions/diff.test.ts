import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest, runCommand, serveForTest } from '../../tests/run-command.ts';
import { smallDocument } from '../../tests/small-document.ts';

let folder = '';
let url = '';

beforeEach(async () => {
  folder = folderForTest();
  const list = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 };
  const ids = ['maker/one', 'maker/two'];
  url = await serveForTest((request, response) => {
    const id = ids.find((one) => request.url?.includes(`${one}/`));
    const page = { data: ids.map((one) => ({ id: one, billing: {} })), has_more: false };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(id === undefined ? page : smallDocument(id, { size: list })));
  });
});

const run = (...words: string[]) => runCommand(words, folder, { SWITCHYARD_API_KEY: 'sk-test-9f3Q7eXx' });

test.each([
  [['--output-validators']],
  [['--types-only']],
  [['--only', 'maker/one']],
  [['--router-only', '--scope', '@acme']],
  [['--queue-statuses', 'WAITING,RUNNING']],
])('diff reports no changes of an unchanged source for an output generated with %j', async (flags) => {
  expect(await run('generate', '--router-url', url, ...flags)).toMatchObject({ code: 0 });
  const { code, out } = await run('diff', 'generated', '--router-url', url);
  expect(out).toContain('changes: 0 breaking, 0 compatible, 0 cosmetic');
  expect(code).toBe(0);
});

test('diff in Markdown has no table if the output has no packages', async () => {
  await run('generate', '--router-url', url, '--layout', 'folder');
  const { out } = await run('diff', 'generated', '--router-url', url, '--format', 'markdown');
  expect(out).not.toContain('|');
});

test('a setting of diff overrides the setting that the output was generated with', async () => {
  await run('generate', '--router-url', url, '--only', 'maker/one');
  const { out } = await run('diff', 'generated', '--router-url', url, '--only', 'maker/*');
  expect(out).toContain('models: 1 added, 0 removed');
});

test('diff requires overlays for an output that was generated with overlays', async () => {
  writeFileSync(
    join(folder, 'overlay.yaml'),
    'overlay: 1.0.0\ninfo: { title: Names, version: "1" }\nactions:\n  - target: $.info\n    update: { title: Ours }\n',
  );
  await run('generate', '--router-url', url, '--overlay', 'overlay.yaml');
  const { code, err } = await run('diff', 'generated', '--router-url', url);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('generated was generated with overlays: add them with --overlay'),
  ]);
});
