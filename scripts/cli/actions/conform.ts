import { availableParallelism } from 'node:os';
import {
  conformToFolder,
  isSound,
  listRules,
  planConformanceRun,
  renderJson,
  renderPlan,
  renderSelfCheck,
  runSelfCheck,
  unmatchedRulePatterns,
} from '../../../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import type { SwitchyardConfig } from '../config.ts';
import { openTarget } from '../conform-target.ts';
import { UsageError } from '../errors.ts';
import { type ConformFlags, duration } from '../flags.ts';
import { type CommandIo, createPace, withProgress } from '../io.ts';
import { type Loaded, loadSettings, withBrand } from '../settings.ts';
import { readAcceptance } from './accepted-findings.ts';
import { checkTraffic } from './conform-recorded.ts';
import { presentReport, readFormats, reportFolder } from './present-report.ts';

export async function runConform(flags: ConformFlags, io: CommandIo): Promise<number> {
  if (flags.listRules) return showRules(flags, io);
  if (flags.selfCheck) return checkGate(flags, io);
  if (flags.har !== undefined) return checkTraffic(flags.har, flags, io);
  return withBrand(flags, io, (loaded) => checkWith(loaded, flags, io));
}

async function checkWith({ config, folder, specs }: Loaded, flags: ConformFlags, io: CommandIo): Promise<number> {
  const outDir = reportFolder({ flags, config, folder }, io);
  const formats = readFormats(flags, config);
  const rules = flags.rule ?? config.conform?.rules;
  const [unmatched] = unmatchedRulePatterns(rules ?? []);
  if (unmatched !== undefined)
    throw new UsageError(`no rule matches ${JSON.stringify(unmatched)}; switchyard conform --list-rules lists them`);
  const limits = limitsOf(flags, config);
  const acceptance = await readAcceptance({ flags, config, folder }, io);
  const paceOf = createPace(() => performance.now());
  const { report, target } = await withProgress(io, async (progress) => {
    if (flags.target === 'mock') progress.step('starting the mock'); // the others start at once
    const { target, description, close } = await openTarget({ flags, config, folder, specs }, io);
    const maxRps = flags.maxRps ?? config.conform?.live?.maxRps;
    const input = {
      target,
      specs,
      limits,
      ...(rules && { rules }),
      ...(maxRps !== undefined && { maxRps }),
      ...partOfRun(flags),
      ...(flags.verbose && { evidence: 'all' as const }),
    };
    try {
      progress.step(flags.plan ? `planning for ${description}` : `checking ${description}`);
      const report = await (flags.plan
        ? planConformanceRun(input)
        : conformToFolder(input, outDir, {
            complete: acceptance.complete,
            formats,
            onProgress: (count) => progress.step(`checking ${description}`, () => paceOf('rules', count)),
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
  return presentReport(report, { flags, outDir, baseline: acceptance.written }, io);
}

function partOfRun({ shard, models }: ConformFlags): Pick<Parameters<typeof conformToFolder>[0], 'shard' | 'models'> {
  return { ...(shard === undefined ? {} : { shard }), ...(models === undefined ? {} : { models }) };
}

type Limits = NonNullable<Parameters<typeof conformToFolder>[0]['limits']>;

/** Flags over the configuration file. */
function limitsOf(flags: ConformFlags, { conform }: SwitchyardConfig): Limits {
  const { request, held, rule, run } = conform?.deadlines ?? {};
  return {
    ...limit('heldMs', flags.heldDeadline, held),
    ...limit('requestMs', flags.requestDeadline, request),
    ...limit('ruleMs', flags.ruleDeadline, rule),
    ...limit('runMs', flags.runDeadline, run),
  };
}

function limit(name: keyof Limits, flag: number | undefined, setting: string | undefined): Limits {
  if (flag !== undefined) return { [name]: flag };
  if (setting === undefined) return {};
  try {
    return { [name]: duration(setting) };
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    throw new UsageError(`conform.deadlines: ${JSON.stringify(setting)}: ${because}`, { cause: error });
  }
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
  const paceOf = createPace(() => performance.now());
  const report = await withProgress(io, (progress) =>
    runSelfCheck({
      specs,
      faults: listFaults(),
      variants: listVariants(),
      module: new URL(systemModule, import.meta.url).href,
      threads: Math.min(4, availableParallelism()),
      onProgress: ({ done, total, id }) =>
        progress.step('trying faults and variants', () => `${paceOf('tries', { done, total })} ${id}`),
    }),
  );
  io.out(`${flags.json ? JSON.stringify(report) : renderSelfCheck(report)}\n`);
  return isSound(report) ? 0 : 1;
}
