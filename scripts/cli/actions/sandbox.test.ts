import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { sandboxCredentials, sandboxJobs } from '../../../sandbox/src/index.ts';
import { fakeIo } from '../../tests/fake-io.ts';
import { runProgram } from '../program.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-sandbox-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'models/maker/one'), { recursive: true });
const entry = { id: 'maker/one', provider: 'maker', model: 'one', billing: { charges_on_policy_rejection: 'no' } };
writeFileSync(join(folder, 'catalog.json'), JSON.stringify([entry]));
writeFileSync(join(folder, 'models/maker/one/openapi.json'), JSON.stringify({ openapi: '3.1.0', paths: {} }));

/** Runs the command while its listing is read, as a page of another origin would. */
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

test('a catalog folder is served with the outcome models', async () => {
  const { ids } = await listing('--catalog', '.');
  expect(ids).toEqual(['maker/one', 'sandbox/outcomes', 'sandbox-two/outcomes']);
});

test('a catalog folder is served alone with --no-outcome-models', async () => {
  expect((await listing('--catalog', '.', '--no-outcome-models')).ids).toEqual(['maker/one']);
});

test('the banner names each fault', async () => {
  const io = fakeIo({ workingFolder: folder });
  const command = runProgram(['sandbox', '--port', '0', '--fault', 'catalog.entry.billing-with-price'], io);
  await expect
    .poll(() => io.written.out, { timeout: 30_000 })
    .toContain('deviates  catalog.entry.billing-with-price\n');
  io.stop();
  expect(await command).toBe(0);
});

/** What the server answers to a line that a shell has read; curl itself need not be here. */
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
  ['--workflow-auth static', 4],
  ['--host 0.0.0.0 --allow-remote', 3], // admin routes are not served there
])('the calls in the banner work when pasted (%s)', async (flags, count) => {
  const io = fakeIo({ workingFolder: folder });
  const command = runProgram(['sandbox', '--port', '0', ...flags.split(' ').filter(Boolean)], io);
  await expect.poll(() => io.written.out, { timeout: 30_000 }).toContain('Every router answer');
  const calls = io.written.out.match(/(?<=^ {2})curl .*$/gm) ?? [];
  expect(calls).toHaveLength(count);
  for (const call of calls) expect(await readStatus(call), call).toBe(200);
  expect(/^console {2}http:\S+\/__sandbox\/$/m.test(io.written.out)).toBe(count === 4);
  for (const id of Object.values(sandboxJobs)) expect(io.written.out).toContain(id);
  io.stop();
  expect(await command).toBe(0);
});

test('pages of an origin may call with --cors', async () => {
  expect((await listing()).origin).toBeNull();
  expect((await listing('--cors', 'http://page.test')).origin).toBe('http://page.test');
});
