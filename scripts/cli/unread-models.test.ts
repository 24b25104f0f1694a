import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { generateForBuild } from '../bundlers/generation.ts';
import { diff, docs, generate, verify } from '../library.ts';
import { type CommandResult, folderForFile, folderForTest, runCommand } from '../tests/run-command.ts';
import { smallDocument } from '../tests/small-document.ts';

// Tests the table of docs/reference/exit-codes.md over real sockets: the exit code of each command for each response of the router.

type Answer = (response: ServerResponse) => void;
/** Wrong responses of a router for its catalog and its two documents. Responses that are not given are correct. */
type Router = { readonly catalog?: Answer; readonly one?: Answer; readonly two?: Answer };

const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code, { 'content-type': 'application/json' }).end('{"detail":"no"}');
const page: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
const json =
  (value: unknown): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const changed: Answer = json(smallDocument('maker/one', { prompt: { type: 'number' } }));

let folder = '';
const prepared = folderForFile();
let router: Router = {};
let server: Server | undefined;
let routerUrl = '';

beforeAll(async () => {
  const answers: Record<string, () => Answer> = {
    '/v2/models': () => router.catalog ?? json({ data: [{ id: 'maker/one' }, { id: 'maker/two' }], has_more: false }),
    '/v2/models/maker/one/openapi.json': () => router.one ?? json(smallDocument('maker/one')),
    '/v2/models/maker/two/openapi.json': () => router.two ?? json(smallDocument('maker/two')),
  };
  server = createServer((request, response) => answers[request.url?.split('?')[0] ?? '']?.()(response));
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  // A server that listens on a port has an address of this form.
  routerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await run(['generate'], prepared);
});
afterAll(() => server?.close());
beforeEach(() => {
  folder = folderForTest();
  cpSync(prepared, folder, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  router = {};
});

const shared = ['--layout', 'folder', '--types-only'];
const env = { SWITCHYARD_API_KEY: 'sk-test' };
function run(words: readonly string[], workingFolder = folder): Promise<CommandResult> {
  const flags = words[0] === 'doctor' ? [] : shared;
  return runCommand([...words, '--router-url', routerUrl, ...flags], workingFolder, env);
}
const options = () => ({ folder, routerUrl, apiKey: 'sk-test', layout: 'folder', typesOnly: true }) as const;
const readModel = (name: string): string => readFileSync(join(folder, `generated/models/maker/${name}.d.ts`), 'utf8');

/**
 * `code`: exit code of all commands that read the router. `strict`, `doctor`: exit code of `generate --strict` and `doctor`, if
 * different.
 */
type Row = { name: string; router: Router; code: number; strict?: number; doctor?: number };
const table: readonly Row[] = [
  { name: 'works correctly', router: {}, code: 0 },
  { name: 'fails for each document', router: { one: status(500), two: status(500) }, code: 3 },
  { name: 'fails for one document', router: { two: status(502) }, code: 3, doctor: 0 },
  { name: 'stays overloaded until the client gives up', router: { two: overloaded }, code: 3, doctor: 0 },
  { name: 'answers with a login page for one document', router: { one: page }, code: 3 },
  { name: 'answers with a truncated document', router: { one: (response) => response.end('{"openapi":') }, code: 3 },
  { name: 'rejects the credential for the documents', router: { one: status(401), two: status(401) }, code: 3 },
  { name: 'withholds every document', router: { one: status(403), two: status(403) }, code: 3, doctor: 0 },
  { name: 'withholds one document', router: { one: status(403) }, code: 0, strict: 1 },
  { name: 'answers 404 for a document', router: { one: status(404) }, code: 0, strict: 1 },
  { name: 'describes one model in a different format', router: { one: json({ swagger: 2 }) }, code: 0, strict: 1 },
  { name: 'fails for the catalog', router: { catalog: status(500) }, code: 3 },
  { name: 'answers with a login page for the catalog', router: { catalog: page }, code: 3 },
  { name: 'rejects the credential for every request', router: { catalog: status(401) }, code: 3 },
  { name: 'forbids the catalog for this credential', router: { catalog: status(403) }, code: 3 },
];

function overloaded(response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '3600' }).end();
}

test.each(table)(
  'generate and doctor end with the documented exit code for a router that $name',
  async ({ router: given, code, strict = code, doctor = code }) => {
    router = given;
    const wanted = [
      ['generate', code],
      ['generate --check', code],
      ['generate --strict', strict],
      ['doctor', doctor],
    ] as const;
    const ends = async (line: string): Promise<number> => (await run(line.split(' '))).code;
    for (const [line, end] of wanted) expect([line, await ends(line)]).toEqual([line, end]);
    // All models keep their last good output, regardless of the response.
    for (const name of ['one', 'two']) expect(readModel(name)).toContain('prompt?: string');
    expect((await verify('generated', { folder })).isSound).toBe(true);
  },
);

test.each(table.filter(({ name }) => /one document$|catalog$/.test(name)))(
  'diff, docs, library and plugin fail or succeed like generate for a router that $name',
  async ({ router: given, code }) => {
    router = given;
    for (const command of ['diff', 'docs']) expect([command, (await run([command])).code]).toEqual([command, code]);
    const isRead = code !== 3;
    const settled = (call: Promise<unknown>): Promise<boolean> => call.then(() => true).catch(() => false);
    expect(await settled(generate(options()))).toBe(isRead);
    expect(await settled(diff('generated', undefined, options()))).toBe(isRead);
    expect(await settled(docs(options()))).toBe(isRead);
    expect(await settled(generateForBuild({ ...options(), frozen: true }, 'build'))).toBe(isRead);
  },
);

test('generate writes the packages of all other documents before it exits with 3 for an unread one', async () => {
  router = { one: changed, two: status(500) };
  const { code, out, err } = await run(['generate']);
  expect([code, err.split('\n').slice(-2)]).toEqual([
    3,
    [
      'switchyard: 1 of 2 documents could not be read; their models keep the last good output. Run the command again, or accept this with --allow-failed 1',
      '',
    ],
  ]);
  expect(out).toContain('1 generated, 1 failed (1 could not be read)');
  expect(readModel('one')).toContain('prompt?: number');
  await expect(generate(options())).rejects.toMatchObject({
    message: expect.stringContaining('1 of 2 documents could not be read'),
    cause: { models: { failed: 1, unread: 1 }, diagnostics: [{ model: 'maker/two', code: 'document-not-read' }] },
  });
});

test('if several exit codes apply, commands exit with 2 rather than 3, and with 3 rather than 1', async () => {
  router = { one: changed, two: status(500) };
  expect((await run(['generate', '--check'])).code).toBe(3); // The output is outdated too.
  expect((await run(['diff'])).code).toBe(3); // There is a breaking change too.
  expect((await run(['generate', '--strict'])).code).toBe(3);
  expect((await run(['generate', '--allow-failed', 'some'])).code).toBe(2);
  writeFileSync(join(folder, 'switchyard.config.mjs'), 'export default { generate: { scoop: 1 } };');
  for (const command of ['generate', 'diff', 'docs', 'doctor']) expect((await run([command])).code).toBe(2);
});

test('--allow-failed N allows N unread documents', async () => {
  router = { one: status(500), two: status(500) };
  expect((await run(['generate', '--allow-failed', '1'])).code).toBe(3);
  expect((await run(['generate', '--allow-failed', '2', '--strict'])).code).toBe(0);
  await expect(generate({ ...options(), allowFailed: 2 })).resolves.toMatchObject({ models: { unread: 2 } });
});

test('the command and the library report a system error with the same message', async () => {
  const https = routerUrl.replace('http:', 'https:');
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const rows = [
    { more: { routerUrl: https }, says: /the port does not speak TLS; it may be an http port: EPROTO/ },
    {
      more: { out: join(file, 'out') },
      says: /cannot be written: there is a file where a folder is needed \(\S+, E\w+\)/,
    },
  ];
  for (const { more, says } of rows) {
    await expect(generate({ ...options(), ...more })).rejects.toThrow(says);
    const [flag = '', value = ''] = 'out' in more ? ['--out', more.out] : ['--router-url', more.routerUrl];
    const words = ['generate', ...shared, ...(flag === '--out' ? ['--router-url', routerUrl] : []), flag, value];
    const { code, err } = await runCommand(words, folder, env);
    expect([code, err]).toEqual([3, expect.stringMatching(says)]);
  }
});
