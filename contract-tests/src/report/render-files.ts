import { createCredentialDetector } from '../../../specs/src/index.ts';
import { HarnessError } from '../definitions/errors.ts';
import type { Target } from '../definitions/target.ts';
import { credentialsOf } from './redact.ts';
import { renderJunit } from './render-junit.ts';
import { renderText } from './render-text.ts';
import { type ConformanceReport, renderJson } from './report.ts';

/**
 * The files of a report by name. Throws `HarnessError` when one of them, or the text for the console, still shows a
 * credential: this check decodes, where the redactor looks for encoded forms.
 */
export function renderFiles(report: ConformanceReport, target: Target): Readonly<Record<string, string>> {
  const files = { 'result.json': renderJson(report), 'junit.xml': renderJunit(report) };
  const showsCredential = createCredentialDetector(credentialsOf(target));
  for (const [name, text] of Object.entries({ ...files, 'the console': renderText(report) })) {
    if (showsCredential(text))
      throw new HarnessError(`${name} would show a credential, so no report was written; please report this as a bug`);
  }
  return files;
}
