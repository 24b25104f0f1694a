import { createCredentialDetector } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Target } from '../contract/target.ts';
import { cutExchange, listCredentials } from './redact.ts';
import { renderBadge } from './render-badge.ts';
import { renderHar } from './render-har.ts';
import { renderHtml } from './render-html.ts';
import { renderJunit } from './render-junit.ts';
import { renderAnnotations, renderMarkdown } from './render-markdown.ts';
import { renderSarif } from './render-sarif.ts';
import { renderText } from './render-text.ts';
import { type ConformanceReport, renderJson } from './report.ts';

/** Tools read it: it holds bodies whole. */
const harFile = 'report.har';

/** In the order in which they are written: what they are made from comes last. */
const formats = [
  { name: 'junit', file: 'junit.xml', render: renderJunit, isAlways: true },
  { name: 'html', file: 'report.html', render: renderHtml, isAlways: true },
  { name: 'markdown', file: 'report.md', render: renderMarkdown, isAlways: false },
  { name: 'sarif', file: 'report.sarif', render: renderSarif, isAlways: false },
  { name: 'har', file: harFile, render: renderHar, isAlways: false },
  { name: 'badge', file: 'badge.svg', render: renderBadge, isAlways: false },
  { name: 'json', file: 'result.json', render: renderJson, isAlways: true },
] as const;

export type ReportFormat = Extract<(typeof formats)[number], { isAlways: false }>['name'];
/** The formats that are written when they are asked for. */
export const reportFormats: readonly ReportFormat[] = formats.flatMap((one) => (one.isAlways ? [] : [one.name]));

/** Below the folder of a report, with a file for each rule whose exchanges the report holds. */
export const exchangesFolder = 'exchanges';

/** Texts that are no files of their own. */
const onConsole = [{ file: 'the console', render: renderText }];
const onGithub = [
  { file: 'an annotation', render: renderAnnotations },
  { file: 'the summary', render: renderMarkdown },
];

export type AskedReports = {
  /** Written beside `result.json`, `report.html` and `junit.xml`. */
  readonly formats?: readonly ReportFormat[];
  /** A job of GitHub Actions also shows annotations and a summary. */
  readonly inGithub?: boolean;
};

function cutReport(report: ConformanceReport): ConformanceReport {
  return {
    ...report,
    results: report.results.map((result) => ({ ...result, evidence: result.evidence.map(cutExchange) })),
  };
}

/**
 * The files of a report by name, with `exchanges/RULE.json` for each rule whose exchanges it holds. Throws `HarnessError` when one
 * of them, or a text for a console, still shows a credential: this check decodes, where the redactor looks for encoded forms.
 */
export function renderFiles(
  report: ConformanceReport,
  target: Target,
  { formats: asked = [], inGithub = false }: AskedReports = {},
): Readonly<Record<string, string>> {
  const wanted = formats.filter((one) => one.isAlways || asked.includes(one.name));
  const shortened = cutReport(report);
  const render = (all: readonly { file: string; render(from: ConformanceReport): string }[]) =>
    all.map((one) => [one.file, one.render(one.file === harFile ? report : shortened)] as const);
  const exchanges = shortened.results
    .filter(({ evidence }) => evidence.length > 0)
    .map(({ ruleId, evidence }) => [`${exchangesFolder}/${ruleId}.json`, `${JSON.stringify(evidence)}\n`] as const);
  const files = [...exchanges, ...render(wanted)];
  const showsCredential = createCredentialDetector(listCredentials(target));
  const shown = render(inGithub ? [...onConsole, ...onGithub] : onConsole);
  for (const [name, text] of [...files, ...shown]) {
    if (showsCredential(text))
      throw new HarnessError(`${name} would show a credential, so no report was written; please report this as a bug`);
  }
  return Object.fromEntries(files);
}
