// Runs one script of the repository under Node 24, after installing what is missing: `node scripts/set-up.mjs <script> [arguments]`.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const installed = join(root, 'node_modules', '.package-lock.json');

function isInstalled() {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  process.stderr.write('switchyard: installing dependencies (npm ci) …\n');
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const result = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: npm === undefined && process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stderr.write('switchyard: npm ci failed; see its message above.\n');
    process.exit(3);
  }
}

if (!isInstalled()) install();
// The package `node` is Node 24. Without it, only a recent Node can run the sources.
const packaged = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const node = existsSync(packaged) ? packaged : process.execPath;
const [script, ...rest] = process.argv.slice(2);
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(process.platform === 'win32' ? ';' : ':');
const result = spawnSync(node, [join(root, script), ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
});
process.exit(result.status ?? 3);
