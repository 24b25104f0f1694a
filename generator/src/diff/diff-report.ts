import { type SchemaChange, schemaRules, type Verdict, verdictOrder } from './schema-change.ts';

export type ModelDiff = {
  readonly id: string;
  /** `renamed`: the same schemas under another id, or an id that a document names as the former one. */
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  readonly formerId?: string;
  readonly verdict: Verdict;
  readonly changes: readonly SchemaChange[];
};
export type Bump = 'major' | 'minor' | 'patch' | 'none';
export type PackageDiff = {
  readonly name: string;
  readonly bump: Bump;
  /** The versions of the two outputs, and the first one raised by the bump. */
  readonly versions: { readonly before: string; readonly after: string; readonly suggested: string };
  /** Of the package's API; changes of models are in `models`. */
  readonly changes: readonly SchemaChange[];
  /** Markdown, without a heading for the version. */
  readonly changelog: string;
};
export type DiffReport = {
  readonly format: 1;
  readonly verdict: Verdict | 'none';
  readonly counts: {
    readonly models: Readonly<Record<ModelDiff['kind'] | 'unchanged', number>>;
    readonly changes: Readonly<Record<Verdict, number>>;
  };
  readonly models: readonly ModelDiff[];
  readonly packages: readonly PackageDiff[];
};

const maxLines = 500;

/** For a terminal: packages with their bumps, then every change, the most severe first. */
export function renderDiffText(report: DiffReport): string {
  const lines = [summaryOf(report), ''];
  for (const one of report.packages) lines.push(packageLine(one));
  for (const verdict of verdictOrder) {
    const found = linesOf(report, verdict).map((line) => line.replaceAll('`', ''));
    if (found.length === 0) continue;
    const hidden = verdict === 'cosmetic' ? found.length - 20 : found.length - maxLines;
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
  for (const verdict of verdictOrder) {
    const found = linesOf(report, verdict);
    if (found.length === 0) continue;
    const shown = found.slice(0, maxLines).map((line) => `- ${line}`);
    const more = found.length > maxLines ? [`- … and ${found.length - maxLines} more`] : [];
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
  const byKind = [
    ...(['added', 'removed', 'renamed', 'changed'] as const).map((kind) => `${models[kind]} ${kind}`),
    `${models.unchanged} unchanged`,
  ];
  const byVerdict = verdictOrder.map((verdict) => `${changes[verdict]} ${verdict}`);
  return `models: ${byKind.join(', ')}; changes: ${byVerdict.join(', ')}`;
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

const headings: Readonly<Record<Verdict, string>> = {
  breaking: 'Breaking',
  compatible: 'Compatible',
  cosmetic: 'Without effect on code',
};

/** For people who update a package, the most severe changes first; Markdown, empty when nothing changed. */
export function writeChangelog(changes: readonly SchemaChange[], models: readonly ModelDiff[]): string {
  const sections = verdictOrder.map((verdict) => {
    const lines = [
      ...changes.filter((change) => change.verdict === verdict).map(describeChange),
      ...models.flatMap((model) => changelogLines(model, verdict)),
    ];
    return lines.length === 0 ? '' : `### ${headings[verdict]}\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
  });
  return sections.filter((section) => section !== '').join('\n');
}

function changelogLines(model: ModelDiff, verdict: Verdict): string[] {
  const name = codeText(model.id);
  const was = model.formerId === undefined ? '' : `, which was ${codeText(model.formerId)}`;
  const own = model.kind === 'changed' || model.verdict !== verdict ? [] : [`${model.kind} ${name}${was}`];
  const changes = model.changes.filter((change) => change.verdict === verdict);
  return [...own, ...changes.map((change) => `${name}: ${describeChange(change)}`)];
}

/** `input: the property became required: a (/input/properties/a)` */
function describeChange({ rule, direction, subject, pointer, before, after }: SchemaChange): string {
  const what = subject === undefined ? '' : `: ${codeText(subject)}`;
  const place = pointer === '' ? '' : ` at ${codeText(pointer)}`;
  return `${direction}: ${schemaRules[rule].message}${what}${place}${describeValues(before, after)}`;
}

function describeValues(before: SchemaChange['before'], after: SchemaChange['after']): string {
  const isShort = (value: unknown): boolean => value === undefined || JSON.stringify(value).length <= 60;
  if ((before === undefined && after === undefined) || !isShort(before) || !isShort(after)) return '';
  const [old, now] = [before, after].map((value) =>
    value === undefined ? 'nothing' : codeText(JSON.stringify(value)),
  );
  return `, ${old} → ${now}`;
}

// Names and values are text of a document: code spans hold them, without characters that could end the span.
function codeText(text: string): string {
  const plain = text
    .replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, ' ')
    .replaceAll('|', '¦')
    .slice(0, 200);
  return `\`${plain.replaceAll('`', "'")}\``;
}
