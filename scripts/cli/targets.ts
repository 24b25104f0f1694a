import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJwt, type JobName, type LiveModel, startMock, type Target } from '../../contract-tests/src/index.ts';
import { ownerSettings, type StatementName } from '../../contract-tests/src/requires.ts';
import { createSandbox, listen, listFaults, listVariants } from '../../sandbox/src/index.ts';
import { isJsonObject, type JsonObject } from '../../specs/src/index.ts';
import * as access from './access.ts';
import type { ConformFlags } from './commands.ts';
import { toMessage, UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import { type LoadedConfig, type LoadedSettings, resolveConfig } from './load-settings.ts';
import type { Config } from './settings.ts';
import { describeSandboxTarget } from './system-under-test.ts';
import { omitUndefined } from './values.ts';

type OpenedTarget = { readonly target: Target; readonly description: string; close?(): Promise<void> };

/** Opens the target that the flags describe: starts a mock or a sandbox, or uses a running server. */
export async function openTarget(loaded: LoadedSettings, flags: ConformFlags, io: CommandIo): Promise<OpenedTarget> {
  // URLs in the environment and the file belong to live services, so mock and sandbox only use URLs from flags.
  const isLive = flags.target === undefined || flags.target === 'live';
  const config = isLive ? loaded.config : resolveConfig(flags, { written: {}, folder: '' }, { ...io, env: {} });
  const url = config.routerUrl ?? config.workflowUrl;
  const kind = flags.target ?? (url === undefined ? 'sandbox' : 'live');
  rejectMisplacedOptions(kind, url !== undefined, config.conform.hooks.url !== undefined, flags);

  const { fault: faults = [], variant: variants = [] } = flags;
  let opened: OpenedTarget;
  if (kind === 'live')
    opened = { target: await describeLiveTarget(loaded, flags.allowHttp, io), description: url ?? '' };
  else if (kind === 'mock') {
    const mock = await startMock(loaded.specs);
    const router = { url: mock.routerUrl, credentials: { main: 'any-key' } };
    const workflow = { url: mock.workflowUrl, credentials: { main: 'any-token' }, jobs: {} };
    opened = { target: { kind, router, workflow }, description: 'the mock', close: () => mock.close() };
  } else if (url !== undefined) {
    const { routerUrl, workflowUrl = routerUrl } = config;
    // The sandbox's own credentials are public, so plain http is only rejected for credentials from the environment.
    if (routerUrl !== undefined && access.readRouterCredential(io.env) !== undefined)
      access.refusePlainHttp(routerUrl, flags.allowHttp);
    if (workflowUrl !== undefined && access.readWorkflowToken(io.env) !== undefined)
      access.refusePlainHttp(workflowUrl, flags.allowHttp);
    const target = describeSandboxTarget({ routerUrl, workflowUrl }, { env: io.env });
    opened = { target, description: `the sandbox at ${url}` };
  } else opened = await openSandbox(loaded, faults, variants);
  // The mock and the sandbox follow our readings of ambiguous API text; a variant may not.
  const readings = kind === 'live' || variants.length > 0 ? {} : { readings: 'required' as const };
  const shared = omitUndefined({ secrets: io.secrets(), redact: loaded.config.conform.redact });
  return { ...opened, target: { ...opened.target, ...readings, ...shared } };
}

/** Throws UsageError for flags and settings that the kind of target doesn't have. */
function rejectMisplacedOptions(
  kind: Target['kind'],
  hasUrl: boolean,
  hasHooks: boolean,
  { fault = [], variant = [], budget, plan }: ConformFlags,
): void {
  if (fault.length + variant.length > 0 && (kind !== 'sandbox' || hasUrl))
    throw new UsageError(
      '--fault and --variant need the sandbox that conform starts itself: add --target sandbox, without a URL',
    );
  if (kind === 'live') {
    if (!hasUrl) throw new UsageError('--target live needs --router-url or --workflow-url');
    return;
  }
  if (kind === 'mock' && hasUrl) throw new UsageError('--target mock starts its own server: remove the URL');
  if (budget !== undefined || plan !== undefined)
    throw new UsageError(
      `--${plan === undefined ? 'budget' : 'plan'} is only for a live target: add --router-url or --workflow-url`,
    );
  if (hasHooks)
    throw new UsageError(
      '--hooks is only for a live target: remove it, because the sandbox has its own test hooks and the mock has none',
    );
}

async function openSandbox(
  { specs }: LoadedSettings,
  faults: readonly string[],
  variants: readonly string[],
): Promise<OpenedTarget> {
  requireKnown('fault', faults, listFaults());
  requireKnown('variant', variants, listVariants());
  const sandbox = createSandbox({ specs, faults, variants });
  const { url, close } = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  return {
    // A variant may simulate other callers, so statements such as `exclusive` would not hold.
    target: describeSandboxTarget({ routerUrl: url, workflowUrl: url }, { statements: variants.length === 0 }),
    description: 'the sandbox',
    close: async () => {
      await close();
      sandbox.close();
    },
  };
}

/** Throws UsageError for an id that the sandbox doesn't have. */
export function requireKnown(what: string, ids: readonly string[], known: readonly { id: string }[]): void {
  for (const id of ids) {
    if (!known.some((entry) => entry.id === id))
      throw new UsageError(
        `unknown ${what} ${JSON.stringify(id)}; npx openapi-switchyard sandbox --list-${what}s lists them`,
      );
  }
}

type LiveSettings = Config['conform']['live'];

/** Headers that can't be gateway headers, because rules send, omit and vary them. */
const ownHeaders = ['authorization', 'x-api-key', 'idempotency-key', 'content-type'];

/**
 * Describes a deployed service with everything that its owner has configured. Reads secrets from the configured sources.
 * Throws UsageError if a setting is wrong, or if a secret would be sent over plain http without `allowHttp`.
 */
export async function describeLiveTarget(
  loaded: LoadedConfig,
  allowHttp: boolean | undefined,
  io: CommandIo,
): Promise<Target> {
  const { config, folder } = loaded;
  const { routerUrl, workflowUrl, conform } = config;
  const { live, jobs, readings } = conform;
  const headers = await access.readGatewayHeaders(loaded, ownHeaders, io);
  const tls = await access.readTls(loaded, io);

  let router: Target['router'];
  if (routerUrl !== undefined) {
    const configured = await readSecrets('router', live, io);
    const fromEnvironment = configured['main'] === undefined ? access.readRouterCredential(io.env) : undefined;
    const main = configured['main'] ?? fromEnvironment?.value;
    if (main === undefined)
      throw new UsageError(
        'no credential for the Model Router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN, or conform.live.credentials.router.main',
      );
    rejectRepeatedCredential('router', configured, main);
    access.refusePlainHttp(routerUrl, allowHttp);
    const scheme = live.scheme ?? fromEnvironment?.kind ?? (isJwt(main) ? 'bearer' : 'api-key');
    router = { url: routerUrl, credentials: { ...configured, main }, scheme };
  }
  let workflow: Target['workflow'];
  if (workflowUrl !== undefined) {
    const configured = await readSecrets('workflow', live, io);
    const main = configured['main'] ?? access.readWorkflowToken(io.env);
    rejectRepeatedCredential('workflow', configured, main);
    const credentials = { ...configured, ...omitUndefined({ main }) };
    if (Object.keys(credentials).length + headers.length > 0) access.refusePlainHttp(workflowUrl, allowHttp);
    const graphs: Partial<Record<JobName, string>> = {};
    for (const [job, file = ''] of Object.entries(live.graphs)) {
      const path = resolve(folder, file);
      graphs[job as JobName] = (await readJson(`conform.live.graphs: ${path}`, path)).text;
    }
    workflow = {
      url: workflowUrl,
      credentials,
      jobs: omitUndefined(jobs),
      ...(Object.keys(graphs).length > 0 && { graphs }),
      ...omitUndefined({ authentication: live.workflowAuthentication }),
    };
  }
  let hooks: Target['hooks'];
  const { url: hooksUrl, credential: hooksSource } = conform.hooks;
  if (hooksUrl !== undefined) {
    if (hooksSource !== undefined || headers.length > 0) access.refusePlainHttp(hooksUrl, allowHttp);
    const credential = hooksSource && (await access.readRequiredSecret(hooksSource, 'conform.hooks.credential', io));
    hooks = { url: hooksUrl, ...omitUndefined({ credential }) };
  } else if (hooksSource !== undefined)
    throw new UsageError('a credential for test hooks needs their URL: set conform.hooks.url, or add --hooks');

  // Only named models may cost money.
  const { budget: runs, models, exclusive, ceiling } = live;
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
    ...omitUndefined({ router, workflow, hooks, tls, readings }),
    headers,
    variables: {
      router: findVariables(live.credentials.router),
      workflow: findVariables(live.credentials.workflow),
    },
    stated: omitUndefined({ exclusive, ceiling } satisfies Record<StatementName, unknown>),
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
async function readSecrets(api: 'router' | 'workflow', { credentials }: LiveSettings, io: CommandIo) {
  const secrets: Record<string, string> = {};
  for (const [name, source = ''] of Object.entries(credentials[api])) {
    const setting = `conform.live.credentials.${api}.${name}`;
    const value = await access.readSecret(source, setting, io);
    if (value === undefined) io.err(`${setting} is ignored, because ${source} is not set\n`);
    else secrets[name] = value;
  }
  return secrets;
}

/** Throws if another caller has the credential of `main`: rules would expect its calls to be treated differently. */
function rejectRepeatedCredential(
  api: 'router' | 'workflow',
  configured: Readonly<Record<string, string>>,
  main = '',
): void {
  for (const [name, value] of Object.entries(configured))
    if (name !== 'main' && value === main)
      throw new UsageError(
        `conform.live.credentials.${api}.${name} is the same credential as main: set it to a different one, or remove it`,
      );
}

/** Returns the names of the environment variables among the sources of secrets, for curl commands in reports. */
function findVariables(sources: object): Record<string, string> {
  const matches = Object.entries(sources).map(([name, source]) => [name, /^env:(.+)/.exec(source)?.[1]]);
  return Object.fromEntries(matches.filter(([, variable]) => variable !== undefined));
}

type ModelSettings = LiveSettings['models'][number];

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
