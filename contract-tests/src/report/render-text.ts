import { type OutcomeKind, outcomeKinds } from '../definitions/finding.ts';
import { coverageLine, skippedLines } from './render-coverage.ts';
import { type ConformanceReport, findingLine, type RuleResult, reasonOf } from './report.ts';

const findingsShown = 5;

/** Text for a person: failures first, counts last. No colours, no trailing newline. */
export function renderText(report: ConformanceReport, options: { readonly verbose?: boolean } = {}): string {
  return printable([
    ...headLines(report),
    ...report.results.filter(({ outcome }) => outcome.kind === 'failed').flatMap(failureLines),
    ...(['errored', 'setup-failed', 'blocked', 'observed'] as const).flatMap((kind) => linesOf(report, kind)),
    ...skippedLines(report, options.verbose === true),
    ...transientLines(report),
    ...missingLines(report),
    ...report.shortfalls.map((shortfall) => `incomplete: ${shortfall}`),
    coverageLine(report),
    countLine(report),
  ]);
}

function headLines({ target, reachability, discovery }: ConformanceReport): readonly string[] {
  const addresses = [target.routerUrl, target.workflowUrl].filter((url) => url !== undefined).join(' and ');
  const lines = [`conformance of the ${target.kind} at ${addresses}`];
  if (reachability.kind === 'unreachable') return [...lines, `unreachable: ${reachability.because}`];
  return [...lines, ...discovery.problems.slice(0, findingsShown).map((problem) => `discovery: ${problem}`)];
}

function failureLines({ ruleId, requirements, outcome }: RuleResult): readonly string[] {
  if (outcome.kind !== 'failed') return [];
  const shown = outcome.findings.slice(0, findingsShown).map((finding) => `    ${findingLine(finding)}`);
  const more = outcome.findings.length - findingsShown;
  return [`failed ${ruleId}  (${requirements.join(', ')})`, ...shown, ...(more > 0 ? [`    and ${more} more`] : [])];
}

// One cause may stop dozens of rules: print it once.
function linesOf(report: ConformanceReport, kind: OutcomeKind): readonly string[] {
  const byReason = Map.groupBy(
    report.results.filter(({ outcome }) => outcome.kind === kind),
    ({ outcome }) => inOneLine(reasonOf(outcome)),
  );
  return [...byReason].flatMap(([reason, results]) => {
    const ids = results.map(({ ruleId }) => ruleId);
    return ids.length <= findingsShown
      ? ids.map((id) => `${kind} ${id}  ${reason}`)
      : [`${kind} ${ids.length} rules (${ids[0]} …)  ${reason}`];
  });
}

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}

function transientLines({ transient }: ConformanceReport): readonly string[] {
  const lines = transient.map(
    ({ request, status, times }) => `transient: ${request} answered ${status} and was sent again (${times})`,
  );
  const more = lines.length - findingsShown;
  return [...lines.slice(0, findingsShown), ...(more > 0 ? [`transient: ${more} more requests were sent again`] : [])];
}

function missingLines({ missingRequired }: ConformanceReport): readonly string[] {
  if (missingRequired.length > findingsShown) return [`required and not seen: ${missingRequired.length} rules`];
  return missingRequired.map(({ ruleId, outcome }) => `required and not seen: ${ruleId} (${outcome})`);
}

function countLine({ counts, durationMs }: ConformanceReport): string {
  const parts = outcomeKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
  return `${parts.length === 0 ? 'no rule was run' : parts.join(', ')} in ${(durationMs / 1000).toFixed(1)} s`;
}

// A hostile response quoted in a finding must not control the terminal.
function printable(lines: readonly string[]): string {
  return lines.map((line) => line.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')).join('\n');
}
