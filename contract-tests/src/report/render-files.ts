import { createCredentialDetector } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Target } from '../contract/target.ts';
import { credentialsOf } from './redact.ts';
import { renderBadge } from './render-badge.ts';
import { renderAnnotations } from './render-github.ts';
import { renderHar } from './render-har.ts';
import { renderHtml } from './render-html.ts';
import { renderJunit } from './render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderSarif } from './render-sarif.ts';
import { renderText } from './render-text.ts';
import { type ConformanceReport, renderJson } from './report.ts';

/** In the order in which they are written: what they are made from comes last. */
const renderers: Readonly<Record<string, (report: ConformanceReport) => string>> = {
  'junit.xml': renderJunit,
  'report.html': renderHtml,
  'report.md': renderMarkdown,
  'report.sarif': renderSarif,
  'report.har': renderHar,
  'badge.svg': renderBadge,
  'result.json': renderJson,
};
/** Texts that are no files of their own. */
const shown = { 'the console': renderText, 'an annotation': renderAnnotations };

/**
 * The files of a report by name, with `exchanges/RULE.json` for each rule that sent something. Throws `HarnessError` when one
 * of them, or a text for a console, still shows a credential: this check decodes, where the redactor looks for encoded forms.
 */
export function renderFiles(report: ConformanceReport, target: Target): Readonly<Record<string, string>> {
  const render = (all: typeof renderers) => Object.entries(all).map(([name, one]) => [name, one(report)] as const);
  const exchanges = report.results
    .filter(({ evidence }) => evidence.length > 0)
    .map(({ ruleId, evidence }) => [`exchanges/${ruleId}.json`, `${JSON.stringify(evidence)}\n`] as const);
  const files = [...exchanges, ...render(renderers)];
  const showsCredential = createCredentialDetector(credentialsOf(target));
  for (const [name, text] of [...files, ...render(shown)]) {
    if (showsCredential(text))
      throw new HarnessError(`${name} would show a credential, so no report was written; please report this as a bug`);
  }
  return Object.fromEntries(files);
}
