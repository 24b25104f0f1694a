import { join, resolve } from 'node:path';
import {
  type ConformanceReport,
  exitCodeOf,
  percentOf,
  type ReportFormat,
  renderAnnotations,
  renderJson,
  renderText,
  reportFormats,
} from '../../../contract-tests/src/index.ts';
import type { LoadedConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { writeStepSummary } from './step-summary.ts';

/** Where the reports go. */
export function reportFolder({ flags, config, folder }: LoadedConfig & { flags: ConformFlags }, io: CommandIo): string {
  return flags.out === undefined
    ? resolve(folder, config.conform?.out ?? '.switchyard/conform')
    : resolve(io.workingFolder, flags.out);
}

/** What `--report`, or `conform.report` of the configuration, asks for beside the reports that are always written. */
export function readFormats(flags: ConformFlags, { conform }: LoadedConfig['config']): readonly ReportFormat[] {
  const [source, names] =
    flags.report === undefined ? ['conform.report', conform?.report ?? []] : ['--report', flags.report.split(',')];
  return names.map((name) => {
    const format = reportFormats.find((one) => one === name.trim());
    if (format !== undefined) return format;
    throw new UsageError(
      `${source}: there is no format ${JSON.stringify(name)}; there are ${reportFormats.join(', ')}`,
    );
  });
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
  io.out(flags.json ? renderJson(report) : summary(report, { flags, outDir }, io));
  const share = percentOf(report.coverage);
  if (share < (flags.minChecked ?? 0))
    io.err(`incomplete: ${share} % of the rules were checked, and --min-checked asks for ${flags.minChecked} %\n`);
  if (baseline !== undefined) io.err(`accepted findings: ${baseline}\n`);
  // A log of GitHub Actions takes commands from standard output alone; with --json that is the result.
  if (io.env['GITHUB_ACTIONS'] === 'true' && !flags.json) io.out(renderAnnotations(report));
  writeStepSummary(report, io);
  return exitCodeOf(report, flags.minChecked);
}

/** Of a target that no rule was checked on, the reason alone. */
function summary(
  report: ConformanceReport,
  { flags, outDir }: Pick<Presented, 'flags' | 'outDir'>,
  io: CommandIo,
): string {
  const { reachability, coverage } = report;
  if (reachability.kind === 'unreachable' && coverage.checked === 0)
    return `cannot check the target: ${reachability.because}\n`;
  return `${renderText(report, { verbose: flags.verbose === true })}\n${io.style('dim', `report: ${join(outDir, 'report.html')}, beside it result.json, junit.xml and others`)}\n`;
}
