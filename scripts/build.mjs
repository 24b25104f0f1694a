// Compiles what is published to dist/: Node refuses to strip types below node_modules.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
for (const script of [
  ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json'],
  ['dist/scripts/prebuild.js'],
]) {
  const { status } = spawnSync(process.execPath, script, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 3);
}
