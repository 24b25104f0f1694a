import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { type Bounds, type Ended, runChild } from './run-child.ts';

type Command = 'generate' | 'diff' | 'docs' | 'verify' | 'conform' | 'sandbox';
/** A copy of this repository whose command is attacked. */
export type Checkout = {
  readonly root: string;
  /** What to give to Node for a command; flags that this checkout does not have are left out with their value. */
  args(command: Command, flags: readonly Flag[]): string[];
  has(command: Command, flag: string): boolean;
  run(
    command: Command,
    flags: readonly Flag[],
    how: { cwd: string; env?: Record<string, string>; bounds: Bounds },
  ): Promise<Ended>;
  /** Compiles a project with the native compiler and gives its errors. */
  compile(project: string): Promise<string>;
};
/** A flag with its value, a flag alone, or a positional argument; `optional` where an older checkout may lack it. */
export type Flag =
  | string
  | readonly [name: string, value: string]
  | { readonly optional: readonly [name: string, value: string] };

const helpBounds: Bounds = { wallMs: 60_000, cpuMs: 20_000, peakMb: 1_000 };
const compileBounds: Bounds = { wallMs: 300_000, cpuMs: 120_000, peakMb: 4_000 };

export async function openCheckout(root: string): Promise<Checkout> {
  const script = join(root, 'scripts/switchyard.mjs');
  if (!existsSync(script)) throw new Error(`${root} is no checkout: ${script} does not exist`);
  const commands: readonly Command[] = ['generate', 'diff', 'docs', 'verify', 'conform', 'sandbox'];
  const helps = new Map<Command, string>();
  for (const command of commands) {
    const { out } = await runChild([script, command, '--help'], { cwd: root, bounds: helpBounds });
    helps.set(command, out);
  }
  const has = (command: Command, flag: string): boolean => (helps.get(command) ?? '').includes(`${flag} `);
  const args: Checkout['args'] = (command, flags) => [
    script,
    command,
    // Without a scope, plain files would be written.
    ...(command === 'generate' ? ['--scope', '@switchyard'] : []),
    ...flags.flatMap((flag): readonly string[] => {
      if (typeof flag === 'string') return [flag];
      if (!('optional' in flag)) return flag;
      return has(command, flag.optional[0]) ? flag.optional : [];
    }),
  ];
  return {
    root,
    has,
    args,
    run: (command, flags, how) => {
      mkdirSync(how.cwd, { recursive: true });
      return runChild(args(command, flags), how);
    },
    compile: async (project) => {
      const compiler = join(packageRoot(), 'node_modules/typescript-7/bin/tsc');
      const { code, out, err, stopped } = await runChild([compiler, '-p', project], {
        cwd: root,
        bounds: compileBounds,
      });
      return code === 0 ? '' : (stopped ?? (out + err || `the compiler ended with ${code}`));
    },
  };
}
