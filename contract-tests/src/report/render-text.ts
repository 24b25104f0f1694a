import { type OutcomeKind, outcomeKinds } from '../contract/finding.ts';
import { terminalText } from './escape-text.ts';
import { coverageLine, skippedLines, uncheckedLines } from './render-coverage.ts';
import {
  addressesOf,
  type CauseGroup,
  type ConformanceReport,
  type FindingRecord,
  failuresOf,
  placeOf,
  type RuleResult,
  reasonOf,
} from './report.ts';
import { verdictOf } from './verdict.ts';

const linesShown = 5;
const causesShown = 10;

/** Text for a person: findings by their cause first, counts last. No colours, no trailing newline. */
export function renderText(report: ConformanceReport, options: { readonly verbose?: boolean } = {}): string {
  return terminalText([
    ...headLines(report),
    ...report.groups.flatMap((group, index) => groupLines(group, index + 1, report)),
    ...(['errored', 'setup-failed', 'blocked'] as const).flatMap((kind) => linesOf(report, kind)),
    ...observedLines(report, options.verbose === true),
    ...(options.verbose === true ? skippedLines(report) : []),
    ...uncheckedLines(report, options.verbose === true ? 'the names above' : '--verbose'),
    ...transientLines(report),
    ...missingLines(report),
    ...report.shortfalls.map((shortfall) => `incomplete: ${shortfall}`),
    ...(report.waiverProblems ?? []).map(({ rule, message }) => `waiver of ${rule}: ${message}`),
    ...comparisonLines(report),
    ...budgetLines(report),
    coverageLine(report),
    countLine(report),
    verdictOf(report),
  ]);
}

function headLines({ target, reachability, discovery }: ConformanceReport): readonly string[] {
  const lines = [`conformance of ${addressesOf(target).join(' and ')} (${target.kind})`];
  if (reachability.kind === 'unreachable') return [...lines, `cannot check the target: ${reachability.because}`];
  return [...lines, ...discovery.problems.slice(0, linesShown).map((problem) => `discovery: ${problem}`)];
}

/** One finding of a cause in full; the other rules that it touched by name. */
function groupLines(group: CauseGroup, number: number, report: ConformanceReport): readonly string[] {
  const own = group.rules.flatMap((id) => report.results.find(({ ruleId }) => ruleId === id) ?? []);
  const open = own.filter(({ waiver }) => waiver === undefined);
  const head = `${number}. ${group.cause}  (${count(group.rules.length, 'rule')}, ${count(group.findings, 'finding')})`;
  if (number > causesShown) return [head];
  const [first, ...others] = open;
  if (first === undefined) return [`${head}, waived: ${own.map(waivedText).join('; ')}`];
  const found = first.outcome.kind === 'failed' ? first.outcome.findings : [];
  const shown = found.find(({ cause }) => cause === group.cause);
  const named = others.slice(0, linesShown).map(({ ruleId, sentence }) => `   also failed ${ruleId}: ${sentence}`);
  const more = others.length - named.length;
  return [
    head,
    `   usually: ${group.usually}`,
    ...(shown === undefined ? [] : failureLines(first, shown, report)),
    ...named,
    ...(more > 0 ? [`   and ${count(more, 'more rule')}, which the reports list`] : []),
  ];
}

function waivedText({ ruleId, waiver }: RuleResult): string {
  return `${ruleId} until ${waiver?.expires} (${waiver?.owner})`;
}

function failureLines(result: RuleResult, shown: FindingRecord, report: ConformanceReport): readonly string[] {
  const { seen } = shown;
  const cited = result.requirements.slice(0, 2).map((id) => {
    const requirement = report.requirements[id];
    return requirement === undefined
      ? `   ${id}`
      : `   ${id} (section ${requirement.section}): ${requirement.statement}`;
  });
  const answered = seen?.status === undefined ? 'no answer' : `answered ${seen.status}`;
  const requestId = seen?.requestId === undefined ? '' : `, request id ${seen.requestId}`;
  return [
    `   failed ${result.ruleId}: ${result.sentence}`,
    ...cited,
    ...(result.requirements.length > 2 ? [`   and ${count(result.requirements.length - 2, 'more requirement')}`] : []),
    ...(seen === undefined ? [] : [`   ${seen.method} ${seen.url} ${answered}${requestId}`]),
    `   at step ${placeOf(shown)} (${shown.code})`,
    `   expected ${shown.expected}`,
    `   actual   ${shown.actual}`,
    ...(seen === undefined ? [] : [...seen.notes.map((note) => `   # ${note}`), ...indented(seen.curl)]),
  ];
}

// A body may have several lines.
function indented(text: string): readonly string[] {
  return text.split('\n').map((line, index) => (index === 0 ? `   ${line}` : line));
}

// One cause may stop dozens of rules: print it once.
function linesOf(report: ConformanceReport, kind: OutcomeKind): readonly string[] {
  const byReason = Map.groupBy(
    report.results.filter(({ outcome }) => outcome.kind === kind),
    ({ outcome }) => inOneLine(reasonOf(outcome)),
  );
  return [...byReason].flatMap(([reason, results]) => {
    const ids = results.map(({ ruleId }) => ruleId);
    return ids.length <= linesShown
      ? ids.map((id) => `${kind} ${id}  ${reason}`)
      : [`${kind} ${ids.length} rules (${ids[0]} …)  ${reason}`];
  });
}

/** What the contract leaves open is not what somebody has to mend: in short. */
function observedLines({ results }: ConformanceReport, isWhole: boolean): readonly string[] {
  const lines = results.flatMap(({ ruleId, outcome }) =>
    outcome.kind === 'observed' ? [`    ${ruleId}  ${inOneLine(outcome.observation)}`] : [],
  );
  if (lines.length === 0) return [];
  const shown = isWhole || lines.length <= linesShown ? lines : lines.slice(0, linesShown - 1);
  const more = lines.length - shown.length;
  return [
    `observed ${count(lines.length, 'rule')}: the contract leaves these open; what the target does is noted`,
    ...shown,
    ...(more > 0 ? [`    and ${more} more: see --verbose`] : []),
  ];
}

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}

function transientLines({ transient }: ConformanceReport): readonly string[] {
  const lines = transient.map(
    ({ request, status, times }) => `transient: ${request} answered ${status} and was sent again (${times})`,
  );
  const more = lines.length - linesShown;
  return [...lines.slice(0, linesShown), ...(more > 0 ? [`transient: ${more} more requests were sent again`] : [])];
}

function missingLines({ missingRequired }: ConformanceReport): readonly string[] {
  if (missingRequired.length > linesShown) return [`required and not seen: ${missingRequired.length} rules`];
  return missingRequired.map(({ ruleId, outcome }) => `required and not seen: ${ruleId} (${outcome})`);
}

function comparisonLines({ comparison }: ConformanceReport): readonly string[] {
  if (comparison === undefined) return [];
  const lines = (['new', 'fixed'] as const).flatMap((kind) =>
    comparison[kind].map(({ ruleId, cause }) => `${kind}: ${ruleId}  ${cause}`),
  );
  return [...lines, comparisonText(comparison)];
}

export function comparisonText(comparison: NonNullable<ConformanceReport['comparison']>): string {
  const parts = (['new', 'fixed', 'lasting'] as const).map((kind) => `${comparison[kind].length} ${kind}`);
  const { notCompared } = comparison;
  const rest = notCompared === 0 ? '' : `; ${count(notCompared, 'rule')} checked in one run only`;
  return `since the earlier run: ${parts.join(', ')}${rest}`;
}

function countLine(report: ConformanceReport): string {
  const { counts, durationMs } = report;
  const waived = counts.failed - failuresOf(report).length;
  const parts = outcomeKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}${kind === 'failed' && waived > 0 ? ` (${waived} waived)` : ''}`);
  const text = parts.length === 0 ? 'no rule was run' : parts.join(', ');
  return `${text} in ${(durationMs / 1000).toFixed(1)} s`;
}

/** Of a run with a budget: how much of it was used. */
export function budgetLines({ budget }: ConformanceReport): readonly string[] {
  if (budget === undefined || (budget.runs === 0 && budget.used === 0)) return [];
  const { runs, used, cost = { atMostCents: 0, unpricedRuns: 0 } } = budget;
  const { atMostCents, unpricedRuns } = cost;
  const priced = used - unpricedRuns;
  const amount =
    priced === 0 ? '' : `, ${atMostCents} cents at most${unpricedRuns === 0 ? '' : ` for ${priced} of them`}`;
  const unpriced = unpricedRuns === 0 ? '' : `, ${unpricedRuns} without a price (maxCostCents in conform.live.models)`;
  return [`budget: ${used} of ${count(runs, 'run')} used${amount}${unpriced}`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
