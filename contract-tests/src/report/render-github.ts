import { annotationProperty, annotationText } from './escape-text.ts';
import { type ConformanceReport, failuresOf, findingLine } from './report.ts';

/** GitHub shows ten errors of a step. */
const shown = 10;

/** Commands for the log of GitHub Actions: one error for each cause, one for each wrong waiver. */
export function renderAnnotations(report: ConformanceReport): string {
  const failures = failuresOf(report);
  const causes = report.groups.flatMap(({ cause, usually, rules }) => {
    const own = failures.filter(({ ruleId }) => rules.includes(ruleId));
    const [first] = own;
    if (first?.outcome.kind !== 'failed') return [];
    const finding = first.outcome.findings.find((one) => one.cause === cause) ?? first.outcome.findings[0];
    const more = own.length === 1 ? '' : `\nand ${own.length - 1} more rules`;
    const message = `${first.ruleId}: ${first.sentence}\n${findingLine(finding)}\nusually: ${usually}${more}`;
    return [{ title: cause, message }];
  });
  const waivers = (report.waiverProblems ?? []).map(({ rule, message }) => ({ title: `waiver of ${rule}`, message }));
  return [...causes, ...waivers]
    .slice(0, shown)
    .map(({ title, message }) => `::error title=${annotationProperty(title)}::${annotationText(message)}\n`)
    .join('');
}
