import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder, createRedactor, type Redactor } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Target } from '../contract/target.ts';
import type { ReportFormat } from './formats.ts';
import { listCredentials } from './redact.ts';
import { renderAnnotations, renderMarkdown } from './render-markdown.ts';
import { renderSarif } from './render-sarif.ts';
import { renderText } from './render-text.ts';
import { type ConformanceReport, renderJson } from './report.ts';

export const exchangesFolder = 'exchanges';

export type RequestedReports = {
  readonly formats?: readonly ReportFormat[];
  readonly inGithub?: boolean;
};

/**
 * Renders the files of a report by name; `result.json` is last, so that it only exists if all others do.
 * `exchanges/RULE.json` contains the exchanges of a rule. Throws `HarnessError` if a file or the console output would
 * still contain a credential.
 */
export async function renderFiles(
  report: ConformanceReport,
  target: Target,
  { formats = [], inGithub = false }: RequestedReports = {},
): Promise<Readonly<Record<string, string>>> {
  // Loaded on demand, because most commands write no report.
  const { renderJunit } = await import('./render-junit.ts');
  const { renderHtml } = await import('./render-html.ts');
  const files: (readonly [name: string, text: string])[] = [];
  for (const { ruleId, evidence } of report.results)
    if (evidence.length > 0) files.push([`${exchangesFolder}/${ruleId}.json`, `${JSON.stringify(evidence)}\n`]);
  files.push(['junit.xml', renderJunit(report)], ['report.html', renderHtml(report)]);
  if (formats.includes('sarif')) files.push(['report.sarif', renderSarif(report)]);
  if (formats.includes('markdown')) files.push(['report.md', renderMarkdown(report)]);
  files.push(['result.json', renderJson(report)]);
  const redact = createRedactor(listCredentials(target));
  const shown: typeof files = [['the console', renderText(report)]];
  if (inGithub) shown.push(['an annotation', renderAnnotations(report)], ['the summary', renderMarkdown(report)]);
  for (const [name, text] of [...files, ...shown])
    if (showsSecret(text, redact))
      throw new HarnessError(`${name} would show a credential, so no report was written; please report this as a bug`);
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

/**
 * Writes files into a folder, which it creates. Moves finished files into place, so that a reader never sees a partial
 * report, and a failure keeps the earlier one. `replaced`: subfolders that are removed first. Throws `HarnessError` if
 * the folder isn't writable.
 */
export async function writeReports(
  folder: string,
  files: Readonly<Record<string, string>>,
  replaced: readonly string[] = [],
): Promise<void> {
  const unfinished = join(folder, `.unfinished-${crypto.randomUUID()}`);
  try {
    // A folder that existed before keeps its own ignore file.
    if (createFolder(folder)) await writeFile(join(folder, '.gitignore'), '*\n');
    await mkdir(unfinished);
    for (const [name, text] of Object.entries(files)) {
      createFolder(dirname(join(unfinished, name)));
      await writeFile(join(unfinished, name), text);
    }
    for (const below of replaced) await rm(join(folder, below), { recursive: true, force: true });
    const names = new Set(Object.keys(files).map((name) => name.split('/', 1).join()));
    for (const name of names) await rename(join(unfinished, name), join(folder, name));
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new HarnessError(`reports cannot be written to ${folder}: ${because}`, { cause });
  } finally {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
  }
}
