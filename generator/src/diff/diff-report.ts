import { codeCell, codeSpan, escapeAll } from '../../../specs/src/index.ts';
import { listFirst } from '../diagnostics.ts';
import { describeChanges, type Quote } from './describe-change.ts';
import { type SchemaChange, type Verdict, verdictOrder } from './schema-change.ts';

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
  /** What files of the caller use, where that was asked. */
  readonly used?: UsedPart;
};
/** The changes of models that files use; `names` are those that they import, none for all. */
export type UsedPart = {
  readonly glob: string;
  /** How many files use a changed model. */
  readonly files: number;
  readonly verdict: Verdict | 'none';
  readonly models: readonly (ModelDiff & { readonly names: readonly string[]; readonly usedIn: readonly string[] })[];
};

export function countKinds(models: readonly ModelDiff[]): Record<ModelDiff['kind'], number> {
  const counts = { added: 0, removed: 0, renamed: 0, changed: 0 };
  for (const { kind } of models) counts[kind] += 1;
  return counts;
}

/** For a terminal: what was compared, packages with their next versions, then every change, the most severe first. */
export function renderDiffText(report: DiffReport, [before, after]: readonly [before: string, after: string]): string {
  const packages = listPackages(report, plainText).map((cells) => cells.join('  '));
  const used = listUsed(report, plainText);
  const sections = listSections(report, plainText);
  const lines = [
    `from ${before}`,
    `to   ${after}`,
    ...used,
    summarise(report, sections),
    ...(packages.length === 0 ? [] : ['', ...packages]),
  ];
  for (const { verdict, found } of sections) {
    const shown = listFirst(found, verdict === 'cosmetic' ? 20 : maxLines);
    lines.push('', `${verdict} (${found.length})`, ...shown.map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

/** For a pull request. */
export function renderDiffMarkdown(report: DiffReport): string {
  const title = `## Generated packages: ${report.verdict === 'none' ? 'no change' : report.verdict}`;
  const rows = listPackages(report, codeCell).map((cells) => `| ${cells.join(' | ')} |`);
  const [used, ...uses] = listUsed(report, codeText);
  const first = used === undefined ? [] : [used, '', ...uses, ''];
  const table = rows.length === 0 ? [] : ['', '| package | change | version |', '|---|---|---|', ...rows];
  const sections = listSections(report, codeText);
  const lines = [title, '', ...first, summarise(report, sections), ...table];
  for (const { verdict, found } of sections) {
    const shown = listFirst(found, maxLines).map((line) => `- ${line}`);
    const start = `<details${verdict === 'breaking' ? ' open' : ''}><summary>${verdict} (${found.length})</summary>`;
    lines.push('', start, '', ...shown, '', '</details>');
  }
  return `${lines.join('\n')}\n`;
}

/** What the files that were named use, before all else. */
function listUsed({ used }: DiffReport, quote: Quote): string[] {
  if (used === undefined) return [];
  const { glob, files, verdict, models } = used;
  const title = `used in ${files} ${files === 1 ? 'file' : 'files'} of ${quote(glob)}: ${verdict === 'none' ? 'no change' : verdict}`;
  const lines = models.flatMap((model) => {
    const names = model.names.length === 0 ? '' : ` ${model.names.map(quote).join(', ')}`;
    const kind = model.kind === 'changed' ? '' : ` ${model.kind}`;
    const changes = sayChanges(model.changes, quote).map(({ verdict, text }) => `  - ${verdict}: ${text}`);
    return [`- ${quote(model.id)}${kind}${names} in ${model.usedIn.map(quote).join(', ')}`, ...changes];
  });
  return [title, ...listFirst(lines, maxLines)];
}

const maxLines = 500;

export const bumps = { breaking: 'major', compatible: 'minor', cosmetic: 'patch' } as const;

export function verdictOfBump({ bump }: PackageDiff): Verdict | undefined {
  return verdictOrder.find((verdict) => bumps[verdict] === bump);
}

/** Name, effect and versions of each package. */
function listPackages({ packages }: DiffReport, quote: Quote): [name: string, effect: string, versions: string][] {
  return packages.map((one) => {
    const { before, suggested } = one.versions;
    // Below 1.0.0 a breaking change raises the minor version: the name of the bump would contradict the numbers beside it.
    const versions = one.bump === 'none' ? quote(before) : `${quote(before)} → ${quote(suggested)}`;
    return [quote(one.name), verdictOfBump(one) ?? 'no change', versions];
  });
}

/** The changes are counted as they are listed: with the models that were added, removed or renamed. */
function summarise({ counts: { models } }: DiffReport, sections: readonly Section[]): string {
  const byKind = (['added', 'removed', 'renamed', 'changed', 'unchanged'] as const).map(
    (kind) => `${models[kind]} ${kind}`,
  );
  const byVerdict = verdictOrder.map((verdict) => {
    return `${sections.find((one) => one.verdict === verdict)?.found.length ?? 0} ${verdict}`;
  });
  return `models: ${byKind.join(', ')}; changes: ${byVerdict.join(', ')}`;
}

type OfPackage = { readonly name?: string; readonly changes: readonly SchemaChange[] };
type Compared = Pick<DiffReport, 'models'> & { readonly packages: readonly OfPackage[] };
type Section = { readonly verdict: Verdict; readonly found: readonly string[] };

/** The lines of each verdict that has any, the most severe first; those of a package begin with its name, if one is given. */
function listSections({ models, packages }: Compared, quote: Quote): Section[] {
  const named = (name: string | undefined, lines: readonly Line[]): Line[] =>
    lines.map(({ verdict, text }) => ({ verdict, text: name === undefined ? text : `${quote(name)} ${text}` }));
  const lines = [
    ...packages.flatMap(({ name, changes }) => named(name, sayChanges(changes, quote))),
    ...models.flatMap((model) => named(model.id, sayModel(model, quote))),
  ];
  return verdictOrder.flatMap((verdict) => {
    const found = lines.flatMap((line) => (line.verdict === verdict ? [line.text] : []));
    return found.length === 0 ? [] : [{ verdict, found }];
  });
}

type Line = { readonly verdict: Verdict; readonly text: string };

/** The lines of changes, the most severe first. */
export function sayChanges(changes: readonly SchemaChange[], quote: Quote): Line[] {
  return verdictOrder.flatMap((verdict) => {
    const found = changes.filter((change) => change.verdict === verdict);
    return describeChanges(found, quote).map((text) => ({ verdict, text }));
  });
}

/** That a model came, went or has another id is a line of its own. */
function sayModel({ kind, verdict, formerId = '', changes }: ModelDiff, quote: Quote): Line[] {
  const former = quote(formerId);
  const own = {
    added: ['model added'],
    removed: ['model removed; breaks calls and code that use it'],
    renamed: [`model renamed from ${former}; breaks calls and code that name ${former}`],
    changed: [],
  }[kind];
  return [...own.map((text) => ({ verdict, text })), ...sayChanges(changes, quote)];
}

const headings = { breaking: 'Breaking', compatible: 'Compatible', cosmetic: 'Without effect on code' } as const;

/** For people who update a package, the most severe changes first; Markdown, empty when nothing changed. */
export function writeChangelog(changes: readonly SchemaChange[], models: readonly ModelDiff[]): string {
  const sections = listSections({ models, packages: [{ changes }] }, codeText);
  return sections
    .map(({ verdict, found }) => `### ${headings[verdict]}\n\n${found.map((line) => `- ${line}\n`).join('')}`)
    .join('\n');
}

/** For terminals, where a line is all that sets text of a document apart. */
export const plainText: Quote = (text) => text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, escapeAll);

/** Names and values are text of a document. */
const codeText: Quote = (text) => codeSpan(plainText(text).slice(0, 400));
