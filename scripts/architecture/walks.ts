import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate, nodePorts, packageNamesIn } from '../../generator/src/index.ts';
import { createSandbox, listen, type Sandbox, sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs, packageRoot } from '../../specs/src/index.ts';
import { processIo } from '../cli/io.ts';
import { runProgram } from '../cli/program.ts';

/** Files whose functions ran, sorted: what a reader has to follow. */
export type Walks = { readonly status: string[]; readonly model: string[]; readonly rule: string[] };

type Served = { sandbox: Sandbox; specs: EffectiveSpecs; url: string; folder: string };

const tracedRule = 'catalog.cursor.malformed-is-refused';
const fromDocumentToFiles = /^(?:specs\/|generator\/src\/(?:schema|model|typing|validators|emit)\/)/;

/** Runs the three walks in this process, each a second time under the profiler, so that no start-up work is counted. */
export async function traceWalks(): Promise<Walks> {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const sandbox = createSandbox({ specs });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-walks-'));
  const served = { sandbox, specs, url: server.url, folder };
  const takeFiles = await startTrace();
  try {
    const status = await traceStatus(served, takeFiles);
    const model = await traceModel(served, takeFiles);
    const rule = await traceRule(folder, takeFiles);
    return {
      status: status.filter((path) => /^(?:sandbox|specs)\//.test(path)),
      model: model.filter((path) => fromDocumentToFiles.test(path)),
      rule: rule.filter((path) => /^(?:scripts\/cli|contract-tests)\//.test(path)),
    };
  } finally {
    await server.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
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

async function traceStatus({ sandbox, url }: Served, takeFiles: () => Promise<string[]>): Promise<string[]> {
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

async function traceModel(
  { sandbox, specs, url, folder }: Served,
  takeFiles: () => Promise<string[]>,
): Promise<string[]> {
  const printModels = (only: readonly string[]): Promise<unknown> =>
    generate(
      {
        routerUrl: url,
        credential: { kind: 'api-key', value: sandboxCredentials.router.main },
        outDir: join(folder, 'packages'),
        cacheDir: join(folder, 'cache'),
        specs,
        packageNames: packageNamesIn('@switchyard'),
        only,
        concurrency: 1,
        mode: 'write',
        allowEmpty: false,
      },
      nodePorts(),
    );
  await printModels(['video-provider/*']);
  await takeFiles();
  await printModels(['video-provider/*', sandbox.exampleModel ?? '']);
  return takeFiles();
}

async function traceRule(folder: string, takeFiles: () => Promise<string[]>): Promise<string[]> {
  const quiet = { ...processIo(), env: {}, workingFolder: folder, out: () => undefined, err: () => undefined };
  const conform = async (): Promise<void> => {
    const code = await runProgram(['conform', '--target', 'sandbox', '--rule', tracedRule], quiet);
    if (code !== 0) throw new Error(`conform --rule ${tracedRule} ended with exit code ${code}`);
  };
  await conform();
  await takeFiles();
  await conform();
  return takeFiles();
}
