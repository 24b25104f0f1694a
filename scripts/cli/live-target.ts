import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJwt, type JobName, type LiveModel, type Target } from '../../contract-tests/src/index.ts';
import { ownerSettings } from '../../contract-tests/src/requires.ts';
import { isJsonObject, type JsonObject } from '../../specs/src/index.ts';
import { readGatewayHeaders, readRouterCredential, readSecret, readTls, readWorkflowToken } from './access.ts';
import type { SwitchyardConfig } from './config.ts';
import { toMessage, UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import type { LoadedConfig } from './load-settings.ts';
import { omitUndefined } from './values.ts';

type LiveSettings = NonNullable<NonNullable<SwitchyardConfig['conform']>['live']>;

/** Headers that can't be gateway headers, because rules send, omit and vary them. */
const ownHeaders = ['authorization', 'x-api-key', 'idempotency-key', 'content-type'];

/** Describes a deployed service with everything that its owner has configured. Reads secrets from the configured sources. */
export async function describeLiveTarget(loaded: LoadedConfig, io: CommandIo): Promise<Target> {
  const { config, get, folder } = loaded;
  const { live = {}, jobs = {} } = config.conform ?? {};
  const [routerUrl, workflowUrl] = [get('routerUrl'), get('workflowUrl')];
  const headers = await readGatewayHeaders(loaded, ownHeaders, io);
  const tls = await readTls(loaded, io);

  let router: Target['router'];
  if (routerUrl !== undefined) {
    const configured = await readSecrets('router', live, io);
    const fromEnvironment = configured['main'] === undefined ? readRouterCredential(io.env) : undefined;
    const main = configured['main'] ?? fromEnvironment?.value;
    if (main === undefined)
      throw new UsageError(
        'no credential for the Model Router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN, or conform.live.credentials.router.main',
      );
    refuseEqual('router', configured, main);
    const scheme = live.scheme ?? fromEnvironment?.kind ?? (isJwt(main) ? 'bearer' : 'api-key');
    router = { url: routerUrl, credentials: { ...configured, main }, scheme };
  }
  let workflow: Target['workflow'];
  if (workflowUrl !== undefined) {
    const configured = await readSecrets('workflow', live, io);
    const main = configured['main'] ?? readWorkflowToken(io.env);
    refuseEqual('workflow', configured, main);
    const graphs: Partial<Record<JobName, string>> = {};
    for (const [job, file] of Object.entries(live.graphs ?? {})) {
      const path = resolve(folder, file);
      graphs[job as JobName] = (await readJson(`conform.live.graphs: ${path}`, path)).text;
    }
    workflow = {
      url: workflowUrl,
      credentials: { ...configured, ...omitUndefined({ main }) },
      jobs,
      ...(Object.keys(graphs).length > 0 && { graphs }),
      ...omitUndefined({ authentication: live.workflowAuthentication }),
    };
  }

  // Only named models may cost money.
  const [runs, models] = [get('conform.live.budget'), live.models ?? []];
  if (runs > 0 && models.length === 0)
    throw new UsageError(
      "a budget needs a list of the models that may run: add conform: { live: { models: [{ id: 'provider/model', input: { … } }] } } to the configuration",
    );
  const ids = models.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined)
    throw new UsageError(`conform.live.models lists ${repeated} twice: remove one of the entries`);
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

/** Parses the text of a file, or `text` itself if there is no file. `what`: its name in messages. */
async function readJson(what: string, file: string | undefined, text = ''): Promise<{ value: unknown; text: string }> {
  try {
    const json = file === undefined ? text : (await readFile(file, 'utf8')).trim();
    return { value: JSON.parse(json), text: json };
  } catch (error) {
    throw new UsageError(`${what} is not valid JSON: ${toMessage(error)}`, { cause: error });
  }
}

/** Reads the configured secrets. Skips and reports a secret whose environment variable is not set. */
async function readSecrets(side: 'router' | 'workflow', { credentials }: LiveSettings, io: CommandIo) {
  const secrets: Record<string, string> = {};
  for (const [name, source] of Object.entries(credentials?.[side] ?? {})) {
    const setting = `conform.live.credentials.${side}.${name}`;
    const value = await readSecret(source, setting, io);
    if (value === undefined) io.err(`${setting} is ignored, because ${source} is not set\n`);
    else secrets[name] = value;
  }
  return secrets;
}

/** Throws if another caller has the credential of `main`: rules would expect its calls to be treated differently. */
function refuseEqual(side: 'router' | 'workflow', configured: Readonly<Record<string, string>>, main = ''): void {
  for (const [name, value] of Object.entries(configured))
    if (name !== 'main' && value === main)
      throw new UsageError(
        `conform.live.credentials.${side}.${name} is the same credential as main: set it to a different one, or remove it`,
      );
}

/** Returns the names of the environment variables among the sources of secrets, for curl commands in reports. */
function variablesIn(sources: Readonly<Record<string, string>> = {}): Record<string, string> {
  const fromEnvironment = Object.entries(sources).filter(([, source]) => source.startsWith('env:'));
  return Object.fromEntries(fromEnvironment.map(([name, source]) => [name, source.slice('env:'.length)]));
}

type ModelSettings = NonNullable<LiveSettings['models']>[number];

/** Parses inputs that are given as JSON text or as a file, and keeps their texts in `texts`. */
async function readInputs(settings: ModelSettings, folder: string): Promise<LiveModel> {
  const texts: Record<string, string> = {};
  const inputs: Record<string, JsonObject> = {};
  for (const { name } of ownerSettings.inputs) {
    const written: unknown = Reflect.get(settings, name);
    if (typeof written !== 'string') continue;
    const what = `conform.live.models: the ${name} of ${settings.id}`;
    const file = written.startsWith('file:') ? resolve(folder, written.slice('file:'.length)) : undefined;
    const { value, text } = await readJson(what, file, written);
    if (!isJsonObject(value)) throw new UsageError(`${what} is not a JSON object`);
    texts[name] = text;
    inputs[name] = value;
  }
  // `inputs` overrides every input that was given as text.
  return { ...settings, ...inputs, texts } as LiveModel;
}
