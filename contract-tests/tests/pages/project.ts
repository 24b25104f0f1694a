import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../specs/src/index.ts';

export type Ran = { readonly code: number; readonly output: string };

/** A project in a temporary folder, which has `openapi-switchyard` installed. */
export type Project = {
  readonly folder: string;
  write(path: string, text: string): void;
  /** Runs a script with bash, which stops at a failure as in CI systems. Background processes of the script run until `close`. */
  run(script: string, env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Ends background processes and removes the folder. */
  close(): void;
};

/** Creates a project. `installed` is the folder of the package, by default this checkout. */
export function makeProject(manifest: object = {}, installed = packageRoot()): Project {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-page-'));
  const groups: number[] = [];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('package.json', `${JSON.stringify({ name: 'a-project', private: true, type: 'module', ...manifest })}\n`);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(installed, join(folder, 'node_modules/openapi-switchyard'));
  symlinkSync('../openapi-switchyard/scripts/switchyard.mjs', join(folder, 'node_modules/.bin/openapi-switchyard'));
  return {
    folder,
    write,
    run: (script, env = {}) => runScript(script, folder, { env, groups }),
    close: () => {
      for (const group of groups) endGroup(group);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Packs the checkout, unpacks it in a folder, and links its dependencies. Resolves to the folder of the package. */
export async function unpackPackage(folder: string): Promise<string> {
  await mustRun(`npm pack --silent --pack-destination '${folder}'`, packageRoot());
  await mustRun('tar -xzf *.tgz', folder);
  symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'package');
}

/** Writes a package `playwright` that opens the Chromium in the dependencies. */
export function writePlaywright(folder: string): void {
  const playwright = join(folder, 'node_modules/playwright');
  const browser = pathToFileURL(join(packageRoot(), 'contract-tests/tests/browser/open-browser.ts')).href;
  const program = `import { openBrowser } from '${browser}';\nexport const chromium = { launch: openBrowser };\n`;
  mkdirSync(playwright, { recursive: true });
  writeFileSync(
    join(playwright, 'package.json'),
    '{ "name": "playwright", "type": "module", "exports": "./index.js" }',
  );
  writeFileSync(join(playwright, 'index.js'), program);
}

/** Runs a script, and throws if it fails. */
export async function mustRun(
  script: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const ran = await runScript(script, folder, { env });
  if (ran.code !== 0) throw new Error(`${script} ended with exit code ${ran.code}: ${ran.output}`);
  return ran;
}

type Surroundings = { env?: Readonly<Record<string, string>>; groups?: number[] };

/** Runs a script with bash. Its output goes to a file, because a background process would keep a pipe open. */
export function runScript(script: string, folder: string, { env = {}, groups = [] }: Surroundings = {}): Promise<Ran> {
  const logFolder = mkdtempSync(join(tmpdir(), 'switchyard-step-'));
  const log = join(logFolder, 'log');
  const written = openSync(log, 'w');
  return new Promise((done, failed) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', written, written],
      env: { ...plainEnvironment(), ...env },
    });
    closeSync(written);
    if (child.pid !== undefined) groups.push(child.pid);
    child.once('error', failed);
    child.once('exit', (code) => {
      const output = readFileSync(log, 'utf8');
      rmSync(logFolder, { recursive: true }); // A background process can still write to the deleted file.
      done({ code: code ?? 1, output });
    });
  });
}

/** Returns the environment without variables for switchyard, git and npm that this machine or its CI system sets. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(SWITCHYARD|GITHUB|GIT|npm)_/.test(name));
  const path = `${join(packageRoot(), 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  return { ...Object.fromEntries(kept), CI: 'true', NO_COLOR: '1', GIT_CONFIG_GLOBAL: '/dev/null', PATH: path };
}

export function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}

/** Finds a free port, because the ports on a page may be in use on this machine. */
export function freePort(): Promise<string> {
  const server = createServer();
  return new Promise((found, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(String(typeof address === 'object' ? address?.port : address)));
    });
  });
}
