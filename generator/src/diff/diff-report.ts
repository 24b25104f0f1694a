import { parsePointer } from '../../../specs/src/index.ts';
import { listFirst } from '../diagnostics.ts';
import { type Change, changeRules, pickWorst, type Verdict, verdictOrder } from './change.ts';
import { joinSome, quote } from './words.ts';

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
  /** Versions of the package in the older and the newer output. `suggested`: the older version after the bump. */
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
  readonly used?: UsedModels;
};
/** Changes of the models that the searched files use. `names`: imported names; empty if everything is imported. */
export type UsedModels = {
  readonly glob: string;
  /** Packages and folders whose imports were counted, in addition to the ids of models. */
  readonly searched: readonly string[];
  /** Number of files that were read (`read`), that use any model (`using`), and that use a changed model (`files`). */
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

const maxLines = 500;
const maxCosmetic = 5;

/** Renders text for a terminal: the compared outputs, the packages with their next versions, then each changed model. */
export function renderDiffText(report: DiffReport, [before, after]: readonly [before: string, after: string]): string {
  const packages = listPackages(report).map((cells) => cells.join('  '));
  const start = [`from ${before}`, `to   ${after}`, '', ...packages, ...(packages.length > 0 ? [''] : [])];
  const groups = listGroups(report.models, report.packages).flatMap(([heading, ...lines]) => {
    return ['', heading, ...lines.map((line) => `  ${line}`)];
  });
  return `${[...start, ...describeUses(report), summarise(report), ...listFirst(groups, maxLines)].join('\n')}\n`;
}

/** Renders Markdown for a pull request. */
export function renderDiffMarkdown(report: DiffReport): string {
  const lines = [`## Generated packages: ${report.verdict === 'none' ? 'no change' : report.verdict}`, ''];
  // A vertical bar ends a table cell even inside code.
  const rows = listPackages(report).map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  if (rows.length > 0) lines.push('| package | change | version |', '|---|---|---|', ...rows, '');
  const [used, ...uses] = describeUses(report);
  if (used !== undefined) lines.push(used, '', ...uses, '');
  const groups = renderGroups(listGroups(report.models, report.packages));
  return `${[...lines, summarise(report), '', ...listFirst(groups, maxLines)].join('\n').trimEnd()}\n`;
}

function renderGroups(groups: readonly Group[]): string[] {
  return groups.flatMap(([heading, ...lines]) => [`### ${heading}`, '', ...lines.map((line) => `- ${line}`), '']);
}

/** Describes which files were searched for uses of models, then lists the used models with their changes. */
function describeUses({ used }: DiffReport): string[] {
  if (used === undefined) return [];
  const { glob, searched, read, using, files, verdict, models } = used;
  const list = (texts: readonly string[]): string => texts.map((text) => quote(text, maxName)).join(', ');
  const count = (number: number): string => `${number} ${number === 1 ? 'file' : 'files'}`;
  const places = [...searched.map((place) => `imports of ${list([place])}`), 'ids of models'].join(', ');
  const result =
    verdict === 'none' ? 'no model that they use changed' : `${count(files)} with changed models: ${verdict}`;
  const found = using === 0 ? 'nothing imports or names a model' : `${count(using)} with models; ${result}`;
  const lines = models.flatMap((model) => {
    const kind = model.kind === 'changed' ? '' : ` ${model.kind}`;
    const names = model.names.length === 0 ? '' : ` ${list(model.names)}`;
    const changes = listLines(model.changes).map(({ label, text }) => `  - ${label}: ${text}`);
    return [`- ${list([model.id])}${kind}${names} in ${list(model.usedIn)}`, ...changes];
  });
  const first = `searched ${count(read)} of ${list([glob])} for ${places}: ${read === 0 ? 'no file matches' : found}`;
  return [first, ...listFirst(lines, maxLines)];
}

const maxName = 400;
const maxPlaces = 8;
export const bumps = { breaking: 'major', compatible: 'minor', cosmetic: 'patch' } as const;

export function verdictOfBump({ bump }: PackageDiff): Verdict | undefined {
  return verdictOrder.find((verdict) => bumps[verdict] === bump);
}

/**
 * Returns name, verdict and versions of each package. Shows the verdict instead of the bump, because below 1.0.0 a
 * "major" bump only raises the minor version.
 */
function listPackages({ packages }: DiffReport): string[][] {
  return packages.map((one) => {
    const { before, suggested } = one.versions;
    const versions = one.bump === 'none' ? quote(before) : `${quote(before)} → ${quote(suggested)}`;
    return [quote(one.name, maxName), verdictOfBump(one) ?? 'no change', versions];
  });
}

/** Counts models, and lines by verdict. */
function summarise({ counts, models, packages }: DiffReport): string {
  const lines = [...models, ...packages].flatMap(({ changes }) => listLines(changes));
  const changes = verdictOrder.map((one) => `${lines.filter(({ verdict }) => verdict === one).length} ${one}`);
  const kinds = (['added', 'removed', 'renamed', 'changed', 'unchanged'] as const).map(
    (kind) => `${counts.models[kind]} ${kind}`,
  );
  return `models: ${kinds.join(', ')}; changes: ${changes.join(', ')}`;
}

/** The lines of a model or of a package's API, under its name and verdict. */
type Group = readonly [heading: string, ...lines: string[]];

/** Returns packages with changes of their API, then models; changed charges come first, then the most severe changes. */
function listGroups(models: readonly ModelDiff[], packages: readonly Pick<PackageDiff, 'name' | 'changes'>[]): Group[] {
  const ofPackages = packages.flatMap(({ name, changes }) => {
    const verdict = pickWorst(changes.map((change) => change.verdict));
    return verdict === undefined ? [] : [{ name, verdict, changes, note: '' }];
  });
  const ofModels = models.map(({ id, kind, verdict, formerId = '', changes }) => {
    const former = quote(formerId, maxName);
    const note = {
      added: ', model added',
      removed: ', model removed; calls and code that use it break',
      renamed: `, model renamed from ${former}; calls and code that name ${former} break`,
      changed: '',
    }[kind];
    return { name: id, verdict, changes, note };
  });
  const rank = ({ verdict, changes }: (typeof ofModels)[number]): number =>
    changes.some(({ rule }) => rule === 'billing-changed') ? -1 : verdictOrder.indexOf(verdict);
  ofModels.sort((one, other) => rank(one) - rank(other));
  return [...ofPackages, ...ofModels].map(({ name, verdict, changes, note }): Group => {
    const lines = listLines(changes).map(({ label, text }) => `${label}: ${text}`);
    const cosmetic = lines.filter((line) => line.startsWith('cosmetic: '));
    const others = lines.slice(0, lines.length - cosmetic.length);
    return [`${quote(name, maxName)}: ${verdict}${note}`, ...others, ...listFirst(cosmetic, maxCosmetic)];
  });
}

/** Returns a changelog entry in Markdown, most severe changes first; empty if nothing changed. */
export function writeChangelog(name: string, changes: readonly Change[], models: readonly ModelDiff[]): string {
  return renderGroups(listGroups(models, [{ name, changes }])).join('\n');
}

/** A line of a report. `label`: the verdict, or `charges` for changed billing, which readers have to judge themselves. */
export type ReportLine = { readonly verdict: Verdict; readonly label: Verdict | 'charges'; readonly text: string };
/** Changes of one member with one verdict, or the same change of several members. */
type Row = {
  readonly first: Change;
  readonly places: readonly string[];
  readonly messages: readonly string[];
  readonly changes: readonly Change[];
};

/**
 * Returns the lines of changes. Changes of the billing come first, then the others by severity. A line names the member,
 * what changed, and what breaks: `input.size`: value `"4K"` removed; calls with a removed value are rejected.
 */
export function listLines(changes: readonly Change[]): ReportLine[] {
  const single = changes.map((first): Row => {
    return { first, places: listPlaces(first), messages: [first.message], changes: [first] };
  });
  const byMember = merge(single, ({ first: { verdict }, places }) => [verdict, places]);
  const rows = merge(byMember, ({ first: { verdict, direction, breaks }, messages, changes }) => {
    return [verdict, direction, messages, breaks, listRefused(changes)];
  });
  const rank = ({ first: { rule, verdict } }: Row): number =>
    rule === 'billing-changed' ? -1 : verdictOrder.indexOf(verdict);
  rows.sort((one, other) => rank(one) - rank(other));
  return rows.map(({ first, places, messages, changes }): ReportLine => {
    const { rule, verdict, field, pointer } = first;
    const part = field === undefined && pointer.startsWith('/components') ? 'component ' : '';
    const names = places.map((place) => quote(place, maxName));
    const prefix = places.length === 0 ? '' : `${part}${joinSome(names, maxPlaces)}: `;
    const text = `${prefix}${messages.join('; ')}${describeBreaks(first, changes)}`;
    return { verdict, label: rule === 'billing-changed' ? 'charges' : verdict, text };
  });
}

/** Merges rows with the same key. Changes of the whole model or API are not merged. */
function merge(rows: readonly Row[], readKey: (row: Row) => readonly unknown[]): Row[] {
  const groups = Map.groupBy(rows, (row, at) => JSON.stringify(row.first.field === undefined ? at : readKey(row)));
  return [...groups.values()].flatMap((all) => {
    const places = [...new Set(all.flatMap((one) => one.places))];
    const messages = [...new Set(all.flatMap((one) => one.messages))];
    return all.slice(0, 1).map((row) => ({ ...row, places, messages, changes: all.flatMap((one) => one.changes) }));
  });
}

/** Returns the members that a change affects. For a change without a member, returns the operation or component of the API. */
function listPlaces({ direction, field, places = [], pointer }: Change): string[] {
  const toPlace = (one: string): string => `${direction}${one === '' || one.startsWith('[') ? '' : '.'}${one}`;
  if (field !== undefined) return [field, ...places].map(toPlace);
  const [section, path = '', part = ''] = parsePointer(pointer);
  if (section === 'components') return [part];
  return section === 'paths' ? [`${part.toUpperCase()} ${path}`] : [];
}

function listRefused(changes: readonly Change[]): string[] {
  const refusing = changes.filter(({ breaks }) => breaks.includes('calls'));
  return [...new Set(refusing.map(({ rule, refused }) => refused ?? changeRules[rule].refused ?? 'some calls'))];
}

/** Describes which calls and code break. Also mentions a changed default: no call breaks, but results may differ. */
function describeBreaks({ direction, rule }: Change, changes: readonly Change[]): string {
  const { breaksCodeIn, brokenCode } = changeRules[rule];
  const code = changes.find((one) => one.code !== undefined)?.code;
  const refused = listRefused(changes).join(' and ');
  const [isRefused, isBroken] = [refused !== '', changes.some(({ breaks }) => breaks.includes('code'))];
  const example =
    code === undefined
      ? 'existing code may no longer compile'
      : `existing code such as ${quote(code, 200)} no longer compiles`;
  let text = isRefused ? `; ${refused} are rejected` : '';
  if (direction === 'input' && changes.some((one) => one.rule === 'default-changed'))
    text += '; results may differ for calls that omit it';
  if (!isBroken) return text;
  // Types don't express bounds, for example.
  const most = rule === 'authored-on' ? ', and most' : ' and';
  if (isRefused && code === undefined && breaksCodeIn === undefined) return `${text}${most} no longer compile`;
  if (isRefused) return `${text}, and ${example}`;
  if (brokenCode !== undefined) return `${text}; ${brokenCode}`;
  if (direction === 'output')
    return `${text}; ${code === undefined && breaksCodeIn === undefined ? 'existing code may not handle it' : example}`;
  const accepted = rule === 'property-removed' ? 'the service may ignore it, and' : 'calls are still accepted, but';
  return `${text}; ${accepted} ${example}`;
}
