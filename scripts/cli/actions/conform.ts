import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  checkConforming,
  checkDerived,
  checkRecorded,
  conformToFolder,
  isSound,
  listRules,
  mergeFolders,
  planCheck,
  readHar,
  renderConforming,
  renderDerived,
  renderJson,
  renderPlan,
  renderSelfCheck,
  runSelfCheck,
  unmatchedRulePatterns,
} from '../../../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { type EffectiveSpecs, readFreedoms } from '../../../specs/src/index.ts';
import { secretsIn } from '../access.ts';
import { openTarget, resolveAddresses } from '../conform-target.ts';
import { UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { withProgress } from '../io.ts';
import { flagName, keepStated } from '../kinds.ts';
import { type Loaded, loadConfig, loadSettings, withBrand } from '../load-settings.ts';
import { prepareReports } from './present-report.ts';

export async function runConform(flags: ConformFlags, io: CommandIo): Promise<number> {
  if (flags.listRules) return showRules(flags, io);
  if (flags.derived && !flags.selfCheck) throw new UsageError('--derived goes with --self-check');
  if (flags.selfCheck) return checkGate(flags, io);
  if (flags.conforming !== undefined) throw new UsageError('--conforming goes with --self-check');
  if (flags.har !== undefined) return checkTraffic(flags.har, flags, io);
  return withBrand(flags, io, (loaded) => checkWith(loaded, flags, io));
}

async function checkWith(loaded: Loaded, flags: ConformFlags, io: CommandIo): Promise<number> {
  const { specs, get } = loaded;
  const rules = get('conform.rules');
  const [unmatched] = unmatchedRulePatterns(rules ?? []);
  if (unmatched !== undefined)
    throw new UsageError(`no rule matches ${JSON.stringify(unmatched)}; switchyard conform --list-rules lists them`);
  const limits = keepStated({
    heldMs: get('conform.deadlines.held'),
    requestMs: get('conform.deadlines.request'),
    ruleMs: get('conform.deadlines.rule'),
    runMs: get('conform.deadlines.run'),
  });
  const reports = await prepareReports(loaded, flags, io);
  const { report, target } = await withProgress(io, async (show) => {
    if (flags.target === 'mock') show('starting the mock'); // the others start at once
    const { target, description, close } = await openTarget({ ...loaded, flags }, io);
    const [maxRps, shard, models] = [get('conform.live.maxRps'), get('shard'), get('models')];
    const input = {
      target,
      specs,
      limits,
      ...keepStated({ rules, maxRps, shard, models, evidence: flags.verbose ? ('all' as const) : undefined }),
    };
    try {
      show(flags.plan ? `planning for ${description}` : `checking ${description}`);
      const report = await (flags.plan
        ? planCheck(input)
        : conformToFolder(input, reports.outDir, {
            ...reports.options,
            stopRequested: io.stopRequested(),
            onProgress: (count) => show(`checking ${description}`, count),
          }));
      return { report, target };
    } finally {
      await close();
    }
  });
  if (flags.plan) {
    io.out(flags.json ? renderJson(report) : `${renderPlan(report, target.budget?.models ?? [])}\n`);
    return report.reachability.kind === 'reachable' ? 0 : 3;
  }
  return reports.present(report);
}

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
async function checkTraffic(file: string, flags: ConformFlags, io: CommandIo): Promise<number> {
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
    const { redact } = config.conform ?? {};
    const hidden = { headers: hiddenHeaders(config, io), secrets: secretsIn(io.env), ...(redact && { redact }) };
    const recorded = { exchanges, urls, specs, ...hidden, ...(flags.verbose && { evidence: 'all' as const }) };
    const found = await checkRecorded(recorded, outDir, { ...options, stopRequested: io.stopRequested() });
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

/** One report of the parts of a check, with the exit code that one machine would have ended with. */
export async function mergeParts(folders: readonly string[], flags: ConformFlags, io: CommandIo): Promise<number> {
  const { outDir, options, present } = await prepareReports(await loadConfig(flags, io), flags, io);
  const parts = folders.map((part) => resolve(io.workingFolder, part));
  return present(await mergeFolders(parts, outDir, options));
}

function showRules(flags: ConformFlags, io: CommandIo): number {
  const rules = listRules();
  const lines = rules.map(
    ({ id, cost, requirements, sentence }) =>
      `${io.style('strong', id)}  ${io.style('dim', `${cost} ${requirements.join(' ')}`)}\n  ${sentence}\n`,
  );
  io.out(flags.json ? `${JSON.stringify(rules, null, 2)}\n` : lines.join(''));
  return 0;
}

// Threads load this module by its URL; its name differs between the sources and the built copy.
const systemModule = import.meta.url.endsWith('.ts') ? '../system-under-test.ts' : '../system-under-test.js';

/** Checks the gate itself in process. Exit code 1 when a fault is missed or a rule gives a false alarm. */
async function checkGate(flags: ConformFlags, io: CommandIo): Promise<number> {
  if (flags.target !== undefined || flags.routerUrl !== undefined || flags.workflowUrl !== undefined) {
    throw new UsageError('--self-check has its own sandbox and takes no target');
  }
  if (flags.fault !== undefined || flags.variant !== undefined || flags.rule !== undefined) {
    throw new UsageError('--self-check tries every rule, fault and variant; leave out --rule, --fault and --variant');
  }
  const { specs } = await loadSettings(flags, io);
  const threads = {
    specs,
    module: new URL(systemModule, import.meta.url).href,
    threads: Math.min(4, availableParallelism()),
  };
  if (flags.derived) return checkDocuments(specs, flags, io);
  if (flags.conforming !== undefined) return checkConformingServers(flags.conforming, { ...threads, flags }, io);
  const report = await withProgress(io, (show) =>
    runSelfCheck({
      ...threads,
      faults: listFaults(),
      variants: listVariants(),
      onProgress: ({ done, total, id }) => show('trying faults and variants', { done, total, subject: id }),
    }),
  );
  io.out(`${flags.json ? JSON.stringify(report) : renderSelfCheck(report)}\n`);
  return isSound(report) ? 0 : 1;
}

type Threads = Pick<Parameters<typeof runSelfCheck>[0], 'specs' | 'module' | 'threads'>;

/** Exit code 1 when a rule raises an alarm on a server that keeps the contract. */
async function checkConformingServers(
  count: number,
  { flags, ...threads }: Threads & { readonly flags: ConformFlags },
  io: CommandIo,
): Promise<number> {
  const report = await withProgress(io, (show) =>
    checkConforming({
      ...threads,
      freedoms: readFreedoms(),
      count,
      seed: flags.seed ?? 1,
      onProgress: ({ done, total, id }) => show('trying conforming servers', { done, total, subject: id }),
    }),
  );
  io.out(`${flags.json ? JSON.stringify(report) : renderConforming(report)}\n`);
  return report.causes.length === 0 ? 0 : 1;
}

/** Whether the rules see every statement of the documents broken. */
async function checkDocuments(specs: EffectiveSpecs, flags: ConformFlags, io: CommandIo): Promise<number> {
  const { systemsUnderTest } = await import('../system-under-test.ts');
  const report = await withProgress(io, (show) =>
    checkDerived({
      specs,
      start: systemsUnderTest(specs),
      onProgress: ({ done, total, id }) => show('breaking statements of the documents', { done, total, subject: id }),
    }),
  );
  io.out(`${flags.json ? JSON.stringify(report) : renderDerived(report)}\n`);
  return report.missed.length === 0 ? 0 : 1;
}
