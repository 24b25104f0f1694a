import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Budget, JobName, LiveModel, Target } from '../../contract-tests/src/index.ts';
import { ownerSettings } from '../../contract-tests/src/requires.ts';
import { isJsonObject, type JsonObject } from '../../specs/src/index.ts';
import { gatewayHeaders, readSecret, readTls, routerCredential, workflowToken } from './access.ts';
import type { SwitchyardConfig } from './config.ts';
import { toMessage, UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import type { LoadedConfig } from './load-settings.ts';
import { keepStated } from './values.ts';

type LiveSettings = NonNullable<NonNullable<SwitchyardConfig['conform']>['live']>;

/** What rules send, leave out and vary themselves: a gateway that asks for one of them cannot be told from the service. */
const ownHeaders = ['authorization', 'x-api-key', 'idempotency-key', 'content-type'];

/** A deployed service, with all that its owner states. Secrets are read from where the configuration names them. */
export async function liveTarget(loaded: LoadedConfig, io: CommandIo): Promise<Target> {
  const { config, get } = loaded;
  const live = config.conform?.live ?? {};
  const [routerUrl, workflowUrl] = [get('routerUrl'), get('workflowUrl')];
  const headers = await gatewayHeaders(loaded, ownHeaders, io);
  const tls = await readTls(loaded, io);
  const router = routerUrl === undefined ? undefined : await readRouter(routerUrl, live, io);
  const workflow = workflowUrl === undefined ? undefined : await readWorkflow(workflowUrl, loaded, io);
  return {
    kind: 'live',
    ...keepStated({ router, workflow, tls, readings: get('conform.readings') }),
    headers,
    variables: {
      router: variablesIn(live.credentials?.router),
      workflow: variablesIn(live.credentials?.workflow),
    },
    stated: Object.fromEntries(ownerSettings.statements.map(({ name }) => [name, Reflect.get(live, name)])),
    budget: await readBudget(loaded, live),
  };
}

async function readRouter(url: string, live: LiveSettings, io: CommandIo): Promise<NonNullable<Target['router']>> {
  const stated = await readSecrets('router', live, io);
  const own = routerCredential(io.env);
  const given = stated['main'] === undefined ? own : undefined;
  const main = stated['main'] ?? given?.value;
  if (main === undefined) {
    throw new UsageError(
      'no credential for the Model Router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN, or conform.live.credentials.router.main',
    );
  }
  return { url, credentials: { ...stated, main }, scheme: live.scheme ?? given?.kind ?? 'api-key' };
}

async function readWorkflow(
  url: string,
  { config, folder }: LoadedConfig,
  io: CommandIo,
): Promise<NonNullable<Target['workflow']>> {
  const { jobs = {}, live = {} } = config.conform ?? {};
  const stated = await readSecrets('workflow', live, io);
  const main = stated['main'] ?? workflowToken(io.env);
  const graphs: Partial<Record<JobName, string>> = {};
  for (const [job, file] of Object.entries(live.graphs ?? {}))
    graphs[job as JobName] = await readGraph(resolve(folder, file));
  return {
    url,
    credentials: { ...stated, ...keepStated({ main }) },
    jobs,
    ...(Object.keys(graphs).length > 0 && { graphs }),
    ...keepStated({ authentication: live.workflowAuthentication }),
  };
}

async function readGraph(file: string): Promise<string> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`conform.live.graphs: ${file} holds no JSON that can be read: ${toMessage(error)}`, {
      cause: error,
    });
  }
}

async function readInput(given: string, what: string, folder: string): Promise<{ input: JsonObject; text: string }> {
  const file = given.startsWith('file:') ? resolve(folder, given.slice('file:'.length)) : undefined;
  try {
    const text = file === undefined ? given : await readFile(file, 'utf8');
    const input: unknown = JSON.parse(text);
    if (isJsonObject(input)) return { input, text };
  } catch (error) {
    throw new UsageError(`${what} is no JSON that can be read: ${toMessage(error)}`, { cause: error });
  }
  throw new UsageError(`${what} is no JSON object`);
}

/** The named secrets; those of variables that are not set are left out, and that is said. */
async function readSecrets(side: 'router' | 'workflow', { credentials }: LiveSettings, io: CommandIo) {
  const found: Record<string, string> = {};
  for (const [name, source] of Object.entries(credentials?.[side] ?? {})) {
    const setting = `conform.live.credentials.${side}.${name}`;
    const value = await readSecret(source, setting, io);
    if (value === undefined) io.err(`${setting}: ${source} is not set, and is left out\n`);
    else found[name] = value;
  }
  return found;
}

/** The environment variables among the sources of secrets, for the curl lines of reports. */
function variablesIn(sources: Readonly<Record<string, string>> = {}): Record<string, string> {
  const named = Object.entries(sources).filter(([, source]) => source.startsWith('env:'));
  return Object.fromEntries(named.map(([name, source]) => [name, source.slice('env:'.length)]));
}

/** Money goes to named models alone. */
async function readBudget({ get, folder }: LoadedConfig, live: LiveSettings): Promise<Budget> {
  const runs = get('conform.live.budget');
  const models = live.models ?? [];
  if (runs > 0 && models.length === 0)
    throw new UsageError(
      "a budget needs the models that may run, in the configuration: conform: { live: { models: [{ id: 'provider/model', input: { … } }] } }",
    );
  const ids = models.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new UsageError(`conform.live.models names ${repeated} twice`);
  return { runs, models: await Promise.all(models.map((model) => readInputs(model, folder))) };
}

type ModelSettings = NonNullable<LiveSettings['models']>[number];

/** Inputs that were written as JSON are parsed, and their texts are kept. */
export async function readInputs(settings: ModelSettings, folder: string): Promise<LiveModel> {
  const texts: Record<string, string> = {};
  const inputs: Record<string, JsonObject> = {};
  for (const { name } of ownerSettings.inputs) {
    const given: unknown = Reflect.get(settings, name);
    if (typeof given !== 'string') continue;
    const written = await readInput(given, `conform.live.models: the ${name} of ${settings.id}`, folder);
    texts[name] = written.text;
    inputs[name] = written.input;
  }
  // Each input that is a text is replaced.
  return { ...settings, ...inputs, texts } as LiveModel;
}
