import { codeText, describeChange } from './changelog.ts';
import type { DiffReport, ModelDiff, PackageDiff } from './diff-report.ts';
import type { Verdict } from './rules.ts';

const verdicts = ['breaking', 'compatible', 'cosmetic'] as const;
const linesAtMost = 500;

/** For a terminal: packages with their bumps, then every change, gravest first. */
export function renderDiffText(report: DiffReport): string {
  const lines = [summaryOf(report), ''];
  for (const one of report.packages) lines.push(packageLine(one));
  for (const verdict of verdicts) {
    const found = linesOf(report, verdict).map((line) => line.replaceAll('`', ''));
    if (found.length === 0) continue;
    const hidden = verdict === 'cosmetic' ? found.length - 20 : found.length - linesAtMost;
    const shown = hidden > 0 ? [...found.slice(0, -hidden), `… and ${hidden} more`] : found;
    lines.push('', `${verdict} (${found.length})`, ...shown.map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

/** For a pull request. */
export function renderDiffMarkdown(report: DiffReport): string {
  const lines = [
    `## Generated packages: ${report.verdict === 'none' ? 'no change' : report.verdict}`,
    '',
    summaryOf(report),
    '',
  ];
  lines.push('| package | bump | version |', '|---|---|---|');
  for (const { name, bump, versions } of report.packages)
    lines.push(`| ${codeText(name)} | ${bump} | ${versions.before} → ${versions.suggested} |`);
  for (const verdict of verdicts) {
    const found = linesOf(report, verdict);
    if (found.length === 0) continue;
    const shown = found.slice(0, linesAtMost).map((line) => `- ${line}`);
    const more = found.length > linesAtMost ? [`- … and ${found.length - linesAtMost} more`] : [];
    const isOpen = verdict === 'breaking' ? ' open' : '';
    lines.push(
      '',
      `<details${isOpen}><summary>${verdict} (${found.length})</summary>`,
      '',
      ...shown,
      ...more,
      '',
      '</details>',
    );
  }
  return `${lines.join('\n')}\n`;
}

export function renderDiffJson(report: DiffReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function summaryOf({ counts }: DiffReport): string {
  const { models, changes } = counts;
  const told = [
    ...(['added', 'removed', 'renamed', 'changed'] as const).map((kind) => `${models[kind]} ${kind}`),
    `${models.unchanged} unchanged`,
  ];
  const judged = verdicts.map((verdict) => `${changes[verdict]} ${verdict}`);
  return `models: ${told.join(', ')}; changes: ${judged.join(', ')}`;
}

function packageLine({ name, bump, versions }: PackageDiff): string {
  return `${name}  ${bump}${bump === 'none' ? '' : `  ${versions.before} → ${versions.suggested}`}`;
}

function linesOf({ models, packages }: DiffReport, verdict: Verdict): string[] {
  return [
    ...packages.flatMap(({ name, changes }) =>
      changes
        .filter((change) => change.verdict === verdict)
        .map((change) => `${codeText(name)} ${describeChange(change)}`),
    ),
    ...models.flatMap((model) => modelLines(model, verdict)),
  ];
}

function modelLines(model: ModelDiff, verdict: Verdict): string[] {
  const name = codeText(model.id);
  const was = model.formerId === undefined ? '' : ` (was ${codeText(model.formerId)})`;
  const own = model.kind === 'changed' || model.verdict !== verdict ? [] : [`${name} ${model.kind}${was}`];
  const changes = model.changes.filter((change) => change.verdict === verdict);
  return [...own, ...changes.map((change) => `${name} ${describeChange(change)}`)];
}
