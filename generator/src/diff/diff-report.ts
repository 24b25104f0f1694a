import { listFirst } from '../diagnostics.ts';
import { type Change, describeChange, type Verdict, verdictOrder } from './change.ts';
import { quote } from './words.ts';

export type ModelDiff = {
  readonly id: string;
  /** `renamed`: another id has the same schemas, or a document lists the other id as its alias. */
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  readonly formerId?: string;
  readonly verdict: Verdict;
  readonly changes: readonly Change[];
};
export type Bump = 'major' | 'minor' | 'patch' | 'none';
export type PackageDiff = {
  readonly name: string;
  readonly bump: Bump;
  /** Versions of both outputs. `suggested`: the older one after the bump. */
  readonly versions: { readonly before: string; readonly after: string; readonly suggested: string };
  /** Changes of the package's API; changes of models are in `models`. */
  readonly changes: readonly Change[];
  /** Markdown without a heading for the version. */
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
  /** Changes that affect the caller's files, if requested. */
  readonly used?: UsedPart;
};
/** Changes of models that files use. `names`: imported names; empty if everything is imported. */
export type UsedPart = {
  readonly glob: string;
  /** Packages and folders whose imports were counted, in addition to the ids of models. */
  readonly searched: readonly string[];
  /** Number of files that were read, that use any model, and that use a changed one. */
  readonly read: number;
  readonly using: number;
  readonly files: number;
  readonly verdict: Verdict | 'none';
  readonly models: readonly (ModelDiff & { readonly names: readonly string[]; readonly usedIn: readonly string[] })[];
};

export function countKinds(models: readonly ModelDiff[]): Record<ModelDiff['kind'], number> {
  const counts = { added: 0, removed: 0, renamed: 0, changed: 0 };
  for (const { kind } of models) counts[kind] += 1;
  return counts;
}

const linesAtMost = 500;

/**
 * Renders text for a terminal: the compared outputs, the packages with their next versions, then every change, most
 * severe first.
 */
export function renderDiffText(report: DiffReport, [before, after]: readonly [before: string, after: string]): string {
  const packages = listPackages(report).map((cells) => cells.join('  '));
  const sections = listSections(report.models, report.packages);
  const lines = [`from ${before}`, `to   ${after}`, ...listUsed(report), summarise(report, sections)];
  if (packages.length > 0) lines.push('', ...packages);
  for (const { verdict, found } of sections) {
    const shown = listFirst(found, verdict === 'cosmetic' ? 20 : linesAtMost);
    lines.push('', `${verdict} (${found.length})`, ...shown.map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

/** Renders Markdown for a pull request. */
export function renderDiffMarkdown(report: DiffReport): string {
  // A vertical bar ends a table cell even inside code.
  const rows = listPackages(report).map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  const [used, ...uses] = listUsed(report);
  const sections = listSections(report.models, report.packages);
  const lines = [`## Generated packages: ${report.verdict === 'none' ? 'no change' : report.verdict}`, ''];
  if (used !== undefined) lines.push(used, '', ...uses, '');
  lines.push(summarise(report, sections));
  if (rows.length > 0) lines.push('', '| package | change | version |', '|---|---|---|', ...rows);
  for (const { verdict, found } of sections) {
    const start = `<details${verdict === 'breaking' ? ' open' : ''}><summary>${verdict} (${found.length})</summary>`;
    lines.push('', start, '', ...listFirst(found, linesAtMost).map((line) => `- ${line}`), '', '</details>');
  }
  return `${lines.join('\n')}\n`;
}

/** Lists the search for uses, then the used models with their changes. */
function listUsed({ used }: DiffReport): string[] {
  if (used === undefined) return [];
  const { glob, searched, read, using, files, verdict, models } = used;
  const list = (texts: readonly string[]): string => texts.map((text) => quote(text, nameAtMost)).join(', ');
  const count = (number: number): string => `${number} ${number === 1 ? 'file' : 'files'}`;
  const places = [...searched.map((place) => `imports of ${list([place])}`), 'ids of models'].join(', ');
  const result =
    verdict === 'none' ? 'no model that they use changed' : `${count(files)} with changed models: ${verdict}`;
  const found = using === 0 ? 'nothing imports or names a model' : `${count(using)} with models; ${result}`;
  const lines = models.flatMap((model) => {
    const kind = model.kind === 'changed' ? '' : ` ${model.kind}`;
    const names = model.names.length === 0 ? '' : ` ${list(model.names)}`;
    const changes = describeByVerdict(model.changes).map(({ verdict, text }) => `  - ${verdict}: ${text}`);
    return [`- ${list([model.id])}${kind}${names} in ${list(model.usedIn)}`, ...changes];
  });
  const first = `searched ${count(read)} of ${list([glob])} for ${places}: ${read === 0 ? 'no file matches' : found}`;
  return [first, ...listFirst(lines, linesAtMost)];
}

const nameAtMost = 400;
export const bumps = { breaking: 'major', compatible: 'minor', cosmetic: 'patch' } as const;

export function verdictOfBump({ bump }: PackageDiff): Verdict | undefined {
  return verdictOrder.find((verdict) => bumps[verdict] === bump);
}

/**
 * Returns name, verdict and versions of each package. Below 1.0.0, the name of the bump would contradict the numbers.
 */
function listPackages({ packages }: DiffReport): string[][] {
  return packages.map((one) => {
    const { before, suggested } = one.versions;
    const versions = one.bump === 'none' ? quote(before) : `${quote(before)} → ${quote(suggested)}`;
    return [quote(one.name, nameAtMost), verdictOfBump(one) ?? 'no change', versions];
  });
}

/** Counts the listed changes, and the models that were added, removed or renamed. */
function summarise({ counts: { models } }: DiffReport, sections: readonly Section[]): string {
  const kinds = (['added', 'removed', 'renamed', 'changed', 'unchanged'] as const).map(
    (kind) => `${models[kind]} ${kind}`,
  );
  const count = (verdict: Verdict): number => sections.find((one) => one.verdict === verdict)?.found.length ?? 0;
  return `models: ${kinds.join(', ')}; changes: ${verdictOrder.map((verdict) => `${count(verdict)} ${verdict}`).join(', ')}`;
}

type Line = { readonly verdict: Verdict; readonly text: string };
type Section = { readonly verdict: Verdict; readonly found: readonly string[] };

/**
 * Returns the lines of each verdict, most severe first. Each begins with the model or the package, if it has a name.
 */
function listSections(
  models: readonly ModelDiff[],
  packages: readonly { readonly name?: string; readonly changes: readonly Change[] }[],
): Section[] {
  const ofPackages = packages.flatMap(({ name, changes }) => {
    const start = name === undefined ? '' : `${quote(name, nameAtMost)} `;
    return describeByVerdict(changes).map(({ verdict, text }) => ({ verdict, text: start + text }));
  });
  const ofModels = models.flatMap(({ id, kind, verdict, formerId = '', changes }): Line[] => {
    const former = quote(formerId, nameAtMost);
    const own = {
      added: ['model added'],
      removed: ['model removed; breaks calls and code that use it'],
      renamed: [`model renamed from ${former}; breaks calls and code that name ${former}`],
      changed: [],
    }[kind];
    const lines = [...own.map((text) => ({ verdict, text })), ...describeByVerdict(changes)];
    return lines.map((line) => ({ verdict: line.verdict, text: `${quote(id, nameAtMost)} ${line.text}` }));
  });
  return verdictOrder.flatMap((verdict) => {
    const found = [...ofPackages, ...ofModels].flatMap((line) => (line.verdict === verdict ? [line.text] : []));
    return found.length === 0 ? [] : [{ verdict, found }];
  });
}

/** Returns the lines of changes, most severe first. */
export function describeByVerdict(changes: readonly Change[]): Line[] {
  return verdictOrder.flatMap((verdict) => {
    const found = changes.filter((change) => change.verdict === verdict);
    return found.map((change) => ({ verdict, text: describeChange(change) }));
  });
}

const headings = { breaking: 'Breaking', compatible: 'Compatible', cosmetic: 'Without effect on code' } as const;

/** Returns a changelog entry in Markdown, most severe changes first; empty if nothing changed. */
export function writeChangelog(changes: readonly Change[], models: readonly ModelDiff[]): string {
  return listSections(models, [{ changes }])
    .map(({ verdict, found }) => `### ${headings[verdict]}\n\n${found.map((line) => `- ${line}\n`).join('')}`)
    .join('\n');
}
