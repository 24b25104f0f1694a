import { join, relative } from 'node:path';
import { createSandbox, listen, sandboxCredentials } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, packageRoot } from '../specs/src/index.ts';
import { createProcessIo } from './cli/io.ts';
import { runProgram } from './cli/program.ts';

// Generates packages from the sandbox, checks the mock and the sandbox, and prints where the results are.
const started = performance.now();
const root = packageRoot();
const io = createProcessIo();
const showPath = (...path: readonly string[]): string => relative(io.workingFolder, join(root, ...path)) || '.';
const run = (argv: readonly string[], env = {}): Promise<number> =>
  runProgram(argv, { ...io, env, workingFolder: root });

const sandbox = createSandbox({ specs: buildEffectiveSpecs() });
const { url, close } = await listen(sandbox, { port: 0, host: '127.0.0.1' });
const credential = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };
const codes = [await run(['generate', '--router-url', url, '--scope', '@switchyard', '--strict'], credential)];
await close();
sandbox.close();

const reports = join('.switchyard', 'quickstart');
for (const target of ['mock', 'sandbox'])
  codes.push(await run(['conform', '--target', target, '--out', join(reports, target)]));
io.out(`
Look at:
  ${showPath('generated', 'models', 'README.md')}  the packages
  ${showPath(reports, 'sandbox', 'report.html')}  the report (result.json and junit.xml in the same folder; the mock's in ${showPath(reports, 'mock')})
  npx openapi-switchyard sandbox   serves both APIs; npx openapi-switchyard --help lists the rest
${io.style('dim', `done in ${((performance.now() - started) / 1000).toFixed(1)} s`)}
`);
process.exitCode = Math.max(...codes);
