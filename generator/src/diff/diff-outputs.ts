import { canonicalText } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import type { Lockfile } from '../output/lockfile.ts';
import { diffModels } from './diff-models.ts';
import { diffOperations } from './diff-operations.ts';
import {
  type Bump,
  bumps,
  countKinds,
  type DiffReport,
  type ModelDiff,
  type PackageDiff,
  readVerdict,
  writeChangelog,
} from './diff-report.ts';
import { type OutputTree, readShippedModels } from './output-tree.ts';
import { classify, pickWorst, type SchemaChange, type Verdict } from './schema-change.ts';

type Sides = { readonly before: OutputTree; readonly after: OutputTree };

/** What changed for the users of an output's packages: by model, by package, and in all. Models that are not compared by the end
 * of the time that `isOver` tells count as broken. */
export function diffOutputs(before: OutputTree, after: OutputTree, isOver?: IsOver): DiffReport {
  const sides = { before, after };
  const [old, now] = [readShippedModels(before), readShippedModels(after)];
  const models = diffModels(old, now, isOver);
  const packages = [
    diffPackage('model-router', sides, { changes: diffApi('model-router', sides, isOver), models: [] }),
    diffPackage('workflow-execution', sides, { changes: diffApi('workflow-execution', sides, isOver), models: [] }),
    diffPackage('models', sides, { changes: [], models }),
  ].filter((one) => one !== undefined);
  const changes = [...models.flatMap((model) => model.changes), ...packages.flatMap((one) => one.changes)];
  const verdicts = [...models.map((model) => model.verdict), ...packages.map(readVerdict)];
  const verdict = pickWorst(verdicts.filter((one) => one !== undefined));
  const kinds = countKinds(models);
  const count = (one: Verdict): number => changes.filter((change) => change.verdict === one).length;
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

function diffApi(
  folder: 'model-router' | 'workflow-execution',
  { before, after }: Sides,
  isOver: IsOver | undefined,
): readonly SchemaChange[] {
  const [old, now] = [before, after].map((tree) => tree.json(`${folder}/openapi.json`));
  const found = old === undefined || now === undefined ? [] : diffOperations(old, now, isOver);
  const isUnexplained = found.length === 0 && printFiles(before.lock, folder) !== printFiles(after.lock, folder);
  return isUnexplained ? [classify('document-changed', 'output', { pointer: '' })] : found;
}

function printFiles({ packages, models }: Lockfile, folder: string): string {
  const ofModels = folder === 'models' ? Object.entries(models) : [];
  return canonicalText({
    own: { ...packages[folder]?.files },
    ...Object.fromEntries(ofModels.map(([id, { files }]) => [id, { ...files }])),
  });
}

function diffPackage(
  folder: string,
  { before, after }: Sides,
  { changes, models }: { changes: readonly SchemaChange[]; models: readonly ModelDiff[] },
): PackageDiff | undefined {
  const [old, now] = [readIdentity(before, folder), readIdentity(after, folder)];
  const name = now?.name ?? old?.name;
  if (name === undefined) return undefined;
  const isRemade = printFiles(before.lock, folder) !== printFiles(after.lock, folder);
  const verdicts = [...changes, ...models].map((one) => one.verdict);
  const verdict = pickWorst(verdicts) ?? (isRemade ? 'cosmetic' : undefined);
  const bump = verdict === undefined ? 'none' : bumps[verdict];
  const [was, is] = [old?.version ?? '0.0.0', now?.version ?? '0.0.0'];
  const versions = { before: was, after: is, suggested: raiseVersion(was, bump) };
  return { name, bump, versions, changes, changelog: writeChangelog(changes, models) };
}

function readIdentity(tree: OutputTree, folder: string): { name: string; version: string } | undefined {
  const manifest = tree.json(`${folder}/package.json`);
  // In a folder of plain files a manifest has no name.
  if (typeof manifest?.['name'] !== 'string') return undefined;
  return { name: manifest['name'], version: String(manifest['version']) };
}

/** The next version. Before 1.0.0 a major change raises the minor version, as package managers read it. */
function raiseVersion(version: string, bump: Bump): string {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null || bump === 'none') return version;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  if (major === 0) return bump === 'major' ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
