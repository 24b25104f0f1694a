import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Runtime = {
  readonly name: string;
  /** A package that brings the executable, or whose own dependencies do. */
  readonly package: string;
  /** Where the executable is below `node_modules`; the first one that exists. */
  readonly executable: string;
  /** Before the file of a program. */
  readonly args: readonly string[];
  /** Whether a machine where it cannot be installed fails the run. */
  readonly isRequired: boolean;
};

const platform = process.platform === 'win32' ? 'win' : process.platform;
const suffix = process.platform === 'win32' ? '.exe' : '';

/** A version of Node, from the package that holds its executable for this platform. */
export const node = (version: string): Runtime => ({
  name: `Node ${version.split('.')[0]}`,
  package: `node-${platform}-${process.arch}@${version}`,
  executable: `node-${platform}-${process.arch}/bin/node${suffix}`,
  args: [],
  isRequired: true,
});

export const runtimes: readonly Runtime[] = [
  node('20.0.0'),
  node('22.0.0'),
  node('24.0.0'),
  {
    name: 'Deno',
    package: 'deno@2.9.6',
    executable: `@deno/*/deno${suffix}`,
    args: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
    isRequired: false,
  },
  {
    name: 'Bun',
    package: 'bun@1.4.5',
    executable: `@oven/*/bin/bun${suffix}`,
    args: [],
    isRequired: false,
  },
];

/** Installs a program into a folder of its own, without running scripts of the package. */
export async function installRuntime(
  runtime: Pick<Runtime, 'name' | 'package' | 'executable'>,
  parent: string,
): Promise<{ readonly executable: string; readonly version: string } | { readonly problem: string }> {
  const folder = join(parent, runtime.name.replace(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  try {
    await run('npm', ['install', ...options, '--prefix', folder, runtime.package], { cwd: folder });
    const [found] = globSync(join(folder, 'node_modules', runtime.executable)).filter((path) => existsSync(path));
    if (found === undefined) return { problem: `${runtime.package} has no executable for this platform` };
    const { stdout } = await run(found, ['--version']);
    return { executable: found, version: stdout.trim().split('\n')[0] ?? '' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim().split('\n').slice(0, 2).join(' ') : String(error) };
  }
}
