import { spawnSync } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Packs the product as published, installs it into `folder` and returns its path. */
export async function installProduct(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  const product = join(modules, 'openapi-switchyard');
  await mkdir(product, { recursive: true });
  const tarball = run('npm', ['pack', '--silent', '--pack-destination', folder]).trim().split('\n').at(-1) ?? '';
  run('tar', ['-xzf', join(folder, tarball), '-C', product, '--strip-components=1']);
  // It uses the dependencies of this repository.
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== 'openapi-switchyard' && !name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  return product;
}

/** The script behind the product's command. */
export function locateEntry(product: string): string {
  return join(product, 'scripts', 'switchyard.mjs');
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
