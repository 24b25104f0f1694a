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
import {
  readGatewayHeaders,
  readGeneratorHeaders,
  readRouterCredential,
  readTls,
  readWorkflowToken,
  refusePlainHttp,
} from '../access.ts';
import type { Flags } from '../command-flags.ts';
import { CommandFailure, explainError, isUsageError } from '../errors.ts';
import { type CommandIo, withProgress } from '../io.ts';
import { describeLiveTarget } from '../live-target.ts';
import { createSettingReader, type LoadedConfig, listConfigFiles, loadConfig } from '../load-settings.ts';

/** The result of a check. `bad` keeps a command from working: exit code 2 for a wrong setting, 3 for a service that can't be used. */
type Result = {
  readonly status: 'ok' | 'warn' | 'bad';
  readonly message: string;
  readonly help?: string;
  readonly code?: 2 | 3;
};
type Check = {
  readonly name: string;
  /** Advice if the check throws. */
  readonly help?: string;
  /** True if no command depends on it: an error is only a warning. */
  readonly isOptional?: true;
  /** API of the target that the check reads. Once an API doesn't answer, the other checks that read it are left out. */
  readonly reads?: Api;
  /** Returns undefined if the check doesn't apply. */
  run(): Result | undefined | Promise<Result | undefined>;
};
type Project = LoadedConfig & { readonly flags: Flags<'doctor'>; readonly io: CommandIo };

const ok = (message: string): Result => ({ status: 'ok', message });
const warn = (message: string, help: string): Result => ({ status: 'warn', message, help });
const bad = (message: string, help: string, code: 2 | 3): Result => ({ status: 'bad', message, help, code });

/** Prints a line for each thing that generate and conform depend on, with what to do; returns 0, 2 or 3. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const lines: ({ readonly name: string } & Result)[] = [];
  await withProgress(io, async (show) => {
    show('checking settings and services');
    // A configuration that cannot be read counts as empty here; its own check reports it.
    const empty = { config: {}, folder: io.workingFolder };
    const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createSettingReader(flags, empty, io) }));
    const project = { ...loaded, flags, io };
    const silent = new Set<Api>();
    for (const check of [...listGenerateChecks(project), ...(await listConformChecks(project))]) {
      const { name, reads, isOptional, run } = check;
      if (reads !== undefined && silent.has(reads)) continue;
      try {
        const result = await run();
        if (result !== undefined) lines.push({ name, ...result });
      } catch (error) {
        const problem = explainError(error);
        let { help } = check;
        if (reads !== undefined && error instanceof NoAnswer) {
          silent.add(reads);
          help = `Correct ${reads}Url, or start the service. Other lines about this API are left out.`;
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

function listGenerateChecks(project: Project): Check[] {
  const { config, get, flags, io } = project;
  return [
    // The command itself refuses Node versions that are too old.
    { name: 'node', run: () => ok(`${process.version}, switchyard ${readPackageVersion()}`) },
    {
      name: 'configuration',
      help: 'Correct that file, or name another one with --config.',
      async run() {
        await loadConfig(flags, io);
        const file = listConfigFiles(flags, io).find((one) => existsSync(one));
        return ok(file === undefined ? 'no file; flags and environment variables are enough' : `read from ${file}`);
      },
    },
    {
      name: 'credential',
      help: 'Set it again, without spaces, line ends and quotation marks.',
      run() {
        const credential = readRouterCredential(io.env);
        if (credential !== undefined)
          return ok(credential.kind === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY');
        // Conform can have its own credential, or check only the workflow API.
        const isOnlyWorkflow = get('routerUrl') === undefined && get('workflowUrl') !== undefined;
        if (isOnlyWorkflow || config.conform?.live?.credentials?.router?.main !== undefined) return undefined;
        const help = 'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token.';
        return bad('no credential for the Model Router', help, 2);
      },
    },
    {
      name: 'proxy',
      run() {
        const addresses = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => io.env[name]);
        if (addresses.length === 0) return undefined;
        const wrong = addresses.filter((name) => !/^https?:$/.test(URL.parse(io.env[name] ?? '')?.protocol ?? ''));
        const help = 'Set it to an address such as http://proxy.example:8080, or unset it.';
        if (wrong.length > 0) return bad(`${wrong.join(', ')}: not an http or https address`, help, 3);
        const names = [...addresses, ...['NO_PROXY', 'no_proxy'].filter((name) => io.env[name])].join(', ');
        const [major, minor = 0] = process.versions.node.split('.').map(Number);
        if ((major === 22 && minor < 21) || (major === 24 && minor < 5))
          return bad(`Node ${process.version} does not follow ${names}`, 'Use Node 22.21, 24.5 or newer.', 3);
        return ok(`${names} in effect`);
      },
    },
    {
      name: 'router',
      help: 'If the address is wrong, correct --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.',
      run: () => checkRouter(project),
    },
    {
      name: 'workflow API',
      help: 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
      isOptional: true,
      async run() {
        const address = get('workflowUrl');
        if (address === undefined) return undefined;
        const [headers, tls] = [await readGatewayHeaders(project, [], io), await readTls(project, io)];
        // Any response shows that the address works, so no credential is sent.
        const { status } = await readJson(`${address}${jobPath('none')}`, { headers, tls }, flags);
        const isSet = readWorkflowToken(io.env) ?? config.conform?.live?.credentials?.workflow?.main;
        return ok(
          `${address} answers with status ${status}${isSet ? '' : ', and SWITCHYARD_WORKFLOW_TOKEN is not set'}`,
        );
      },
    },
  ];
}

/** Reads one entry of the catalog and its document, as generate would. */
async function checkRouter(project: Project): Promise<Result | undefined> {
  const { flags, io, get } = project;
  const [routerUrl, credential] = [get('routerUrl'), readRouterCredential(io.env)];
  if (routerUrl === undefined && get('workflowUrl') !== undefined) return undefined;
  const missing = 'Set --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
  if (routerUrl === undefined) return bad('no address of a Model Router', missing, 2);
  if (credential === undefined) return undefined; // its own check reports it
  refusePlainHttp(routerUrl, flags.allowHttp);
  const { http, clock } = nodePorts(await readTls(project, io));
  const brand = parseBrand(get('brand') ?? 'Service');
  const client = createRouterClient(
    { routerUrl, credential, brand, ...(await readGeneratorHeaders(project, credential, io)) },
    { http: (request) => http({ ...request, deadlineMs }), clock },
  );
  const read = async (path: string, subject: string, place: { operation: string; model?: string }) => {
    const reply = await client.get(path, place);
    if (reply.kind === 'failed') throw reply.error();
    if (reply.body.kind === 'json') return asObject(reply.body.value);
    // Something in front of the router may be answering in its place.
    throw new CommandFailure(`${subject}: ${reply.body.because}`);
  };
  const { data } = await read('/v2/models?limit=1', routerUrl, { operation: 'listModels' });
  const { id } = asObject([data].flat()[0]);
  if (typeof id !== 'string') return ok(`${routerUrl} answers and accepts the credential`);
  try {
    const place = { operation: 'readSchemaDocument', model: id };
    await read(`${modelPath(id)}/openapi.json`, `${routerUrl}, document of ${id}`, place);
    return ok(`${routerUrl} answers, accepts the credential and serves the document of ${id}`);
  } catch (error) {
    if (!(error instanceof GeneratorError && [403, 404].includes(error.status ?? 0))) throw error;
    return warn(`${id}: ${error.message}`, 'Other models may be readable: ask the operators for this one.');
  }
}

/** Lists what conform needs of a live target. The checks only send GET requests, so nothing can start a run. */
async function listConformChecks(project: Project): Promise<Check[]> {
  const { config, flags, get, io } = project;
  try {
    if (config.conform === undefined && get('workflowUrl') === undefined) return [];
  } catch {
    return []; // a wrong address has a line already
  }
  let notSet = '';
  const err = (text: string): void => {
    notSet += text;
  };
  let target: Target;
  try {
    target = await describeLiveTarget(project, { ...io, err });
  } catch (error) {
    return [{ name: 'conform', help: 'Correct this setting.', run: () => Promise.reject(error) }];
  }
  const read: Read = (api, caller, path) => {
    const { url = '', credentials = {} } = target[api] ?? {};
    const secret: string | undefined = Reflect.get(credentials, caller);
    const scheme = api === 'router' && target.router ? findScheme(target.router, `${secret}`) : 'bearer';
    const own =
      scheme === 'api-key' && caller !== 'expiredToken'
        ? { name: 'x-api-key', value: `${secret}` }
        : { name: 'authorization', value: `Bearer ${secret}` };
    const headers = [...(target.headers ?? []), ...(secret === undefined ? [] : [own])];
    return readJson(`${url}${path}`, { headers, tls: target.tls }, flags);
  };
  const callers = (['router', 'workflow'] as const).flatMap((api) =>
    Object.keys(target[api]?.credentials ?? {}).map((caller) => ({ api, caller })),
  );
  const jobs = Object.entries(target.workflow?.jobs ?? {});
  const { runs, models } = target.budget ?? { runs: 0, models: [] };
  return [
    {
      name: 'conform',
      run: () => (notSet === '' ? undefined : warn(notSet, 'Set these variables if conform runs with them.')),
    },
    ...callers.map(({ api, caller }) => ({
      name: `${api}.${caller}`,
      reads: api,
      run: () => checkCaller(target, api, caller, read),
    })),
    ...jobs.map(([name, id]) => ({
      name: `job ${name}`,
      reads: 'workflow' as const,
      run: () => checkJob(name, id, read),
    })),
    ...(target.router === undefined ? [] : models).map((model) => ({
      name: `model ${model.id}`,
      reads: 'router' as const,
      run: () => checkModel(model, read),
    })),
    {
      name: 'budget',
      run() {
        if (runs === 0) return undefined;
        const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
        const cost = costs.length < models.length ? '' : `, ${runs * Math.max(...costs)} cents at most`;
        return ok(`${runs} runs, of ${models.length} models${cost}`);
      },
    },
  ];
}

/** Reads the catalog, or a job, as a caller; a caller whose runs are refused may be allowed to read. */
async function checkCaller(target: Target, api: Api, caller: string, read: Read): Promise<Result> {
  const setting = `conform.live.credentials.${api}.${caller}`;
  const credentials: Readonly<Record<string, string>> = target[api]?.credentials ?? {};
  if (caller !== 'main' && credentials[caller] === credentials['main'])
    return bad('is the same credential as main', `Set ${setting} to another one.`, 2);
  const { save, api: submitted } = target.workflow?.jobs ?? {};
  let path = '/v2/models?limit=1';
  let expected: readonly number[];
  if (api === 'workflow') {
    path = jobPath(save ?? submitted ?? 'none');
    expected = caller === 'forbidden' ? [403] : caller === 'rateLimited' ? [429, 200, 404] : [200, 404];
  } else {
    const [refusal = 200] = findRefusal(caller) ?? [];
    expected = refusal === 200 || refusal === 401 ? [refusal] : [200, refusal];
  }
  const { status } = await read(api, caller, path);
  if (expected.includes(status)) return ok(`a read returned ${status}, as expected`);
  const help = `Set ${setting} to a credential of this kind: docs/reference/configuration.md.`;
  return bad(`a read returned ${status}, not ${expected.join(' or ')}`, help, 3);
}

/** The status and format of a read of each job of `conform.jobs` (WX-JWF). */
const jobKinds: Readonly<Record<string, readonly [status: number, format?: string]>> = {
  save: [200, 'save'],
  api: [200, 'api'],
  foreign: [404],
  expired: [404],
  unreadable: [200, 'api'],
  deleted: [200, 'api'],
  failing: [500],
};

async function checkJob(name: string, id: string, read: Read): Promise<Result> {
  const { status, json } = await read('workflow', 'main', jobPath(id));
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

async function checkModel(model: LiveModel, read: Read): Promise<Result> {
  const path = modelPath(model.id);
  const { status } = await read('router', 'main', path);
  const help = 'Name a model that the catalog lists for the credential main.';
  if (status !== 200) return bad(`GET ${path} returned ${status}`, help, 2);
  const document = await read('router', 'main', `${path}/openapi.json`);
  if (document.status !== 200)
    return bad(`its document returned ${document.status}`, 'Ask the operators of the router for it.', 3);
  const schema = readModelOperation(document.json)?.input?.schema;
  if (!isJsonObject(schema)) return warn('its document has no schema of an input', 'conform reports such a document.');
  const validate = compileSchema(schema, { root: document.json, unreadable: 'accept', side: 'input' });
  // The input of strict mode has the form of another provider.
  const names = ownerSettings.inputs.map(({ name }) => name).filter((name) => name !== 'strictInput');
  const stated = names.filter((name) => Reflect.get(model, name) !== undefined);
  for (const name of stated) {
    const [violation] = validate(Reflect.get(model, name));
    if (violation !== undefined)
      return bad(
        `${name} is invalid: ${violation.pointer || 'the object'} ${violation.message}`,
        `Correct ${name} of ${model.id} in conform.live.models.`,
        2,
      );
  }
  return ok(`listed; valid against its schema: ${stated.join(', ')}`);
}

const deadlineMs = 15_000;
const jobPath = (id: string): string => `/api/v2/jobs/${id}/workflow`;
const modelPath = (id: string): string => `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}`;

/** A read ended without a response. */
class NoAnswer extends Error {}

type Api = 'router' | 'workflow';
type Access = { readonly headers: NonNullable<Target['headers']>; readonly tls: Target['tls'] | undefined };
type Reply = { readonly status: number; readonly json: JsonObject };
/** Sends a GET as a caller that the target has a credential of. */
type Read = (api: Api, caller: string, path: string) => Promise<Reply>;

/** Sends a GET. Throws if no response comes, or a secret would cross a public network. */
async function readJson(url: string, { headers, tls }: Access, { allowHttp }: Flags<'doctor'>): Promise<Reply> {
  if (headers.length > 0) refusePlainHttp(url, allowHttp);
  const fields = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const outcome = await nodePorts(tls).http({ url, headers: fields, deadlineMs, maxBytes: 16 * 1024 * 1024 });
  if (outcome.kind === 'no-response') throw new NoAnswer(`${new URL(url).origin} does not answer: ${outcome.detail}`);
  try {
    return { status: outcome.status, json: asObject(JSON.parse(new TextDecoder().decode(outcome.bytes))) };
  } catch {
    return { status: outcome.status, json: {} };
  }
}
