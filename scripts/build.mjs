// Compiles the published code to dist/: Node does not strip types below node_modules.
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { bundle } from './bundle.mjs';

rmSync('dist', { recursive: true, force: true });
for (const script of [
  ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json'],
  ['dist/scripts/prebuild.js'],
]) {
  const { status } = spawnSync(process.execPath, script, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 3);
}

// `generate` runs in every build of its users, mostly to find that nothing changed: starting must cost next to nothing.
const bundled = ['commander', 'p-map'];
// The actions of other commands are not called from there and drop out.
const isOtherAction = (id) => /\/actions\/(?!generate\.)/.test(id);
await bundle(
  'dist/scripts/cli/generate-program.js',
  (id) => isOtherAction(id) || (!/^[./]/.test(id) && !bundled.includes(id)),
);
await bundle('dist/scripts/switchyard.js', (id) => id.endsWith('program.js') || !/^[./]/.test(id));
for (const name of bundled) {
  const licence = name === 'commander' ? 'LICENSE' : 'license';
  copyFileSync(`node_modules/${name}/${licence}`, `dist/scripts/cli/${name}.LICENSE.txt`);
}
