import { cpSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { type Project, type Ran, runScript } from './project.ts';

// A copy of the checkout takes what commands of contributors write, and is what gets packed: the checkout stays as it is.

/** Copies the files that git knows or would add, with `node_modules` linked, into a new folder. */
export async function copyCheckout(folder: string): Promise<void> {
  const { output } = await mustRun('git ls-files --cached --others --exclude-standard', packageRoot());
  for (const path of output.split('\n').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(packageRoot(), path), join(folder, path));
  }
  symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
  // A lockfile that is newer than what is installed would make commands install, into the linked folder.
  utimesSync(join(folder, 'package-lock.json'), 0, 0);
  await mustRun('git init --quiet', folder);
}

/** Packs the copy and unpacks it in a folder, as an installation would. Resolves to that folder. */
export async function unpackPackage(copy: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const { output } = await mustRun(`npm pack --silent --pack-destination '${folder}'`, copy);
  await mustRun(`tar -xzf '${output.trim().split('\n').at(-1)}'`, folder);
  return join(folder, 'package');
}

/** Puts an unpacked package in the place of the checkout, with links to what it needs. The link of the command stays. */
export function installUnpacked(unpacked: string, { folder }: Project): void {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'openapi-switchyard');
  unlinkSync(own);
  cpSync(unpacked, own, { recursive: true });
  const manifest: { dependencies: object; peerDependencies: object } = JSON.parse(
    readFileSync(join(own, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(packageRoot(), 'node_modules', name), join(modules, name));
  }
}

/** Throws when the script fails. */
export async function mustRun(
  script: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const ran = await runScript(script, folder, { env });
  if (ran.code !== 0) throw new Error(`${script} ended with exit code ${ran.code}: ${ran.output}`);
  return ran;
}
