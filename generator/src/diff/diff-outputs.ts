import { canonicalText } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import type { Lockfile } from '../output/lockfile.ts';
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
import { type OutputTree, readDocument, readShippedModels, type ShippedModel } from './documents.ts';
import {
  type ChangeRuleId,
  classify,
  pickWorst,
  readVerdict,
  type SchemaChange,
  type Verdict,
} from './schema-change.ts';
import { type Break, checkTypes } from './type-check.ts';

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
  const verdicts = [...models.map((model) => model.verdict), ...packages.map(verdictOfBump)];
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
  const [old, now] = [before, after].map((tree) => readDocument(tree, `${folder}/openapi.json`));
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

type Models = ReadonlyMap<string, ShippedModel>;

/** The changed models, sorted by id; a model that is removed under one id and added under another is renamed. */
export function diffModels(before: Models, after: Models, isOver?: IsOver): ModelDiff[] {
  const renamed = findRenamed(before, after);
  const formerIds = new Set(renamed.values());
  const removed = [...before.keys()].filter((id) => !after.has(id) && !formerIds.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id) && !renamed.has(id));
  const pairs = [...after.values()].flatMap((now) => {
    const old = before.get(now.id) ?? before.get(renamed.get(now.id) ?? '');
    return old === undefined ? [] : [{ old, now, ...compareModel(old, now, isOver) }];
  });
  // One program answers for all models.
  const breaks = checkTypes(
    pairs.map(({ declarations }) => declarations),
    isOver,
  );
  const diffs = pairs.flatMap(({ old, now, changes: found }, index): ModelDiff[] => {
    const changes = explainBreaks(found, breaks[index] ?? []);
    if (old.id !== now.id) return [{ id: now.id, kind: 'renamed', formerId: old.id, verdict: 'breaking', changes }];
    if (changes.length === 0 && old.locked.document !== now.locked.document)
      changes.push(classify('document-changed', 'output', { pointer: '' }));
    const verdict = pickWorst(changes.map((change) => change.verdict));
    return verdict === undefined ? [] : [{ id: now.id, kind: 'changed', verdict, changes }];
  });
  return [
    ...diffs,
    ...added.map((id): ModelDiff => ({ id, kind: 'added', verdict: 'compatible', changes: [] })),
    ...removed.map((id): ModelDiff => ({ id, kind: 'removed', verdict: 'breaking', changes: [] })),
  ].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** New ids with the former id of each. */
function findRenamed(before: Models, after: Models): Map<string, string> {
  const gone = new Map([...before].filter(([id]) => !after.has(id)));
  const renamed = new Map<string, string>();
  for (const model of [...after.values()].filter(({ id }) => !before.has(id))) {
    const former = [...gone.values()]
      .filter((old) => isFormer(old, model))
      .sort((left, right) => countSharedSegments(right, model) - countSharedSegments(left, model))[0];
    if (former === undefined) continue;
    renamed.set(model.id, former.id);
    gone.delete(former.id);
  }
  return renamed;
}

function isFormer(old: ShippedModel, now: ShippedModel): boolean {
  if (now.document === undefined || old.document === undefined) return false;
  if (old.document.root['aliasOf'] === now.id || now.document.root['aliasOf'] === old.id) return true;
  // Short schemas alone are no sign of the same model: many have the same.
  return old.schemas === now.schemas && (now.schemas.length >= 400 || countSharedSegments(old, now) > 0);
}

/** How many segments of the ids are equal. */
function countSharedSegments(old: ShippedModel, now: ShippedModel): number {
  const [before, after] = [old.id.split('/'), now.id.split('/')];
  return before.filter((part, index) => part === after[index]).length;
}

/** The changes with what breaks code: it is said where a change explains it, and a change of its own where none does. */
function explainBreaks(found: readonly SchemaChange[], breaks: readonly Break[]): SchemaChange[] {
  const changes = [...found];
  const explained = new Set<string>();
  for (const one of breaks) {
    const { direction, field, name, code } = one;
    const member = `${direction} ${readLastStep(field)}`;
    if (code === undefined) {
      changes.push(classify('schema-uncompared', direction, { pointer: '', field: '' }));
      continue;
    }
    const [cause] = [...changes.entries()]
      .map(([index, change]) => ({ index, change, distance: measureDistance(change, one) }))
      .filter(({ distance }) => distance >= 0)
      .sort((left, right) => left.distance - right.distance || rateVerdict(right.change) - rateVerdict(left.change));
    if (cause !== undefined) {
      const breaks = [...new Set([...cause.change.breaks, 'code' as const])];
      changes[cause.index] = { ...cause.change, verdict: 'breaking', breaks, code: cause.change.code ?? code };
      // One break stands for all values that a list has lost.
      if (cause.change.rule === 'enum-value-removed')
        for (const [index, other] of changes.entries())
          if (other.rule === cause.change.rule && other.pointer === cause.change.pointer)
            changes[index] = {
              ...other,
              verdict: 'breaking',
              breaks: [...new Set([...other.breaks, 'code' as const])],
            };
      explained.add(member);
    }
    // A name that leads to a member breaks with it.
    else if (name === undefined || !explained.has(member))
      changes.push(classify('code-broken', direction, { pointer: '', field, code }));
  }
  return changes;
}

/** Of equally near changes, one that takes something from code comes before one that breaks by its values. */
function rateVerdict({ rule, direction, verdict }: SchemaChange): number {
  const ofCode = readVerdict(rule, direction, { isNarrower: false, isWider: false, isCompiled: false });
  return ofCode === 'breaking' ? 2 : Number(verdict === 'breaking');
}

function readLastStep(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(']')) + 1);
}

/** How far from a break a change is that may be its cause: of the same member, inside or around it, or of the same name. */
function measureDistance(change: SchemaChange, { direction, field, name }: Break): number {
  const { field: own, pointer, rule, verdict } = change;
  if (own === undefined || verdict === 'cosmetic' || change.direction !== direction) return -1;
  const isWithin = (inner: string, outer: string): boolean =>
    inner.startsWith(outer) && (outer === '' || /^(?:[.[]|$)/.test(inner.slice(outer.length)));
  const dropStep = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0));
  const isOfName = name !== undefined && isWithin(pointer.replaceAll('/', '.'), `.$defs.${name}`);
  return [
    own === field && (name === undefined || isOfName),
    (field !== '' || rule === 'property-added-required') && isWithin(own, field),
    isWithin(field, own) && coversInside.has(rule),
    // A member of its own takes its name out of those that have a common type.
    field.endsWith('*') && dropStep(own) === dropStep(field),
    isOfName && readLastStep(own) === readLastStep(field),
    isOfName,
    field !== '' && readLastStep(own) === readLastStep(field),
  ].indexOf(true);
}

/** Changes that replace all that is inside their place. */
const coversInside: ReadonlySet<ChangeRuleId> = new Set([
  ...(['property-removed', 'property-unlisted', 'type-narrowed', 'type-widened', 'type-changed'] as const),
  ...(['null-added', 'null-removed', 'names-undescribed', 'object-closed', 'object-opened'] as const),
  ...(['schema-closed', 'schema-opened', 'schema-uncompared', 'union-member-added', 'union-member-removed'] as const),
  ...(['union-made-exclusive', 'union-made-inclusive', 'media-type-added', 'media-type-removed'] as const),
  ...(['media-type-changed', 'authored-on', 'authored-off'] as const),
]);
