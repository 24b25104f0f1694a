import { outcomeKinds } from '../contract/finding.ts';
import { markdownBlock, markdownCode } from './escape-text.ts';
import { outcomeTexts } from './meanings.ts';
import { coverageLine, uncheckedLines } from './render-coverage.ts';
import { budgetLines, comparisonText } from './render-text.ts';
import { addressesOf, type CauseGroup, type ConformanceReport, placeOf, type RuleResult } from './report.ts';
import { verdictOf } from './verdict.ts';

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
    `Conformance of ${addresses.join(' and ')} (${target.kind})`,
    '',
    markdownCode(coverageLine(report)),
    '',
    '| outcome | rules | meaning |',
    '|---|--:|---|',
    ...outcomeKinds
      .filter((kind) => counts[kind] > 0)
      .map((kind) => `| ${kind} | ${counts[kind]} | ${outcomeTexts[kind]} |`),
    '',
    ...[...uncheckedLines(report, 'report.html'), ...budgetLines(report)].map((line) => `- ${markdownCode(line)}`),
    '',
    ...(report.reachability.kind === 'unreachable'
      ? [`Cannot check the target: ${markdownCode(report.reachability.because)}`, '']
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
  const requestId = seen?.requestId === undefined ? '' : `, request id ${markdownCode(seen.requestId)}`;
  return [
    '',
    `Expected ${markdownCode(finding.expected)}, got ${markdownCode(finding.actual)} at ${markdownCode(placeOf(finding))}${requestId}.`,
    ...(seen === undefined
      ? []
      : ['', ...seen.notes.map((note) => `- ${markdownCode(note)}`), '', ...markdownBlock(seen.curl, 'sh', '')]),
  ];
}
