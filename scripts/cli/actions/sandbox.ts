import { resolve } from 'node:path';
import pMap from 'p-map';
import { readCatalog as readRouterEntries } from '../../../generator/src/index.ts';
import {
  type CatalogFolder,
  type CatalogModel,
  collectCatalog,
  createSandbox,
  type FolderModel,
  listen,
  listFaults,
  listVariants,
  readCatalogFolder,
  recogniseCatalogBrand,
  type Sandbox,
  SandboxError,
  sandboxCredentials,
  withOutcomeModels,
} from '../../../sandbox/src/index.ts';
import { findRequirement, headerName, isThisMachine } from '../../../specs/src/index.ts';
import { readRouterCredential } from '../access.ts';
import type { Flags } from '../commands.ts';
import { CommandFailure, toMessage, UsageError } from '../errors.ts';
import { type CommandIo, type CommandResult, withProgress } from '../io.ts';
import { type LoadedSettings, loadSettings } from '../load-settings.ts';
import { requireKnown } from '../targets.ts';
import { omitUndefined } from '../values.ts';
import { openRouter, readDocument } from './generate.ts';

type SandboxFlags = Flags<'sandbox'>;

export async function runSandbox(flags: SandboxFlags, io: CommandIo): Promise<number | CommandResult> {
  if (flags.listFaults) return createListing(listFaults(), io);
  if (flags.listVariants) return createListing(listVariants(), io);
  const initial = await loadSettings(flags, io);
  const catalog = await readCatalog(initial, flags, io);
  // If no brand is configured, uses the brand in the documents of the catalog.
  const brand = initial.config.brand === undefined && catalog ? recogniseCatalogBrand(catalog) : undefined;
  const loaded = brand === undefined ? initial : await loadSettings({ ...flags, brand }, io);
  const { host = '127.0.0.1', port = 4010, clock = 'real', log = 'off', cors, seed } = flags;
  const { fault: faults = [], variant: variants = [] } = flags;
  if (!flags.allowRemote && !isThisMachine(host)) {
    throw new UsageError(`--host ${host} can be reached from other machines: add --allow-remote to allow that`);
  }
  requireKnown('fault', faults, listFaults());
  requireKnown('variant', variants, listVariants());
  let sandbox: Sandbox;
  try {
    const options = { specs: loaded.specs, faults, variants, clock, log, writeLog: io.err };
    sandbox = createSandbox({ ...options, ...omitUndefined({ cors, seed, catalog }) });
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new CommandFailure(error.message); // For example, a router lists a model twice.
  }
  const server = await listen(sandbox, { port, host }).catch((error: unknown) => {
    throw new CommandFailure(
      `the sandbox cannot listen on ${host}:${port} (${toMessage(error)}): use a different --port, or 0 for a free one`,
      { cause: error },
    );
  });
  io.out(
    flags.json
      ? `${JSON.stringify({ url: server.url, credentials: sandboxCredentials, jobs: sandbox.jobs })}\n`
      : createIntroduction(server.url, sandbox, flags, io),
  );
  await io.stopRequested();
  await server.close();
  sandbox.close();
  return 0;
}

type DeviationEntry = { id: string; requirements: readonly string[]; description: string };

/** Creates a list with one line per entry: its id, its description, and the text of its first requirement. */
function createListing(entries: readonly DeviationEntry[], io: CommandIo): CommandResult {
  const shown = entries.map(({ id, requirements, description }) => ({ id, requirements, description }));
  const lines = shown.map(({ id, requirements: [first = '', ...others], description }) => {
    const about = [`${first}: ${findRequirement(first)?.statement}`, ...others].join(' ');
    return `${io.style('strong', id)}  ${description} ${io.style('dim', about)}\n`;
  });
  return { report: shown, code: 0, text: () => lines.join('') };
}

/** Reads the catalog of `--catalog`; undefined for the built-in one. Prints problems with individual models to standard error. */
async function readCatalog(
  loaded: LoadedSettings,
  flags: SandboxFlags,
  io: CommandIo,
): Promise<CatalogModel[] | undefined> {
  if (flags.catalog === undefined) return undefined;
  const isUrl = /^https?:/i.test(flags.catalog);
  const source = isUrl ? flags.catalog : resolve(io.workingFolder, flags.catalog);
  const { models, problems } = await (isUrl
    ? readRouterCatalog(source, loaded, flags, io)
    : readCatalogFolder(source).catch((error: unknown) => {
        throw new UsageError(`--catalog ${source} cannot be read: ${toMessage(error)}`, { cause: error });
      }));
  for (const problem of problems) io.err(`${io.style('warn', 'catalog')} ${problem}\n`);
  return flags.outcomeModels !== false ? withOutcomeModels(models) : models;
}

/** Reads the catalog of a router and all its documents, with the credential, gateway and certificate settings of `generate`. */
async function readRouterCatalog(
  routerUrl: string,
  loaded: LoadedSettings,
  flags: SandboxFlags,
  io: CommandIo,
): Promise<CatalogFolder> {
  const credential = readRouterCredential(io.env);
  if (credential === undefined)
    throw new UsageError(
      '--catalog with a URL needs a credential for that router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN',
    );
  const client = await openRouter(routerUrl, credential, loaded, flags.allowHttp, io);
  return withProgress(io, async (show) => {
    const { entries } = await readRouterEntries(client, show);
    let done = 0;
    const found = await pMap(
      entries,
      async ({ id, chargesOnPolicyRejection: billing }): Promise<FolderModel> => {
        const reply = await readDocument(client, id);
        show('documents', { done: ++done, total: entries.length, subject: id });
        return { id, billing, path: `the document of ${id}`, bytes: reply.kind === 'body' ? reply.bytes : undefined };
      },
      { concurrency: 8 },
    );
    return collectCatalog(found);
  });
}

function createIntroduction(url: string, sandbox: Sandbox, flags: SandboxFlags, io: CommandIo): string {
  const isLocal = isThisMachine(new URL(url).hostname);
  const deviations = [...(flags.fault ?? []), ...(flags.variant ?? [])];
  const { router, workflow } = sandboxCredentials;
  const names = (group: Record<string, string>, width = 32): string =>
    Object.entries(group)
      .map(([name, value]) => `  ${value.padEnd(width)} ${io.style('dim', name)}\n`)
      .join('');
  return [
    `${io.style('strong', 'switchyard sandbox')} at ${io.style('good', url)} (both APIs; stop with Ctrl-C)\n`,
    ...(isLocal ? [`console  ${url}/__sandbox/\n`] : []),
    ...deviations.map((id) => `${io.style('warn', 'deviates')}  ${id}\n`),
    '\nModel Router credentials (X-API-Key, or Authorization: Bearer):\n',
    names(router),
    '\nWorkflow Execution API credentials (Authorization: Bearer):\n',
    names(workflow),
    '\nJobs of the Workflow Execution API:\n',
    names(sandbox.jobs, 36),
    '\nTry:\n',
    `  curl -H 'X-API-Key: ${router.main}' '${url}/v2/models?limit=3'\n`,
    // For a catalog other than the built-in one, show a document, because no valid input is known.
    flags.catalog === undefined
      ? `  curl -H 'X-API-Key: ${router.main}' -H 'Content-Type: application/json' -d '{"prompt":"a harbour"}' '${url}/v2/models/image-provider/still-2.1'\n`
      : `  curl -H 'X-API-Key: ${router.main}' '${url}/v2/models/${sandbox.exampleModel ?? '<provider>/<model>'}/openapi.json'\n`,
    `  curl -H 'Authorization: Bearer ${workflow.main}' '${url}/api/v2/jobs/${sandbox.jobs.save}/workflow'\n`,
    ...(isLocal
      ? [
          `  curl '${url}/__sandbox/'\n\nThe last call lists the admin routes, which advance the clock and set outcomes.`,
        ]
      : []),
    `\nEvery response of the router has ${headerName(sandbox.brand, 'Request-Id')}.\n`,
  ].join('');
}
