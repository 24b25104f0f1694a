import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type AppliedWaiver,
  applyWaivers,
  type ConformanceReport,
  computeShare,
  exitCodeOf,
  listFailures,
  listRules,
  parseResult,
  parseWaivers,
  renderAnnotations,
  renderBaseline,
  renderJson,
  renderMarkdown,
  renderText,
  withComparison,
} from '../../../contract-tests/src/index.ts';
import type { ConformFlags } from '../commands.ts';
import { toMessage, UsageError } from '../errors.ts';
import { type CommandIo, formatCommand } from '../io.ts';
import type { LoadedConfig } from '../load-settings.ts';
import type { Config } from '../settings.ts';

const defaultFile = 'conform-waivers.yaml';
const baselineDays = 30;
const dayMs = 24 * 3_600_000;

export type PreparedReports = {
  readonly outDir: string;
  readonly options: {
    /** Applies the waivers, writes the baseline and compares with the earlier check. */
    complete(checked: ConformanceReport): ConformanceReport;
    readonly formats: Config['conform']['report'];
    readonly inGithub: boolean;
  };
  /** Prints the report, also for GitHub Actions, and returns the exit code. */
  present(report: ConformanceReport): number;
};

/**
 * Reads the report settings before any request is sent: folder, formats, waivers, and the result of an earlier check.
 * `rules`: all rules of the check.
 */
export async function prepareReports(
  { folder, config }: LoadedConfig,
  rules: readonly { readonly id: string }[],
  flags: ConformFlags,
  io: CommandIo,
): Promise<PreparedReports> {
  const outDir = config.conform.out;
  const isOnGithub = io.env['GITHUB_ACTIONS'] === 'true';
  const summaryFile = io.env['GITHUB_STEP_SUMMARY'] ?? '';
  const configuredFile = config.conform.waivers;
  const file = configuredFile ?? resolve(folder, defaultFile);
  const isRead = existsSync(file) || (configuredFile !== undefined && !flags.writeBaseline);
  const existing = isRead ? readUserFile(() => readFileSync(file, 'utf8')) : undefined;
  const waivers = existing === undefined ? [] : readUserFile(() => parseWaivers(existing, file));
  const compared = flags.compare && resolve(io.workingFolder, flags.compare);
  if (compared !== undefined && !existsSync(compared))
    throw new UsageError(`--compare: ${compared} does not exist; run the first check without this flag`);
  const earlier = compared && readUserFile(() => parseResult(readFileSync(compared, 'utf8'), compared));
  const baseline = flags.writeBaseline ? await askForBaseline(flags, io) : undefined;
  const waiverContext = { today: formatDayAfter(0), ruleIds: new Set(rules.map(({ id }) => id)) };
  let isWritten = false;
  const complete = (checked: ConformanceReport): ConformanceReport => {
    let report = isRead ? applyWaivers(checked, waivers, waiverContext) : checked;
    if (baseline !== undefined && (existing !== undefined || listFailures(report).length > 0)) {
      const text = renderBaseline(report, baseline, existing);
      isWritten = text !== existing;
      if (isWritten) writeFileSync(file, text);
      report = applyWaivers(checked, parseWaivers(text, file), waiverContext);
    }
    return earlier ? withComparison(report, earlier) : report;
  };
  const present = (report: ConformanceReport): number => {
    printReport(report, outDir, flags, io);
    if (isWritten) io.err(`wrote the accepted findings to ${file}\n`);
    // GitHub Actions only reads log commands from standard output. With --json, it must contain only the result.
    if (isOnGithub && !flags.json) io.out(renderAnnotations(report), 'commands');
    try {
      if (summaryFile !== '') appendFileSync(summaryFile, io.redact(`${renderMarkdown(report)}\n`));
    } catch (error) {
      // Don't fail the check because of its summary.
      io.err(`could not write the step summary: ${toMessage(error)}\n`);
    }
    return exitCodeOf(report, flags.minChecked);
  };
  const options = { complete, formats: config.conform.report, inGithub: isOnGithub || summaryFile !== '' };
  return { outDir, options, present };
}

/** Calls `read`, and converts its errors to UsageError because the file is the user's. */
function readUserFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(toMessage(error), { cause: error });
  }
}

/** Returns the acceptance for --write-baseline. On a terminal, asks for what the flags leave out. */
async function askForBaseline(flags: ConformFlags, io: CommandIo): Promise<AppliedWaiver> {
  const questions = { owner: 'Who is responsible for these findings? ', reason: 'Why are they accepted? ' };
  const baseline = { reason: '', owner: '', expires: formatDayAfter(baselineDays) };
  for (const name of ['owner', 'reason'] as const) {
    baseline[name] = (flags[name] ?? (await io.ask?.(questions[name])) ?? '').trim();
    if (baseline[name] === '') throw new UsageError(`--write-baseline needs --owner and --reason; ${name} is missing`);
    if (io.redact(baseline[name]) !== baseline[name])
      throw new UsageError('--owner and --reason must not contain a credential');
  }
  return baseline;
}

function formatDayAfter(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}

const headlineStyles = { 0: 'good', 1: 'bad', 3: 'bad', 4: 'warn' } as const;

/** Returns the command that explains why a check isn't sound; undefined if it is. */
function suggestNext(report: ConformanceReport, flags: ConformFlags): string | undefined {
  const { json, verbose, writeBaseline, owner, reason, compare, ...same } = flags;
  const failures = new Set(listFailures(report).map(({ ruleId }) => ruleId));
  // `explain` has no text about custom rules.
  const explained = new Set(listRules().map(({ id }) => id));
  // Groups are sorted by harm to callers.
  const worst = report.groups.flatMap(({ rules }) => rules).find((id) => failures.has(id) && explained.has(id));
  if (worst !== undefined) return formatCommand(['explain', worst]);
  if (report.reachability.kind === 'unreachable') {
    const { config, brand, routerUrl, workflowUrl, budget, allowHttp } = flags;
    return formatCommand(['doctor'], { config, brand, routerUrl, workflowUrl, budget, allowHttp });
  }
  return exitCodeOf(report) === 0 ? undefined : formatCommand(['conform'], { ...same, verbose: true });
}

function printReport(report: ConformanceReport, outDir: string, flags: ConformFlags, io: CommandIo): void {
  const { reachability, coverage } = report;
  if (flags.json) io.out(renderJson(report));
  // If no rule was checked, only print the reason.
  else if (reachability.kind === 'unreachable' && coverage.checked === 0)
    io.out(`cannot check the target: ${reachability.because}\n`);
  else {
    const lines = renderText(report, { verbose: flags.verbose === true }).split('\n');
    const headline = io.style(headlineStyles[exitCodeOf(report, flags.minChecked)], lines.pop() ?? '');
    const where = `report: ${join(outDir, 'report.html')}; result.json and junit.xml are in the same folder`;
    const next = suggestNext(report, flags);
    io.out(`${[...lines, headline, io.style('dim', where), ...(next ? [`next: ${next}`] : [])].join('\n')}\n`);
  }
  const share = computeShare(coverage);
  if (share < (flags.minChecked ?? 0))
    io.err(`incomplete: ${share} % of the rules were checked, but --min-checked requires ${flags.minChecked} %\n`);
}
