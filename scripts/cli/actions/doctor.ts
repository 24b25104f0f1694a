import { existsSync } from 'node:fs';
import { findRefusal, ownerSettings } from '../../../contract-tests/src/requires.ts';
import { createRouterClient, nodePorts, type RouterReply } from '../../../generator/src/index.ts';
import {
  asObject,
  compileSchema,
  isJsonObject,
  type JsonObject,
  parseBrand,
  readModelOperation,
  readPackageVersion,
} from '../../../specs/src/index.ts';
import {
  gatewayHeaders,
  generatorHeaders,
  readSecret,
  readTls,
  refusePlainHttp,
  routerCredential,
  workflowToken,
} from '../access.ts';
import { explainError, isUsageError } from '../errors.ts';
import { type CommandIo, withProgress } from '../io.ts';
import { type ModelSettings, readInputs } from '../live-target.ts';
import { configFiles, createGet, type LoadedConfig, loadConfig } from '../load-settings.ts';
import type { Flags } from '../settings.ts';

/** `bad` keeps a command from working, and ends with 2 for a wrong setting or 3 for a service that cannot be used. */
type Result =
  | { readonly status: 'ok'; readonly message: string }
  | { readonly status: 'warn'; readonly message: string; readonly help: string }
  | { readonly status: 'bad'; readonly message: string; readonly help: string; readonly code: 2 | 3 };
type Check = {
  readonly name: string;
  /** Returns undefined if the check doesn't apply. */
  readonly run: () => Result | undefined | Promise<Result | undefined>;
  /** Advice if `run` throws. */
  readonly help?: string;
  /** An error of `run` is only a warning. */
  readonly isOptional?: true;
};
type Api = 'router' | 'workflow';
type Project = LoadedConfig & {
  readonly flags: Flags<'doctor'>;
  readonly io: CommandIo;
  /** Returns the credential of a caller of `conform.live.credentials`, or that of the environment for `main`. */
  secretOf(api: Api, caller: string): Promise<string | undefined>;
};

const ok = (message: string): Result => ({ status: 'ok', message });
const warn = (message: string, help: string): Result => ({ status: 'warn', message, help });
const bad = (message: string, help: string, code: 2 | 3): Result => ({ status: 'bad', message, help, code });

/** Prints a line for each thing that generate and conform depend on, with what to do; returns 0, 2 or 3. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const lines: ({ readonly name: string } & Result)[] = [];
  await withProgress(io, async (show) => {
    show('checking settings and services');
    for (const { name, run, help, isOptional } of listChecks(await openProject(flags, io)))
      try {
        const result = await run();
        if (result !== undefined) lines.push({ name, ...result });
      } catch (error) {
        const problem = explainError(error);
        const advice = [problem.help, help].filter(Boolean).join(' ');
        const code = isUsageError(error) ? 2 : 3;
        lines.push({ name, ...(isOptional ? warn(problem.message, advice) : bad(problem.message, advice, code)) });
      }
  });
  const codes = lines.flatMap((line) => (line.status === 'bad' ? [line.code] : []));
  if (flags.json) io.out(`${JSON.stringify({ format: 1, isFit: codes.length === 0, checks: lines })}\n`);
  else
    for (const { name, ...line } of lines) {
      const state = io.style(line.status === 'ok' ? 'good' : line.status, line.status.padEnd(5));
      io.out(`${state}${name.padEnd(15)} ${line.message.replace(/\p{Cc}/gu, ' ')}\n`);
      if (line.status !== 'ok') io.out(`${' '.repeat(21)}${line.help}\n`);
    }
  return codes.length === 0 ? 0 : Math.min(...codes);
}

async function openProject(flags: Flags<'doctor'>, io: CommandIo): Promise<Project> {
  // A configuration that cannot be read counts as empty here; its own check reports it.
  const empty = { config: {}, folder: io.workingFolder };
  const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createGet(flags, empty, io) }));
  const secrets = new Map<string, Promise<string | undefined>>();
  const read = async (api: Api, caller: string): Promise<string | undefined> => {
    const source = sourcesOf(loaded, api)[caller];
    const stated = source && (await readSecret(source, `conform.live.credentials.${api}.${caller}`, io));
    if (stated || caller !== 'main') return stated;
    return api === 'router' ? routerCredential(io.env)?.value : workflowToken(io.env);
  };
  const secretOf: Project['secretOf'] = (api, caller) => {
    const key = `${api}.${caller}`;
    const found = secrets.get(key) ?? read(api, caller);
    secrets.set(key, found);
    return found;
  };
  return { ...loaded, flags, io, secretOf };
}

function sourcesOf({ config }: LoadedConfig, api: Api): Readonly<Record<string, string>> {
  return config.conform?.live?.credentials?.[api] ?? {};
}

function listChecks(project: Project): readonly Check[] {
  const { config, get, io } = project;
  const checks: Check[] = [
    // The command itself refuses Node versions that are too old.
    { name: 'node', run: () => ok(`${process.version}, switchyard ${readPackageVersion()}`) },
    {
      name: 'configuration',
      run: () => checkConfiguration(project),
      help: 'Correct that file, or name another one with --config.',
    },
    {
      name: 'credential',
      run: () => checkCredential(project),
      help: 'Set it again, without spaces, line ends and quotation marks.',
    },
    { name: 'proxy', run: () => checkProxy(io.env) },
    { name: 'router', run: () => checkRouter(project), help: correctAddress },
    {
      name: 'workflow API',
      run: () => checkWorkflow(project),
      help: 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
      isOptional: true,
    },
  ];
  // The settings of a live target. A wrong address or credential has a line already.
  try {
    const [routerUrl, workflowUrl] = [get('routerUrl'), get('workflowUrl')];
    const { jobs = {}, live = {} } = config.conform ?? {};
    if (config.conform === undefined && workflowUrl === undefined) return checks;
    const addCallers = (api: Api, needsMain: boolean): void => {
      const callers = new Set([...(needsMain ? ['main'] : []), ...Object.keys(sourcesOf(project, api))]);
      for (const caller of callers)
        checks.push({ name: `${api}.${caller}`, run: () => checkCaller(project, api, caller) });
    };
    if (routerUrl !== undefined) addCallers('router', true);
    if (workflowUrl !== undefined) {
      addCallers('workflow', live.workflowAuthentication === 'required' || workflowToken(io.env) !== undefined);
      for (const [name, id] of Object.entries(jobs))
        checks.push({ name: `job ${name}`, run: () => checkJob(project, name, id) });
    }
    const help = 'Correct this entry of conform.live.models.';
    for (const model of routerUrl === undefined ? [] : (live.models ?? []))
      checks.push({ name: `model ${model.id}`, run: () => checkModel(project, model), help });
    checks.push({ name: 'budget', run: () => checkBudget(project) });
  } catch {}
  return checks;
}

async function checkConfiguration({ flags, io }: Project): Promise<Result> {
  await loadConfig(flags, io);
  const file = configFiles(flags, io).find((one) => existsSync(one));
  return ok(file === undefined ? 'no file; flags and environment variables are enough' : `read from ${file}`);
}

function checkCredential({ io, config, get }: Project): Result | undefined {
  const credential = routerCredential(io.env);
  if (credential !== undefined) return ok(credential.kind === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY');
  // Conform can have its own credential, or check only the workflow API.
  const isOnlyWorkflow = get('routerUrl') === undefined && get('workflowUrl') !== undefined;
  if (isOnlyWorkflow || config.conform?.live?.credentials?.router?.main !== undefined) return undefined;
  const help = 'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token.';
  return bad('no credential for the Model Router', help, 2);
}

/** Since these versions, Node's own agents use proxies. */
const proxySince: ReadonlyMap<number, number> = new Map([
  [22, 21],
  [24, 5],
]);

function checkProxy(env: CommandIo['env']): Result | undefined {
  const addresses = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
  if (addresses.length === 0) return undefined;
  const wrong = addresses.filter((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''));
  const help = 'Set it to an address such as http://proxy.example:8080, or unset it.';
  if (wrong.length > 0) return bad(`${wrong.join(', ')}: not an http or https address`, help, 3);
  const names = [...addresses, ...['NO_PROXY', 'no_proxy'].filter((name) => env[name])].join(', ');
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (minor >= (proxySince.get(major) ?? 0)) return ok(`${names} in effect`);
  return bad(`Node ${process.version} does not follow ${names}`, 'Use Node 22.21, 24.5 or newer.', 3);
}

const deadlineMs = 15_000;
const correctAddress = 'Correct --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
const modelPath = (id: string): string => `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}`;

/** Reads one entry of the catalog and its document, as generate would. */
async function checkRouter(project: Project): Promise<Result | undefined> {
  const { flags, io, get } = project;
  const [routerUrl, credential] = [get('routerUrl'), routerCredential(io.env)];
  if (routerUrl === undefined && get('workflowUrl') !== undefined) return undefined;
  const missing = 'Set --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
  if (routerUrl === undefined) return bad('no address of a Model Router', missing, 2);
  if (credential === undefined) return undefined; // its own check reports it
  refusePlainHttp(routerUrl, flags.allowHttp);
  const { http, clock } = nodePorts(await readTls(project, io));
  const brand = parseBrand(get('brand') ?? 'Service');
  const gateway = await generatorHeaders(project, credential, io);
  const client = createRouterClient(
    { routerUrl, credential, brand, ...gateway },
    { http: (request) => http({ ...request, deadlineMs }), clock },
  );
  const catalog = await client.get('/v2/models?limit=1', { operation: 'listModels' });
  const problem = findProblem(catalog, routerUrl);
  if (problem !== undefined) return problem;
  const page = catalog.kind === 'body' && catalog.body.kind === 'json' ? catalog.body.value : undefined;
  const [model] = isJsonObject(page) ? [page['data']].flat() : [];
  const id = isJsonObject(model) ? model['id'] : undefined;
  if (typeof id !== 'string') return ok(`${routerUrl} answers and accepts the credential`);
  const reply = await client.get(`${modelPath(id)}/openapi.json`, { operation: 'readSchemaDocument', model: id });
  if (reply.kind === 'failed' && [403, 404].includes(reply.error().status ?? 0))
    return warn(`${id}: ${reply.error().message}`, 'Other models may be readable: ask the operators for this one.');
  const served = ok(`${routerUrl} answers, accepts the credential and serves the document of ${id}`);
  return findProblem(reply, `${routerUrl}, document of ${id}`) ?? served;
}

function findProblem(reply: RouterReply, subject: string): Result | undefined {
  if (reply.kind === 'failed') {
    const error = reply.error();
    // The address is right if a credential is refused, and the advice of the error is enough.
    if (![401, 403].includes(error.status ?? 0)) throw error;
    return bad(explainError(error).message, error.help ?? correctAddress, 3);
  }
  const help = 'Something in front of the router may be answering in its place: check the address.';
  return reply.body.kind === 'json' ? undefined : bad(`${subject}: ${reply.body.because}`, help, 3);
}

/** Reads without a credential: any response shows that the address works. */
async function checkWorkflow(project: Project): Promise<Result | undefined> {
  const address = project.get('workflowUrl');
  if (address === undefined) return undefined;
  const { status } = await readJson(project, `${address}/api/v2/jobs/none/workflow`);
  const isSet = workflowToken(project.io.env) ?? sourcesOf(project, 'workflow')['main'];
  return ok(`${address} answers with status ${status}${isSet ? '' : ', and SWITCHYARD_WORKFLOW_TOKEN is not set'}`);
}

/** Statuses of a workflow read with a credential of this kind. */
const workflowCallers: Readonly<Record<string, readonly number[]>> = {
  forbidden: [403],
  rateLimited: [429, 200, 404],
};

async function checkCaller(project: Project, api: Api, caller: string): Promise<Result> {
  const setting = `conform.live.credentials.${api}.${caller}`;
  const secret = await project.secretOf(api, caller);
  if (secret === undefined && caller === 'main')
    return bad('no credential; conform needs one', `Set the environment variable or ${setting}.`, 2);
  const source = sourcesOf(project, api)[caller];
  if (secret === undefined)
    return warn(`${source} is not set: rules that need it are left out`, 'Set the variable where conform runs.');
  if (caller !== 'main' && secret === (await project.secretOf(api, 'main').catch(() => undefined)))
    return bad('is the same credential as main', `Set ${setting} to another one.`, 2);
  const { jobs = {} } = project.config.conform ?? {};
  const path = api === 'router' ? '/v2/models?limit=1' : jobPath(jobs.save ?? jobs.api ?? 'none');
  const { status } = await readAs(project, api, caller, path);
  // A caller whose runs are refused may be allowed to read.
  const refusal = findRefusal(caller)?.[0] ?? 200;
  const ofRouter = refusal === 401 ? [401] : [...new Set([200, refusal])];
  const expected = api === 'router' ? ofRouter : (workflowCallers[caller] ?? [200, 404]);
  if (expected.includes(status)) return ok(`a read returned ${status}, as expected`);
  const help = `Set ${setting} to a credential of this kind: docs/reference/configuration.md.`;
  return bad(`a read returned ${status}, not ${expected.join(' or ')}`, help, 3);
}

const jobPath = (id: string): string => `/api/v2/jobs/${id}/workflow`;
/** The result of reading a job of each kind (WX-JWF). */
const jobKinds: Readonly<Record<string, readonly [status: number, format?: string]>> = {
  save: [200, 'save'],
  api: [200, 'api'],
  foreign: [404],
  expired: [404],
  unreadable: [200, 'api'],
  deleted: [200, 'api'],
  failing: [500],
};

async function checkJob(project: Project, name: string, id: string): Promise<Result> {
  const { status, json } = await readAs(project, 'workflow', 'main', jobPath(id));
  const [wanted, format] = jobKinds[name] ?? [200];
  const describe = (code: number, shown: unknown): string =>
    code === 200 ? `the format ${JSON.stringify(shown)}` : `status ${code}`;
  const message = `returned ${describe(status, json['format'])}`;
  if (status === wanted && (format === undefined || json['format'] === format)) return ok(message);
  const setting = `conform.jobs.${name}`;
  const missing = `${id} does not exist, or the credential main may not read it (status 404)`;
  if (status === 404) return bad(missing, `Set ${setting} to the id of another job, or remove it.`, 2);
  // The job may be right and the service wrong, which conform finds.
  const help = `Check that ${setting} is such a job. If it is, conform reports the service.`;
  return warn(`${message}, expected ${describe(wanted, format)}`, help);
}

async function checkModel(project: Project, model: ModelSettings): Promise<Result> {
  const inputs = await readInputs(model, project.folder);
  const path = modelPath(model.id);
  const { status } = await readAs(project, 'router', 'main', path);
  const help = 'Name a model that the catalog lists for the credential main.';
  if (status !== 200) return bad(`GET ${path} returned ${status}`, help, 2);
  const document = await readAs(project, 'router', 'main', `${path}/openapi.json`);
  if (document.status !== 200)
    return bad(`its document returned ${document.status}`, 'Ask the operators of the router for it.', 3);
  const schema = readModelOperation(document.json)?.input?.schema;
  if (!isJsonObject(schema)) return warn('its document has no schema of an input', 'conform reports such a document.');
  const validate = compileSchema(schema, { root: document.json, unreadable: 'accept', side: 'input' });
  // The input of strict mode has the form of another provider.
  const names = ownerSettings.inputs.map(({ name }) => name).filter((name) => name !== 'strictInput');
  const stated = names.filter((name) => Reflect.get(inputs, name) !== undefined);
  for (const name of stated) {
    const [violation] = validate(Reflect.get(inputs, name));
    if (violation !== undefined)
      return bad(`${name} is invalid: ${violation.pointer || 'the object'} ${violation.message}`, 'Correct it.', 2);
  }
  return ok(`listed; valid against its schema: ${stated.join(', ')}`);
}

function checkBudget({ config, get }: Project): Result | undefined {
  const [budget, models] = [get('conform.live.budget'), config.conform?.live?.models ?? []];
  if (budget === 0) return undefined;
  if (models.length === 0) return bad(`${budget} runs, and no model that may run`, 'Set conform.live.models.', 2);
  const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
  const cost = costs.length < models.length ? '' : `, ${budget * Math.max(...costs)} cents at most`;
  return ok(`${budget} runs, of ${models.length} models${cost}`);
}

type Reply = { readonly status: number; readonly json: JsonObject };

/** Sends a GET as a caller of `conform.live.credentials`; without a credential if it cannot be read. */
async function readAs(project: Project, api: Api, caller: string, path: string): Promise<Reply> {
  const { config, get, io, secretOf } = project;
  const secret = await secretOf(api, caller).catch(() => undefined);
  const fromEnv = 'main' in sourcesOf(project, 'router') ? undefined : routerCredential(io.env)?.kind;
  const scheme = config.conform?.live?.scheme ?? fromEnv ?? 'api-key';
  const isKey = api === 'router' && scheme === 'api-key' && caller !== 'expiredToken';
  let headers: Readonly<Record<string, string>> = {};
  if (secret) headers = isKey ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` };
  return readJson(project, `${get(api === 'router' ? 'routerUrl' : 'workflowUrl')}${path}`, headers);
}

/** Sends a GET with the headers for a gateway. Throws if no response comes, or a secret would cross a public network. */
async function readJson(project: Project, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const { io, flags } = project;
  const gateway = await gatewayHeaders(project, Object.keys(headers), io);
  if (Object.keys(headers).length + gateway.length > 0) refusePlainHttp(url, flags.allowHttp);
  const extra = Object.fromEntries(gateway.map(({ name, value }) => [name, value]));
  const { http } = nodePorts(await readTls(project, io));
  const outcome = await http({ url, headers: { ...extra, ...headers }, deadlineMs, maxBytes: 16 * 1024 * 1024 });
  if (outcome.kind === 'no-response') throw new Error(`${new URL(url).origin} does not answer: ${outcome.detail}`);
  try {
    return { status: outcome.status, json: asObject(JSON.parse(new TextDecoder().decode(outcome.bytes))) };
  } catch {
    return { status: outcome.status, json: {} };
  }
}
