import { appendFileSync } from 'node:fs';
import { type ConformanceReport, renderMarkdown } from '../../../contract-tests/src/index.ts';
import { toMessage } from '../errors.ts';
import type { CommandIo } from '../io.ts';

/** Appends the report to the summary of a step of GitHub Actions, which names its file in the environment. */
export function writeStepSummary(report: ConformanceReport, io: CommandIo): void {
  const file = io.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, `${renderMarkdown(report)}\n`);
  } catch (error) {
    // The verdict must not hang on it.
    io.err(`no step summary was written: ${toMessage(error)}\n`);
  }
}
