import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  createRouterClient,
  type HttpOutcome,
  lockName,
  nodePorts,
  verifyOutput,
} from '../../../generator/src/index.ts';
import { findAbove, isJsonObject, type JsonValue, parseBrand, readPackageVersion } from '../../../specs/src/index.ts';
import {
  generatorHeaders,
  type RouterCredential,
  readTls,
  refusePlainHttp,
  routerCredential,
  workflowToken,
} from '../access.ts';
import { explainError, isUsageError } from '../errors.ts';
import type { Flags } from '../flags.ts';
import { type CommandIo, withProgress } from '../io.ts';
import { configFiles, createGet, type LoadedConfig, loadConfig } from '../load-settings.ts';
import { findMissingPeers } from '../optional-peers.ts';

/** What the checks look at. A configuration that cannot be read counts as empty. */
type Surroundings = LoadedConfig & {
  readonly flags: Flags<'doctor'>;
  readonly io: CommandIo;
  /** One that can be used, once that was checked. */
  credential?: RouterCredential | undefined;
  /** What the last request to the router came to. */
  outcome?: HttpOutcome;
};

type Result = {
  /** `bad` keeps generate from working; `warn` may. */
  readonly status: 'ok' | 'warn' | 'bad' | 'skipped';
  readonly message: string;
  /** What to do; every result that is not `ok` has it. */
  readonly help?: string;
  /** How generate would end because of what is `bad`. */
  readonly code?: 2 | 3;
};

type Check = {
  readonly name: string;
  run(found: Surroundings): Result | Promise<Result>;
  /** What to do about an error of the check, in addition to what the error says. */
  readonly help?: string;
  /** What such an error means; `bad` where not said otherwise. */
  readonly failure?: 'warn' | 'bad';
};

const ok = (message: string): Result => ({ status: 'ok', message });
const skipped = (message: string, help: string): Result => ({ status: 'skipped', message, help });
const warn = (message: string, help: string): Result => ({ status: 'warn', message, help });
const bad = (message: string, help: string, code: 2 | 3): Result => ({ status: 'bad', message, help, code });

const correctAddress = 'Correct --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';

const checks: readonly Check[] = [
  // An older Node does not come here: the command says so before.
  { name: 'node', run: () => ok(`${process.version}, switchyard ${readPackageVersion()}`) },
  { name: 'configuration', run: checkConfiguration, help: 'Correct that file, or name another one with --config.' },
  {
    name: 'credential',
    run: checkCredential,
    help: 'Set it again, without spaces, line ends and quotation marks.',
  },
  { name: 'proxy', run: checkProxy },
  { name: 'router', run: checkRouter, help: correctAddress },
  { name: 'clock', run: checkClock },
  {
    name: 'workflow API',
    run: checkWorkflowApi,
    help: 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
    failure: 'warn',
  },
  {
    name: 'cache',
    run: checkCache,
    help: 'Name another folder with --cache; without one, every generation fetches every document.',
    failure: 'warn',
  },
  { name: 'output', run: checkOutput },
  { name: 'peers', run: checkPeers },
];

/** Looks at everything that a generation depends on, and says what to do; ends as a generation would. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const results = await withProgress(io, async (show) => {
    show('looking at the surroundings');
    const empty = { config: {}, folder: io.workingFolder };
    const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createGet(flags, empty, io) }));
    const found: Surroundings = { flags, io, ...loaded };
    const all: ({ name: string } & Result)[] = [];
    for (const check of checks) all.push({ name: check.name, ...(await runCheck(check, found)) });
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

async function runCheck({ run, help, failure = 'bad' }: Check, found: Surroundings): Promise<Result> {
  try {
    return await run(found);
  } catch (error) {
    const problem = explainError(error);
    const code = failure === 'warn' ? {} : ({ code: isUsageError(error) ? 2 : 3 } as const);
    return { status: failure, message: problem.message, help: [problem.help, help].filter(Boolean).join(' '), ...code };
  }
}

async function checkConfiguration({ flags, io }: Surroundings): Promise<Result> {
  await loadConfig(flags, io);
  const file = configFiles(flags, io).find((one) => existsSync(one));
  return ok(file === undefined ? 'no file; flags and environment variables are enough' : `read from ${file}`);
}

function checkCredential(found: Surroundings): Result {
  found.credential = routerCredential(found.io.env);
  const names = { 'api-key': 'SWITCHYARD_API_KEY', bearer: 'SWITCHYARD_TOKEN' };
  if (found.credential !== undefined) return ok(names[found.credential.kind]);
  return bad(
    'no credential for the Model Router',
    'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token. npx openapi-switchyard verify needs none.',
    2,
  );
}

/** Since which versions Node's own agents go through proxies. */
const proxySince: ReadonlyMap<number, number> = new Map([
  [22, 21],
  [24, 5],
]);

function checkProxy({ io: { env } }: Surroundings): Result {
  const addresses = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
  const found = [...addresses, ...['NO_PROXY', 'no_proxy'].filter((name) => env[name])];
  if (found.length === 0) return ok('none in the environment');
  const wrong = addresses.filter((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''));
  if (wrong.length > 0)
    return bad(
      `${wrong.join(', ')}: no http or https address`,
      'Set it to an address such as http://proxy.example:8080, or unset it.',
      3,
    );
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (minor >= (proxySince.get(major) ?? 0)) return ok(`${found.join(', ')} in effect`);
  const message = `Node ${process.version} does not follow ${found.join(', ')}`;
  return bad(message, 'Use Node 22.21, 24.5 or newer.', 3);
}

const patience = { deadlineMs: 15_000 };

async function checkRouter(found: Surroundings): Promise<Result> {
  const { flags, get, io, credential } = found;
  const routerUrl = get('routerUrl');
  if (routerUrl === undefined)
    return bad(
      'no address of a Model Router',
      'Give --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.',
      2,
    );
  if (credential === undefined) return skipped('not asked without a credential', 'Set the credential first.');
  refusePlainHttp(routerUrl, flags.allowHttp);
  const { http, clock } = nodePorts(await readTls(found, io));
  const watched: typeof http = async (request) => {
    found.outcome = await http({ ...request, ...patience });
    return found.outcome;
  };
  const brand = parseBrand(get('brand') ?? 'Service');
  const gateway = await generatorHeaders(found, credential, io);
  const client = createRouterClient({ routerUrl, credential, brand, ...gateway }, { http: watched, clock });
  const catalog = readJson(await client.get('/v2/models?limit=1', { operation: 'listModels' }), routerUrl);
  if ('problem' in catalog) return catalog.problem;
  const [model] = isJsonObject(catalog.value) ? [catalog.value['data']].flat() : [];
  const id = isJsonObject(model) ? model['id'] : undefined;
  if (typeof id !== 'string') return ok(`${routerUrl} answers and takes the credential`);
  const path = `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}/openapi.json`;
  const reply = await client.get(path, { operation: 'readSchemaDocument', model: id });
  if (reply.kind === 'failed' && [403, 404].includes(reply.error().status ?? 0))
    return warn(`${id}: ${reply.error().message}`, 'Other models may be readable: ask the operators for this one.');
  const document = readJson(reply, `${routerUrl}, document of ${id}`);
  if ('problem' in document) return document.problem;
  return ok(`${routerUrl} answers, takes the credential and serves the document of ${id}`);
}

type RouterReply = Awaited<ReturnType<ReturnType<typeof createRouterClient>['get']>>;

function readJson(reply: RouterReply, what: string): { value: JsonValue } | { problem: Result } {
  if (reply.kind === 'failed') {
    const error = reply.error();
    // The address is right where a credential is refused, and the advice of the error is enough.
    if (![401, 403].includes(error.status ?? 0)) throw error;
    return { problem: bad(explainError(error).message, error.help ?? correctAddress, 3) };
  }
  if (reply.body.kind === 'json') return { value: reply.body.value };
  const help = 'Something in front of the router may be answering in its place: check the address.';
  return { problem: bad(`${what}: ${reply.body.because}`, help, 3) };
}

const skewAtMostMs = 2 * 60_000;

function checkClock({ outcome }: Surroundings): Result {
  const { clock } = nodePorts();
  const date = outcome?.kind === 'response' ? outcome.headers.get('date') : undefined;
  const theirs = date === undefined ? undefined : clock.parseInstant(date);
  if (theirs === undefined)
    return skipped('not compared: no response with a date', 'Get an answer of the router first.');
  const skewMs = clock.now() - theirs;
  const difference = `${Math.abs(Math.round(skewMs / 1000))} s ${skewMs < 0 ? 'behind' : 'ahead of'} the router`;
  if (Math.abs(skewMs) <= skewAtMostMs) return ok(difference);
  return warn(`this machine is ${difference}`, 'Set the clock: certificates, tokens and signed links depend on it.');
}

/** Without its credential, which says nothing about the address: any answer will do. Only conform reads this API. */
async function checkWorkflowApi(found: Surroundings): Promise<Result> {
  const { get, io } = found;
  const address = get('workflowUrl');
  if (address === undefined)
    return skipped(
      'no address; only conform uses this API',
      'For conform, set SWITCHYARD_WORKFLOW_URL or workflowUrl in the configuration.',
    );
  const url = `${address}/api/v2/jobs/none/workflow`;
  const { http } = nodePorts(await readTls(found, io));
  const outcome = await http({ url, headers: {}, ...patience, maxBytes: 1_000_000 });
  if (outcome.kind === 'no-response') throw new Error(`${address} does not answer: ${outcome.detail}`);
  const token = workflowToken(io.env) === undefined ? ', and SWITCHYARD_WORKFLOW_TOKEN is not set' : '';
  return ok(`${address} answers with status ${outcome.status}${token}`);
}

function checkCache({ get }: Surroundings): Result {
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
}

function checkOutput({ get }: Surroundings): Result {
  const outDir = get('generate.out');
  const lock = join(outDir, lockName);
  if (!existsSync(lock)) return skipped(`no file ${lock} yet`, 'Run npx openapi-switchyard generate.');
  const { counts, differences, generator, isSound } = verifyOutput(outDir, nodePorts().files);
  const differing = differences.files.length;
  if (!isSound) {
    const message = `${differing} ${differing === 1 ? 'file differs' : 'files differ'} from ${lock}`;
    const help =
      'List them with npx openapi-switchyard verify. Move or delete those that were edited by hand, then run npx openapi-switchyard generate.';
    return warn(message, help);
  }
  const other = generator === readPackageVersion() ? '' : `, written by switchyard ${generator}`;
  return ok(`${counts.models} models as the lockfile says${other}`);
}

/** Packages that only some commands need; without them the folder works. */
function checkPeers({ io }: Surroundings): Result {
  const lacking = findMissingPeers(io.workingFolder);
  if (lacking.length === 0) return ok('all optional peers are installed');
  return skipped(
    `not installed: ${lacking.map(({ name, need }) => `${name} (only ${need})`).join(', ')}`,
    `For these: npm install --save-dev ${lacking.map(({ install }) => install).join(' ')}`,
  );
}
