import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findRefusal, ownerSettings } from '../../../contract-tests/src/requires.ts';
import {
  createRouterClient,
  lockName,
  nodePorts,
  type RouterReply,
  verifyOutput,
} from '../../../generator/src/index.ts';
import {
  asObject,
  compileSchema,
  findAbove,
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
import { readGraph, readInputs } from '../live-target.ts';
import { configFiles, createGet, type LoadedConfig, loadConfig } from '../load-settings.ts';
import { findMissingPeers } from '../optional-peers.ts';
import type { Flags } from '../settings.ts';

type Result = {
  /** `bad` keeps a command from working; `warn` may. */
  readonly status: 'ok' | 'warn' | 'bad' | 'skipped';
  readonly message: string;
  /** What to do; every result that is not `ok` has it. */
  readonly help?: string;
  /** The exit code of a `bad` result: 2 for a wrong setting, 3 for a service that cannot be used. */
  readonly code?: 2 | 3;
};
/** One line of the report. If `run` throws, the result is `failure`, by default `bad`, with `help` after the help of the error. */
type Check = {
  readonly name: string;
  run(): Result | Promise<Result>;
  readonly help?: string;
  readonly failure?: 'warn' | 'bad';
};
/** What the checks work with. A configuration that cannot be read counts as empty. */
type Surroundings = LoadedConfig & { readonly flags: Flags<'doctor'>; readonly io: CommandIo };
type Api = 'router' | 'workflow';
type Reply = { readonly status: number; readonly json: JsonObject };

const ok = (message: string): Result => ({ status: 'ok', message });
const skipped = (message: string, help: string): Result => ({ status: 'skipped', message, help });
const warn = (message: string, help: string): Result => ({ status: 'warn', message, help });
const bad = (message: string, help: string, code: 2 | 3): Result => ({ status: 'bad', message, help, code });

/** Checks what generate and conform depend on, and prints a line for each with what to do; ends with 0, 2 or 3. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const results = await withProgress(io, async (show) => {
    show('looking at the surroundings');
    const empty = { config: {}, folder: io.workingFolder };
    const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createGet(flags, empty, io) }));
    const found = { flags, io, ...loaded };
    const all: ({ name: string } & Result)[] = [];
    for (const check of [...generateChecks(found), ...conformChecks(found)])
      all.push({ name: check.name, ...(await runCheck(check)) });
    return all;
  });
  const isFit = results.every(({ status }) => status !== 'bad');
  if (flags.json) io.out(`${JSON.stringify({ format: 1, isFit, checks: results })}\n`);
  else
    for (const { name, status, message, help } of results) {
      const state = io.style(styles[status], status.padEnd(8));
      io.out(`${state}${name.padEnd(15)} ${message.replace(/\p{Cc}/gu, ' ')}\n`);
      if (help !== undefined) io.out(`${' '.repeat(24)}${help}\n`);
    }
  return isFit ? 0 : Math.min(...results.flatMap(({ code = [] }) => code));
}

const styles = { ok: 'good', warn: 'warn', bad: 'bad', skipped: 'dim' } as const;

async function runCheck({ run, help, failure = 'bad' }: Check): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const problem = explainError(error);
    const code = failure === 'warn' ? {} : ({ code: isUsageError(error) ? 2 : 3 } as const);
    return { status: failure, message: problem.message, help: [problem.help, help].filter(Boolean).join(' '), ...code };
  }
}

const correctAddress = 'Correct --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
/** Since which versions Node's own agents go through proxies. */
const proxySince: ReadonlyMap<number, number> = new Map([
  [22, 21],
  [24, 5],
]);
const skewAtMostMs = 2 * 60_000;

function generateChecks(found: Surroundings): readonly Check[] {
  const { flags, io, config, get } = found;
  let date: string | undefined;
  return [
    // Node versions that are too old don't get here: the command refuses them first.
    { name: 'node', run: () => ok(`${process.version}, switchyard ${readPackageVersion()}`) },
    {
      name: 'configuration',
      async run() {
        await loadConfig(flags, io);
        const file = configFiles(flags, io).find((one) => existsSync(one));
        return ok(file === undefined ? 'no file; flags and environment variables are enough' : `read from ${file}`);
      },
      help: 'Correct that file, or name another one with --config.',
    },
    {
      // Conform may have another credential in the configuration, or need none of the router.
      name: 'credential',
      run() {
        const credential = routerCredential(io.env);
        if (credential !== undefined)
          return ok({ 'api-key': 'SWITCHYARD_API_KEY', bearer: 'SWITCHYARD_TOKEN' }[credential.kind]);
        const help =
          'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token. npx openapi-switchyard verify needs none.';
        const hasOther = config.conform?.live?.credentials?.router?.main !== undefined;
        const isWorkflowOnly = get('routerUrl') === undefined && get('workflowUrl') !== undefined;
        if (hasOther || isWorkflowOnly) return skipped('not set; only generate needs it', help);
        return bad('no credential for the Model Router', help, 2);
      },
      help: 'Set it again, without spaces, line ends and quotation marks.',
    },
    {
      name: 'proxy',
      run() {
        const addresses = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => io.env[name]);
        const names = [...addresses, ...['NO_PROXY', 'no_proxy'].filter((name) => io.env[name])].join(', ');
        if (names === '') return ok('none in the environment');
        const wrong = addresses.filter((name) => !/^https?:$/.test(URL.parse(io.env[name] ?? '')?.protocol ?? ''));
        const help = 'Set it to an address such as http://proxy.example:8080, or unset it.';
        if (wrong.length > 0) return bad(`${wrong.join(', ')}: not an http or https address`, help, 3);
        const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
        if (minor >= (proxySince.get(major) ?? 0)) return ok(`${names} in effect`);
        return bad(`Node ${process.version} does not follow ${names}`, 'Use Node 22.21, 24.5 or newer.', 3);
      },
    },
    {
      name: 'router',
      run: () =>
        checkRouter(found, (seen) => {
          date = seen;
        }),
      help: correctAddress,
    },
    {
      name: 'clock',
      run() {
        const { clock } = nodePorts();
        const theirs = date === undefined ? undefined : clock.parseInstant(date);
        if (theirs === undefined)
          return skipped('not compared: no response with a date', 'Get a response of the router first.');
        const skewMs = clock.now() - theirs;
        const difference = `${Math.abs(Math.round(skewMs / 1000))} s ${skewMs < 0 ? 'behind' : 'ahead of'} the router`;
        if (Math.abs(skewMs) <= skewAtMostMs) return ok(difference);
        const help = 'Set the clock: certificates, tokens and signed links depend on it.';
        return warn(`this machine is ${difference}`, help);
      },
    },
    {
      // Sends no credential: any response shows that the address works. Only conform reads this API.
      name: 'workflow API',
      async run() {
        const address = get('workflowUrl');
        const help = 'For conform, set SWITCHYARD_WORKFLOW_URL or workflowUrl in the configuration.';
        if (address === undefined) return skipped('no address; only conform uses this API', help);
        const { status } = await ask(found, `${address}/api/v2/jobs/none/workflow`);
        const isSet = workflowToken(io.env) ?? config.conform?.live?.credentials?.workflow?.main;
        return ok(
          `${address} answers with status ${status}${isSet ? '' : ', and SWITCHYARD_WORKFLOW_TOKEN is not set'}`,
        );
      },
      help: 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
      failure: 'warn',
    },
    {
      name: 'cache',
      run() {
        const path = get('generate.cache');
        if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
          return warn(`${path} is a file`, 'Delete it: generate makes a folder there.');
        const existing = findAbove(path, existsSync) ?? path;
        try {
          accessSync(existing, constants.R_OK | constants.W_OK);
        } catch (cause) {
          throw new Error(`${existing} cannot be written`, { cause });
        }
        return ok(`${path} ${existing === path ? 'can be written' : 'is made by the first generation'}`);
      },
      help: 'Name another folder with --cache; without one, every generation fetches every document.',
      failure: 'warn',
    },
    {
      name: 'output',
      run() {
        const outDir = get('generate.out');
        const lock = join(outDir, lockName);
        if (!existsSync(lock)) return skipped(`no file ${lock} yet`, 'Run npx openapi-switchyard generate.');
        const { counts, differences, generator, isSound } = verifyOutput(outDir, nodePorts().files);
        const count = differences.files.length;
        const help =
          'List them with npx openapi-switchyard verify. Move or delete those that were edited by hand, then run npx openapi-switchyard generate.';
        if (!isSound) return warn(`${count} ${count === 1 ? 'file differs' : 'files differ'} from ${lock}`, help);
        const other = generator === readPackageVersion() ? '' : `, written by switchyard ${generator}`;
        return ok(`${counts.models} models as the lockfile says${other}`);
      },
    },
    {
      name: 'peers',
      run() {
        const lacking = findMissingPeers(io.workingFolder);
        if (lacking.length === 0) return ok('all optional peers are installed');
        return skipped(
          `not installed: ${lacking.map(({ name, need }) => `${name} (only ${need})`).join(', ')}`,
          `For these: npm install --save-dev ${lacking.map(({ install }) => install).join(' ')}`,
        );
      },
    },
  ];
}

/** Reads one entry of the catalog and its document, as generate would; `sawDate` gets the date of the responses. */
async function checkRouter(found: Surroundings, sawDate: (date: string | undefined) => void): Promise<Result> {
  const { flags, get, io } = found;
  const [routerUrl, credential] = [get('routerUrl'), routerCredential(io.env)];
  const help = 'Give --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
  if (routerUrl === undefined && get('workflowUrl') !== undefined) return skipped('no address', help);
  if (routerUrl === undefined) return bad('no address of a Model Router', help, 2);
  if (credential === undefined)
    return skipped('not asked without a credential of generate', 'Set the credential first.');
  refusePlainHttp(routerUrl, flags.allowHttp);
  const { http, clock } = nodePorts(await readTls(found, io));
  const watched: typeof http = async (request) => {
    const outcome = await http({ ...request, deadlineMs: 15_000 });
    sawDate(outcome.kind === 'response' ? outcome.headers.get('date') : undefined);
    return outcome;
  };
  const brand = parseBrand(get('brand') ?? 'Service');
  const gateway = await generatorHeaders(found, credential, io);
  const client = createRouterClient({ routerUrl, credential, brand, ...gateway }, { http: watched, clock });
  const catalog = await client.get('/v2/models?limit=1', { operation: 'listModels' });
  const problem = findProblem(catalog, routerUrl);
  if (problem !== undefined) return problem;
  const page = catalog.kind === 'body' && catalog.body.kind === 'json' ? catalog.body.value : undefined;
  const [model] = isJsonObject(page) ? [page['data']].flat() : [];
  const id = isJsonObject(model) ? model['id'] : undefined;
  if (typeof id !== 'string') return ok(`${routerUrl} answers and takes the credential`);
  const reply = await client.get(`${modelPath(id)}/openapi.json`, { operation: 'readSchemaDocument', model: id });
  if (reply.kind === 'failed' && [403, 404].includes(reply.error().status ?? 0))
    return warn(`${id}: ${reply.error().message}`, 'Other models may be readable: ask the operators for this one.');
  const served = ok(`${routerUrl} answers, takes the credential and serves the document of ${id}`);
  return findProblem(reply, `${routerUrl}, document of ${id}`) ?? served;
}

const modelPath = (id: string): string => `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}`;

function findProblem(reply: RouterReply, what: string): Result | undefined {
  if (reply.kind === 'failed') {
    const error = reply.error();
    // The address is right where a credential is refused, and the advice of the error is enough.
    if (![401, 403].includes(error.status ?? 0)) throw error;
    return bad(explainError(error).message, error.help ?? correctAddress, 3);
  }
  const help = 'Something in front of the router may be answering in its place: check the address.';
  return reply.body.kind === 'json' ? undefined : bad(`${what}: ${reply.body.because}`, help, 3);
}

/** Without those of conform where a setting cannot be read, which a line of generate reports. */
function conformChecks(found: Surroundings): readonly Check[] {
  try {
    return listConformChecks(found);
  } catch {
    return [];
  }
}

/** What conform needs of a live target, one line each. Only GET requests are sent, so no line can start a run. */
function listConformChecks(found: Surroundings): readonly Check[] {
  const { config, get, io, folder } = found;
  const { jobs = {}, live = {}, hooks } = config.conform ?? {};
  if (config.conform === undefined && get('workflowUrl') === undefined) {
    const help = 'docs/how-to/check-a-service.md lists what more rules need.';
    return [{ name: 'conform', run: () => skipped('nothing is configured for it', help) }];
  }
  const given = { router: routerCredential(io.env)?.value, workflow: workflowToken(io.env) };
  const secrets: Record<string, string> = {};
  const headerOf = (api: Api, name: string): Readonly<Record<string, string>> => {
    const secret = secrets[`${api}.${name}`] ?? given[api];
    if (secret === undefined) return {};
    const isStated = live.credentials?.router?.main !== undefined;
    const scheme = live.scheme ?? (isStated ? undefined : routerCredential(io.env)?.kind) ?? 'api-key';
    const isKey = api === 'router' && scheme === 'api-key' && name !== 'expiredToken';
    return isKey ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` };
  };
  const readRouter = (path: string, name = 'main'): Promise<Reply> =>
    ask(found, `${get('routerUrl')}${path}`, headerOf('router', name));
  const readJob = (job: string, name = 'main'): Promise<Reply> =>
    ask(found, `${get('workflowUrl')}/api/v2/jobs/${job}/workflow`, headerOf('workflow', name));

  const tryCredential = async (api: Api, name: string, source: string | undefined): Promise<Result> => {
    const setting = `conform.live.credentials.${api}.${name}`;
    const stated = source === undefined ? undefined : await readSecret(source, setting, io);
    const secret = stated ?? (name === 'main' ? given[api] : undefined);
    if (secret === undefined && name === 'main')
      return bad(`no credential; conform needs one`, `Set the environment variable or ${setting}.`, 2);
    if (secret === undefined)
      return warn(`${source} is not set: rules that need it are left out`, 'Set the variable where conform runs.');
    if (name !== 'main' && secret === secrets[`${api}.main`])
      return bad('is the same credential as main', `Set ${setting} to another one.`, 2);
    secrets[`${api}.${name}`] = secret;
    const isRouter = api === 'router';
    const { status } = await (isRouter
      ? readRouter('/v2/models?limit=1', name)
      : readJob(jobs.save ?? jobs.api ?? 'none', name));
    const expected = isRouter ? expectedOfCaller(name) : (expectedOfWorkflowCaller[name] ?? [200, 404]);
    const what = `a read returned ${status}`;
    if (expected.includes(status)) return ok(`${what}, as it should`);
    return bad(`${what}, not ${expected.join(' or ')}`, `Set ${setting} to a credential of this kind.`, 3);
  };
  const credentialChecks = (['router', 'workflow'] as const).flatMap((api): Check[] => {
    const sources = new Map<string, string>(Object.entries(live.credentials?.[api] ?? {}));
    const isOpen = api === 'workflow' && live.workflowAuthentication !== 'required';
    const hasMain = sources.has('main') || given[api] !== undefined || !isOpen;
    if (get(`${api}Url`) === undefined) return [];
    const names = new Set([...(hasMain ? ['main'] : []), ...sources.keys()]);
    return [...names].map((name) => ({
      name: `${api}.${name}`,
      run: () => tryCredential(api, name, sources.get(name)),
    }));
  });
  const withUrl = (api: Api, run: () => Promise<Result>): (() => Result | Promise<Result>) =>
    get(`${api}Url`) === undefined ? () => skipped(`not read: no address of the ${api} API`, `Set ${api}Url.`) : run;
  return [
    ...credentialChecks,
    ...Object.entries(jobs).map(([name, job]) => ({
      name: `job ${name}`,
      run: withUrl('workflow', async () => judgeJob(name, await readJob(job))),
    })),
    ...Object.entries(live.graphs ?? {}).map(([name, file]) => ({
      name: `graph ${name}`,
      run: async () => ok(`${(await readGraph(resolve(folder, file))).length} characters of JSON`),
      help: `Correct conform.live.graphs.${name}.`,
    })),
    ...(live.models ?? []).map((model) => ({
      name: `model ${model.id}`,
      run: withUrl('router', async () => {
        const inputs = await readInputs(model, folder);
        const path = modelPath(model.id);
        const { status } = await readRouter(path);
        const help = 'Name a model that the catalog lists for the credential main.';
        if (status !== 200) return bad(`GET ${path} returned ${status}`, help, 2);
        return judgeInputs(inputs, await readRouter(`${path}/openapi.json`));
      }),
      help: `Correct this entry of conform.live.models.`,
    })),
    { name: 'budget', run: () => judgeBudget(found) },
    ...(hooks?.url === undefined ? [] : [{ ...hooks, url: hooks.url }]).map(({ url, credential }) => ({
      name: 'hooks',
      run: async () => {
        const secret = credential && (await readSecret(credential, 'conform.hooks.credential', io));
        const { status } = await ask(found, url, secret ? { authorization: `Bearer ${secret}` } : {});
        if (status !== 401) return ok(`${url} answers with status ${status}`);
        return bad(`${url} returned 401`, 'Set conform.hooks.credential to a valid credential.', 3);
      },
      help: 'Correct conform.hooks.',
    })),
  ];
}

/** Statuses of a read of the catalog. A caller whose runs are refused may be allowed to read. */
function expectedOfCaller(name: string): readonly number[] {
  const [refusal] = findRefusal(name) ?? [];
  return refusal === undefined ? [200] : refusal === 401 ? [401] : [200, refusal];
}

const expectedOfWorkflowCaller: Readonly<Record<string, readonly number[]>> = {
  forbidden: [403],
  rateLimited: [429, 200, 404],
};

/** What the read of a job of each kind returns (WX-JWF). */
const expectedOfJob: Readonly<Record<string, readonly [status: number, format?: string]>> = {
  save: [200, 'save'],
  api: [200, 'api'],
  foreign: [404],
  expired: [404],
  unreadable: [200, 'api'],
  deleted: [200, 'api'],
  failing: [500],
};

function judgeJob(name: string, { status, json }: Reply): Result {
  const [wanted, format] = expectedOfJob[name] ?? [200];
  const describe = (code: number, shown: unknown): string =>
    code === 200 ? `the format ${JSON.stringify(shown)}` : `status ${code}`;
  const message = `returned ${describe(status, json['format'])}`;
  if (status === wanted && (format === undefined || json['format'] === format)) return ok(message);
  // The job may be right and the service wrong, which is for conform to find.
  const help = `Check that conform.jobs.${name} is such a job. If it is, conform reports the service.`;
  return warn(`${message}, expected ${describe(wanted, format)}`, help);
}

function judgeInputs(model: object, reply: Reply): Result {
  if (reply.status !== 200)
    return bad(`its document returned ${reply.status}`, 'Ask the operators of the router for it.', 3);
  const schema = readModelOperation(reply.json)?.input?.schema;
  if (!isJsonObject(schema)) return warn('its document has no schema of an input', 'conform reports such a document.');
  const check = compileSchema(schema, { root: reply.json, unreadable: 'accept', side: 'input' });
  // The input of strict mode has the form of another provider.
  const names = ownerSettings.inputs.map(({ name }) => name).filter((name) => name !== 'strictInput');
  const stated = names.filter((name) => Reflect.get(model, name) !== undefined);
  for (const name of stated) {
    const [violation] = check(Reflect.get(model, name));
    if (violation === undefined) continue;
    return bad(`${name} is invalid: ${violation.pointer || 'the object'} ${violation.message}`, 'Correct it.', 2);
  }
  return ok(`listed; valid against its schema: ${stated.join(', ')}`);
}

function judgeBudget({ get, config }: Surroundings): Result {
  const [runs, models] = [get('conform.live.budget'), config.conform?.live?.models ?? []];
  if (runs === 0) return skipped('0 runs: rules that need a run are left out', 'Set --budget or conform.live.budget.');
  if (models.length === 0) return bad(`${runs} runs, and no model that may run`, 'Set conform.live.models.', 2);
  const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
  const cost = costs.length < models.length ? '' : `, ${runs * Math.max(...costs)} cents at most`;
  return ok(`${runs} runs, of ${models.length} models${cost}`);
}

const patience = { deadlineMs: 15_000, maxBytes: 16 * 1024 * 1024 };

/** One GET, with the headers for a gateway. Throws where no response comes, or a secret would cross a public network. */
async function ask(found: Surroundings, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const gateway = await gatewayHeaders(found, Object.keys(headers), found.io);
  if (Object.keys(headers).length + gateway.length > 0) refusePlainHttp(url, found.flags.allowHttp);
  const extra = Object.fromEntries(gateway.map(({ name, value }) => [name, value]));
  const { http } = nodePorts(await readTls(found, found.io));
  const outcome = await http({ url, headers: { ...extra, ...headers }, ...patience });
  if (outcome.kind === 'no-response') throw new Error(`${new URL(url).origin} does not answer: ${outcome.detail}`);
  return { status: outcome.status, json: readObject(outcome.bytes) };
}

function readObject(bytes: Uint8Array): JsonObject {
  try {
    return asObject(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
