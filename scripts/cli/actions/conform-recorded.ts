import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkRecorded, readHar } from '../../../contract-tests/src/index.ts';
import { secretsIn } from '../access.ts';
import { resolveAddresses } from '../conform-target.ts';
import { UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { flagName, keepStated } from '../kinds.ts';
import { type Loaded, loadSettings, withBrand } from '../load-settings.ts';
import { prepareReports } from './present-report.ts';

const largestHar = 256 * 1024 * 1024;

const ofOwnRequests = [
  'target',
  'rule',
  'fault',
  'variant',
  'hooks',
  'hooksCredential',
  'budget',
  'plan',
  'maxRps',
  'shard',
  'models',
  'selfCheck',
  'requestDeadline',
  'heldDeadline',
] as const;

/** `--har`: the rules over whole checks, on the traffic of others. */
export async function checkTraffic(file: string, flags: ConformFlags, io: CommandIo): Promise<number> {
  const other = ofOwnRequests.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--har sends nothing of its own and takes no ${flagName(other)}`);
  const loaded = await loadSettings(flags, io);
  const { outDir, options, present } = await prepareReports(loaded, flags, io);
  const { routerUrl, workflowUrl } = resolveAddresses({ ...loaded, flags }, io);
  const { exchanges, urls, leftOut } = readHar(
    await readTraffic(resolve(io.workingFolder, file)),
    keepStated({ router: routerUrl, workflow: workflowUrl }),
  );
  if (leftOut > 0)
    io.err(`${leftOut} entries are of other servers, or lack their response or its body; they are not checked\n`);
  return withBrand(flags, io, async ({ specs, config }) => {
    const hidden = { headers: hiddenHeaders(config, io), secrets: secretsIn(io.env) };
    const recorded = { exchanges, urls, specs, ...hidden, ...(flags.verbose && { evidence: 'all' as const }) };
    const found = await checkRecorded(recorded, outDir, options);
    io.err(`${exchanges.length} recorded calls checked\n`);
    return present(found);
  });
}

async function readTraffic(file: string): Promise<string> {
  const size = await stat(file).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) throw new UsageError(`--har ${file}: there is no such file`);
  if (size > largestHar) throw new UsageError(`--har ${file} is larger than ${largestHar} bytes`);
  return readFile(file, 'utf8');
}

/** What the clients send for a gateway is theirs to send; here it only stays out of the reports. */
function hiddenHeaders({ http }: Loaded['config'], { env }: CommandIo) {
  return Object.entries(http?.headers ?? {}).map(([name, source]) => {
    const variable = /^env:(.+)$/.exec(source)?.[1];
    return variable === undefined ? { name, value: '' } : { name, value: env[variable] ?? '', variable };
  });
}
