import { annotationProperty, annotationText } from './escape-text.ts';
import { type ConformanceReport, findingLine } from './report.ts';
import { viewReport } from './view.ts';

/** GitHub shows ten errors of a step. */
const shown = 10;

/** Commands for the log of GitHub Actions: one error for each cause, one for each wrong waiver. */
export function renderAnnotations(report: ConformanceReport): string {
  const causes = viewReport(report, 'the report').groups.flatMap(
    ({ cause, usually, open: [first, ...others], example }) => {
      if (first === undefined || example === undefined) return [];
      const more = others.length === 0 ? '' : `\nand ${others.length} more rules`;
      const message = `${first.ruleId}: ${first.sentence}\n${findingLine(example)}\nusually: ${usually}${more}`;
      return [{ title: cause, message }];
    },
  );
  const waivers = (report.waiverProblems ?? []).map(({ rule, message }) => ({ title: `waiver of ${rule}`, message }));
  return [...causes, ...waivers]
    .slice(0, shown)
    .map(({ title, message }) => `::error title=${annotationProperty(title)}::${annotationText(message)}\n`)
    .join('');
}
