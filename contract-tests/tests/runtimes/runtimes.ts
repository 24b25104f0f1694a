import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that npm installs. */
export type Program = {
  readonly name: string;
  /** Package with an exact version. It or one of its dependencies has the executable. */
  readonly package: string;
  /** Path pattern below `node_modules`; the first match is used. */
  readonly executable: string;
  /** True if the program is skipped when it cannot be installed. */
  readonly isOptional?: true;
};
/** `args` are the arguments before the file of the program. */
export type Runtime = Program & { readonly args: readonly string[] };

const platform = process.platform === 'win32' ? 'win' : process.platform;
const suffix = process.platform === 'win32' ? '.exe' : '';

/** Describes a version of Node, from the package with its executable for this platform. */
export const node = (version: string): Runtime => ({
  name: `Node ${version.split('.')[0]}`,
  package: `node-${platform}-${process.arch}@${version}`,
  executable: `node-${platform}-${process.arch}/bin/node${suffix}`,
  args: [],
});

export const deno: Runtime = {
  name: 'Deno',
  package: 'deno@2.9.6',
  executable: `@deno/*/deno${suffix}`,
  args: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
  isOptional: true,
};

export const runtimes: readonly Runtime[] = [
  node('20.0.0'),
  node('22.0.0'),
  node('24.0.0'),
  deno,
  { name: 'Bun', package: 'bun@1.4.5', executable: `@oven/*/bin/bun${suffix}`, args: [], isOptional: true },
];

/** Installs a program into a separate folder below `parent`, without running scripts of the package. */
export async function installProgram(
  program: Program,
  parent: string,
): Promise<{ readonly executable: string; readonly version: string } | { readonly problem: string }> {
  const folder = join(parent, program.name.replace(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  try {
    await run('npm', ['install', ...options, '--prefix', folder, program.package], { cwd: folder });
    const [found] = globSync(join(folder, 'node_modules', program.executable)).filter((path) => existsSync(path));
    if (found === undefined) return { problem: `${program.package} has no executable for this platform` };
    const { stdout } = await run(found, ['--version']);
    return { executable: found, version: stdout.trim().split('\n')[0] ?? '' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim().split('\n').slice(0, 2).join(' ') : String(error) };
  }
}

/** Returns the line for a program that could not be installed; throws if it is required. */
export function leaveOut({ isOptional }: Program, problem: string): string {
  if (isOptional) return `not tried: ${problem}`;
  throw new Error(problem);
}
