import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchOptions, OptionError, readOptions, usage } from './options.ts';
import { renderTable, type Table } from './table.ts';

type Measure = (options: BenchOptions) => Promise<Table[]>;

/** Loads the function that measures each subject. Loaded on demand, because each subject needs different packages. */
const subjects: Readonly<Record<string, () => Promise<Measure>>> = {
  generate: async () => (await import('./generate/generate.ts')).measureGenerate,
  fidelity: async () => (await import('./fidelity/fidelity.ts')).measureFidelity,
  client: async () => (await import('./client/client.ts')).measureClient,
  sandbox: async () => (await import('./sandbox/sandbox.ts')).measureSandbox,
  gate: async () => (await import('./gate/gate.ts')).measureGate,
};

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const [first = ''] = argv;
  const named = first.startsWith('--') || first === '' ? undefined : first;
  const chosen =
    named === undefined ? Object.entries(subjects) : Object.entries(subjects).filter(([name]) => name === named);
  if (chosen.length === 0 || argv.includes('--help')) {
    process.stderr.write(`${usage(Object.keys(subjects))}\n`);
    return argv.includes('--help') ? 0 : 2;
  }
  try {
    const options = readOptions(named === undefined ? argv : argv.slice(1));
    installPeers();
    for (const [name, load] of chosen) {
      const tables = await (await load())(options);
      const text = tables.map(renderTable).join('\n\n');
      process.stdout.write(options.json ? `${JSON.stringify({ subject: name, tables })}\n` : `${text}\n\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

/** Installs the tools that the bench compares with, unless they are up to date. Only the bench depends on them. */
function installPeers(): void {
  const folder = import.meta.dirname;
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  process.stderr.write('bench: installing the tools to compare with (npm ci in bench/) …\n');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) throw new OptionError('bench: npm ci in bench/ failed; see the output above.');
}
