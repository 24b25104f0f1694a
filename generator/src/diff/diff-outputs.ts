import { canonicalText } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import type { Lockfile } from '../output/lockfile.ts';
import type { OutputTree } from '../output/output-tree.ts';
import { makeChange, pickWorst, type Verdict } from './change.ts';
import { compareModel } from './compare-model.ts';
import { diffOperations } from './diff-operations.ts';
import {
  type Bump,
  bumps,
  countKinds,
  type DiffReport,
  type ModelDiff,
  type PackageDiff,
  verdictOfBump,
  writeChangelog,
} from './diff-report.ts';
import { readDocument, readShippedModels, type ShippedModel } from './documents.ts';
import { checkTypes } from './type-check.ts';

/**
 * Compares two outputs and returns the changes by model, by package, and in total. After `isOver` returns true, the
 * remaining models count as broken.
 */
export function diffOutputs(before: OutputTree, after: OutputTree, isOver?: IsOver): DiffReport {
  const [old, now] = [readShippedModels(before), readShippedModels(after)];
  const models = diffModels(old, now, isOver);
  const packages = (['model-router', 'workflow-execution', 'models'] as const).flatMap((folder) =>
    diffPackage(folder, [before, after], folder === 'models' ? models : [], isOver),
  );
  const kinds = countKinds(models);
  const changes = [...models, ...packages].flatMap((one) => one.changes);
  const count = (verdict: Verdict): number => changes.filter((change) => change.verdict === verdict).length;
  const verdict = pickWorst([...models.map((model) => model.verdict), ...packages.map(verdictOfBump)]);
  return {
    format: 1,
    verdict: verdict ?? 'none',
    counts: {
      models: { ...kinds, unchanged: now.size - kinds.added - kinds.renamed - kinds.changed },
      changes: { breaking: count('breaking'), compatible: count('compatible'), cosmetic: count('cosmetic') },
    },
    models,
    packages,
  };
}

function printFiles({ packages, models }: Lockfile, folder: string): string {
  const ofModels = folder === 'models' ? Object.entries(models) : [];
  const files = ofModels.map(([id, { files }]) => [id, { ...files }]);
  return canonicalText({ own: { ...packages[folder]?.files }, ...Object.fromEntries(files) });
}

/** Returns the changes of a package; an empty list if neither output has its `package.json`. */
function diffPackage(
  folder: 'model-router' | 'workflow-execution' | 'models',
  trees: readonly [OutputTree, OutputTree],
  models: readonly ModelDiff[],
  isOver?: IsOver,
): PackageDiff[] {
  const [old, now] = trees.map((tree) => tree.json(`${folder}/package.json`));
  const name = now?.['name'] ?? old?.['name'];
  if (typeof name !== 'string') return [];
  const [files, filesNow] = trees.map(({ lock }) => printFiles(lock, folder));
  const [api, apiNow] = trees.map((tree) =>
    folder === 'models' ? undefined : readDocument(tree, `${folder}/openapi.json`),
  );
  const changes = api === undefined || apiNow === undefined ? [] : diffOperations(api, apiNow, isOver);
  if (folder !== 'models' && changes.length === 0 && files !== filesNow)
    changes.push(makeChange('document-changed', 'output', { pointer: '' }));
  const worst = pickWorst([...changes, ...models].map(({ verdict }) => verdict));
  const verdict = worst ?? (files === filesNow ? undefined : 'cosmetic');
  const bump = verdict === undefined ? 'none' : bumps[verdict];
  const [before = '', after = ''] = [old, now].map((manifest) => String(manifest?.['version'] ?? '0.0.0'));
  const versions = { before, after, suggested: raiseVersion(before, bump) };
  return [{ name, bump, versions, changes, changelog: writeChangelog(name, changes, models) }];
}

/**
 * Returns the next version. Before 1.0.0 a major change raises the minor version, which package managers treat as
 * breaking.
 */
function raiseVersion(version: string, bump: Bump): string {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null || bump === 'none') return version;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  if (major === 0) return bump === 'major' ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

type Models = ReadonlyMap<string, ShippedModel>;

/**
 * Returns the changed models, sorted by id. A model that was removed under one id and added under another is renamed.
 */
export function diffModels(before: Models, after: Models, isOver?: IsOver): ModelDiff[] {
  const formerIds = findRenamed(before, after);
  const pairs = [...after.values()].flatMap((now) => {
    const old = before.get(formerIds.get(now.id) ?? now.id);
    return old === undefined ? [] : [{ old, now, ...compareModel(old, now, isOver) }];
  });
  // One compiler program checks all models, because creating a program is slow.
  const checked = checkTypes(pairs, isOver);
  const compared = pairs.flatMap(({ old, now }, index): ModelDiff[] => {
    const changes = checked[index] ?? [];
    if (old.id !== now.id) return [{ id: now.id, kind: 'renamed', formerId: old.id, verdict: 'breaking', changes }];
    if (changes.length === 0 && old.locked.document !== now.locked.document)
      changes.push(makeChange('document-changed', 'output', { pointer: '' }));
    const verdict = pickWorst(changes.map((change) => change.verdict));
    return verdict === undefined ? [] : [{ id: now.id, kind: 'changed', verdict, changes }];
  });
  const [old, now] = [new Set(pairs.map(({ old }) => old.id)), new Set(pairs.map(({ now }) => now.id))];
  const added = [...after.keys()].filter((id) => !now.has(id));
  const removed = [...before.keys()].filter((id) => !old.has(id));
  return [
    ...compared,
    ...added.map((id): ModelDiff => ({ id, kind: 'added', verdict: 'compatible', changes: [] })),
    ...removed.map((id): ModelDiff => ({ id, kind: 'removed', verdict: 'breaking', changes: [] })),
  ].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** Returns the former ids of renamed models by their new ids. */
function findRenamed(before: Models, after: Models): Map<string, string> {
  const removed = new Map([...before].filter(([id]) => !after.has(id)));
  const renamed = new Map<string, string>();
  for (const model of [...after.values()].filter(({ id }) => !before.has(id))) {
    const parts = model.id.split('/');
    const countShared = ({ id }: ShippedModel): number =>
      id.split('/').filter((part, index) => part === parts[index]).length;
    const isFormer = (old: ShippedModel): boolean => {
      if (model.document === undefined || old.document === undefined) return false;
      if (old.document.root['aliasOf'] === model.id || model.document.root['aliasOf'] === old.id) return true;
      // Many models have the same short schemas, so short ones only count as a rename if the ids also share a part.
      return old.schemas === model.schemas && (model.schemas.length >= 400 || countShared(old) > 0);
    };
    const candidates = [...removed.values()].filter(isFormer);
    const [former] = candidates.sort((left, right) => countShared(right) - countShared(left));
    if (former === undefined) continue;
    renamed.set(model.id, former.id);
    removed.delete(former.id);
  }
  return renamed;
}
