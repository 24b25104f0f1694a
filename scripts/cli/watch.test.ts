import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSandbox, type Listening, listen, type Sandbox, sandboxCredentials } from '../../sandbox/src/index.ts';
import { readOwnCatalog } from '../../specs/src/index.ts';
import { type FakeIo, fakeIo } from '../tests/fake-io.ts';
import { runProgram } from './program.ts';

let folder = '';
let sandbox: Sandbox;
let server: Listening;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-watch-'));
  const catalog = readOwnCatalog()
    .slice(0, 1)
    .map(({ id, charges_on_policy_rejection: billing, document }) => ({
      id,
      billing,
      bytes: new TextEncoder().encode(JSON.stringify(document)),
    }));
  sandbox = createSandbox({ catalog });
  server = await listen(sandbox);
});
afterEach(async () => {
  await server.close();
  sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

function configure(text: string): void {
  writeFileSync(join(folder, 'switchyard.config.mjs'), `export default ${text};\n`);
}

const configured = (more = ''): string =>
  `{ routerUrl: '${server.url}', generate: { scope: '@acme', out: 'packages', typesOnly: true, ${more} } }`;

/** Runs it until `use` has ended; what it wrote is in the io. */
async function watching(argv: readonly string[], use: (io: FakeIo) => Promise<void>): Promise<number> {
  const io = fakeIo({ env: { SWITCHYARD_API_KEY: sandboxCredentials.router.main }, workingFolder: folder });
  const ended = runProgram(['generate', '--watch', ...argv], io);
  try {
    await use(io);
  } finally {
    io.stop();
  }
  return ended;
}

/** For what happens soon, but late where several tests share a processor. */
const waits = { timeout: 50_000 };
const manifest = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'packages/models/package.json'), 'utf8'));

test('generates again when the configuration changes, and looks at the router at the interval', async () => {
  configure(configured());
  const code = await watching(['1', '--json'], async ({ written }) => {
    const reports = (): unknown[] =>
      written.out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const fetching = { changed: true, requests: expect.objectContaining({ fetched: 1 }) };
    const looking = { changed: false, requests: expect.objectContaining({ asked: 1, notModified: 1 }) };
    await expect.poll(() => reports()[0], waits).toMatchObject(fetching);
    await expect.poll(reports, waits).toContainEqual(expect.objectContaining(looking));
    configure('{ this is broken');
    await expect.poll(() => written.err, waits).toMatch(/switchyard\.config\.mjs cannot be loaded/);
    configure(configured(`license: 'MIT'`));
    await expect.poll(manifest, waits).toMatchObject({ license: 'MIT' });
    await server.close();
    await expect.poll(() => written.err, waits).toMatch(/not reachable|refused/i);
  });
  expect(code).toBe(0);
}, 300_000);

test('ends with wrong usage at the start, and goes with neither --check nor --frozen', async () => {
  const io = fakeIo({ workingFolder: folder });
  expect(await runProgram(['generate', '--watch'], io)).toBe(2);
  expect(io.written.err).toMatch(/no address of a Model Router/);
  for (const flag of ['--check', '--frozen'])
    expect(await runProgram(['generate', '--watch', '60', flag], fakeIo({ workingFolder: folder }))).toBe(2);
});
