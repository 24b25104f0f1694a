import type { Diagnostic } from '../diagnostics.ts';
import type { GenerationReport } from './report.ts';

const placesAtMost = 5;

/** Plain text for people: the counts, then what is to be said, alike complaints together. */
export function renderReport(report: GenerationReport): string {
  const { models, requests, files } = report;
  const selection = models.selected === models.listed ? '' : `, ${models.selected} selected`;
  const lines = [
    `models    ${models.listed} listed${selection}, ${models.generated} generated, ${models.failed} failed`,
    `requests  ${requests.asked} documents asked for: ${requests.notModified} unchanged, ${requests.fetched} fetched; catalog pages: ${requests.pages}`,
    `files     ${files.created} created, ${files.replaced} replaced, ${files.removed} removed, ${files.kept} kept, ${report.refused.length} refused`,
    report.changed ? 'output    changed' : 'output    unchanged',
  ];
  for (const severity of ['error', 'warning', 'note'] as const) {
    lines.push(
      ...renderSeverity(
        severity,
        report.diagnostics.filter((one) => one.severity === severity),
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function renderSeverity(severity: Diagnostic['severity'], diagnostics: readonly Diagnostic[]): string[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics)
    groups.set(diagnostic.code, [...(groups.get(diagnostic.code) ?? []), diagnostic]);
  return [...groups].flatMap(([code, group]) => {
    const hidden = group.length - placesAtMost;
    const help = group.find((one) => one.help !== undefined)?.help;
    return [
      '',
      `${severity}  ${code}  (${group.length})`,
      ...group.slice(0, severity === 'error' ? group.length : placesAtMost).map(renderPlace),
      ...(severity !== 'error' && hidden > 0 ? [`  … and ${hidden} more`] : []),
      ...(help === undefined ? [] : [`  help: ${help}`]),
    ];
  });
}

function renderPlace({ model, pointer, message }: Diagnostic): string {
  const place = [model, pointer].filter((part) => part !== undefined && part !== '').join(' ');
  return `  ${place === '' ? '' : `${place}: `}${message}`.replace(/\p{Cc}/gu, ' ');
}
