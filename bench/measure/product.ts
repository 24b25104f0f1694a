import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runNode } from './process.ts';

const root = join(import.meta.dirname, '..', '..');

/** Builds the product as it is published into `folder`; the path of a script that runs its command. */
export async function buildProduct(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  await runNode({
    args: [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')],
    cwd: root,
  });
  for (const part of ['specs', 'templates', 'runtime', 'contract-tests', 'node_modules']) {
    await symlink(join(root, part), join(folder, part), 'dir');
  }
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  await runNode({ args: [join(folder, 'dist', 'scripts', 'prebuild.js')], cwd: folder });
  const entry = join(folder, 'entry.mjs');
  await writeFile(entry, "const { main } = await import('./dist/scripts/switchyard.js');\nawait main();\n");
  return entry;
}
