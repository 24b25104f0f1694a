import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  createRouterClient,
  type HttpOutcome,
  lockName,
  nodePorts,
  verifyOutput,
} from '../../../generator/src/index.ts';
import { findAbove, isJsonObject, parseBrand, readPackageVersion } from '../../../specs/src/index.ts';
import { generatorHeaders, readTls, refusePlainHttp, routerCredential, workflowToken } from '../access.ts';
import { bad, type Check, ok, type Result, type Surroundings, skipped, warn } from '../doctor/checks.ts';
import { ask, listConformChecks } from '../doctor/conform-checks.ts';
import { explainError, isUsageError } from '../errors.ts';
import { type CommandIo, withProgress } from '../io.ts';
import { configFiles, createGet, loadConfig } from '../load-settings.ts';
import { findMissingPeers } from '../optional-peers.ts';
import type { Flags } from '../settings.ts';

/** Checks what generate and conform depend on, and prints a line for each with what to do; ends with 0, 2 or 3. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const results = await withProgress(io, async (show) => {
    show('looking at the surroundings');
    const empty = { config: {}, folder: io.workingFolder };
    const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createGet(flags, empty, io) }));
    const all: ({ name: string } & Result)[] = [];
    for (const check of listChecks({ flags, io, ...loaded }))
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

function listChecks(found: Surroundings): readonly Check[] {
  let date: string | undefined;
  const sawResponse = (outcome: HttpOutcome): void => {
    date = outcome.kind === 'response' ? outcome.headers.get('date') : undefined;
  };
  return [
    // Node versions that are too old don't get here: the command refuses them first.
    { name: 'node', run: () => ok(`${process.version}, switchyard ${readPackageVersion()}`) },
    {
      name: 'configuration',
      run: () => checkConfiguration(found),
      help: 'Correct that file, or name another one with --config.',
    },
    {
      name: 'credential',
      run: () => checkCredential(found),
      help: 'Set it again, without spaces, line ends and quotation marks.',
    },
    { name: 'proxy', run: () => checkProxy(found) },
    { name: 'router', run: () => checkRouter(found, sawResponse), help: correctAddress },
    { name: 'clock', run: () => checkClock(date) },
    {
      name: 'workflow API',
      run: () => checkWorkflowApi(found),
      help: 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
      failure: 'warn',
    },
    {
      name: 'cache',
      run: () => checkCache(found),
      help: 'Name another folder with --cache; without one, every generation fetches every document.',
      failure: 'warn',
    },
    { name: 'output', run: () => checkOutput(found) },
    { name: 'peers', run: () => checkPeers(found) },
    ...conformChecks(found),
  ];
}

// A credential that cannot be read makes the checks of conform impossible; the line `credential` reports it.
function conformChecks(found: Surroundings): readonly Check[] {
  try {
    return listConformChecks(found);
  } catch {
    return [];
  }
}

async function checkConfiguration({ flags, io }: Surroundings): Promise<Result> {
  await loadConfig(flags, io);
  const file = configFiles(flags, io).find((one) => existsSync(one));
  return ok(file === undefined ? 'no file; flags and environment variables are enough' : `read from ${file}`);
}

/** The credential of generate; conform may have another one in the configuration, or need none of the router. */
function checkCredential({ io, config, get }: Surroundings): Result {
  const credential = routerCredential(io.env);
  if (credential !== undefined)
    return ok({ 'api-key': 'SWITCHYARD_API_KEY', bearer: 'SWITCHYARD_TOKEN' }[credential.kind]);
  const help =
    'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token. npx openapi-switchyard verify needs none.';
  const hasOther = config.conform?.live?.credentials?.router?.main !== undefined;
  const isWorkflowOnly = get('routerUrl') === undefined && get('workflowUrl') !== undefined;
  if (hasOther || isWorkflowOnly) return skipped('not set; only generate needs it', help);
  return bad('no credential for the Model Router', help, 2);
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
  const help = 'Set it to an address such as http://proxy.example:8080, or unset it.';
  if (wrong.length > 0) return bad(`${wrong.join(', ')}: not an http or https address`, help, 3);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (minor >= (proxySince.get(major) ?? 0)) return ok(`${found.join(', ')} in effect`);
  return bad(`Node ${process.version} does not follow ${found.join(', ')}`, 'Use Node 22.21, 24.5 or newer.', 3);
}

/** Reads one entry of the catalog and its document, as generate would. */
async function checkRouter(found: Surroundings, sawResponse: (outcome: HttpOutcome) => void): Promise<Result> {
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
    sawResponse(outcome);
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
  const path = `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}/openapi.json`;
  const reply = await client.get(path, { operation: 'readSchemaDocument', model: id });
  if (reply.kind === 'failed' && [403, 404].includes(reply.error().status ?? 0))
    return warn(`${id}: ${reply.error().message}`, 'Other models may be readable: ask the operators for this one.');
  const served = ok(`${routerUrl} answers, takes the credential and serves the document of ${id}`);
  return findProblem(reply, `${routerUrl}, document of ${id}`) ?? served;
}

type RouterReply = Awaited<ReturnType<ReturnType<typeof createRouterClient>['get']>>;

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

const skewAtMostMs = 2 * 60_000;

/** Compares this machine's clock with the date of the router's last response. */
function checkClock(date: string | undefined): Result {
  const { clock } = nodePorts();
  const theirs = date === undefined ? undefined : clock.parseInstant(date);
  if (theirs === undefined)
    return skipped('not compared: no response with a date', 'Get a response of the router first.');
  const skewMs = clock.now() - theirs;
  const difference = `${Math.abs(Math.round(skewMs / 1000))} s ${skewMs < 0 ? 'behind' : 'ahead of'} the router`;
  if (Math.abs(skewMs) <= skewAtMostMs) return ok(difference);
  return warn(`this machine is ${difference}`, 'Set the clock: certificates, tokens and signed links depend on it.');
}

/** Sends no credential: any response shows that the address works. Only conform reads this API. */
async function checkWorkflowApi(found: Surroundings): Promise<Result> {
  const address = found.get('workflowUrl');
  const help = 'For conform, set SWITCHYARD_WORKFLOW_URL or workflowUrl in the configuration.';
  if (address === undefined) return skipped('no address; only conform uses this API', help);
  const { status } = await ask(found, `${address}/api/v2/jobs/none/workflow`);
  const isSet = workflowToken(found.io.env) ?? found.config.conform?.live?.credentials?.workflow?.main;
  return ok(`${address} answers with status ${status}${isSet ? '' : ', and SWITCHYARD_WORKFLOW_TOKEN is not set'}`);
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

/** Packages that only some commands need. */
function checkPeers({ io }: Surroundings): Result {
  const lacking = findMissingPeers(io.workingFolder);
  if (lacking.length === 0) return ok('all optional peers are installed');
  return skipped(
    `not installed: ${lacking.map(({ name, need }) => `${name} (only ${need})`).join(', ')}`,
    `For these: npm install --save-dev ${lacking.map(({ install }) => install).join(' ')}`,
  );
}
