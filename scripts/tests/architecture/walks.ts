import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { httpPorts, runConformance } from '../../../contract-tests/src/index.ts';
import { generate, nodePorts } from '../../../generator/src/index.ts';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { processIo } from '../../cli/io.ts';
import { runProgram } from '../../cli/program.ts';
import { configureGeneration, type ServedSandbox, withSandbox } from '../with-sandbox.ts';

/** Files whose functions ran, sorted: what a reader has to follow. */
export type Walks = {
  readonly status: string[];
  readonly model: string[];
  readonly rule: string[];
  readonly configuration: string[];
};

const tracedRule = 'catalog.cursor.malformed-is-refused';
const fromDocumentToFiles = /^(?:specs\/|generator\/src\/(?:schema|model|typing|validators|emit)\/)/;

/** Of the generator without its ports and the steps of a model, which is a walk of its own; the settings that `specs` applies. */
const fromConfigurationToFiles =
  /^(?:scripts\/cli\/|generator\/src\/(?!(?:adapters|catalog|documents|model|typing|emit|report)\/)|specs\/src\/settings\.ts)/;

/** What a walk runs: `again` is the second time, which counts, so that start-up work does not. */
type Run = (again: boolean) => Promise<unknown>;

/** Runs the four walks in this process under the profiler. */
export function traceWalks(): Promise<Walks> {
  return withSandbox(async (served) => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-walks-'));
    try {
      const takeFiles = await startTrace();
      const trace = async (run: Run, counts: RegExp): Promise<string[]> => {
        await run(false);
        await takeFiles();
        await run(true);
        return (await takeFiles()).filter((path) => counts.test(path));
      };
      return {
        status: await trace(await submitRun(served), /^(?:sandbox|specs)\//),
        model: await trace(generateModels(served, folder), fromDocumentToFiles),
        rule: await trace(() => checkRule(served, folder), /^(?:scripts\/cli|contract-tests)\//),
        configuration: await trace((again) => generateConfigured(served, folder, again), fromConfigurationToFiles),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 'manual');
}

/** Starts counting calls; each call of the result lists the files with calls since the last one. */
async function startTrace(): Promise<() => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const base = `${pathToFileURL(packageRoot()).href}/`;
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.startsWith(base) && !url.includes('/node_modules/'))
      .filter(({ functions }) =>
        // The nameless function at offset 0 is the module itself: loading a file is not using it.
        functions.some(
          ({ functionName, ranges: [range] }) =>
            range !== undefined && range.count > 0 && !(functionName === '' && range.startOffset === 0),
        ),
      )
      .map(({ url }) => url.slice(base.length))
      .sort();
  };
}

/** Submits a run; the walk reads its status. */
async function submitRun({ sandbox, url }: ServedSandbox): Promise<Run> {
  const headers = { 'x-api-key': sandboxCredentials.router.main, 'content-type': 'application/json' };
  const submitted = await fetch(`${url}/v2/models/${sandbox.exampleModel}/requests`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ prompt: 'a lighthouse' }),
  });
  const { status_url: statusUrl }: { status_url: string } = JSON.parse(await submitted.text());
  return async () => (await fetch(statusUrl, { headers })).json();
}

/** The second generation has one model more. */
function generateModels(served: ServedSandbox, folder: string): Run {
  const folders = { outDir: join(folder, 'packages'), cacheDir: join(folder, 'cache') };
  const config = configureGeneration(served, folders, 'write');
  const more = [served.sandbox.exampleModel ?? ''];
  return (again) => generate({ ...config, only: ['video-provider/*', ...(again ? more : [])] }, nodePorts());
}

async function checkRule({ specs, url }: ServedSandbox, folder: string): Promise<void> {
  const target = { kind: 'live', router: { url, credentials: { main: sandboxCredentials.router.main } } } as const;
  await runCommand(['conform', '--target', 'sandbox', '--rule', tracedRule], folder);
  // The command runs the engine in a process of its own, which this profiler does not see.
  await runConformance({ target, specs, rules: [tracedRule] }, httpPorts(target));
}

/** From the command line and a configuration file to written packages; the second generation differs from the first in settings alone. */
async function generateConfigured({ url }: ServedSandbox, parent: string, again: boolean): Promise<void> {
  const folder = join(parent, 'configured');
  mkdirSync(folder, { recursive: true });
  const settings = again ? { license: 'MIT', version: '1.0.0' } : {};
  const config = { routerUrl: url, generate: { scope: '@configured', only: ['video-provider/*'], ...settings } };
  writeFileSync(join(folder, 'switchyard.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  await runCommand(['generate'], folder);
}

async function runCommand(words: readonly string[], folder: string): Promise<void> {
  const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };
  const io = { ...processIo(), env, workingFolder: folder, out: () => undefined, err: () => undefined };
  const code = await runProgram(words, io);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with exit code ${code}`);
}
