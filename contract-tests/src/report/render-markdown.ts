import { outcomeKinds } from '../contract/finding.ts';
import { markdownBlock, markdownCode } from './escape-text.ts';
import { outcomeTexts } from './meanings.ts';
import type { ConformanceReport, RuleResult } from './report.ts';
import { describeFinding, type GroupView, viewReport } from './view.ts';

const causesShown = 20;
const rulesShown = 10;
// GitHub takes 65,536 characters in a comment.
const longest = 60_000;

/** Markdown for a pull request and for the summary of a step: verdict, numbers, findings by cause. */
export function renderMarkdown(report: ConformanceReport): string {
  const { target, counts } = report;
  const { headline, addresses, coverage, notices, groups } = viewReport(report, 'report.html');
  const head = [
    `## ${headline}`,
    '',
    `Conformance of ${addresses.map(markdownCode).join(' and ')} (${target.kind})`,
    '',
    markdownCode(coverage),
    '',
    '| outcome | rules | meaning |',
    '|---|--:|---|',
    ...outcomeKinds
      .filter((kind) => counts[kind] > 0)
      .map((kind) => `| ${kind} | ${counts[kind]} | ${outcomeTexts[kind]} |`),
    '',
    ...notices.map((notice) => `- ${markdownCode(notice)}`),
    '',
  ];
  const kept: string[] = [];
  let length = head.join('\n').length;
  for (const group of groups.slice(0, causesShown)) {
    const lines = groupLines(group);
    length += lines.join('\n').length + 1;
    if (length > longest) break;
    kept.push(...lines);
  }
  const isCut = groups.length > causesShown || length > longest;
  return `${[...head, ...kept, ...(isCut ? ['The other causes are in the report.'] : [])].join('\n')}\n`;
}

function groupLines({ cause, size, rules, example }: GroupView): readonly string[] {
  return [
    `### ${markdownCode(cause)}`,
    '',
    size,
    '',
    ...rules.slice(0, rulesShown).map(ruleLine),
    ...(rules.length > rulesShown ? [`- and ${rules.length - rulesShown} more`] : []),
    '',
    ...(example === undefined ? [] : markdownBlock(describeFinding(example).join('\n'))),
    '',
  ];
}

function ruleLine({ ruleId, sentence, waiver }: RuleResult): string {
  const waived = waiver === undefined ? '' : ` (waived until ${waiver.expires} by ${markdownCode(waiver.owner)})`;
  return `- ${markdownCode(ruleId)} ${markdownCode(sentence)}${waived}`;
}
