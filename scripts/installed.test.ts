import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, listen, sandboxCredentials } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, packageRoot } from '../specs/src/index.ts';

// Node refuses to strip types below node_modules: what is installed must run from its built copy and find its own files.
const root = packageRoot();
let project = '';
let bin = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'switchyard-installed-'));
  const modules = join(project, 'node_modules');
  const target = join(modules, 'switchyard');
  mkdirSync(target, { recursive: true });
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', project], { cwd: root, encoding: 'utf8' });
  expect(packed.status, packed.stderr).toBe(0);
  const tarball = packed.stdout.trim().split('\n').at(-1) ?? '';
  expect(spawnSync('tar', ['-xzf', join(project, tarball), '-C', target, '--strip-components=1']).status).toBe(0);
  // Its dependencies are those of this repository, linked instead of fetched.
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))) {
    if (name !== 'switchyard') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  bin = join(target, 'scripts', 'switchyard.mjs');
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(
  args: readonly string[],
  env: Record<string, string> = {},
): { code: number | null; out: string; err: string } {
  const { CI: _ci, ...rest } = process.env;
  const result = spawnSync(process.execPath, [bin, ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...rest, ...env },
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

describe('installed elsewhere', () => {
  test('the sources do not travel, their built copy does', () => {
    expect(
      readdirSync(join(project, 'node_modules', 'switchyard', 'scripts')).every((name) => name.endsWith('.mjs')),
    ).toBe(true);
  });

  test('specs build and check', () => {
    expect(run(['specs', 'check', '--brand', 'Acme'])).toMatchObject({ code: 0, err: '' });
    expect(run(['specs', 'build', '--out', 'built'])).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(join(project, 'built'))).toHaveLength(4);
  });

  test.each(['sandbox', 'mock'])(
    'conform --target %s',
    (target) => {
      const result = run(['conform', '--target', target, '--rule', 'catalog.*', '--json']);
      expect(result.code, result.err).toBe(0);
      expect(JSON.parse(result.out).counts.passed).toBeGreaterThan(0);
    },
    60_000,
  );

  test('generate', async () => {
    const server = await listen(createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) }), {
      port: 0,
      host: '127.0.0.1',
    });
    const child = await runAsync(['generate', '--router-url', server.url, '--out', 'packages', '--json'], {
      SWITCHYARD_API_KEY: sandboxCredentials.router.main,
    });
    await server.close();
    expect(child.code, child.err).toBe(0);
    expect(readdirSync(join(project, 'packages')).sort()).toEqual(
      expect.arrayContaining(['model-router', 'models', 'workflow-execution']),
    );
  }, 60_000);

  test('the library types and makes a sandbox', () => {
    const code = `import { createSandbox, defineConfig, buildEffectiveSpecs, defaultSpecSettings } from 'switchyard';
      const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) });
      const answer = await sandbox.fetch(new Request('http://sandbox.test/v2/models'));
      console.log(defineConfig({ brand: 'Acme' }).brand, answer.status);`;
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: project, encoding: 'utf8' });
    expect(result.stdout.trim(), result.stderr).toBe('Acme 401');
  });
});

// The sandbox of this process must be able to answer while the command runs.
async function runAsync(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; err: string }> {
  const { spawn } = await import('node:child_process');
  return new Promise((done) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('close', (code) => done({ code, err }));
  });
}
