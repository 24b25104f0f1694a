import { coverageLine, uncheckedLines } from './render-coverage.ts';
import {
  addressesOf,
  type CauseGroup,
  type ConformanceReport,
  exitCodeOf,
  type FindingRecord,
  failuresOf,
  findingLine,
  type RuleResult,
} from './report.ts';

/** A cause with the rules that it touched. */
export type GroupView = Pick<CauseGroup, 'cause' | 'usually'> & {
  /** `2 rules, 6 findings` */
  readonly size: string;
  /** The one that shows it best first. */
  readonly rules: readonly RuleResult[];
  /** Those of them that no waiver covers. */
  readonly open: readonly RuleResult[];
  /** A finding of the first open rule, else of the first. */
  readonly example: FindingRecord | undefined;
};

/** What every report for people says of a run, in the order in which the page says it. */
export type ReportView = {
  readonly headline: string;
  readonly addresses: readonly string[];
  readonly notices: readonly string[];
  readonly coverage: string;
  readonly groups: readonly GroupView[];
};

/** `rest`: where the report has what its notices leave out. */
export function viewReport(report: ConformanceReport, rest: string): ReportView {
  const { reachability, shortfalls, discovery, waiverProblems = [], comparison } = report;
  const results = new Map(report.results.map((result) => [result.ruleId, result]));
  return {
    headline: headlineOf(report),
    addresses: addressesOf(report.target),
    notices: [
      ...(reachability.kind === 'unreachable' ? [`cannot check the target: ${reachability.because}`] : []),
      ...shortfalls.map((shortfall) => `incomplete: ${shortfall}`),
      ...discovery.problems.map((problem) => `discovery: ${problem}`),
      ...waiverProblems.map(({ rule, message }) => `waiver of ${rule}: ${message}`),
      ...(comparison === undefined ? [] : [comparisonLine(comparison)]),
      ...uncheckedLines(report, rest),
      ...budgetLines(report),
    ],
    coverage: coverageLine(report),
    groups: report.groups.map((group) => viewGroup(group, results)),
  };
}

function viewGroup(group: CauseGroup, results: ReadonlyMap<string, RuleResult>): GroupView {
  const { cause, usually, findings } = group;
  const rules = group.rules.flatMap((id) => results.get(id) ?? []);
  const open = rules.filter(({ waiver }) => waiver === undefined);
  const { outcome } = open[0] ?? rules[0] ?? {};
  return {
    cause,
    usually,
    size: `${count(group.rules.length, 'rule')}, ${count(findings, 'finding')}`,
    rules,
    open,
    example: outcome?.kind === 'failed' ? outcome.findings.find((one) => one.cause === cause) : undefined,
  };
}

/** The whole run in a few words, with how many of its rules it speaks of. */
function headlineOf(report: ConformanceReport): string {
  const code = exitCodeOf(report);
  const failures = failuresOf(report).length;
  const { rules, checked } = report.coverage;
  const reach = checked === rules ? `${rules} rules` : `${checked} of ${rules} rules`;
  if (report.reachability.kind === 'unreachable')
    return checked === 0
      ? 'The target could not be checked'
      : `The target could not be checked to the end: checked ${reach}`;
  if (failures > 0) return `${failures} of ${checked} checked rules failed`;
  if (code === 1) return 'A waiver is wrong';
  if (code === 3) return 'Some rules could not be decided';
  if (code === 4) return `Incomplete: checked ${reach}`;
  const waived = report.results.filter(({ waiver }) => waiver !== undefined).length;
  const beside = waived === 0 ? '' : `, but for ${waived} with a waiver`;
  return `${checked === rules ? 'Conforms' : 'Conforms in what was checked'}: ${reach}${beside}`;
}

function comparisonLine(comparison: NonNullable<ConformanceReport['comparison']>): string {
  const parts = (['new', 'fixed', 'lasting'] as const).map((kind) => `${comparison[kind].length} ${kind}`);
  const { notCompared } = comparison;
  const rest = notCompared === 0 ? '' : `; ${count(notCompared, 'rule')} checked in one run only`;
  return `since the earlier run: ${parts.join(', ')}${rest}`;
}

/** Of a run with a budget: how much of it was used. */
function budgetLines({ budget }: ConformanceReport): readonly string[] {
  if (budget === undefined || (budget.runs === 0 && budget.used === 0)) return [];
  const { runs, used, cost = { atMostCents: 0, unpricedRuns: 0 } } = budget;
  const { atMostCents, unpricedRuns } = cost;
  const priced = used - unpricedRuns;
  const amount =
    priced === 0 ? '' : `, ${atMostCents} cents at most${unpricedRuns === 0 ? '' : ` for ${priced} of them`}`;
  const unpriced = unpricedRuns === 0 ? '' : `, ${unpricedRuns} without a price (maxCostCents in conform.live.models)`;
  return [`budget: ${used} of ${count(runs, 'run')} used${amount}${unpriced}`];
}

/** A requirement as its document states it. */
export function citeRequirement(id: string, { requirements }: ConformanceReport): string {
  const known = requirements[id];
  return known === undefined ? id : `${id} (section ${known.section}): ${known.statement}`;
}

/** A finding, line by line, and how to send its request again. */
export function describeFinding(finding: FindingRecord): readonly string[] {
  const { seen, usually } = finding;
  const lines = [findingLine(finding), `usually: ${usually}`];
  if (seen === undefined) return lines;
  const requestId = seen.requestId === undefined ? [] : [`request id ${seen.requestId}`];
  return [...lines, ...requestId, ...seen.notes.map((note) => `# ${note}`), seen.curl];
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
