import { disarmCommands, visibleText } from '../../../specs/src/index.ts';
import { type OutcomeKind, outcomeKinds } from '../contract/finding.ts';
import { describeBasis } from '../contract/rule.ts';
import {
  type ConformanceReport,
  describePlace,
  type FindingRecord,
  type RuleResult,
  reasonOf,
  shorten,
} from './report.ts';
import {
  citeRequirement,
  classify,
  count,
  cutList,
  describeSettingsReliedOn,
  type GroupView,
  linesShown,
  viewReport,
} from './view.ts';

const maxCauses = 10;
/** Maximum length of a printed URL and of a printed curl command. */
const [maxUrlLength, maxCurlLength] = [200, 2_000];

export function renderText(
  report: ConformanceReport,
  { verbose = false }: { readonly verbose?: boolean } = {},
): string {
  const view = viewReport(report);
  const transient = report.transient.map(
    ({ request, status, times }) =>
      `transient: ${request} returned ${status} and was retried (${times === 1 ? 'once' : `${times} times`})`,
  );
  const missing = report.missingRequired.map(
    ({ ruleId, outcome }) => `required rule not decided: ${ruleId} (${outcome})`,
  );
  return escapeTerminal([
    `conformance of ${view.addresses.join(' and ')} (${report.target.kind})`,
    ...view.groups.flatMap((group, index) => renderGroup(group, index + 1, report)),
    ...(['errored', 'setup-failed', 'blocked'] as const).flatMap((kind) => listByReason(report, kind)),
    ...renderObserved(report, verbose),
    ...(verbose ? renderSkipped(report) : []),
    ...cutList(transient, linesShown, (more) => `transient: ${more} more requests were retried`),
    ...cutList(missing, linesShown, (more) => `required rules not decided: ${more} more`),
    ...(['new', 'fixed'] as const).flatMap((kind) =>
      (report.comparison?.[kind] ?? []).map(({ ruleId, cause }) => `${kind}: ${ruleId}  ${cause}`),
    ),
    ...view.notices,
    view.coverage,
    renderCounts(report),
    view.headline,
  ]);
}

function renderGroup({ open, rules, ...group }: GroupView, number: number, report: ConformanceReport) {
  const head = `${number}. ${group.title}  (${group.size})`;
  const [first, ...others] = open;
  if (first === undefined) {
    const waived = rules.map(({ ruleId, waiver }) => `${ruleId} until ${waiver?.expires} (${waiver?.owner})`);
    return [`${head}, waived: ${waived.join('; ')}`];
  }
  if (number > maxCauses) return [`${head}: see the reports`];
  const named = others.map(({ ruleId, sentence }) => `   also failed ${ruleId}: ${sentence}`);
  return [
    head,
    ...(group.title === group.cause ? [] : [`   seen: ${group.cause}`]),
    `   for callers: ${group.means}`,
    `   usually: ${group.usually}`,
    ...(group.example === undefined ? [] : renderFailure(first, group.example, report)),
    ...cutList(named, linesShown, (more) => `   and ${count(more, 'more rule')}: see the reports`),
  ];
}

function renderFailure(result: RuleResult, shown: FindingRecord, report: ConformanceReport): readonly string[] {
  const { seen } = shown;
  const cited = result.requirements.map((id) => `   ${citeRequirement(id, report)}`);
  const returned = seen?.status === undefined ? 'no response' : `returned ${seen.status}`;
  const requestId = seen?.requestId === undefined ? '' : `, request id ${seen.requestId}`;
  return [
    `   failed ${result.ruleId}: ${result.sentence}`,
    `   ${describeBasis(result)}`,
    ...describeSettingsReliedOn(result).map((line) => `   ${line}`),
    ...cutList(cited, 2, (more) => `   and ${count(more, 'more requirement')}`),
    ...(seen === undefined ? [] : [`   ${seen.method} ${shorten(seen.url, maxUrlLength)} ${returned}${requestId}`]),
    `   at step ${describePlace(shown)} (${shown.code})`,
    `   expected ${shown.expected}`,
    `   actual   ${shown.actual}`,
    ...(seen === undefined ? [] : [...seen.notes.map((note) => `   # ${note}`), ...listCurl(seen.curl)]),
  ];
}

/** Leaves out a command that would fill a screen, such as one with a URL of thousands of characters. */
function listCurl(curl: string): readonly string[] {
  const [first = '', ...restOfBody] = curl.split('\n');
  return first.length > maxCurlLength ? ['   the curl command is in the report'] : [`   ${first}`, ...restOfBody];
}

// Groups rules by reason, because one cause may stop dozens of rules.
function listByReason(report: ConformanceReport, kind: OutcomeKind): readonly string[] {
  const byReason = Map.groupBy(
    report.results.filter((result) => result.outcome.kind === kind && classify(result) !== 'waived'),
    ({ outcome }) => shortenToLine(reasonOf(outcome)),
  );
  return [...byReason].flatMap(([reason, results]) => {
    const ids = results.map(({ ruleId }) => ruleId);
    return ids.length <= linesShown
      ? ids.map((id) => `${kind} ${id}  ${reason}`)
      : [`${kind} ${ids.length} rules (${ids[0]} …)  ${reason}`];
  });
}

const shortenToLine = (text: string): string => shorten(text.replace(/\s+/g, ' ').trim(), 160);

function renderObserved({ results }: ConformanceReport, showsAll: boolean): readonly string[] {
  const lines = results.flatMap(({ ruleId, outcome }) =>
    outcome.kind === 'observed' ? [`    ${ruleId}  ${shortenToLine(outcome.observation)}`] : [],
  );
  if (lines.length === 0) return [];
  return [
    `observed ${count(lines.length, 'rule')}: the contract leaves these open, so the behaviour of the target is recorded, but not judged`,
    ...cutList(lines, showsAll ? lines.length : linesShown, (more) => `    and ${more} more: see --verbose`),
  ];
}

function renderCounts(report: ConformanceReport): string {
  const { counts, durationMs, results } = report;
  const parts = outcomeKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => {
      const waived = results.filter((one) => one.outcome.kind === kind && classify(one) === 'waived').length;
      return `${counts[kind]} ${kind}${waived > 0 ? ` (${waived} waived)` : ''}`;
    });
  const text = parts.length === 0 ? 'no rule was checked' : parts.join(', ');
  return `${text} in ${(durationMs / 1000).toFixed(1)} s`;
}

export function renderSkipped(report: ConformanceReport): readonly string[] {
  const skipped = report.results.filter(({ outcome }) => ['not-applicable', 'not-observable'].includes(outcome.kind));
  return [...Map.groupBy(skipped, ({ outcome }) => reasonOf(outcome))]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([reason, results]) => [
      `not checked: ${count(results.length, 'rule')}: ${reason}`,
      ...results.map(({ ruleId }) => `    ${ruleId}`),
    ]);
}

/** Escapes control characters for terminals and build logs, so that text from a target cannot control them. */
export function escapeTerminal(lines: readonly string[]): string {
  return lines.map((line) => disarmCommands(visibleText(line).replace(/[\n\t]/g, '\uFFFD'))).join('\n');
}
