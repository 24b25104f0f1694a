import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { httpPorts, runConformance } from '../../contract-tests/src/index.ts';
import { generate, nodePorts } from '../../generator/src/index.ts';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { type CommandIo, processIo } from '../cli/io.ts';
import { runProgram } from '../cli/program.ts';
import { configureGeneration, type ServedSandbox, withSandbox } from '../with-sandbox.ts';

/** Files whose functions ran, sorted: what a reader has to follow. */
export type Walks = {
  readonly status: string[];
  readonly model: string[];
  readonly rule: string[];
  readonly configuration: string[];
};

type TakeFiles = () => Promise<string[]>;

const tracedRule = 'catalog.cursor.malformed-is-refused';
const fromDocumentToFiles = /^(?:specs\/|generator\/src\/(?:schema|model|typing|validators|emit)\/)/;

/** Of the generator without its ports and the steps of a model, which is a walk of its own; the settings that `specs` applies. */
const fromConfigurationToFiles =
  /^(?:scripts\/cli\/|generator\/src\/(?!(?:adapters|catalog|documents|model|typing|emit|report)\/)|specs\/src\/settings\.ts)/;

/** Runs the four walks in this process, each a second time under the profiler, so that start-up work does not count. */
export function traceWalks(): Promise<Walks> {
  return withSandbox(async (served) => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-walks-'));
    try {
      const takeFiles = await startTrace();
      const status = await traceStatus(served, takeFiles);
      const model = await traceModel(served, folder, takeFiles);
      const rule = await traceRule(served, folder, takeFiles);
      const configuration = await traceConfiguration(served, folder, takeFiles);
      return {
        status: status.filter((path) => /^(?:sandbox|specs)\//.test(path)),
        model: model.filter((path) => fromDocumentToFiles.test(path)),
        rule: rule.filter((path) => /^(?:scripts\/cli|contract-tests)\//.test(path)),
        configuration: configuration.filter((path) => fromConfigurationToFiles.test(path)),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 'manual');
}

/** Starts counting calls; each call of the result lists the files with calls since the last one. */
async function startTrace(): Promise<TakeFiles> {
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

async function traceStatus({ sandbox, url }: ServedSandbox, takeFiles: TakeFiles): Promise<string[]> {
  const headers = { 'x-api-key': sandboxCredentials.router.main, 'content-type': 'application/json' };
  const submitted = await fetch(`${url}/v2/models/${sandbox.exampleModel}/requests`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ prompt: 'a lighthouse' }),
  });
  const { status_url: statusUrl }: { status_url: string } = JSON.parse(await submitted.text());
  const readStatus = async (): Promise<unknown> => (await fetch(statusUrl, { headers })).json();
  await readStatus();
  await takeFiles();
  await readStatus();
  return takeFiles();
}

async function traceModel(served: ServedSandbox, folder: string, takeFiles: TakeFiles): Promise<string[]> {
  const folders = { outDir: join(folder, 'packages'), cacheDir: join(folder, 'cache') };
  const config = configureGeneration(served, folders, 'write');
  await generate({ ...config, only: ['video-provider/*'] }, nodePorts());
  await takeFiles();
  await generate({ ...config, only: ['video-provider/*', served.sandbox.exampleModel ?? ''] }, nodePorts());
  return takeFiles();
}

async function traceRule({ specs, url }: ServedSandbox, folder: string, takeFiles: TakeFiles): Promise<string[]> {
  const io = createQuietIo(folder, {});
  const target = { kind: 'live', router: { url, credentials: { main: sandboxCredentials.router.main } } } as const;
  const conform = async (): Promise<void> => {
    const code = await runProgram(['conform', '--target', 'sandbox', '--rule', tracedRule], io);
    if (code !== 0) throw new Error(`conform --rule ${tracedRule} ended with exit code ${code}`);
    // The command runs the engine in a process of its own, which this profiler does not see.
    await runConformance({ target, specs, rules: [tracedRule] }, httpPorts(target));
  };
  await conform();
  await takeFiles();
  await conform();
  return takeFiles();
}

/** From the command line and a configuration file to written packages; the second generation differs from the first in settings alone. */
async function traceConfiguration({ url }: ServedSandbox, parent: string, takeFiles: TakeFiles): Promise<string[]> {
  const folder = join(parent, 'configured');
  mkdirSync(folder);
  const io = createQuietIo(folder, { SWITCHYARD_API_KEY: sandboxCredentials.router.main });
  const generateWith = async (settings: object): Promise<void> => {
    const config = { routerUrl: url, generate: { scope: '@configured', only: ['video-provider/*'], ...settings } };
    writeFileSync(join(folder, 'switchyard.config.mjs'), `export default ${JSON.stringify(config)};\n`);
    const code = await runProgram(['generate'], io);
    if (code !== 0) throw new Error(`generate ended with exit code ${code}`);
  };
  await generateWith({});
  await takeFiles();
  await generateWith({ license: 'MIT', version: '1.0.0' });
  return takeFiles();
}

function createQuietIo(workingFolder: string, env: CommandIo['env']): CommandIo {
  return { ...processIo(), env, workingFolder, out: () => undefined, err: () => undefined };
}
