import { concerns } from '../contract/concerns.ts';
import { outcomeKinds } from '../contract/finding.ts';
import { findRequisite, kinds, type RequisiteKind, requisites } from '../requires.ts';
import type { UnmetNeeds } from './coverage.ts';
import {
  type CauseGroup,
  type ConformanceReport,
  describeInLine,
  exitCodeOf,
  type FindingRecord,
  listFailures,
  type RuleResult,
} from './report.ts';

export type ReportView = {
  readonly headline: string;
  readonly addresses: readonly string[];
  readonly notices: readonly string[];
  readonly coverage: string;
  readonly groups: readonly GroupView[];
};

export type GroupView = Omit<CauseGroup, 'rules'> & {
  readonly title: string;
  readonly means: string;
  readonly size: string;
  readonly rules: readonly RuleResult[];
  readonly open: readonly RuleResult[];
  readonly shown: RuleResult | undefined;
  readonly example: FindingRecord | undefined;
};

/** Builds the content of a report. */
export function viewReport(report: ConformanceReport): ReportView {
  const { reachability, shortfalls, waiverProblems = [], comparison } = report;
  const { routerUrl, workflowUrl } = report.target;
  const results = new Map(report.results.map((result) => [result.ruleId, result]));
  const headlines = report.groups.map(({ headline }) => headline);
  const repeatedHeadlines = new Set(headlines.filter((headline, index) => headlines.indexOf(headline) !== index));
  return {
    headline: writeHeadline(report),
    addresses: [...new Set([routerUrl, workflowUrl].filter((url) => url !== undefined))],
    notices: [
      ...(reachability.kind === 'unreachable' ? [`cannot check the target: ${reachability.because}`] : []),
      ...shortfalls.map((shortfall) => `incomplete: ${shortfall}`),
      // A large catalog can have hundreds of problems.
      ...cutList(
        report.discovery.problems.map((problem) => `discovery: ${problem}`),
        linesShown,
        (more) => `discovery: ${count(more, 'more problem')}, in result.json`,
      ),
      ...waiverProblems.map(({ rule, message }) => `waiver of ${rule}: ${message}`),
      ...(comparison === undefined ? [] : [describeComparison(comparison)]),
      ...listStoppedCalls(report),
      ...explainUnchecked(report),
      ...describeBudget(report),
    ],
    coverage: describeCoverage(report),
    // Causes that are waived come last.
    groups: report.groups
      .map((group) => viewGroup(group, results, repeatedHeadlines.has(group.headline)))
      .toSorted((one, other) => Number(one.open.length === 0) - Number(other.open.length === 0)),
  };
}

function viewGroup(group: CauseGroup, results: ReadonlyMap<string, RuleResult>, isRepeated: boolean): GroupView {
  const { concern, cause, findings } = group;
  const headline = isRepeated ? `${group.headline.replace(/\.$/, '')}: ${cause}` : group.headline;
  const rules = group.rules.flatMap((id) => results.get(id) ?? []);
  const open = rules.filter(({ waiver }) => waiver === undefined);
  const shown = open[0] ?? rules[0];
  return {
    ...group,
    headline,
    title: headline === cause ? cause : `Rule violated: ${headline}`,
    means: concerns[concern].means,
    size: `${count(group.rules.length, 'rule')}, ${count(findings, 'finding')}`,
    rules,
    open,
    shown,
    example: shown?.outcome.kind === 'failed' ? shown.outcome.findings.find((one) => one.cause === cause) : undefined,
  };
}

function writeHeadline(report: ConformanceReport): string {
  const code = exitCodeOf(report);
  const failures = listFailures(report).length;
  const { rules, checked } = report.coverage;
  const reach = checked === rules ? `${rules} rules` : `${checked} of ${rules} rules`;
  if (report.reachability.kind === 'unreachable')
    return checked === 0 ? 'The target could not be checked' : `The check could not be completed: checked ${reach}`;
  const waived = describeWaived(report.results);
  if (failures > 0)
    return `${failures} of ${checked} checked rules failed${waived === undefined ? '' : `, not counting ${waived}`}`;
  if (code === 1) return 'A waiver must be removed or renewed';
  if (code === 3) return 'Some rules could not be decided';
  if (code === 4) {
    const missing = report.missingRequired.length;
    const why = missing > 0 ? [`${count(missing, 'required rule')} not decided`] : report.shortfalls.slice(0, 1);
    return `Incomplete: ${[...why, `checked ${reach}`].join('; ')}`;
  }
  const except = waived === undefined ? '' : `, except for ${waived}`;
  if (checked === rules) return `Conforms: ${reach}${except}`;
  return `Conforms in the ${reach} that were checked (${computeShare(report.coverage)} %)${except}`;
}

/** Returns for example `6 rules with a waiver, which block 12 others`. */
function describeWaived(results: readonly RuleResult[]): string | undefined {
  const waived = results.filter(({ waiver }) => waiver !== undefined).length;
  const blocked = results.filter(({ waivedBy }) => waivedBy !== undefined).length;
  if (waived === 0) return undefined;
  const blocking = waived === 1 ? 'blocks' : 'block';
  return `${count(waived, 'rule')} with a waiver${blocked === 0 ? '' : `, which ${blocking} ${count(blocked, 'other')}`}`;
}

function describeComparison(comparison: NonNullable<ConformanceReport['comparison']>): string {
  const parts = (['new', 'fixed', 'lasting'] as const).map((kind) => `${comparison[kind].length} ${kind}`);
  const { notCompared } = comparison;
  const rest = notCompared === 0 ? '' : `; ${count(notCompared, 'rule')} only checked in one of the two checks`;
  return `since the earlier check: ${parts.join(', ')}${rest}`;
}

function listStoppedCalls({ results }: ConformanceReport): readonly string[] {
  const reasons = Map.groupBy(results, ({ why }) => (why?.code === 'distrusted' ? why.because : ''));
  return [...reasons].flatMap(([reason, own]) =>
    reason === '' ? [] : [`stopped sending calls: ${own.map(({ ruleId }) => ruleId).join(', ')}: ${reason}`],
  );
}

function describeBudget({ budget }: ConformanceReport): readonly string[] {
  if (budget === undefined || (budget.runs === 0 && budget.used === 0)) return [];
  const { runs, used, cost = { atMostCents: 0, unpricedRuns: 0 } } = budget;
  const { atMostCents, unpricedRuns } = cost;
  const priced = used - unpricedRuns;
  const amount =
    priced === 0 ? '' : `, ${atMostCents} cents at most${unpricedRuns === 0 ? '' : ` for ${priced} of them`}`;
  const unpriced = unpricedRuns === 0 ? '' : `, ${unpricedRuns} without a price (maxCostCents in conform.live.models)`;
  return [`budget: ${used} of ${count(runs, 'run')} used${amount}${unpriced}`];
}

/** A rule blocked by a waived rule is waived too. */
export function classify(result: RuleResult): 'passed' | 'failed' | 'waived' | 'observed' | 'unchecked' {
  const { outcome, waiver, waivedBy } = result;
  if ((waiver ?? waivedBy) !== undefined) return 'waived';
  if (outcome.kind === 'failed') return 'failed';
  return outcome.kind === 'passed' || outcome.kind === 'observed' ? outcome.kind : 'unchecked';
}

export function describeSettingsReliedOn({ statements = [] }: RuleResult): readonly string[] {
  return statements.map((setting) => {
    const { sentence } = requisites.find((row) => row.setting === setting) ?? { sentence: '' };
    return `relies on your setting ${setting}: ${sentence}`;
  });
}

export function citeRequirement(id: string, { requirements }: ConformanceReport): string {
  const known = requirements[id];
  return known === undefined ? id : `${id} (section ${known.section}): ${known.statement}`;
}

export function describeFinding(finding: FindingRecord): readonly string[] {
  const { seen, usually } = finding;
  const lines = [describeInLine(finding), `usually: ${usually}`];
  if (seen === undefined) return lines;
  const requestId = seen.requestId === undefined ? [] : [`request id ${seen.requestId}`];
  return [...lines, ...requestId, ...seen.notes.map((note) => `# ${note}`), seen.curl];
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function cutList(lines: readonly string[], atMost: number, describeMore: (more: number) => string) {
  const more = lines.length - atMost;
  return more > 0 ? [...lines.slice(0, atMost), describeMore(more)] : lines;
}

export const linesShown = 5;
const wordsShown = 3;

export function describeCoverage({ coverage: { rules, checked } }: ConformanceReport): string {
  return `checked ${checked} of ${rules} rules (${computeShare({ rules, checked })} %)`;
}

/** Returns the percentage of checked rules, rounded down, so that 100 means all rules. */
export function computeShare({ rules, checked }: { readonly rules: number; readonly checked: number }): number {
  return rules === 0 ? 0 : Math.floor((checked / rules) * 100);
}

/** Explains why rules were not checked, in a line for each kind of missing setting. */
export function explainUnchecked(report: ConformanceReport): readonly string[] {
  const lacking = report.coverage.lacking.filter(
    ({ needs: [need] }) => !outcomeKinds.some((kind) => kind === need), // Outcomes have their own lines.
  );
  const findCause = (one: UnmetNeeds): RequisiteKind | undefined => {
    const missing = one.requisites.map((id) => findRequisite(id).kind);
    // A mock has no settings, so no cause can be named.
    return report.target.kind === 'mock' ? undefined : kinds.find((kind) => missing.includes(kind));
  };
  const lines = [...Map.groupBy(lacking, findCause)]
    .map(([cause, group]) => ({ rules: countRules(group), reason: explainCause(cause, group, report) }))
    .toSorted((one, other) => other.rules - one.rules)
    .map(({ rules, reason }) => `not checked: ${count(rules, 'rule')}: ${reason}`);
  return cutList(lines, linesShown, (more) => `not checked: ${count(more, 'more reason')}, in result.json`);
}

function countRules(lacking: readonly UnmetNeeds[]): number {
  return lacking.reduce((sum, { rules }) => sum + rules.length, 0);
}

function explainCause(
  cause: RequisiteKind | undefined,
  group: readonly UnmetNeeds[],
  { budget, target }: ConformanceReport,
): string {
  const rows = group.flatMap((one) => one.requisites.map(findRequisite));
  const rowsOfCause = rows.filter(({ kind, setting }) => kind === cause && setting !== undefined);
  if (rowsOfCause.length === 0) {
    const [first, ...others] = group.toSorted((one, other) => other.rules.length - one.rules.length);
    const reason = `${first?.needs.join(' and ')}${others.length === 0 ? '' : ' (--verbose lists the other reasons)'}`;
    if (target.kind === 'mock') return `a mock does not support them (${reason}), but --target sandbox does`;
    return `no setting enables them: ${reason}`;
  }
  const { runs = 0, needed = 0 } = budget ?? {};
  if (cause === 'budget' && needed > 0 && needed <= runs) return `the budget of ${runs} was used up`;
  const settings = rowsOfCause.map(({ setting = '' }) =>
    setting === '--budget' ? `--budget ${needed || 'N'}` : setting,
  );
  return `they need ${shortList(rowsOfCause.map(({ need }) => need))}; add ${shortList(settings)}`;
}

function shortList(words: readonly string[]): string {
  const all = [...new Set(words)];
  const more = all.length - wordsShown;
  return `${all.slice(0, wordsShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
