import { outcomeKinds } from '../definitions/finding.ts';
import { markdownBlock, markdownCode } from './escape-text.ts';
import { coverageLine } from './render-coverage.ts';
import { comparisonText } from './render-text.ts';
import {
  addressesOf,
  type CauseGroup,
  type ConformanceReport,
  exitCodeOf,
  failuresOf,
  placeOf,
  type RuleResult,
} from './report.ts';

const causesShown = 20;
const rulesShown = 10;
// GitHub takes 65,536 characters in a comment.
const longest = 60_000;

/** Markdown for a pull request and for the summary of a step: verdict, numbers, findings by cause. */
export function renderMarkdown(report: ConformanceReport): string {
  const { target, counts } = report;
  const addresses = addressesOf(target).map(markdownCode);
  const head = [
    `## ${verdictOf(report)}`,
    '',
    `Conformance of the ${target.kind}${addresses.length === 0 ? '' : ` at ${addresses.join(' and ')}`}`,
    '',
    markdownCode(coverageLine(report)),
    '',
    '| outcome | rules |',
    '|---|--:|',
    ...outcomeKinds.filter((kind) => counts[kind] > 0).map((kind) => `| ${kind} | ${counts[kind]} |`),
    '',
    ...(report.reachability.kind === 'unreachable'
      ? [`Unreachable: ${markdownCode(report.reachability.because)}`, '']
      : []),
    ...(report.comparison === undefined ? [] : [`${comparisonText(report.comparison)}`, '']),
    ...(report.waiverProblems ?? []).map(
      ({ rule, message }) => `- waiver of ${markdownCode(rule)}: ${markdownCode(message)}`,
    ),
    ...report.shortfalls.map((shortfall) => `- incomplete: ${markdownCode(shortfall)}`),
  ];
  const groups = report.groups.slice(0, causesShown).map((group) => groupLines(group, report));
  const kept: string[] = [];
  let length = head.join('\n').length;
  for (const lines of groups) {
    length += lines.join('\n').length + 1;
    if (length > longest) break;
    kept.push(...lines);
  }
  const left = report.groups.length - groups.length;
  return `${[...head, '', ...kept, ...(left > 0 || length > longest ? ['', 'The other causes are in the report.'] : [])].join('\n')}\n`;
}

/** The whole run in a few words. */
export function verdictOf(report: ConformanceReport): string {
  const code = exitCodeOf(report);
  const failures = failuresOf(report).length;
  if (report.reachability.kind === 'unreachable') return 'The target was not reached';
  if (failures > 0) return `${failures} of ${report.results.length} rules failed`;
  if (code === 1) return 'A waiver is wrong';
  if (code === 3) return 'Some rules could not be decided';
  return code === 4 ? 'Incomplete' : 'Conforms';
}

function groupLines(
  { cause, usually, rules, findings }: CauseGroup,
  { results }: ConformanceReport,
): readonly string[] {
  const own = rules.flatMap((id) => results.find(({ ruleId }) => ruleId === id) ?? []);
  const shown = own.find(({ waiver }) => waiver === undefined) ?? own[0];
  return [
    `### ${markdownCode(cause)}`,
    '',
    `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}, ${findings} ${findings === 1 ? 'finding' : 'findings'}. Usually: ${usually}.`,
    '',
    ...own.slice(0, rulesShown).map(ruleLine),
    ...(own.length > rulesShown ? [`- and ${own.length - rulesShown} more`] : []),
    ...(shown === undefined ? [] : exampleLines(shown, cause)),
    '',
  ];
}

function ruleLine({ ruleId, sentence, waiver }: RuleResult): string {
  const waived = waiver === undefined ? '' : ` (waived until ${waiver.expires} by ${markdownCode(waiver.owner)})`;
  return `- ${markdownCode(ruleId)} ${markdownCode(sentence)}${waived}`;
}

function exampleLines({ outcome }: RuleResult, cause: string): readonly string[] {
  const finding = outcome.kind === 'failed' ? outcome.findings.find((one) => one.cause === cause) : undefined;
  if (finding === undefined) return [];
  const { seen } = finding;
  return [
    '',
    `expected ${markdownCode(finding.expected)}, got ${markdownCode(finding.actual)} at ${markdownCode(placeOf(finding))}`,
    ...(seen?.requestId === undefined ? [] : [`, request id ${markdownCode(seen.requestId)}`]),
    ...(seen === undefined
      ? []
      : ['', ...seen.notes.map((note) => `- ${markdownCode(note)}`), '', ...markdownBlock(seen.curl, 'sh', '')]),
  ];
}
