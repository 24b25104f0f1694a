#!/usr/bin/env node
// The command: finds a suitable Node, then runs the sources (in the repository) or the built copy (when installed).
import { findNode, isAtLeast, supported } from './find-node.mjs';

// npm passes a signal only to the shell between npx and this process: stop as well once that shell has ended.
if (process.env['npm_command'] === 'exec') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

if (isAtLeast(process.version, supported)) await runHere();
else await runElsewhere();

// `getBuiltinModule` starts faster than `import`, which also loads the parts of a built-in module that aren't used here.
async function runHere() {
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { basename, join } = process.getBuiltinModule('node:path');
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const here = import.meta.dirname;
  // Cache compiled code only in node_modules, where only the owner of the installation can write.
  const modules = [join(here, '..', 'node_modules'), join(here, '..', '..')].find(
    (folder) => basename(folder) === 'node_modules' && existsSync(folder),
  );
  if (modules !== undefined) enableCompileCache(join(modules, '.cache', 'switchyard'));
  const isSource = existsSync(join(here, 'switchyard.ts'));
  const { main } = await import(isSource ? './switchyard.ts' : '../dist/scripts/switchyard.js');
  await main();
}

async function runElsewhere() {
  const { fileURLToPath } = await import('node:url');
  const here = fileURLToPath(new URL('.', import.meta.url));
  const node = await findNode([here, process.cwd()], supported);
  if (node === undefined) {
    process.stderr.write(
      `switchyard needs Node ${supported} or newer; this is ${process.version}. Install Node 24, for example with "nvm install 24" or from https://nodejs.org, and run the command again.\n`,
    );
    process.exitCode = 3;
    return;
  }
  const { spawn } = await import('node:child_process');
  let child;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (child === undefined ? process.exit(3) : child.kill(signal)));
  child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write(`switchyard could not start ${node}: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 3;
  });
}
