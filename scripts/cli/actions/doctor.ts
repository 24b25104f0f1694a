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
import { readInputs } from '../live-target.ts';
import { configFiles, createGet, type LoadedConfig, loadConfig } from '../load-settings.ts';
import type { Flags } from '../settings.ts';

/** `bad` keeps a command from working, and ends with 2 for a wrong setting or 3 for a service that cannot be used. */
type Result =
  | { readonly status: 'ok'; readonly message: string }
  | { readonly status: 'warn'; readonly message: string; readonly help: string }
  | { readonly status: 'bad'; readonly message: string; readonly help: string; readonly code: 2 | 3 };
/** Adds a line to the report, unless `run` returns nothing. An error of `run` is a line too, with `help`. */
type Check = (
  name: string,
  run: () => Result | undefined | Promise<Result | undefined>,
  help?: string,
  failure?: 'warn' | 'bad',
) => Promise<void>;
type Project = LoadedConfig & { readonly flags: Flags<'doctor'>; readonly io: CommandIo };

const ok = (message: string): Result => ({ status: 'ok', message });
const warn = (message: string, help: string): Result => ({ status: 'warn', message, help });
const bad = (message: string, help: string, code: 2 | 3): Result => ({ status: 'bad', message, help, code });

/** Checks what generate and conform depend on, and prints a line for each with what to do; ends with 0, 2 or 3. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const lines: ({ readonly name: string } & Result)[] = [];
  const check: Check = async (name, run, help, failure = 'bad') => {
    try {
      const result = await run();
      if (result !== undefined) lines.push({ name, ...result });
    } catch (error) {
      const problem = explainError(error);
      const advice = [problem.help, help].filter(Boolean).join(' ');
      const result =
        failure === 'warn' ? warn(problem.message, advice) : bad(problem.message, advice, isUsageError(error) ? 2 : 3);
      lines.push({ name, ...result });
    }
  };
  await withProgress(io, async (show) => {
    show('checking settings and services');
    // A configuration that cannot be read counts as empty; its line reports it.
    const empty = { config: {}, folder: io.workingFolder };
    const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createGet(flags, empty, io) }));
    const project = { flags, io, ...loaded };
    await checkSettings(check, project);
    await checkServices(check, project);
    // A setting that cannot be read has a line already.
    await checkConform(check, project).catch(() => undefined);
  });
  const isFit = lines.every(({ status }) => status !== 'bad');
  if (flags.json) io.out(`${JSON.stringify({ format: 1, isFit, checks: lines })}\n`);
  else
    for (const { name, ...line } of lines) {
      const state = io.style(line.status === 'ok' ? 'good' : line.status, line.status.padEnd(5));
      io.out(`${state}${name.padEnd(15)} ${line.message.replace(/\p{Cc}/gu, ' ')}\n`);
      if (line.status !== 'ok') io.out(`${' '.repeat(21)}${line.help}\n`);
    }
  return isFit ? 0 : Math.min(...lines.flatMap((line) => (line.status === 'bad' ? [line.code] : [])));
}

/** Since these versions, Node's own agents go through proxies. */
const proxySince: ReadonlyMap<number, number> = new Map([
  [22, 21],
  [24, 5],
]);

async function checkSettings(check: Check, { flags, io, config, get }: Project): Promise<void> {
  // Node versions that are too old don't get here: the command refuses them first.
  await check('node', () => ok(`${process.version}, switchyard ${readPackageVersion()}`));
  await check(
    'configuration',
    async () => {
      await loadConfig(flags, io);
      const file = configFiles(flags, io).find((one) => existsSync(one));
      return ok(file === undefined ? 'no file; flags and environment variables are enough' : `read from ${file}`);
    },
    'Correct that file, or name another one with --config.',
  );
  await check(
    'credential',
    () => {
      const credential = routerCredential(io.env);
      if (credential !== undefined) return ok(credential.kind === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY');
      // Conform can have its own credential, or check only the workflow API.
      const isForConform =
        config.conform?.live?.credentials?.router?.main !== undefined ||
        (get('routerUrl') === undefined && get('workflowUrl') !== undefined);
      if (isForConform) return undefined;
      const help = 'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token.';
      return bad('no credential for the Model Router', help, 2);
    },
    'Set it again, without spaces, line ends and quotation marks.',
  );
  await check('proxy', () => {
    const addresses = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => io.env[name]);
    if (addresses.length === 0) return undefined;
    const wrong = addresses.filter((name) => !/^https?:$/.test(URL.parse(io.env[name] ?? '')?.protocol ?? ''));
    const help = 'Set it to an address such as http://proxy.example:8080, or unset it.';
    if (wrong.length > 0) return bad(`${wrong.join(', ')}: not an http or https address`, help, 3);
    const names = [...addresses, ...['NO_PROXY', 'no_proxy'].filter((name) => io.env[name])].join(', ');
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    if (minor >= (proxySince.get(major) ?? 0)) return ok(`${names} in effect`);
    return bad(`Node ${process.version} does not follow ${names}`, 'Use Node 22.21, 24.5 or newer.', 3);
  });
}

const correctAddress = 'Correct --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';

async function checkServices(check: Check, project: Project): Promise<void> {
  const { flags, io, config, get } = project;
  // Reads one entry of the catalog and its document, as generate would.
  const readRouter = async (): Promise<Result | undefined> => {
    const [routerUrl, credential] = [get('routerUrl'), routerCredential(io.env)];
    if (routerUrl === undefined && get('workflowUrl') !== undefined) return undefined;
    const missing = 'Set --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
    if (routerUrl === undefined) return bad('no address of a Model Router', missing, 2);
    if (credential === undefined) return undefined;
    refusePlainHttp(routerUrl, flags.allowHttp);
    const { http, clock } = nodePorts(await readTls(project, io));
    const patient: typeof http = (request) => http({ ...request, deadlineMs: patience.deadlineMs });
    const brand = parseBrand(get('brand') ?? 'Service');
    const gateway = await generatorHeaders(project, credential, io);
    const client = createRouterClient({ routerUrl, credential, brand, ...gateway }, { http: patient, clock });
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
  };
  await check('router', readRouter, correctAddress);
  await check(
    'workflow API',
    async () => {
      const address = get('workflowUrl');
      if (address === undefined) return undefined;
      // Without a credential: any response shows that the address works.
      const { status } = await readJson(project, `${address}/api/v2/jobs/none/workflow`);
      const isSet = workflowToken(io.env) ?? config.conform?.live?.credentials?.workflow?.main;
      return ok(`${address} answers with status ${status}${isSet ? '' : ', and SWITCHYARD_WORKFLOW_TOKEN is not set'}`);
    },
    'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
    'warn',
  );
}

const modelPath = (id: string): string => `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}`;

function findProblem(reply: RouterReply, subject: string): Result | undefined {
  if (reply.kind === 'failed') {
    const error = reply.error();
    // The address is right where a credential is refused, and the advice of the error is enough.
    if (![401, 403].includes(error.status ?? 0)) throw error;
    return bad(explainError(error).message, error.help ?? correctAddress, 3);
  }
  const help = 'Something in front of the router may be answering in its place: check the address.';
  return reply.body.kind === 'json' ? undefined : bad(`${subject}: ${reply.body.because}`, help, 3);
}

/** Statuses of a workflow read with a credential of this kind. */
const workflowCallers: Readonly<Record<string, readonly number[]>> = {
  forbidden: [403],
  rateLimited: [429, 200, 404],
};
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

/** Checks what conform needs of a live target. Sends only GET requests, so nothing can start a run. */
async function checkConform(check: Check, project: Project): Promise<void> {
  const { config, get, io, folder } = project;
  const { jobs = {}, live = {} } = config.conform ?? {};
  const { credentials = {}, models = [] } = live;
  const [routerUrl, workflowUrl, budget] = [get('routerUrl'), get('workflowUrl'), get('conform.live.budget')];
  if (config.conform === undefined && workflowUrl === undefined) return;
  const fromEnv = { router: routerCredential(io.env), workflow: workflowToken(io.env) };
  const secrets = new Map<string, string>();
  const readRouter = (path: string, name = 'main'): Promise<Reply> => {
    const isStated = credentials.router?.main !== undefined;
    const scheme = live.scheme ?? (isStated ? undefined : fromEnv.router?.kind) ?? 'api-key';
    const secret = secrets.get(`router.${name}`) ?? fromEnv.router?.value;
    const isKey = scheme === 'api-key' && name !== 'expiredToken';
    return readJson(project, `${routerUrl}${path}`, headersOf(secret, isKey));
  };
  const readJob = (job: string, name = 'main'): Promise<Reply> => {
    const secret = secrets.get(`workflow.${name}`) ?? fromEnv.workflow;
    return readJson(project, `${workflowUrl}/api/v2/jobs/${job}/workflow`, headersOf(secret, false));
  };

  const apis = [
    { api: 'router', url: routerUrl, given: fromEnv.router?.value, needsMain: true },
    {
      api: 'workflow',
      url: workflowUrl,
      given: fromEnv.workflow,
      needsMain: live.workflowAuthentication === 'required',
    },
  ] as const;
  for (const { api, url, given, needsMain } of apis) {
    const sources: Readonly<Record<string, string>> = credentials[api] ?? {};
    const main = needsMain || given !== undefined || 'main' in sources ? ['main'] : [];
    const names = new Set(url === undefined ? [] : [...main, ...Object.keys(sources)]);
    for (const name of names)
      await check(`${api}.${name}`, async () => {
        const setting = `conform.live.credentials.${api}.${name}`;
        const source = sources[name];
        const stated = source === undefined ? undefined : await readSecret(source, setting, io);
        const secret = stated ?? (name === 'main' ? given : undefined);
        if (secret === undefined && name === 'main')
          return bad('no credential; conform needs one', `Set the environment variable or ${setting}.`, 2);
        if (secret === undefined)
          return warn(`${source} is not set: rules that need it are left out`, 'Set the variable where conform runs.');
        if (name !== 'main' && secret === secrets.get(`${api}.main`))
          return bad('is the same credential as main', `Set ${setting} to another one.`, 2);
        secrets.set(`${api}.${name}`, secret);
        const reply =
          api === 'router'
            ? await readRouter('/v2/models?limit=1', name)
            : await readJob(jobs.save ?? jobs.api ?? 'none', name);
        // A caller whose runs are refused may be allowed to read.
        const refusal = findRefusal(name)?.[0] ?? 200;
        const ofRouter = refusal === 401 ? [401] : [...new Set([200, refusal])];
        const expected = api === 'router' ? ofRouter : (workflowCallers[name] ?? [200, 404]);
        const message = `a read returned ${reply.status}`;
        if (expected.includes(reply.status)) return ok(`${message}, as expected`);
        return bad(
          `${message}, not ${expected.join(' or ')}`,
          `Set ${setting} to a credential of this kind: docs/reference/configuration.md.`,
          3,
        );
      });
  }

  for (const [name, id] of workflowUrl === undefined ? [] : Object.entries(jobs))
    await check(`job ${name}`, async () => {
      const { status, json } = await readJob(id);
      const [wanted, format] = jobKinds[name] ?? [200];
      const describe = (code: number, shown: unknown): string =>
        code === 200 ? `the format ${JSON.stringify(shown)}` : `status ${code}`;
      const message = `returned ${describe(status, json['format'])}`;
      if (status === wanted && (format === undefined || json['format'] === format)) return ok(message);
      const setting = `conform.jobs.${name}`;
      if (status === 404)
        return bad(
          `${id} does not exist, or the credential main may not read it (status 404)`,
          `Set ${setting} to the id of another job, or remove it.`,
          2,
        );
      // The job may be right and the service wrong, which is for conform to find.
      const help = `Check that ${setting} is such a job. If it is, conform reports the service.`;
      return warn(`${message}, expected ${describe(wanted, format)}`, help);
    });

  for (const model of routerUrl === undefined ? [] : models)
    await check(
      `model ${model.id}`,
      async () => {
        const inputs = await readInputs(model, folder);
        const path = modelPath(model.id);
        const { status } = await readRouter(path);
        const help = 'Name a model that the catalog lists for the credential main.';
        if (status !== 200) return bad(`GET ${path} returned ${status}`, help, 2);
        const document = await readRouter(`${path}/openapi.json`);
        if (document.status !== 200)
          return bad(`its document returned ${document.status}`, 'Ask the operators of the router for it.', 3);
        const schema = readModelOperation(document.json)?.input?.schema;
        if (!isJsonObject(schema))
          return warn('its document has no schema of an input', 'conform reports such a document.');
        const validate = compileSchema(schema, { root: document.json, unreadable: 'accept', side: 'input' });
        // The input of strict mode has the form of another provider.
        const names = ownerSettings.inputs.map(({ name }) => name).filter((name) => name !== 'strictInput');
        const stated = names.filter((name) => Reflect.get(inputs, name) !== undefined);
        for (const name of stated) {
          const [violation] = validate(Reflect.get(inputs, name));
          if (violation === undefined) continue;
          const place = violation.pointer || 'the object';
          return bad(`${name} is invalid: ${place} ${violation.message}`, 'Correct it.', 2);
        }
        return ok(`listed; valid against its schema: ${stated.join(', ')}`);
      },
      'Correct this entry of conform.live.models.',
    );

  await check('budget', () => {
    if (budget === 0) return undefined;
    if (models.length === 0) return bad(`${budget} runs, and no model that may run`, 'Set conform.live.models.', 2);
    const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
    const cost = costs.length < models.length ? '' : `, ${budget * Math.max(...costs)} cents at most`;
    return ok(`${budget} runs, of ${models.length} models${cost}`);
  });
}

function headersOf(secret: string | undefined, isKey: boolean): Readonly<Record<string, string>> {
  if (!secret) return {};
  return isKey ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` };
}

type Reply = { readonly status: number; readonly json: JsonObject };
const patience = { deadlineMs: 15_000, maxBytes: 16 * 1024 * 1024 };

/** One GET, with the headers for a gateway. Throws where no response comes, or a secret would cross a public network. */
async function readJson(project: Project, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const { io, flags } = project;
  const gateway = await gatewayHeaders(project, Object.keys(headers), io);
  if (Object.keys(headers).length + gateway.length > 0) refusePlainHttp(url, flags.allowHttp);
  const extra = Object.fromEntries(gateway.map(({ name, value }) => [name, value]));
  const { http } = nodePorts(await readTls(project, io));
  const outcome = await http({ url, headers: { ...extra, ...headers }, ...patience });
  if (outcome.kind === 'no-response') throw new Error(`${new URL(url).origin} does not answer: ${outcome.detail}`);
  try {
    return { status: outcome.status, json: asObject(JSON.parse(new TextDecoder().decode(outcome.bytes))) };
  } catch {
    return { status: outcome.status, json: {} };
  }
}
