import { compareModel } from './compare-model.ts';
import type { ModelDiff } from './diff-report.ts';
import { explainBreaks } from './explain-breaks.ts';
import type { ShippedModel } from './output-tree.ts';
import { classify, pickWorst } from './schema-change.ts';
import { checkTypes } from './type-check.ts';

type Models = ReadonlyMap<string, ShippedModel>;

/** The changed models, sorted by id; a model that is removed under one id and added under another is renamed. */
export function diffModels(before: Models, after: Models): ModelDiff[] {
  const renamed = findRenamed(before, after);
  const formerIds = new Set(renamed.values());
  const removed = [...before.keys()].filter((id) => !after.has(id) && !formerIds.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id) && !renamed.has(id));
  const pairs = [...after.values()].flatMap((now) => {
    const old = before.get(now.id) ?? before.get(renamed.get(now.id) ?? '');
    return old === undefined ? [] : [{ old, now, ...compareModel(old, now) }];
  });
  // One program answers for all models.
  const breaks = checkTypes(pairs.map(({ declarations }) => declarations));
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
