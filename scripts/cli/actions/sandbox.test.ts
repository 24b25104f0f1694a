import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

test.each([
  ['the built-in catalog', []],
  ['a catalog folder', ['--catalog', '.']],
])('each call that the banner shows succeeds with %s', async (_, flags) => {
  const io = fakeIo({ workingFolder: folder });
  const command = runProgram(['sandbox', '--port', '0', ...flags], io);
  await expect.poll(() => io.written.out, { timeout: 30_000 }).toContain('Every router answer');
  const calls = io.written.out.match(/^ {2}curl .*$/gm) ?? [];
  expect(calls).toHaveLength(3);
  const answers = calls.map((call) =>
    promisify(execFile)('bash', ['-c', call.replace('curl', 'curl --silent --fail')]),
  );
  for (const { stdout } of await Promise.all(answers)) expect(stdout).toMatch(/\{/);
  io.stop();
  expect(await command).toBe(0);
});

test('the banner names each job', async () => {
  const io = fakeIo({ workingFolder: folder });
  const command = runProgram(['sandbox', '--port', '0'], io);
  for (const [name, id] of Object.entries(sandboxJobs))
    await expect.poll(() => io.written.out, { timeout: 30_000 }).toMatch(new RegExp(`^  ${id} +${name}$`, 'm'));
  io.stop();
  expect(await command).toBe(0);
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

test('pages of an origin may call with --cors', async () => {
  expect((await listing()).origin).toBeNull();
  expect((await listing('--cors', 'http://page.test')).origin).toBe('http://page.test');
});
