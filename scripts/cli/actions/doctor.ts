import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createRouterClient,
  type HttpOutcome,
  lockName,
  nodePorts,
  verifyOutput,
} from '../../../generator/src/index.ts';
import { createCredentialDetector, parseBrand } from '../../../specs/src/index.ts';
import {
  generatorHeaders,
  type RouterCredential,
  refusePlainHttp,
  routerCredential,
  secretsIn,
  tlsOf,
  workflowToken,
} from '../access.ts';
import { describeError } from '../errors.ts';
import type { Flags } from '../flags.ts';
import { type CommandIo, withProgress } from '../io.ts';
import { configFiles, createGet, type LoadedConfig, loadConfig } from '../load-settings.ts';
import { readPackageVersion } from '../package-version.ts';
import { peerCheck } from './doctor-peers.ts';

type DoctorFlags = Flags<'doctor'>;

type Check = {
  readonly name: string;
  /** `bad` keeps generate from working; `warn` may. */
  readonly status: 'ok' | 'warn' | 'bad' | 'skipped';
  readonly message: string;
  /** What to do; every check that is not `ok` has it. */
  readonly help?: string;
};

/** Looks at everything that a run of generate depends on, and says what to do; 1 when something keeps it from working. */
export async function runDoctor(flags: DoctorFlags, io: CommandIo): Promise<number> {
  const checks = await withProgress(io, (progress) => {
    progress.step('looking at the surroundings');
    return examine(flags, io);
  });
  const shown = checks.map((check) => withoutSecrets(check, io));
  const isFit = shown.every(({ status }) => status !== 'bad');
  io.out(flags.json ? `${JSON.stringify({ format: 1, isFit, checks: shown })}\n` : shown.map(renderOf(io)).join(''));
  return isFit ? 0 : 1;
}

async function examine(flags: DoctorFlags, io: CommandIo): Promise<Check[]> {
  const { loaded, check } = await readConfig(flags, io);
  const credential = attempt(() => routerCredential(io.env));
  return [
    nodeCheck(),
    check,
    credentialCheck(credential),
    proxyCheck(io),
    ...(await routerChecks(flags, loaded, { credential, io })),
    await workflowCheck(loaded, io),
    cacheCheck(loaded),
    lockCheck(loaded),
    peerCheck(io.workingFolder),
  ];
}

type Attempt<T> = { readonly value: T } | { readonly error: unknown };
function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** `next`: what to do where the error does not say it. */
function failed(name: string, error: unknown, next: string, status: 'bad' | 'warn' = 'bad'): Check {
  const own: unknown = error instanceof Error ? Reflect.get(error, 'help') : undefined;
  const text = describeError(error);
  if (typeof own !== 'string') return { name, status, message: text, help: next };
  return { name, status, message: text.replace(`. ${own}`, ''), help: `${own} ${next}`.trimEnd() };
}

function nodeCheck(): Check {
  // An older one does not come here: the command says so before.
  return { name: 'node', status: 'ok', message: `${process.version}, switchyard ${readPackageVersion()}` };
}

async function readConfig(flags: DoctorFlags, io: CommandIo): Promise<{ loaded: LoadedConfig; check: Check }> {
  const name = 'configuration';
  const empty = { config: {}, folder: io.workingFolder };
  const none = { ...empty, get: createGet(flags, empty, io) };
  try {
    const loaded = await loadConfig(flags, io);
    const file = configFiles(flags, io).find((one) => existsSync(one));
    const help = 'Flags and environment variables are enough; switchyard init writes a file.';
    const found: Check = { name, status: 'ok', message: `read from ${file}` };
    return { loaded, check: file === undefined ? { name, status: 'ok', message: 'no file', help } : found };
  } catch (error) {
    const next = 'Correct that file, or name another one with --config.';
    return { loaded: none, check: failed(name, error, next) };
  }
}

function credentialCheck(credential: Attempt<RouterCredential | undefined>): Check {
  const name = 'credential';
  if ('error' in credential)
    return failed(name, credential.error, 'Set it again, without spaces, line ends and quotation marks.');
  const { value } = credential;
  if (value !== undefined)
    return { name, status: 'ok', message: value.kind === 'api-key' ? 'SWITCHYARD_API_KEY' : 'SWITCHYARD_TOKEN' };
  const help = 'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token. switchyard verify needs none.';
  return { name, status: 'bad', message: 'no credential for the Model Router', help };
}

/** Since which versions Node's own agents go through proxies. */
const proxySince: ReadonlyMap<number, number> = new Map([
  [22, 21],
  [24, 5],
]);

function proxyCheck({ env }: CommandIo): Check {
  const name = 'proxy';
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((upper) => [upper, upper.toLowerCase()]);
  const found = names.filter((variable) => (env[variable] ?? '') !== '');
  if (found.length === 0) return { name, status: 'ok', message: 'none in the environment' };
  const wrong = found.filter(
    (one) => !/^no_proxy$/i.test(one) && !/^https?:$/.test(URL.parse(env[one] ?? '')?.protocol ?? ''),
  );
  if (wrong.length > 0) {
    const help = 'Set it to an address such as http://proxy.example:8080, or unset it.';
    return { name, status: 'bad', message: `${wrong.join(', ')}: no http or https address`, help };
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (minor >= (proxySince.get(major) ?? 0)) return { name, status: 'ok', message: `${found.join(', ')} in effect` };
  const help = 'Use Node 22.21, 24.5 or newer.';
  return { name, status: 'bad', message: `Node ${process.version} does not follow ${found.join(', ')}`, help };
}

type Known = { readonly credential: Attempt<RouterCredential | undefined>; readonly io: CommandIo };

async function routerChecks(flags: DoctorFlags, loaded: LoadedConfig, { credential, io }: Known): Promise<Check[]> {
  const name = 'router';
  const known = 'value' in credential ? credential.value : undefined;
  const address = attempt(() => loaded.get('routerUrl'));
  if ('error' in address) return [failed(name, address.error, correctAddress)];
  if (address.value === undefined) {
    const help = 'Give --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';
    return [{ name, status: 'bad', message: 'no address of a Model Router', help }];
  }
  if (known === undefined)
    return [{ name, status: 'skipped', message: 'not asked without a credential', help: 'Set the credential first.' }];
  try {
    refusePlainHttp(address.value, flags.allowHttp);
    return await askRouter(address.value, known, loaded, io);
  } catch (error) {
    return [failed(name, error, correctAddress)];
  }
}

const correctAddress = 'Correct --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.';

async function askRouter(
  routerUrl: string,
  credential: RouterCredential,
  loaded: LoadedConfig,
  io: CommandIo,
): Promise<Check[]> {
  const { http, clock } = nodePorts(await tlsOf(loaded, io));
  const outcomes: HttpOutcome[] = [];
  const watched: typeof http = async (request) => {
    const outcome = await http({ ...request, deadlineMs: 15_000 });
    outcomes.push(outcome);
    return outcome;
  };
  const brand = parseBrand(loaded.get('brand') ?? 'Service');
  const gateway = await generatorHeaders(loaded, credential, io);
  const client = createRouterClient({ routerUrl, credential, brand, ...gateway }, { http: watched, clock });
  const reply = await client.get('/v2/models?limit=1', { operation: 'listModels' });
  const skew = skewCheck(outcomes.at(-1), clock);
  if (reply.kind === 'failed') {
    const error = reply.error();
    const isRefused = /^40[13]$/.test(String(Reflect.get(error, 'status')));
    return [failed('router', error, isRefused ? '' : correctAddress), skew]; // a refusal says itself what to set
  }
  if (reply.body.kind === 'json')
    return [{ name: 'router', status: 'ok', message: `${routerUrl} answers and takes the credential` }, skew];
  const help = 'Something in front of the router may be answering in its place: check the address.';
  return [{ name: 'router', status: 'bad', message: `${routerUrl}: ${reply.body.because}`, help }, skew];
}

/** Without its credential, which says nothing about the address: any answer will do. Only conform reads this API. */
async function workflowCheck(loaded: LoadedConfig, io: CommandIo): Promise<Check> {
  const name = 'workflow API';
  const address = attempt(() => loaded.get('workflowUrl'));
  const help = 'Correct SWITCHYARD_WORKFLOW_URL or workflowUrl in the configuration; generate does not need it.';
  if ('error' in address) return failed(name, address.error, help, 'warn');
  if (address.value === undefined)
    return {
      ...{ name, status: 'skipped', message: 'no address; only conform uses this API' },
      help: 'For conform, set SWITCHYARD_WORKFLOW_URL or workflowUrl in the configuration.',
    };
  const { http } = nodePorts(await tlsOf(loaded, io));
  const url = `${address.value}/api/v2/jobs/none/workflow`;
  const outcome = await http({ url, headers: {}, deadlineMs: 15_000, maxBytes: 1_000_000 });
  if (outcome.kind === 'no-response')
    return { name, status: 'warn', message: `${address.value} does not answer: ${outcome.detail}`, help };
  const token = workflowToken(io.env) === undefined ? ', and SWITCHYARD_WORKFLOW_TOKEN is not set' : '';
  return { name, status: 'ok', message: `${address.value} answers with status ${outcome.status}${token}` };
}

const skewAtMostMs = 2 * 60_000;

function skewCheck(outcome: HttpOutcome | undefined, clock: ReturnType<typeof nodePorts>['clock']): Check {
  const name = 'clock';
  const date = outcome?.kind === 'response' ? outcome.headers.get('date') : undefined;
  const theirs = date === undefined ? undefined : clock.instantOf(date);
  if (theirs === undefined)
    return {
      name,
      status: 'skipped',
      message: 'not compared: no response with a date',
      help: 'Get an answer of the router first.',
    };
  const skewMs = clock.now() - theirs;
  const difference = `${Math.abs(Math.round(skewMs / 1000))} s ${skewMs < 0 ? 'behind' : 'ahead of'} the router`;
  if (Math.abs(skewMs) <= skewAtMostMs) return { name, status: 'ok', message: difference };
  const help = 'Set the clock: certificates, tokens and signed links depend on it.';
  return { name, status: 'warn', message: `this machine is ${difference}`, help };
}

function cacheCheck({ get }: LoadedConfig): Check {
  const name = 'cache';
  const path = get('generate.cache');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    return { name, status: 'warn', message: `${path} is a file`, help: 'Delete it: generate makes a folder there.' };
  let existing = path;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const access = attempt(() => accessSync(existing, constants.R_OK | constants.W_OK));
  const state = existing === path ? 'can be written' : 'is made by the first run';
  if (!('error' in access)) return { name, status: 'ok', message: `${path} ${state}` };
  const help = 'Name another folder with --cache; without one, every run fetches every document.';
  return { name, status: 'warn', message: `${existing} cannot be written`, help };
}

function lockCheck({ get }: LoadedConfig): Check {
  const name = 'output';
  const outDir = get('generate.out');
  if (!existsSync(join(outDir, lockName)))
    return {
      name,
      status: 'skipped',
      message: `no file ${join(outDir, lockName)} yet`,
      help: 'Run switchyard generate.',
    };
  const verified = attempt(() => verifyOutput(outDir, nodePorts().files));
  if ('error' in verified)
    return {
      ...{ name, status: 'bad', message: `${join(outDir, lockName)} is no lockfile that can be read` },
      help: 'Restore it from the repository (after a bad merge: take either side), then run switchyard generate.',
    };
  const { counts, differences, generator, isSound } = verified.value;
  const help =
    'List them with switchyard verify. Move or delete those that were edited by hand, then run switchyard generate.';
  const differing = differences.files.length;
  if (!isSound)
    return {
      ...{ name, status: 'warn', help },
      message: `${differing} ${differing === 1 ? 'file differs' : 'files differ'} from ${join(outDir, lockName)}`,
    };
  const version = readPackageVersion();
  const other = generator === version ? '' : `, written by switchyard ${generator}`;
  return { name, status: 'ok', message: `${counts.models} models as the lockfile says${other}` };
}

// Messages may quote a response.
function withoutSecrets(check: Check, io: CommandIo): Check {
  const isHeld = createCredentialDetector(secretsIn(io.env));
  const { name, status, message, help = '' } = check;
  return isHeld(`${message} ${help}`)
    ? { name, status, message: 'left out, because it would show a credential' }
    : check;
}

const styles = { ok: 'good', warn: 'warn', bad: 'bad', skipped: 'dim' } as const;

function renderOf(io: CommandIo): (check: Check) => string {
  return ({ name, status, message, help }) =>
    `${io.style(styles[status], status.padEnd(8))}${name.padEnd(15)} ${message.replace(/\p{Cc}/gu, ' ')}\n${help === undefined ? '' : `${' '.repeat(24)}${help}\n`}`;
}
