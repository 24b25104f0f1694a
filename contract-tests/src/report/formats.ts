import { createCredentialDetector } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Target } from '../contract/target.ts';
import { cutExchange, listCredentials } from './redact.ts';
import { renderAnnotations, renderMarkdown } from './render-markdown.ts';
import { renderText } from './render-text.ts';
import type { ConformanceReport } from './report.ts';

type Format = {
  readonly file: string;
  /** `shown`: people read it, so that no character of the target may hide or reorder others. `data`: tools parse it. */
  readonly holds: 'shown' | 'data';
  readonly load: () => Promise<(report: ConformanceReport) => string>;
};

/**
 * The files of a report, in the order in which they are written: what they are made from comes last. Settings and help texts list
 * them, so that a renderer is loaded when it writes.
 */
export const formats = {
  junit: { file: 'junit.xml', holds: 'data', load: async () => (await import('./render-junit.ts')).renderJunit },
  html: { file: 'report.html', holds: 'shown', load: async () => (await import('./render-html.ts')).renderHtml },
  sarif: { file: 'report.sarif', holds: 'data', load: async () => (await import('./render-sarif.ts')).renderSarif },
  markdown: {
    file: 'report.md',
    holds: 'shown',
    load: async () => (await import('./render-markdown.ts')).renderMarkdown,
  },
  har: { file: 'report.har', holds: 'data', load: async () => (await import('./render-har.ts')).renderHar },
  badge: { file: 'badge.svg', holds: 'shown', load: async () => (await import('./render-badge.ts')).renderBadge },
  json: { file: 'result.json', holds: 'data', load: async () => (await import('./report.ts')).renderJson },
} as const satisfies Record<string, Format>;

const always = ['junit', 'html', 'json'] as const;
export type ReportFormat = Exclude<keyof typeof formats, (typeof always)[number]>;

export const reportFormats = Object.keys(formats).filter(
  (name): name is ReportFormat => !always.some((one) => one === name),
);

export const exchangesFolder = 'exchanges';

export type AskedReports = {
  /** Written beside `result.json`, `report.html` and `junit.xml`. */
  readonly formats?: readonly ReportFormat[];
  readonly inGithub?: boolean;
};

/**
 * The files of a report by name, with `exchanges/RULE.json` for each rule whose exchanges it holds. Throws `HarnessError` when one
 * of them, or a text for a console, still shows a credential: this check decodes, where the redactor looks for encoded forms.
 */
export async function renderFiles(
  report: ConformanceReport,
  target: Target,
  { formats: asked = [], inGithub = false }: AskedReports = {},
): Promise<Readonly<Record<string, string>>> {
  const results = report.results.map((result) => ({ ...result, evidence: result.evidence.map(cutExchange) }));
  const shortened = { ...report, results };
  const files = results
    .filter(({ evidence }) => evidence.length > 0)
    .map(({ ruleId, evidence }): [string, string] => [
      `${exchangesFolder}/${ruleId}.json`,
      `${JSON.stringify(evidence)}\n`,
    ]);
  const left = reportFormats.filter((name) => !asked.includes(name));
  for (const [name, { file, load }] of Object.entries(formats)) {
    // Tools read a HAR: it holds bodies whole.
    if (!left.some((one) => one === name)) files.push([file, (await load())(name === 'har' ? report : shortened)]);
  }
  const showsCredential = createCredentialDetector(listCredentials(target));
  const onGithub = { 'an annotation': renderAnnotations, 'the summary': renderMarkdown };
  const shown = Object.entries({ 'the console': renderText, ...(inGithub && onGithub) });
  for (const [name, text] of [...files, ...shown.map(([name, render]) => [name, render(shortened)] as const)]) {
    if (showsCredential(text))
      throw new HarnessError(`${name} would show a credential, so no report was written; please report this as a bug`);
  }
  return Object.fromEntries(files);
}
