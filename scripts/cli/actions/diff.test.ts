import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeIo } from '../../tests/fake-io.ts';
import { runProgram } from '../program.ts';

let folder = '';
let server: Server | undefined;
let url = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-diff-'));
  const list = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 };
  const schema = { type: 'object', properties: { size: list } };
  const content = { 'application/json': { schema } };
  const documentOf = (id: string) => ({
    openapi: '3.1.0',
    info: { title: id, version: '1' },
    paths: {
      [`/v2/models/${id}`]: { post: { requestBody: { content }, responses: { 200: { description: '', content } } } },
    },
  });
  const ids = ['maker/one', 'maker/two'];
  server = createServer((request, response) => {
    const id = ids.find((one) => request.url?.includes(`${one}/`));
    const page = { data: ids.map((one) => ({ id: one, billing: {} })), has_more: false };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(id === undefined ? page : documentOf(id)));
  });
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening server has a port
});
afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const io = fakeIo({ env: { SWITCHYARD_API_KEY: 'sk-test-9f3Q7eXx' }, workingFolder: folder });
  const code = await runProgram(words, io);
  return { code, ...io.written };
}

test.each([
  [['--output-validators']],
  [['--types-only']],
  [['--only', 'maker/one']],
  [['--router-only', '--scope', '@acme']],
  [['--queue-statuses', 'WAITING,RUNNING']],
])('diff of an unchanged source reports nothing for an output generated with %j', async (flags) => {
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

test('a setting given to diff overrides the one that generated the output', async () => {
  await run('generate', '--router-url', url, '--only', 'maker/one');
  const { out } = await run('diff', 'generated', '--router-url', url, '--only', 'maker/*');
  expect(out).toContain('models: 1 added, 0 removed');
});

test('diff requires the overlays of an output that was generated with some', async () => {
  writeFileSync(
    join(folder, 'overlay.yaml'),
    'overlay: 1.0.0\ninfo: { title: Names, version: "1" }\nactions:\n  - target: $.info\n    update: { title: Ours }\n',
  );
  await run('generate', '--router-url', url, '--overlay', 'overlay.yaml');
  const { code, err } = await run('diff', 'generated', '--router-url', url);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('generated was made with overlays: give them with --overlay'),
  ]);
});
