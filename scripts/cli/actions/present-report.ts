import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConformanceReport,
  exitCodeOf,
  percentOf,
  type ReportFormat,
  renderAnnotations,
  renderJson,
  renderMarkdown,
  renderText,
  reportFormats,
} from '../../../contract-tests/src/index.ts';
import { toMessage, UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import type { LoadedConfig } from '../load-settings.ts';

/** What is asked for beside the reports that are always written. */
export function readAsked({ get }: Pick<LoadedConfig, 'get'>, { env }: CommandIo) {
  const inGithub = env['GITHUB_ACTIONS'] === 'true' || (env['GITHUB_STEP_SUMMARY'] ?? '') !== '';
  return { formats: get('conform.report').map(parseFormat), inGithub };
}

function parseFormat(name: string): ReportFormat {
  const format = reportFormats.find((one) => one === name);
  if (format !== undefined) return format;
  const known = reportFormats.join(', ');
  throw new UsageError(`--report, conform.report: there is no format ${JSON.stringify(name)}; there are ${known}`);
}

type Presented = {
  readonly flags: ConformFlags;
  readonly outDir: string;
  /** The file that `--write-baseline` wrote. */
  readonly baseline: string | undefined;
};

/** Prints the report of a run, or of its merged parts, also for GitHub Actions. Returns the exit code. */
export function presentReport(
  report: ConformanceReport,
  { flags, outDir, baseline }: Presented,
  io: CommandIo,
): number {
  const { reachability, coverage } = report;
  if (flags.json) io.out(renderJson(report));
  // Of a target that no rule was checked on, the reason alone.
  else if (reachability.kind === 'unreachable' && coverage.checked === 0)
    io.out(`cannot check the target: ${reachability.because}\n`);
  else {
    const where = `report: ${join(outDir, 'report.html')}, beside it result.json, junit.xml and others`;
    io.out(`${renderText(report, { verbose: flags.verbose === true })}\n${io.style('dim', where)}\n`);
  }
  const share = percentOf(coverage);
  if (share < (flags.minChecked ?? 0))
    io.err(`incomplete: ${share} % of the rules were checked, and --min-checked asks for ${flags.minChecked} %\n`);
  if (baseline !== undefined) io.err(`accepted findings: ${baseline}\n`);
  // A log of GitHub Actions takes commands from standard output alone; with --json that is the result.
  if (io.env['GITHUB_ACTIONS'] === 'true' && !flags.json) io.out(renderAnnotations(report));
  writeStepSummary(report, io);
  return exitCodeOf(report, flags.minChecked);
}

/** Appends the report to the summary of a step of GitHub Actions, which names its file in the environment. */
function writeStepSummary(report: ConformanceReport, io: CommandIo): void {
  const file = io.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, `${renderMarkdown(report)}\n`);
  } catch (error) {
    // The verdict must not hang on it.
    io.err(`no step summary was written: ${toMessage(error)}\n`);
  }
}
