#!/usr/bin/env node
// The command: runs the sources (in the repository) or the built copy (when installed). Plain JavaScript that an old Node reads too.
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The oldest Node that runs the published package. */
const oldestNodeVersion = '22.18.0';

// With --preserve-symlinks-main, the URL of this module is that of the link in node_modules/.bin.
const here = dirname(realpathSync(fileURLToPath(import.meta.url)));

// npm only sends signals to the shell between npx and this process, so exit when that shell has exited.
if (process.env['npm_command'] === 'exec') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

if (process.version.localeCompare(`v${oldestNodeVersion}`, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `switchyard needs Node ${oldestNodeVersion} or newer; this is ${process.version}. Install Node 24, for example with "nvm install 24" or from https://nodejs.org, and run the command again.\n`,
  );
  process.exitCode = 3;
} else {
  // Cache compiled code only in node_modules, where only the owner of the installation can write.
  const modules = [join(here, '..', 'node_modules'), join(here, '..', '..')].find(
    (folder) => basename(folder) === 'node_modules' && existsSync(folder),
  );
  if (modules !== undefined) module.enableCompileCache(join(modules, '.cache', 'switchyard'));
  const isSource = existsSync(join(here, 'switchyard.ts'));
  const { main } = await import(
    pathToFileURL(join(here, isSource ? 'switchyard.ts' : '../dist/scripts/switchyard.js')).href
  );
  await main();
}
