import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchOptions, OptionError, readOptions, usage } from './options.ts';

type Bench = { run(options: BenchOptions): Promise<void> };

const folder = import.meta.dirname;
const installed = join(folder, 'node_modules', '.package-lock.json');

/** The benches by name; each is loaded separately, since they need different packages. */
const benches: ReadonlyMap<string, () => Promise<Bench>> = new Map<string, () => Promise<Bench>>([
  ['fidelity', () => import('./fidelity/fidelity.ts')],
  ['generate', () => import('./generate/generate.ts')],
  ['sandbox', () => import('./sandbox/sandbox.ts')],
  ['validate', () => import('./validate/validate.ts')],
  ['gate', () => import('./gate/gate.ts')],
  ['client', () => import('./client/client.ts')],
  ['scale', () => import('./scale/scale.ts')],
]);

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  const load = name === undefined || rest.includes('--help') ? undefined : benches.get(name);
  if (load === undefined) {
    process.stderr.write(`${usage([...benches.keys()])}\n`);
    return name === undefined || argv.includes('--help') ? 0 : 2;
  }
  try {
    const options = readOptions(rest);
    if (!isInstalled()) install();
    await (await load()).run(options);
    return 0;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

function isInstalled(): boolean {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}

function install(): void {
  process.stderr.write('bench: installing the peers (npm ci in bench/) …\n');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) throw new OptionError('bench: npm ci failed; its own message stands above.');
}
