#!/usr/bin/env node
// The command: finds a suitable Node, then runs the sources (in the repository) or the built copy (when installed).
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// With --preserve-symlinks-main, the URL of this module is that of the link in node_modules/.bin.
const file = realpathSync(fileURLToPath(import.meta.url));
const here = dirname(file);
const load = (path) => import(pathToFileURL(join(here, path)).href);
const { findNode, isAtLeast, supported } = await load('find-node.mjs');

// npm only sends signals to the shell between npx and this process, so exit when that shell has exited.
if (process.env['npm_command'] === 'exec') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

if (isAtLeast(process.version, supported)) await runHere();
else runElsewhere();

async function runHere() {
  // Cache compiled code only in node_modules, where only the owner of the installation can write.
  const modules = [join(here, '..', 'node_modules'), join(here, '..', '..')].find(
    (folder) => basename(folder) === 'node_modules' && existsSync(folder),
  );
  if (modules !== undefined) module.enableCompileCache(join(modules, '.cache', 'switchyard'));
  const isSource = existsSync(join(here, 'switchyard.ts'));
  const { main } = await load(isSource ? 'switchyard.ts' : '../dist/scripts/switchyard.js');
  await main();
}

function runElsewhere() {
  const node = findNode([here, process.cwd()], supported);
  if (node === undefined) {
    process.stderr.write(
      `switchyard needs Node ${supported} or newer; this is ${process.version}. Install Node 24, for example with "nvm install 24" or from https://nodejs.org, and run the command again.\n`,
    );
    process.exitCode = 3;
    return;
  }
  let child;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (child === undefined ? process.exit(3) : child.kill(signal)));
  child = spawn(node, [file, ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write(`switchyard could not start ${node}: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 3;
  });
}
