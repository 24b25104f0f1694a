import { join, relative } from 'node:path';
import { type ConformanceReport, conformToFolder, exitCodeOf } from '../contract-tests/src/index.ts';
import { type GenerationReport, generate, nodePorts } from '../generator/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs, packageRoot } from '../specs/src/index.ts';
import { openTarget } from './cli/conform-target.ts';
import { describeError } from './cli/errors.ts';
import { processIo } from './cli/io.ts';
import { createGet } from './cli/load-settings.ts';
import { guardIo } from './cli/way-out.ts';
import { configureGeneration, withSandbox } from './with-sandbox.ts';

const io = guardIo(processIo());
const root = packageRoot();
const reports = join(root, '.switchyard', 'quickstart');

/** Generates from the sandbox, checks mock and sandbox, and prints where the results are. */
async function quickstart(): Promise<number> {
  const started = performance.now();
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  io.err('generating packages from the sandbox …\n');
  const generation = await generateFromSandbox();
  io.err('checking the mock …\n');
  const mock = await check('mock', specs);
  io.err('checking the sandbox …\n');
  const sandbox = await check('sandbox', specs);
  io.out(summary({ generation, mock, sandbox }, (performance.now() - started) / 1000));
  return Math.max(generation.models.failed > 0 ? 1 : 0, exitCodeOf(mock), exitCodeOf(sandbox));
}

function generateFromSandbox(): Promise<GenerationReport> {
  const folders = { outDir: join(root, 'generated'), cacheDir: join(root, '.switchyard', 'cache') };
  return withSandbox((served) => generate(configureGeneration(served, folders, 'write'), nodePorts()));
}

async function check(kind: 'mock' | 'sandbox', specs: EffectiveSpecs): Promise<ConformanceReport> {
  const [flags, surroundings] = [{ target: kind }, { ...io, env: {} }];
  const file = { config: {}, folder: root };
  const wanted = { ...file, flags, specs, get: createGet(flags, file, surroundings) };
  const opened = await openTarget(wanted, surroundings);
  try {
    return await conformToFolder({ target: opened.target, specs }, join(reports, kind));
  } finally {
    await opened.close();
  }
}

type Results = { generation: GenerationReport; mock: ConformanceReport; sandbox: ConformanceReport };

function summary({ generation, mock, sandbox }: Results, seconds: number): string {
  const { models, files } = generation;
  const place = (path: string): string => relative(io.workingFolder, path) || '.';
  return [
    '',
    io.style('strong', 'switchyard quickstart'),
    `  models generated   ${models.generated} of ${models.listed} (${files.created + files.replaced} files written, ${files.kept} unchanged)`,
    `  rules on the mock     ${outcomes(mock)}`,
    `  rules on the sandbox  ${outcomes(sandbox)}`,
    '',
    'Look at:',
    `  ${place(join(root, 'generated', 'models', 'README.md'))}  the packages`,
    `  ${place(join(reports, 'sandbox', 'result.json'))}  the result (report.html and junit.xml beside it; the mock's in ${place(join(reports, 'mock'))})`,
    '  npx switchyard sandbox   serves both APIs; npx switchyard --help lists the rest',
    io.style('dim', `done in ${seconds.toFixed(1)} s`),
    '',
  ].join('\n');
}

function outcomes(report: ConformanceReport): string {
  return Object.entries(report.counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

try {
  process.exitCode = await quickstart();
} catch (error) {
  io.err(`quickstart: ${describeError(error)}\n`);
  process.exitCode = 3;
}
