import { join, relative } from 'node:path';
import { type ConformanceReport, conformToFolder, exitCodeOf } from '../contract-tests/src/index.ts';
import { type GenerationReport, generate, nodePorts, packageNamesIn } from '../generator/src/index.ts';
import { createSandbox, listen, sandboxCredentials } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs, packageRoot } from '../specs/src/index.ts';
import { openTarget } from './cli/conform-target.ts';
import { describeError } from './cli/errors.ts';
import { processIo } from './cli/io.ts';

const io = processIo();
const root = packageRoot();
const reports = join(root, '.switchyard', 'quickstart');

/** Generates from the sandbox, judges mock and sandbox, and says where to look. */
async function quickstart(): Promise<number> {
  const started = performance.now();
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  io.err('generating packages from the sandbox …\n');
  const generation = await generateFromSandbox(specs);
  io.err('judging the mock …\n');
  const mock = await judge('mock', specs);
  io.err('judging the sandbox …\n');
  const sandbox = await judge('sandbox', specs);
  io.out(summary({ generation, mock, sandbox }, (performance.now() - started) / 1000));
  return Math.max(generation.models.failed > 0 ? 1 : 0, exitCodeOf(mock), exitCodeOf(sandbox));
}

async function generateFromSandbox(specs: EffectiveSpecs): Promise<GenerationReport> {
  const sandbox = createSandbox({ specs });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  try {
    return await generate(
      {
        routerUrl: server.url,
        credential: { kind: 'api-key', value: sandboxCredentials.router.main },
        outDir: join(root, 'generated'),
        cacheDir: join(root, '.switchyard', 'cache'),
        specs,
        packageNames: packageNamesIn('@switchyard'),
        only: [],
        concurrency: 8,
        mode: 'write',
        allowEmpty: false,
      },
      nodePorts(),
    );
  } finally {
    await server.close();
    sandbox.close();
  }
}

async function judge(kind: 'mock' | 'sandbox', specs: EffectiveSpecs): Promise<ConformanceReport> {
  const opened = await openTarget({ flags: { target: kind }, config: {}, specs }, { ...io, env: {} });
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
    `  ${place(join(reports, 'sandbox', 'result.json'))}  the report (junit.xml beside it; the mock's in ${place(join(reports, 'mock'))})`,
    '  npx switchyard sandbox   serve both APIs; npx switchyard --help shows the rest',
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
  io.setExitCode(await quickstart());
} catch (error) {
  io.err(`quickstart: ${describeError(error)}\n`);
  io.setExitCode(3);
}
