import type { IsOver } from '../deadline.ts';
import { compareModel } from './compare-model.ts';
import type { ModelDiff } from './diff-report.ts';
import type { ShippedModel } from './output-tree.ts';
import { type ChangeRuleId, classify, pickWorst, readVerdict, type SchemaChange } from './schema-change.ts';
import { type Break, checkTypes } from './type-check.ts';

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
