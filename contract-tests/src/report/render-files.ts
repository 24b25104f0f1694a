import { createRedactor, type Redactor } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Target } from '../contract/target.ts';
import { formats, type ReportFormat, reportFormats } from './formats.ts';
import { listCredentials } from './redact.ts';
import { renderAnnotations, renderMarkdown } from './render-markdown.ts';
import { renderText } from './render-text.ts';
import type { ConformanceReport } from './report.ts';
import { renderScript } from './sequence.ts';

export const exchangesFolder = 'exchanges';

export type RequestedReports = {
  /** Formats to write in addition to `result.json`, `report.html` and `junit.xml`. */
  readonly formats?: readonly ReportFormat[];
  readonly inGithub?: boolean;
};

/**
 * Renders the files of a report by name. `exchanges/RULE.json` contains the exchanges of a rule. `exchanges/RULE.sh`
 * repeats the calls of a failed rule, if it made several. Throws `HarnessError` if a file or the console output would
 * still contain a credential.
 */
export async function renderFiles(
  report: ConformanceReport,
  target: Target,
  { formats: asked = [], inGithub = false }: RequestedReports = {},
): Promise<Readonly<Record<string, string>>> {
  const files = report.results
    .filter(({ evidence }) => evidence.length > 0)
    .flatMap((result): [string, string][] => {
      const script = renderScript(result);
      const name = `${exchangesFolder}/${result.ruleId}`;
      const exchanges: [string, string] = [`${name}.json`, `${JSON.stringify(result.evidence)}\n`];
      return script === undefined ? [exchanges] : [exchanges, [`${name}.sh`, script]];
    });
  const left: readonly string[] = reportFormats.filter((name) => !asked.includes(name));
  for (const [name, { file, load }] of Object.entries(formats))
    if (!left.includes(name)) files.push([file, (await load())(report)]);
  const redact = createRedactor(listCredentials(target));
  const onGithub = { 'an annotation': renderAnnotations, 'the summary': renderMarkdown };
  const shown = Object.entries({ 'the console': renderText, ...(inGithub && onGithub) });
  for (const [name, text] of [...files, ...shown.map(([name, render]) => [name, render(report)] as const)]) {
    if (showsSecret(text, redact))
      throw new HarnessError(`${name} would show a credential, so no report was written; please report this as a bug`);
  }
  return Object.fromEntries(files);
}

/** Searches files in overlapping parts, because they can exceed the maximum length of one search. */
const [partLength, overlap] = [8_000_000, 1_000_000];

function showsSecret(text: string, redact: Redactor): boolean {
  for (let at = 0; at === 0 || at < text.length; at += partLength) {
    const part = text.slice(at, at + partLength + overlap);
    if (redact(part) !== part) return true;
  }
  return false;
}
