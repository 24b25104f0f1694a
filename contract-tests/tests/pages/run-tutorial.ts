import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { copyCheckout, installUnpacked, unpackPackage } from './packed-project.ts';
import { pageScript } from './page-script.ts';
import { freePort, makeProject } from './project.ts';

// Executes docs/tutorial.md from its first line to its last, in an empty folder, with the packed package.
const folder = mkdtempSync(join(tmpdir(), 'switchyard-tutorial-'));
const copy = join(folder, 'checkout');
mkdirSync(copy);
const installed = makeProject();
const empty = makeProject();
try {
  await copyCheckout(copy);
  installUnpacked(await unpackPackage(copy, join(folder, 'packed')), installed);
  const modules = join(installed.folder, 'node_modules');
  mkdirSync(join(modules, '@types'));
  for (const name of ['@types/node', '.bin/tsc'])
    symlinkSync(join(packageRoot(), 'node_modules', name), join(modules, name));
  const ports = { 4010: await freePort(), 4011: await freePort() };
  const script = pageScript('docs/tutorial.md', (text) =>
    text
      .replaceAll('4010', ports[4010])
      .replaceAll('4011', ports[4011])
      // What npm would install, at the places where it would be.
      .replace(/^npm install .*$/, `cp -R '${modules}' .`),
  );
  const started = performance.now();
  const { code, output } = await empty.run(script);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(code === 0 ? `docs/tutorial.md executed in ${seconds} s\n` : `${output}\n`);
  process.exitCode = code;
} finally {
  installed.close();
  empty.close();
  rmSync(folder, { recursive: true, force: true });
}
