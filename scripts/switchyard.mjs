#!/usr/bin/env node
// The bin: finds a Node that can run switchyard, then runs the sources (in the repository) or the built copy (when installed).
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findNode } from './node-24.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const built = join(here, '..', 'dist', 'scripts', 'switchyard.js');
const source = join(here, 'switchyard.ts');
const entry = existsSync(source) ? source : built;

const node = findNode([here, process.cwd()]);
if (node === process.execPath) {
  const { main } = await import(pathToFileURL(entry).href);
  await main();
} else if (node === undefined) {
  process.stderr.write(
    `switchyard needs Node 24.18 or newer; this is ${process.version}. Install it, or add the package "node" beside switchyard: npm install --save-dev node@24.21.0\n`,
  );
  process.exitCode = 3;
} else {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`switchyard could not start ${node}: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 3;
  });
}
