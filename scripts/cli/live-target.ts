import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJwt, type JobName, type LiveModel, type Target } from '../../contract-tests/src/index.ts';
import { ownerSettings } from '../../contract-tests/src/requires.ts';
import { isJsonObject, type JsonObject } from '../../specs/src/index.ts';
import { gatewayHeaders, readSecret, readTls, routerCredential, workflowToken } from './access.ts';
import type { SwitchyardConfig } from './config.ts';
import { toMessage, UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import type { LoadedConfig } from './load-settings.ts';
import { omitUndefined } from './values.ts';

type LiveSettings = NonNullable<NonNullable<SwitchyardConfig['conform']>['live']>;

/** Headers that rules send, leave out and vary themselves, so a gateway can't have them. */
const ownHeaders = ['authorization', 'x-api-key', 'idempotency-key', 'content-type'];

/** Describes a deployed service with all that its owner states. Reads secrets from where the configuration names them. */
export async function liveTarget(loaded: LoadedConfig, io: CommandIo): Promise<Target> {
  const { config, get, folder } = loaded;
  const { live = {}, jobs = {} } = config.conform ?? {};
  const [routerUrl, workflowUrl] = [get('routerUrl'), get('workflowUrl')];
  const headers = await gatewayHeaders(loaded, ownHeaders, io);
  const tls = await readTls(loaded, io);

  let router: Target['router'];
  if (routerUrl !== undefined) {
    const stated = await readSecrets('router', live, io);
    const own = stated['main'] === undefined ? routerCredential(io.env) : undefined;
    const main = stated['main'] ?? own?.value;
    if (main === undefined)
      throw new UsageError(
        'no credential for the Model Router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN, or conform.live.credentials.router.main',
      );
    const scheme = live.scheme ?? own?.kind ?? (isJwt(main) ? 'bearer' : 'api-key');
    router = { url: routerUrl, credentials: { ...stated, main }, scheme };
  }
  let workflow: Target['workflow'];
  if (workflowUrl !== undefined) {
    const stated = await readSecrets('workflow', live, io);
    const main = stated['main'] ?? workflowToken(io.env);
    const graphs: Partial<Record<JobName, string>> = {};
    for (const [job, file] of Object.entries(live.graphs ?? {}))
      graphs[job as JobName] = await readGraph(resolve(folder, file));
    workflow = {
      url: workflowUrl,
      credentials: { ...stated, ...omitUndefined({ main }) },
      jobs,
      ...(Object.keys(graphs).length > 0 && { graphs }),
      ...omitUndefined({ authentication: live.workflowAuthentication }),
    };
  }

  // Only named models may cost money.
  const [runs, models] = [get('conform.live.budget'), live.models ?? []];
  if (runs > 0 && models.length === 0)
    throw new UsageError(
      "a budget needs the models that may run, in the configuration: conform: { live: { models: [{ id: 'provider/model', input: { … } }] } }",
    );
  const ids = models.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new UsageError(`conform.live.models names ${repeated} twice`);
  return {
    kind: 'live',
    ...omitUndefined({ router, workflow, tls, readings: get('conform.readings') }),
    headers,
    variables: {
      router: variablesIn(live.credentials?.router),
      workflow: variablesIn(live.credentials?.workflow),
    },
    stated: Object.fromEntries(ownerSettings.statements.map(({ name }) => [name, Reflect.get(live, name)])),
    budget: { runs, models: await Promise.all(models.map((model) => readInputs(model, folder))) },
  };
}

async function readGraph(file: string): Promise<string> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`conform.live.graphs: ${file} is not valid JSON: ${toMessage(error)}`, {
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
    throw new UsageError(`${what} is not valid JSON: ${toMessage(error)}`, { cause: error });
  }
  throw new UsageError(`${what} is not a JSON object`);
}

/** Reads the named secrets. Leaves out those whose variables are not set, and reports that. */
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

type ModelSettings = NonNullable<LiveSettings['models']>[number];

/** Inputs that were written as JSON are parsed, and their texts are kept. */
async function readInputs(settings: ModelSettings, folder: string): Promise<LiveModel> {
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
