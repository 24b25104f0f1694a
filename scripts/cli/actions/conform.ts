import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CheckProgress,
  checkRecorded,
  checkRules,
  checkServers,
  conformToFolder,
  isSound,
  listRules,
  loadRules,
  onThreads,
  planCheck,
  readHar,
  renderConforming,
  renderJson,
  renderPlan,
  renderSelfCheck,
  unmatchedPatterns,
} from '../../../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { moduleUrl, readFreedoms } from '../../../specs/src/index.ts';
import type { ConformFlags } from '../commands.ts';
import { UsageError } from '../errors.ts';
import { type CommandIo, type CommandResult, withProgress } from '../io.ts';
import { type LoadedConfig, type LoadedSettings, loadConfig, loadSettings, withBrand } from '../load-settings.ts';
import { openTarget } from '../targets.ts';
import { omitUndefined } from '../values.ts';
import { prepareReports } from './present-report.ts';

export async function runConform(flags: ConformFlags, io: CommandIo): Promise<number | CommandResult> {
  if (flags.listRules) return showRules(flags, io);
  if (flags.selfCheck) return checkGate(flags, io);
  if (flags.conforming !== undefined) throw new UsageError('--conforming needs --self-check');
  if (flags.har !== undefined) return checkTraffic(flags.har, flags, io);
  return withBrand(flags, io, (loaded) => checkWith(loaded, flags, io));
}

async function checkWith(loaded: LoadedSettings, flags: ConformFlags, io: CommandIo): Promise<number> {
  const { specs, config } = loaded;
  const rules = config.conform.rules;
  const ownRules = findOwnRules(loaded);
  const known = await loadRules(ownRules);
  const [unmatched] = unmatchedPatterns(known, rules ?? []);
  if (unmatched !== undefined)
    throw new UsageError(
      `no rule matches ${JSON.stringify(unmatched)}; npx openapi-switchyard conform --list-rules lists them`,
    );
  const { held: heldMs, request: requestMs, rule: ruleMs, run: runMs } = config.conform.deadlines;
  const limits = omitUndefined({ heldMs, requestMs, ruleMs, runMs });
  const reports = await prepareReports(loaded, known, flags, io);
  const { report, target } = await withProgress(io, async (show) => {
    if (flags.target === 'mock') show('starting the mock'); // Only the mock takes noticeable time to start.
    const { target, description, close } = await openTarget(loaded, flags, io);
    const input = {
      target,
      specs,
      limits,
      ownRules,
      ...omitUndefined({
        rules,
        maxRps: config.conform.live.maxRps,
        models: flags.models,
        evidence: flags.verbose ? ('all' as const) : undefined,
      }),
    };
    try {
      show(flags.plan ? `planning for ${description}` : `checking ${description}`);
      const report = await (flags.plan
        ? planCheck(input)
        : conformToFolder(input, reports.outDir, {
            ...reports.options,
            stopRequested: io.stopRequested(),
            inThisProcess: flags.debug === true,
            onProgress: ({ runs, done, total, ...time }) => {
              const { runs: allowed = 0 } = target.budget ?? {};
              const paid = allowed === 0 ? [] : [`${runs} of ${allowed} runs used`];
              const subject = ['rules decided', ...paid, formatTimeLeft(time)].join(', ');
              show(`checking ${description}`, { done, total, subject });
            },
          }));
      return { report, target };
    } finally {
      await close?.();
    }
  });
  if (flags.plan) {
    io.out(flags.json ? renderJson(report) : `${renderPlan(report, target.budget?.models ?? [])}\n`);
    return report.reachability.kind === 'reachable' ? 0 : 3;
  }
  return reports.present(report);
}

/** Returns the URLs of the files with custom rules. Throws for a pattern that matches no file. */
function findOwnRules({ config, folder }: LoadedConfig): readonly string[] {
  const found = new Set<string>();
  for (const pattern of config.conform.ownRules) {
    const files = globSync(pattern, { cwd: folder });
    if (files.length === 0)
      throw new UsageError(`conform.ownRules: no file matches ${JSON.stringify(pattern)} in ${folder}`);
    for (const file of files.toSorted()) found.add(pathToFileURL(resolve(folder, file)).href);
  }
  return [...found];
}

function formatTimeLeft({ leftMs, atMostMs }: Pick<CheckProgress, 'leftMs' | 'atMostMs'>): string {
  const word = (ms: number): string => (ms < 90_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`);
  return `${leftMs === undefined ? '' : `about ${word(leftMs)} left, `}${word(atMostMs)} at most`;
}

const largestHar = 256 * 1024 * 1024;

/** Runs `--har`: applies the passive rules to recorded traffic. */
async function checkTraffic(file: string, flags: ConformFlags, io: CommandIo): Promise<number> {
  const loaded = await loadSettings(flags, io);
  const known = await loadRules(findOwnRules(loaded));
  const { outDir, options, present } = await prepareReports(loaded, known, flags, io);
  const path = resolve(io.workingFolder, file);
  const size = (await stat(path).catch(() => undefined))?.size;
  if (size === undefined) throw new UsageError(`--har: ${path} does not exist`);
  if (size > largestHar)
    throw new UsageError(`--har: ${path} is larger than ${largestHar} bytes: record fewer calls per file`);
  const baseUrls = omitUndefined({ router: loaded.config.routerUrl, workflow: loaded.config.workflowUrl });
  const { exchanges, urls, skipped } = readHar(await readFile(path, 'utf8'), baseUrls);
  if (skipped > 0)
    io.err(`${skipped} entries were skipped: they belong to other servers, or lack the response or its body\n`);
  return withBrand(flags, io, async ({ specs, config }) => {
    // The recorded requests already have their gateway headers, so the values are only needed for redaction in reports.
    const headers = Object.entries(config.http.headers).map(([name, source]) => {
      const variable = /^env:(.+)$/.exec(source)?.[1];
      return variable === undefined ? { name, value: '' } : { name, value: io.env[variable] ?? '', variable };
    });
    const evidence = flags.verbose ? ('all' as const) : undefined;
    const asked = omitUndefined({ evidence, redact: config.conform.redact });
    const recorded = { exchanges, urls, specs, headers, secrets: io.secrets(), ...asked };
    const found = await checkRecorded(recorded, outDir, { ...options, stopRequested: io.stopRequested() });
    io.err(`${exchanges.length} recorded calls checked\n`);
    return present(found);
  });
}

async function showRules(flags: ConformFlags, io: CommandIo): Promise<CommandResult> {
  const rules = listRules(await loadRules(findOwnRules(await loadConfig(flags, io))));
  const lines = rules.map(
    ({ id, cost, requirements, sentence }) =>
      `${io.style('strong', id)}  ${io.style('dim', `${cost} ${requirements.join(' ')}`)}\n  ${sentence}\n`,
  );
  return { report: rules, code: 0, text: () => lines.join('') };
}

/** Checks the gate itself in this process: with faults and variants, or with conforming servers. */
async function checkGate(flags: ConformFlags, io: CommandIo): Promise<CommandResult> {
  const { specs } = await loadSettings(flags, io);
  const module = moduleUrl('scripts/cli/system-under-test').href;
  const threads = { specs, module, threads: Math.min(4, availableParallelism()) };
  const { conforming: count, seed } = flags;
  const conclude = (report: object, text: string, isFine: boolean): CommandResult => {
    return { report, code: isFine ? 0 : 1, text: () => `${text}\n` };
  };
  return withProgress(io, async (show) => {
    const showAs =
      (what: string) =>
      ({ id, ...step }: { done: number; total: number; id: string }): void =>
        show(what, { ...step, subject: id });
    if (count !== undefined) {
      const servers = {
        freedoms: readFreedoms(),
        count,
        seed: seed ?? 1,
        onProgress: showAs('trying conforming servers'),
      };
      const report = await onThreads(threads, (runs) => checkServers({ ...servers, ...runs }));
      const isFine = report.servers.every(({ alarms }) => alarms.length === 0);
      return conclude(report, renderConforming(report), isFine);
    }
    const deviations = { faults: listFaults(), variants: listVariants(), seed };
    const onProgress = showAs('trying faults and variants');
    const report = await onThreads({ ...threads, seed }, (runs) => checkRules({ ...deviations, ...runs, onProgress }));
    return conclude(report, renderSelfCheck(report), isSound(report));
  });
}
