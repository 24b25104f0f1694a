import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkRecorded, type RecordingProxy, readHar, startRecordingProxy } from '../../../contract-tests/src/index.ts';
import { secretsIn, tlsOf } from '../access.ts';
import { resolveAddresses } from '../conform-target.ts';
import { CommandFailure, toMessage, UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { type Loaded, loadSettings, withBrand } from '../load-settings.ts';
import { flagName } from '../settings.ts';
import { type Acceptance, readAcceptance } from './accepted-findings.ts';
import { presentReport } from './present-report.ts';

const largestHar = 256 * 1024 * 1024;
type Traffic = Pick<Parameters<typeof checkRecorded>[0], 'exchanges' | 'urls' | 'keepsTraffic'>;

const ofOwnRequests = [
  ...(['target', 'rule', 'fault', 'variant', 'hooks', 'hooksCredential', 'budget', 'plan', 'maxRps'] as const),
  ...(['shard', 'models', 'selfCheck', 'requestDeadline', 'heldDeadline'] as const),
] as const;

/** `--record` and `--har`: the rules over whole runs, on traffic of others. */
export async function checkTraffic(flags: ConformFlags, io: CommandIo): Promise<number> {
  const other = ofOwnRequests.find((name) => flags[name] !== undefined);
  if (other !== undefined)
    throw new UsageError(`--record and --har send nothing of their own and take no ${flagName(other)}`);
  if (flags.record && flags.har !== undefined) throw new UsageError('take one of --record and --har');
  const loaded = await loadSettings(flags, io);
  const urls = urlsOf(loaded, flags, io);
  const acceptance = await readAcceptance(loaded, flags, io);
  const traffic = flags.har === undefined ? await record(urls, loaded, io) : await read(flags.har, urls, io);
  return withBrand(flags, io, (settled) => report({ traffic, acceptance }, settled, flags, io));
}

function urlsOf(loaded: Loaded, flags: ConformFlags, io: CommandIo): Traffic['urls'] {
  const { routerUrl, workflowUrl } = resolveAddresses({ ...loaded, flags }, io);
  return {
    ...(routerUrl === undefined ? {} : { router: routerUrl }),
    ...(workflowUrl === undefined ? {} : { workflow: workflowUrl }),
  };
}

async function record(urls: Traffic['urls'], loaded: Loaded, io: CommandIo): Promise<Traffic> {
  if (urls.router === undefined && urls.workflow === undefined)
    throw new UsageError('--record needs --router-url or --workflow-url: the servers behind the proxy');
  const tls = await tlsOf(loaded, io);
  const port = loaded.get('record.port');
  const proxy = await startRecordingProxy({
    urls,
    port,
    ...(tls === undefined ? {} : { tls }),
  }).catch((cause: unknown) => {
    throw new CommandFailure(`the proxy cannot listen on 127.0.0.1:${port}: ${toMessage(cause)}`, { cause });
  });
  const behind = [...new Set(Object.values(urls))].join(' and ');
  io.err(`recording at ${proxy.url}, in front of ${behind}; Ctrl-C ends it and reports\n`);
  await io.stopRequested();
  await proxy.close();
  return recordedBy(proxy, urls, io);
}

function recordedBy(proxy: RecordingProxy, urls: Traffic['urls'], io: CommandIo): Traffic {
  const unrecorded = proxy.unrecorded();
  if (unrecorded > 0)
    io.err(`${unrecorded} calls were cut off or above the bounds of a recording, and are not checked\n`);
  return { exchanges: proxy.exchanges, urls, keepsTraffic: true };
}

async function read(file: string, given: Traffic['urls'], io: CommandIo): Promise<Traffic> {
  const path = resolve(io.workingFolder, file);
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) throw new UsageError(`--har ${file}: there is no such file`);
  if (size > largestHar) throw new UsageError(`--har ${file} is larger than ${largestHar} bytes`);
  const { exchanges, urls, leftOut } = readHar(await readFile(path, 'utf8'), given);
  if (leftOut > 0)
    io.err(`${leftOut} entries are of other servers, or lack their response or its body; they are not checked\n`);
  return { exchanges, urls, keepsTraffic: false };
}

type Checked = { readonly traffic: Traffic; readonly acceptance: Acceptance };

async function report(
  { traffic, acceptance }: Checked,
  { specs, config, get }: Loaded,
  flags: ConformFlags,
  io: CommandIo,
): Promise<number> {
  const outDir = get('conform.out');
  const headers = hiddenHeaders(config, io);
  const recorded = { ...traffic, specs, headers, secrets: secretsIn(io.env) };
  const found = await checkRecorded(recorded, outDir, acceptance.complete);
  io.err(`${traffic.exchanges.length} recorded calls checked\n`);
  return presentReport(found, { flags, outDir, baseline: acceptance.written }, io);
}

/** What the clients send for a gateway is theirs to send; here it only stays out of the reports. */
function hiddenHeaders({ http }: Loaded['config'], { env }: CommandIo) {
  return Object.entries(http?.headers ?? {}).map(([name, source]) => {
    const variable = /^env:(.+)$/.exec(source)?.[1];
    return variable === undefined ? { name, value: '' } : { name, value: env[variable] ?? '', variable };
  });
}
