import { codeBlock, codeSpan, disarmCommands, visibleText } from '../../../specs/src/index.ts';
import { outcomeKinds, outcomeTexts } from '../contract/finding.ts';
import { type ConformanceReport, describeInLine, type RuleResult } from './report.ts';
import { cutList, describeFinding, type GroupView, viewReport } from './view.ts';

const maxCauses = 20;
const maxRules = 10;
// A comment on GitHub may have 65,536 characters.
const maxMarkdownLength = 60_000;

export function renderMarkdown(report: ConformanceReport): string {
  const { target, counts } = report;
  const { headline, addresses, coverage, notices, groups } = viewReport(report);
  const head = [
    `## ${headline}`,
    '',
    `Conformance of ${addresses.map(codeSpan).join(' and ')} (${target.kind})`,
    '',
    codeSpan(coverage),
    '',
    '| outcome | rules | meaning |',
    '|---|--:|---|',
    ...outcomeKinds
      .filter((kind) => counts[kind] > 0)
      .map((kind) => `| ${kind} | ${counts[kind]} | ${outcomeTexts[kind]} |`),
    '',
    ...notices.map((notice) => `- ${codeSpan(notice)}`),
    '',
  ];
  const kept: string[] = [];
  let length = head.join('\n').length;
  for (const group of groups.slice(0, maxCauses)) {
    const lines = renderGroup(group);
    length += lines.join('\n').length + 1;
    if (length > maxMarkdownLength) break;
    kept.push(...lines);
  }
  const isCut = groups.length > maxCauses || length > maxMarkdownLength;
  return `${[...head, ...kept, ...(isCut ? ['The other causes are in the report.'] : [])].join('\n')}\n`;
}

function renderGroup({ title, cause, means, size, rules, example }: GroupView): readonly string[] {
  return [
    `### ${codeSpan(title)}`,
    '',
    ...(title === cause ? [] : [`Seen: ${codeSpan(cause)}`, '']),
    `For callers: ${means} (${size})`,
    '',
    ...cutList(rules.map(renderRule), maxRules, (more) => `- and ${more} more`),
    '',
    ...(example === undefined ? [] : codeBlock(describeFinding(example).join('\n'))),
    '',
  ];
}

function renderRule({ ruleId, sentence, waiver }: RuleResult): string {
  const waived = waiver === undefined ? '' : ` (waived until ${waiver.expires} by ${codeSpan(waiver.owner)})`;
  return `- ${codeSpan(ruleId)} ${codeSpan(sentence)}${waived}`;
}

/** GitHub displays ten errors per step. */
const maxAnnotations = 10;

/** Returns GitHub Actions log commands: one error for each cause and for each invalid waiver. */
export function renderAnnotations(report: ConformanceReport): string {
  const causes = viewReport(report).groups.flatMap(({ title, usually, open: [first, ...others], example }) => {
    if (first === undefined || example === undefined) return [];
    const more = others.length === 0 ? '' : `\nand ${others.length} more rules`;
    const message = `${first.ruleId}: ${first.sentence}\n${describeInLine(example)}\nusually: ${usually}${more}`;
    return [{ title, message }];
  });
  const waivers = (report.waiverProblems ?? []).map(({ rule, message }) => ({ title: `waiver of ${rule}`, message }));
  return [...causes, ...waivers]
    .slice(0, maxAnnotations)
    .map(({ title, message }) => {
      const property = escapeAnnotation(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
      return `::error title=${property}::${escapeAnnotation(message)}\n`;
    })
    .join('');
}

function escapeAnnotation(text: string): string {
  return disarmCommands(visibleText(text)).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
