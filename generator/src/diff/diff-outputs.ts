import { isJsonObject } from '../../../specs/src/index.ts';
import type { Lockfile } from '../output/lockfile.ts';
import { diffModels, readShippedModels } from './diff-models.ts';
import { diffOperations } from './diff-operations.ts';
import { type Bump, type DiffReport, type ModelDiff, type PackageDiff, writeChangelog } from './diff-report.ts';
import type { OutputTree } from './output-tree.ts';
import { canonicalText, changeOf, type SchemaChange, type Verdict, verdictOrder, worstOf } from './schema-change.ts';

type Sides = { readonly before: OutputTree; readonly after: OutputTree };

const bumps: Record<Verdict, Bump> = { breaking: 'major', compatible: 'minor', cosmetic: 'patch' };

/** What changed for the users of an output's packages: by model, by package, and in all. */
export function diffOutputs(before: OutputTree, after: OutputTree): DiffReport {
  const sides = { before, after };
  const [old, now] = [readShippedModels(before), readShippedModels(after)];
  const models = diffModels(old, now);
  const packages = [
    diffApi('model-router', sides),
    diffApi('workflow-execution', sides),
    diffModelsPackage(models, sides),
  ].filter((one) => one !== undefined);
  const changes = [...models.flatMap((model) => model.changes), ...packages.flatMap((one) => one.changes)];
  const verdicts = [...models.map(({ verdict }) => verdict), ...packages.flatMap(({ bump }) => verdictsOf(bump))];
  return {
    format: 1,
    verdict: worstOf(verdicts) ?? 'none',
    counts: { models: countModels(models, now.size), changes: countChanges(changes) },
    models,
    packages,
  };
}

function verdictsOf(bump: Bump): Verdict[] {
  return verdictOrder.filter((verdict) => bumps[verdict] === bump);
}

function countModels(models: readonly ModelDiff[], size: number): DiffReport['counts']['models'] {
  const count = (kind: ModelDiff['kind']): number => models.filter((model) => model.kind === kind).length;
  const [added, removed, renamed, changed] = [count('added'), count('removed'), count('renamed'), count('changed')];
  return { added, removed, renamed, changed, unchanged: size - added - renamed - changed };
}

function countChanges(changes: readonly SchemaChange[]): DiffReport['counts']['changes'] {
  const count = (verdict: Verdict): number => changes.filter((change) => change.verdict === verdict).length;
  return { breaking: count('breaking'), compatible: count('compatible'), cosmetic: count('cosmetic') };
}

function diffApi(folder: 'model-router' | 'workflow-execution', sides: Sides): PackageDiff | undefined {
  const [before, after] = [sides.before.json(`${folder}/openapi.json`), sides.after.json(`${folder}/openapi.json`)];
  const found = isJsonObject(before) && isJsonObject(after) ? diffOperations(before, after) : [];
  const isOther = filesText(sides.before.lock, folder) !== filesText(sides.after.lock, folder);
  const isUnexplained = found.length === 0 && isOther;
  const changes = isUnexplained ? [changeOf('document-changed', 'output', { pointer: '' })] : found;
  return packageDiff(folder, sides, { verdicts: changes.map(({ verdict }) => verdict), changes, models: [] });
}

function diffModelsPackage(models: readonly ModelDiff[], sides: Sides): PackageDiff | undefined {
  const isOther = filesText(sides.before.lock, 'models') !== filesText(sides.after.lock, 'models');
  const isRemade = modelFilesText(sides.before.lock) !== modelFilesText(sides.after.lock);
  const own: Verdict[] = isOther || isRemade ? ['cosmetic'] : [];
  const verdicts = [...own, ...models.map(({ verdict }) => verdict)];
  return packageDiff('models', sides, { verdicts, changes: [], models });
}

function filesText({ packages }: Lockfile, name: string): string {
  return canonicalText({ ...packages[name]?.files });
}

function modelFilesText({ models }: Lockfile): string {
  return canonicalText(Object.fromEntries(Object.entries(models).map(([id, { files }]) => [id, { ...files }])));
}

function packageDiff(
  folder: string,
  { before, after }: Sides,
  found: { verdicts: readonly Verdict[]; changes: readonly SchemaChange[]; models: readonly ModelDiff[] },
): PackageDiff | undefined {
  const [old, now] = [identityOf(before, folder), identityOf(after, folder)];
  if (old === undefined && now === undefined) return undefined;
  const verdict = worstOf(found.verdicts);
  const bump = verdict === undefined ? 'none' : bumps[verdict];
  const name = now?.name ?? old?.name ?? folder;
  const [was, is] = [old?.version ?? '0.0.0', now?.version ?? '0.0.0'];
  return {
    name,
    bump,
    versions: { before: was, after: is, suggested: bumped(was, bump) },
    changes: found.changes,
    changelog: writeChangelog(found.changes, found.models),
  };
}

function identityOf(tree: OutputTree, folder: string): { name: string; version: string } | undefined {
  const manifest = tree.json(`${folder}/package.json`);
  if (!isJsonObject(manifest)) return undefined;
  return { name: String(manifest['name']), version: String(manifest['version']) };
}

/** The next version. Before 1.0.0 a major change raises the minor version, as package managers read it. */
function bumped(version: string, bump: Bump): string {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null || bump === 'none') return version;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  if (major === 0) return bump === 'major' ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
