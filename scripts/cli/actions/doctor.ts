import { existsSync } from 'node:fs';
import { findScheme, type LiveModel, type Target } from '../../../contract-tests/src/index.ts';
import { findRefusal, ownerSettings } from '../../../contract-tests/src/requires.ts';
import { createRouterClient, GeneratorError, nodePorts } from '../../../generator/src/index.ts';
import {
  asObject,
  compileSchema,
  isJsonObject,
  type JsonObject,
  parseBrand,
  readModelOperation,
  readPackageVersion,
} from '../../../specs/src/index.ts';
import * as access from '../access.ts';
import type { Flags } from '../command-flags.ts';
import { CommandFailure, explainError, isUsageError } from '../errors.ts';
import { type CommandIo, withProgress } from '../io.ts';
import { describeLiveTarget } from '../live-target.ts';
import { createSettingReader, type LoadedConfig, listConfigFiles, loadConfig } from '../load-settings.ts';

type Project = LoadedConfig & { readonly flags: Flags<'doctor'>; readonly io: CommandIo };
/** `bad`: a command cannot work. Its exit code is 2 for an invalid setting, 3 for a service that can't be used. */
type Result = { status: 'ok' | 'warn' | 'bad'; message: string; help?: string; code?: 2 | 3 };
type Check = {
  readonly name: string;
  /** Advice if `run` throws. */
  readonly help?: string;
  /** True if commands work without it, so that an error is only a warning. */
  readonly isOptional?: true;
  /** API of the target that the check reads. If an API doesn't respond, the later checks that read it are skipped. */
  readonly reads?: Api;
  /** Returns undefined if the check doesn't apply. */
  readonly run: () => Result | undefined | Promise<Result | undefined>;
};

const ok = (message: string): Result => ({ status: 'ok', message });
const warn = (message: string, help: string): Result => ({ status: 'warn', message, help });
const bad = (message: string, help: string, code: 2 | 3): Result => ({ status: 'bad', message, help, code });

/** Checks everything that generate and conform depend on. Prints a line per check, with advice; returns 0, 2 or 3. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const lines: ({ readonly name: string } & Result)[] = [];
  await withProgress(io, async (show) => {
    show('checking settings and services');
    // If the configuration cannot be read, use an empty one here; the configuration check reports the problem.
    const empty = { config: {}, folder: io.workingFolder };
    const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createSettingReader(flags, empty, io) }));
    const project = { ...loaded, flags, io };
    const checks = [...listGenerateChecks(project), ...(await listConformChecks(project))];
    const unresponsive = new Set<Api>();
    for (const { name, help: usualHelp, isOptional, reads, run } of checks) {
      if (reads !== undefined && unresponsive.has(reads)) continue;
      try {
        const result = await run();
        if (result !== undefined) lines.push({ name, ...result });
      } catch (error) {
        const problem = explainError(error);
        let help = usualHelp;
        if (reads !== undefined && error instanceof NoAnswer) {
          unresponsive.add(reads);
          help = `Correct ${reads}Url, or start the service. All other checks of this API were skipped.`;
        }
        const advice = [problem.help, help].filter(Boolean).join(' ');
        const code = isUsageError(error) ? 2 : 3;
        lines.push({ name, ...(isOptional ? warn(problem.message, advice) : bad(problem.message, advice, code)) });
      }
    }
  });
  const codes = lines.flatMap(({ code }) => code ?? []);
  if (flags.json) io.out(`${JSON.stringify({ format: 1, isFit: codes.length === 0, checks: lines })}\n`);
  else {
    const width = Math.max(15, ...lines.map(({ name }) => name.length));
    for (const { name, status, message, help } of lines) {
      const state = io.style(status === 'ok' ? 'good' : status, status.padEnd(5));
      io.out(`${state}${name.padEnd(width)} ${message.replace(/\p{Cc}/gu, ' ')}\n`);
      if (help !== undefined) io.out(`${' '.repeat(6 + width)}${help}\n`);
    }
  }
  return codes.length === 0 ? 0 : Math.min(...codes);
}

const listGenerateChecks = (project: Project): Check[] => [
  // The command itself rejects Node versions that are too old.
  { name: 'node', run: () => ok(`${process.version}, switchyard ${readPackageVersion()}`) },
  {
    name: 'configuration',
    help: 'Correct the file, or choose a different one with --config.',
    run: () => checkConfiguration(project),
  },
  {
    name: 'credential',
    help: 'Remove spaces, line breaks and quotation marks from it.',
    run: () => checkCredential(project),
  },
  { name: 'proxy', run: () => checkProxy(project.io.env) },
  {
    name: 'router',
    help: 'If the URL is wrong, correct --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.',
    run: () => checkRouter(project),
  },
  {
    name: 'workflow API',
    help: 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
    isOptional: true,
    run: () => checkWorkflow(project),
  },
];

/** Lists the checks of what conform needs from a live target. They only send GET requests, so they can't start a run. */
async function listConformChecks(project: Project): Promise<Check[]> {
  const { config, get, io } = project;
  let notSet = '';
  const collect = (text: string): void => {
    notSet += text;
  };
  let target: Target;
  try {
    if (config.conform === undefined && get('workflowUrl') === undefined) return [];
  } catch {
    return []; // The checks for generate already report an invalid URL.
  }
  try {
    target = await describeLiveTarget(project, { ...io, err: collect });
  } catch (error) {
    return [{ name: 'conform', help: 'Correct this setting.', run: () => Promise.reject(error) }];
  }
  const read = createReader(target, project);
  const checks: Check[] = [];
  if (notSet !== '')
    checks.push({ name: 'conform', run: () => warn(notSet, 'Set these variables wherever conform runs.') });
  for (const api of ['router', 'workflow'] as const)
    for (const caller of Object.keys(target[api]?.credentials ?? {}))
      checks.push({ name: `${api}.${caller}`, reads: api, run: () => checkCaller(target, api, caller, read) });
  for (const [name, id] of Object.entries(target.workflow?.jobs ?? {}))
    checks.push({ name: `job ${name}`, reads: 'workflow', run: () => checkJob(name, id, read) });
  const { runs, models } = target.budget ?? { runs: 0, models: [] };
  for (const model of target.router === undefined ? [] : models)
    checks.push({ name: `model ${model.id}`, reads: 'router', run: () => checkModel(model, read) });
  const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
  const cost = costs.length < models.length ? '' : `, ${runs * Math.max(...costs)} cents at most`;
  if (runs > 0) checks.push({ name: 'budget', run: () => ok(`${runs} runs, of ${models.length} models${cost}`) });
  return checks;
}

async function checkConfiguration({ flags, io }: Project): Promise<Result> {
  await loadConfig(flags, io);
  const file = listConfigFiles(flags, io).find((one) => existsSync(one));
  return ok(file === undefined ? 'no file, which is fine: flags and variables are enough' : `read from ${file}`);
}

function checkCredential({ io, config, get }: Project): Result | undefined {
  const credential = access.readRouterCredential(io.env);
  if (credential !== undefined) return ok(credential.kind === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY');
  // No credential is needed if conform has its own, or if only the workflow API is used.
  const isOnlyWorkflow = get('routerUrl') === undefined && get('workflowUrl') !== undefined;
  if (isOnlyWorkflow || config.conform?.live?.credentials?.router?.main !== undefined) return undefined;
  const help = 'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token.';
  return bad('no credential for the Model Router', help, 2);
}

function checkProxy(env: CommandIo['env']): Result | undefined {
  const addresses = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
  if (addresses.length === 0) return undefined;
  const wrong = addresses.filter((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''));
  const help = 'Set it to a URL such as http://proxy.example:8080, or unset it.';
  if (wrong.length > 0) return bad(`${wrong.join(', ')}: not an http or https URL`, help, 3);
  const names = [...addresses, ...['NO_PROXY', 'no_proxy'].filter((name) => env[name])].join(', ');
  const [major, minor = 0] = process.versions.node.split('.').map(Number);
  if ((major === 22 && minor < 21) || (major === 24 && minor < 5))
    return bad(`Node ${process.version} ignores ${names}`, 'Use Node 22.21, 24.5 or newer.', 3);
  return ok(`using ${names}`);
}

/** Reads one entry of the catalog and its document, as generate would. */
async function checkRouter(project: Project): Promise<Result | undefined> {
  const { flags, io, get } = project;
  const [routerUrl, credential] = [get('routerUrl'), access.readRouterCredential(io.env)];
  if (routerUrl === undefined && get('workflowUrl') !== undefined) return undefined;
  const missing = 'Set --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
  if (routerUrl === undefined) return bad('no base URL for the Model Router', missing, 2);
  if (credential === undefined) return undefined; // The credential check reports it.
  access.refusePlainHttp(routerUrl, flags.allowHttp);
  const { http, clock } = nodePorts(await access.readTls(project, io));
  const brand = parseBrand(get('brand') ?? 'Service');
  const client = createRouterClient(
    { routerUrl, credential, brand, ...(await access.readGeneratorHeaders(project, credential, io)) },
    { http: (request) => http({ ...request, deadlineMs }), clock },
  );
  const read = async (path: string, subject: string, place: { operation: string; model?: string }) => {
    const reply = await client.get(path, place);
    if (reply.kind === 'failed') throw reply.error;
    if (reply.body.kind === 'json') return asObject(reply.body.value);
    // The response may come from something in front of the router.
    throw new CommandFailure(`${subject}: ${reply.body.because}`);
  };
  const { data } = await read('/v2/models?limit=1', routerUrl, { operation: 'listModels' });
  const { id } = asObject([data].flat()[0]);
  if (typeof id !== 'string') return ok(`${routerUrl} responds and accepts the credential`);
  try {
    const place = { operation: 'readSchemaDocument', model: id };
    await read(`${modelPath(id)}/openapi.json`, `${routerUrl}, document of ${id}`, place);
    return ok(`${routerUrl} responds, accepts the credential and serves the document of ${id}`);
  } catch (error) {
    if (!(error instanceof GeneratorError && [403, 404].includes(error.status ?? 0))) throw error;
    return warn(`${id}: ${error.message}`, 'Other models may be readable. Ask the operators for access to this one.');
  }
}

/** Sends a request without a credential: any response shows that the URL works. */
async function checkWorkflow(project: Project): Promise<Result | undefined> {
  const { flags, io, config, get } = project;
  const address = get('workflowUrl');
  if (address === undefined) return undefined;
  const [headers, tls] = [await access.readGatewayHeaders(project, [], io), await access.readTls(project, io)];
  const { status } = await readJson(`${address}${jobPath('none')}`, headers, tls, flags);
  const isSet = access.readWorkflowToken(io.env) ?? config.conform?.live?.credentials?.workflow?.main;
  return ok(`${address} responds with status ${status}${isSet ? '' : '; SWITCHYARD_WORKFLOW_TOKEN is not set'}`);
}

/** Reads the catalog or a job as a caller. A caller whose runs are rejected may still be allowed to read. */
async function checkCaller(target: Target, api: Api, caller: string, read: Read): Promise<Result> {
  const setting = `conform.live.credentials.${api}.${caller}`;
  const credentials: Readonly<Record<string, string>> = target[api]?.credentials ?? {};
  if (caller !== 'main' && credentials[caller] === credentials['main'])
    return bad('is the same credential as main', `Set ${setting} to a different one.`, 2);
  const { save, api: submitted } = target.workflow?.jobs ?? {};
  const path = api === 'router' ? '/v2/models?limit=1' : jobPath(save ?? submitted ?? 'none');
  let expected: readonly number[] = [200, 404];
  if (api === 'router') {
    const [refusal = 200] = findRefusal(caller) ?? [];
    expected = refusal === 200 || refusal === 401 ? [refusal] : [200, refusal];
  } else if (caller === 'forbidden') expected = [403];
  else if (caller === 'rateLimited') expected = [429, 200, 404];
  const { status } = await read(api, caller, path);
  if (expected.includes(status)) return ok(`a GET request returned ${status}, as expected`);
  const help = `Set ${setting} to a credential of this kind (see docs/reference/configuration.md).`;
  return bad(`a GET request returned ${status}, expected ${expected.join(' or ')}`, help, 3);
}

/** Formats of the jobs in `conform.jobs` that can be read (WX-JWF). Reading the other jobs fails. */
const jobFormats: Readonly<Record<string, string>> = { save: 'save', api: 'api', unreadable: 'api', deleted: 'api' };

async function checkJob(name: string, id: string, read: Read): Promise<Result> {
  const { status, json } = await read('workflow', 'main', jobPath(id));
  const failure = name === 'failing' ? 500 : 404;
  const wanted = Object.hasOwn(jobFormats, name) ? 200 : failure;
  const describe = (code: number, format: unknown): string =>
    code === 200 ? `the format ${JSON.stringify(format)}` : `status ${code}`;
  const message = `returned ${describe(status, json['format'])}`;
  if (status === wanted && (status !== 200 || json['format'] === jobFormats[name])) return ok(message);
  const setting = `conform.jobs.${name}`;
  const missing = `${id} does not exist, or the credential main may not read it (status 404)`;
  if (status === 404) return bad(missing, `Set ${setting} to the id of a different job, or remove it.`, 2);
  // If the job is right, the service is wrong, and conform reports it.
  const help = `Check that ${setting} is a job of this kind. If it is, the service is wrong: run conform.`;
  return warn(`${message}, expected ${describe(wanted, jobFormats[name])}`, help);
}

async function checkModel(model: LiveModel, read: Read): Promise<Result> {
  const path = modelPath(model.id);
  const { status } = await read('router', 'main', path);
  const help = 'Use a model that is in the catalog of the credential main.';
  if (status !== 200) return bad(`GET ${path} returned ${status}`, help, 2);
  const document = await read('router', 'main', `${path}/openapi.json`);
  if (document.status !== 200)
    return bad(`its document returned ${document.status}`, 'Ask the operators of the router for access to it.', 3);
  const schema = readModelOperation(document.json)?.input?.schema;
  if (!isJsonObject(schema)) return warn('its document has no input schema', 'Run conform for details.');
  const validate = compileSchema(schema, { root: document.json, unreadable: 'accept', side: 'input' });
  // The strict-mode input has the format of the alternate provider.
  const names = ownerSettings.inputs.map(({ name }) => name).filter((name) => name !== 'strictInput');
  const stated = names.filter((name) => Reflect.get(model, name) !== undefined);
  for (const name of stated) {
    const [violation] = validate(Reflect.get(model, name));
    if (violation === undefined) continue;
    const problem = `${name} is invalid: ${violation.pointer || 'the object'} ${violation.message}`;
    return bad(problem, `Correct ${name} of ${model.id} in conform.live.models.`, 2);
  }
  return ok(`in the catalog; valid against its schema: ${stated.join(', ')}`);
}

const deadlineMs = 15_000;
const jobPath = (id: string): string => `/api/v2/jobs/${id}/workflow`;
const modelPath = (id: string): string => `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}`;

/** Thrown if a GET request gets no response. */
class NoAnswer extends Error {}

type Api = 'router' | 'workflow';
type Reply = { readonly status: number; readonly json: JsonObject };
/** Sends a GET request as a caller whose credential is configured. */
type Read = (api: Api, caller: string, path: string) => Promise<Reply>;

function createReader({ router, workflow, headers = [], tls }: Target, { flags }: Project): Read {
  return (api, caller, path) => {
    const { url = '', credentials = {} } = (api === 'router' ? router : workflow) ?? {};
    const secret: string | undefined = Reflect.get(credentials, caller);
    const isKey = api === 'router' && router !== undefined && findScheme(router, `${secret}`) === 'api-key';
    const own =
      isKey && caller !== 'expiredToken'
        ? { name: 'x-api-key', value: `${secret}` }
        : { name: 'authorization', value: `Bearer ${secret}` };
    return readJson(`${url}${path}`, [...headers, ...(secret === undefined ? [] : [own])], tls, flags);
  };
}

/** Sends a GET request. Throws if there is no response, or if a secret would be sent over a public network. */
async function readJson(
  url: string,
  headers: NonNullable<Target['headers']>,
  tls: Target['tls'],
  { allowHttp }: Flags<'doctor'>,
): Promise<Reply> {
  if (headers.length > 0) access.refusePlainHttp(url, allowHttp);
  const fields = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const outcome = await nodePorts(tls).http({ url, headers: fields, deadlineMs, maxBytes: 16 * 1024 * 1024 });
  if (outcome.kind === 'no-response') throw new NoAnswer(`${new URL(url).origin} does not respond: ${outcome.detail}`);
  try {
    return { status: outcome.status, json: asObject(JSON.parse(new TextDecoder().decode(outcome.bytes))) };
  } catch {
    return { status: outcome.status, json: {} };
  }
}
