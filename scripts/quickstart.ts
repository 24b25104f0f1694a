import { join, relative } from 'node:path';
import { generate, nodePorts, renderReport } from '../generator/src/index.ts';
import { packageRoot } from '../specs/src/index.ts';
import { processIo } from './cli/io.ts';
import { runProgram } from './cli/program.ts';
import { configureGeneration, withSandbox } from './with-sandbox.ts';

// Generates from the sandbox, checks mock and sandbox, and says where the results are.
const started = performance.now();
const root = packageRoot();
const io = processIo();
const place = (...path: readonly string[]): string => relative(io.workingFolder, join(root, ...path)) || '.';

io.err('generating packages from the sandbox …\n');
const folders = { outDir: join(root, 'generated'), cacheDir: join(root, '.switchyard', 'cache') };
const generation = await withSandbox((served) => generate(configureGeneration(served, folders, 'write'), nodePorts()));
io.out(renderReport(generation));

const reports = join('.switchyard', 'quickstart');
const codes = [generation.models.failed > 0 ? 1 : 0];
for (const target of ['mock', 'sandbox'])
  codes.push(
    await runProgram(['conform', '--target', target, '--out', join(reports, target)], {
      ...io,
      env: {},
      workingFolder: root,
    }),
  );
io.out(`
Look at:
  ${place('generated', 'models', 'README.md')}  the packages
  ${place(reports, 'sandbox', 'report.html')}  the report (result.json and junit.xml beside it; the mock's in ${place(reports, 'mock')})
  npx switchyard sandbox   serves both APIs; npx switchyard --help lists the rest
${io.style('dim', `done in ${((performance.now() - started) / 1000).toFixed(1)} s`)}
`);
process.exitCode = Math.max(...codes);
