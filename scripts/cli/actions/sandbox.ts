import { isIP } from 'node:net';
import {
  createSandbox,
  listen,
  listFaults,
  listVariants,
  readCatalogFolder,
  type Sandbox,
  SandboxError,
  type SandboxOptions,
  sandboxCredentials,
  withOutcomeModels,
} from '../../../sandbox/src/index.ts';
import { findRequirement, headerName } from '../../../specs/src/index.ts';
import { requireKnown } from '../conform-target.ts';
import { CommandFailure, toMessage, UsageError } from '../errors.ts';
import type { Flags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { keepStated } from '../kinds.ts';
import { type Loaded, loadSettings } from '../load-settings.ts';

type SandboxFlags = Flags<'sandbox'>;

export async function runSandbox(flags: SandboxFlags, io: CommandIo): Promise<number> {
  if (flags.listFaults) return list(listFaults(), flags, io);
  if (flags.listVariants) return list(listVariants(), flags, io);
  const loaded = await loadSettings(flags, io);
  const [host, port] = [loaded.get('host'), loaded.get('sandbox.port')];
  if (!flags.allowRemote && !isLoopback(host)) {
    throw new UsageError(`--host ${host} can be reached from other machines; add --allow-remote if that is meant`);
  }
  const sandbox = openSandbox(await resolveSandboxOptions(loaded, io));
  const server = await listen(sandbox, { port, host }).catch((error: unknown) => {
    throw new CommandFailure(
      `the sandbox cannot listen on ${host}:${port} (${toMessage(error)}); give another --port, or 0 for a free one`,
      { cause: error },
    );
  });
  io.out(
    flags.json
      ? `${JSON.stringify({ url: server.url, credentials: sandboxCredentials, jobs: sandbox.jobs })}\n`
      : introduce(server.url, sandbox, loaded, io),
  );
  await io.stopRequested();
  await server.close();
  sandbox.close();
  return 0;
}

// A database that cannot be used is reported in one line.
function openSandbox(options: SandboxOptions): Sandbox {
  try {
    return createSandbox(options);
  } catch (error) {
    if (error instanceof SandboxError)
      throw new CommandFailure([error, error.cause].filter(Boolean).map(toMessage).join(': '), { cause: error.cause });
    throw error;
  }
}

type Listed = { id: string; requirements: readonly string[]; description: string };

/** A line each, for a search: the id, what is odd, and the first requirement that it is about in the words of the register. */
function list(entries: readonly Listed[], flags: SandboxFlags, io: CommandIo): number {
  const shown = entries.map(({ id, requirements, description }) => ({ id, requirements, description }));
  const lines = shown.map(({ id, requirements: [first = '', ...others], description }) => {
    const about = [`${first}: ${findRequirement(first)?.statement}`, ...others].join(' ');
    return `${io.style('strong', id)}  ${description} ${io.style('dim', about)}\n`;
  });
  io.out(flags.json ? `${JSON.stringify(shown, null, 2)}\n` : lines.join(''));
  return 0;
}

/** Checks faults and variants; problems of a catalog folder are reported on standard error. */
async function resolveSandboxOptions({ specs, get }: Loaded, io: CommandIo): Promise<SandboxOptions> {
  const [faults, variants, folder] = [get('fault'), get('variant'), get('catalog')];
  requireKnown('fault', faults, listFaults());
  requireKnown('variant', variants, listVariants());
  return {
    specs,
    faults,
    variants,
    clock: get('clock'),
    workflowAuth: get('workflowAuth'),
    log: get('log'),
    writeLog: io.err,
    ...keepStated({ db: get('db'), cors: get('cors'), seed: get('seed') }),
    ...(folder === undefined ? {} : { catalog: await readCatalog(folder, get('outcomeModels'), io) }),
  };
}

async function readCatalog(folder: string, withOutcomes: boolean, io: CommandIo) {
  const { models, problems } = await readCatalogFolder(folder).catch((error: unknown) => {
    throw new UsageError(`--catalog ${folder} cannot be read: ${toMessage(error)}`, { cause: error });
  });
  for (const problem of problems) io.err(`${io.style('warn', 'catalog')} ${problem}\n`);
  return withOutcomes ? withOutcomeModels(models) : models;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function introduce(url: string, sandbox: Sandbox, { get }: Loaded, io: CommandIo): string {
  const deviations = [...get('fault'), ...get('variant')];
  const { router, workflow } = sandboxCredentials;
  const names = (group: Record<string, string>, width = 32): string =>
    Object.entries(group)
      .map(([name, value]) => `  ${value.padEnd(width)} ${io.style('dim', name)}\n`)
      .join('');
  return [
    `${io.style('strong', 'switchyard sandbox')} at ${io.style('good', url)} (both APIs; stop with Ctrl-C)\n`,
    ...(isLoopback(get('host')) ? [`console  ${url}/__sandbox/\n`] : []),
    ...deviations.map((id) => `${io.style('warn', 'deviates')}  ${id}\n`),
    '\nModel Router credentials (X-API-Key, or Authorization: Bearer):\n',
    names(router),
    '\nWorkflow Execution API credentials (Authorization: Bearer):\n',
    names(workflow),
    '\nJobs of the Workflow Execution API:\n',
    names(sandbox.jobs, 36),
    '\nTry:\n',
    `  curl -H 'X-API-Key: ${router.main}' '${url}/v2/models?limit=3'\n`,
    // What a model of another catalog takes, only its document says.
    get('catalog') === undefined
      ? `  curl -H 'X-API-Key: ${router.main}' -H 'Content-Type: application/json' -d '{"prompt":"a harbour"}' '${url}/v2/models/image-provider/still-2.1'\n`
      : `  curl -H 'X-API-Key: ${router.main}' '${url}/v2/models/${sandbox.exampleModel ?? '<provider>/<model>'}/openapi.json'\n`,
    `  curl -H 'Authorization: Bearer ${get('workflowAuth') === 'static' ? workflow.static : workflow.main}' '${url}/api/v2/jobs/${sandbox.jobs.save}/workflow'\n`,
    ...(isLoopback(get('host'))
      ? [`  curl '${url}/__sandbox/'\n\nThe last call lists the admin routes, which move time and set outcomes.`]
      : []),
    `\nEvery router answer carries ${headerName(sandbox.brand, 'Request-Id')}.\n`,
  ].join('');
}
