import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sandboxCredentials, sandboxJobs } from '../../../sandbox/src/index.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { fakeIo } from '../../tests/fake-io.ts';
import { folderForFile, runCommand } from '../../tests/run-command.ts';
import { runProgram } from '../program.ts';

const folder = folderForFile();
mkdirSync(join(folder, 'models/maker/one'), { recursive: true });
const entry = { id: 'maker/one', provider: 'maker', model: 'one', billing: { charges_on_policy_rejection: 'no' } };
writeFileSync(join(folder, 'catalog.json'), JSON.stringify([entry]));
writeFileSync(join(folder, 'models/maker/one/openapi.json'), JSON.stringify({ openapi: '3.1.0', paths: {} }));

/** Runs the command, and reads the catalog like a page from a different origin would. */
async function listing(...flags: readonly string[]): Promise<{ ids: string[]; origin: string | null }> {
  const io = fakeIo({ workingFolder: folder });
  const command = runProgram(['sandbox', '--port', '0', '--json', ...flags], io);
  await expect.poll(() => io.written.out, { timeout: 10_000 }).toContain('\n');
  const { url }: { url: string } = JSON.parse(io.written.out);
  const headers = { 'X-API-Key': sandboxCredentials.router.main, Origin: 'http://page.test' };
  const response = await fetch(`${url}/v2/models`, { headers });
  const { data }: { data: { id: string }[] } = await response.json();
  io.stop();
  expect(await command).toBe(0);
  return { ids: data.map(({ id }) => id), origin: response.headers.get('access-control-allow-origin') };
}

test('the sandbox serves a catalog folder together with the outcome models', async () => {
  const { ids } = await listing('--catalog', '.');
  expect(ids).toEqual(['maker/one', 'sandbox/outcomes', 'sandbox-two/outcomes']);
});

test('the sandbox serves only the catalog folder with --no-outcome-models', async () => {
  expect((await listing('--catalog', '.', '--no-outcome-models')).ids).toEqual(['maker/one']);
});

test('the sandbox lists its active faults when it starts', async () => {
  const io = fakeIo({ workingFolder: folder });
  const command = runProgram(['sandbox', '--port', '0', '--fault', 'catalog.entry.billing-with-price'], io);
  await expect
    .poll(() => io.written.out, { timeout: 30_000 })
    .toContain('deviates  catalog.entry.billing-with-price\n');
  io.stop();
  expect(await command).toBe(0);
});

test('the sandbox ends when the shell that npx started is terminated', async () => {
  const script = join(packageRoot(), 'scripts/switchyard.mjs');
  // With only one command, the shell would replace itself with that command.
  const shell = spawn('sh', ['-c', '"$0" "$1" sandbox --port 0 --json; true', process.execPath, script], {
    env: { ...process.env, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(shell.stdout.setEncoding('utf8'), 'data');
  const { url }: { url: string } = JSON.parse(line);
  shell.kill('SIGTERM');
  await once(shell.stdout, 'close'); // the process has closed its end of the pipe
  await expect(fetch(`${url}/v2/models`)).rejects.toThrow('fetch failed');
}, 30_000);

/** Sends the request of a curl command line and returns the status; curl itself isn't needed. */
async function readStatus(line: string): Promise<number> {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${line}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  const words = stdout.split('\0').slice(0, -1);
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { header: { type: 'string', short: 'H', multiple: true }, data: { type: 'string', short: 'd' } },
  });
  const headers = (values.header ?? []).map((header): [string, string] => [
    header.split(': ')[0] ?? '',
    header.split(': ')[1] ?? '',
  ]);
  const body = values.data === undefined ? {} : { method: 'POST', body: values.data };
  return (await fetch(positionals[0] ?? '', { headers, ...body })).status;
}

test.each([
  ['', 4],
  ['--catalog .', 4],
  ['--host 0.0.0.0 --allow-remote', 3], // Admin routes are not served on a remote host.
])('the curl commands in the banner of the sandbox work when pasted (%s)', async (flags, count) => {
  const io = fakeIo({ workingFolder: folder });
  const command = runProgram(['sandbox', '--port', '0', ...flags.split(' ').filter(Boolean)], io);
  await expect.poll(() => io.written.out, { timeout: 30_000 }).toContain('Every response of the router');
  const calls = io.written.out.match(/(?<=^ {2})curl .*$/gm) ?? [];
  expect(calls).toHaveLength(count);
  for (const call of calls) expect(await readStatus(call), call).toBe(200);
  expect(/^console {2}http:\S+\/__sandbox\/$/m.test(io.written.out)).toBe(count === 4);
  for (const id of Object.values(sandboxJobs)) expect(io.written.out).toContain(id);
  io.stop();
  expect(await command).toBe(0);
});

test('--cors allows pages from that origin to call the sandbox', async () => {
  expect((await listing()).origin).toBeNull();
  expect((await listing('--cors', 'http://page.test')).origin).toBe('http://page.test');
});

const acme = (id: string) => {
  const size = { type: 'object', properties: { width: { type: 'integer' } } };
  const input = {
    type: 'object',
    properties: { prompt: { type: 'string' }, size: { $ref: '#/components/schemas/Size' } },
  };
  return {
    openapi: '3.1.0',
    info: { title: id, version: '1' },
    'x-acme-input-schema-authored': id !== 'maker/open',
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          requestBody: { content: { 'application/json': { schema: { ...input, required: ['prompt'] } } } },
          responses: { 200: { description: 'x', content: { 'application/json': { schema: { type: 'object' } } } } },
        },
      },
    },
    components: { schemas: { Size: size } },
  };
};

/** A catalog with a different brand, as the router of a user would serve it. */
function writeAcmeCatalog(): string {
  const place = join(folder, 'acme');
  const ids = ['maker/draw', 'maker/open'];
  for (const id of ids) {
    mkdirSync(join(place, 'models', id), { recursive: true });
    writeFileSync(join(place, 'models', id, 'openapi.json'), JSON.stringify(acme(id)));
  }
  const entries = ids.map((id) => ({ ...entry, id, provider: 'maker', model: id.split('/')[1] }));
  writeFileSync(join(place, 'catalog.json'), JSON.stringify(entries));
  return place;
}

const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };

/** Serves a catalog, and stops when `use` ends. */
async function serving<T>(
  words: readonly string[],
  use: (url: string, io: ReturnType<typeof fakeIo>) => Promise<T>,
): Promise<T> {
  const io = fakeIo({ workingFolder: folder, env });
  const command = runProgram(['sandbox', '--port', '0', '--json', ...words], io);
  await expect.poll(() => io.written.out + io.written.err, { timeout: 10_000 }).toMatch(/"url"|switchyard:/);
  try {
    return await use((JSON.parse(io.written.out) as { url: string }).url, io);
  } finally {
    io.stop();
    expect(await command).toBe(0);
  }
}

async function runModel(
  url: string,
  id: string,
  body: object,
): Promise<{ status: number; brand: string; error: string }> {
  const headers = { 'X-API-Key': sandboxCredentials.router.main, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/v2/models/${id}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  const name = [...response.headers.keys()].find((one) => /^x-.*-request-id$/.test(one)) ?? '';
  return { status: response.status, brand: name, error: response.headers.get('x-acme-error-type') ?? '' };
}

test('the sandbox takes its brand from the documents of its catalog, so that generate gets every model', async () => {
  await serving(['--catalog', writeAcmeCatalog()], async (url) => {
    expect(await runModel(url, 'maker/draw', {})).toEqual({
      status: 422,
      brand: 'x-acme-request-id',
      error: 'invalid_input',
    });
    expect((await runModel(url, 'maker/open', {})).status).toBe(200); // The router does not check the input of this model.
    const generate = ['generate', '--router-url', url, '--layout', 'folder', '--strict', '--out', 'from-acme'];
    expect(await runCommand(generate, folder, env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('4 listed, 4 generated, 0 failed'),
    });
  });
});

test('a configured brand overrides the brand in the documents of a catalog', async () => {
  await serving(['--catalog', writeAcmeCatalog(), '--brand', 'Other'], async (url) => {
    expect((await runModel(url, 'maker/draw', {})).brand).toBe('x-other-request-id');
  });
});

test('generated packages and a router URL can also be used as the catalog', async () => {
  const words = ['--catalog', writeAcmeCatalog(), '--no-outcome-models'];
  await serving(words, async (url) => {
    const generate = ['generate', '--router-url', url, '--scope', '@acme', '--out', 'packages'];
    expect(await runCommand(generate, folder, env)).toMatchObject({ code: 0 });
    for (const catalog of [url, 'packages'])
      await serving(['--catalog', catalog, '--no-outcome-models'], async (copy) => {
        expect(await runModel(copy, 'maker/draw', {})).toMatchObject({ status: 422, brand: 'x-acme-request-id' });
        expect((await runModel(copy, 'maker/draw', { prompt: 'a', size: { width: 'x' } })).status).toBe(422);
        expect((await runModel(copy, 'maker/draw', { prompt: 'a', size: { width: 1 } })).status).toBe(200);
        expect((await runModel(copy, 'maker/open', {})).status).toBe(200);
        const diff = ['diff', 'packages', '--router-url', copy, '--scope', '@acme', '--brand', 'Acme'];
        expect(await runCommand(diff, folder, env)).toMatchObject({
          code: 0,
          out: expect.stringContaining('0 breaking'),
        });
      });
  });
});

test.each([
  [['--catalog', 'http://127.0.0.1:9'], {}, 2, /set SWITCHYARD_API_KEY/],
  [['--catalog', 'http://router.example'], env, 2, /--allow-http/],
  [['--catalog', 'http://127.0.0.1:9'], env, 3, /ECONNREFUSED|nothing listens/],
  [['--catalog', 'nowhere'], env, 2, /nowhere cannot be read/],
])('the sandbox reports why a catalog is unreadable: %j %j', async (words, given, code, says) => {
  const { code: end, err } = await runCommand(['sandbox', '--port', '0', ...words], folder, given);
  expect([end, err]).toEqual([code, expect.stringMatching(says)]);
});
