import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ModelDiff } from './diff-report.ts';
import { worstOf } from './rules.ts';
import { canonicalText, changeOf, type SchemaChange, sameJson } from './schema-change.ts';
import type { ShippedModel, ShippedSchemas } from './shipped-model.ts';

type Models = ReadonlyMap<string, ShippedModel>;

/** Model by model, sorted by id; a model that left under one id and came back under another is a renamed one. */
export function diffModels(before: Models, after: Models): ModelDiff[] {
  const renamed = findRenamed(before, after);
  const formerIds = new Set(renamed.values());
  const diffs: (ModelDiff | undefined)[] = [...after.values()].map((model) => {
    const old = before.get(model.id);
    const formerId = renamed.get(model.id);
    if (old !== undefined) return diffModel(old, model);
    if (formerId === undefined) return { id: model.id, kind: 'added', verdict: 'compatible', changes: [] };
    const former = before.get(formerId);
    const changes =
      former === undefined ? [] : changesOf(former, model).filter(({ rule }) => rule !== 'document-changed');
    return { id: model.id, kind: 'renamed', formerId, verdict: 'breaking', changes };
  });
  const removed = [...before.keys()].filter((id) => !after.has(id) && !formerIds.has(id));
  diffs.push(...removed.map((id): ModelDiff => ({ id, kind: 'removed', verdict: 'breaking', changes: [] })));
  return diffs.filter((diff) => diff !== undefined).sort((left, right) => (left.id < right.id ? -1 : 1));
}

function diffModel(before: ShippedModel, after: ShippedModel): ModelDiff | undefined {
  const changes = changesOf(before, after);
  const verdict = worstOf(changes.map((change) => change.verdict));
  return verdict === undefined ? undefined : { id: after.id, kind: 'changed', verdict, changes };
}

function changesOf(before: ShippedModel, after: ShippedModel): SchemaChange[] {
  const billing = [before, after].map(({ locked }) => locked.chargesOnPolicyRejection);
  const facts = { pointer: '', before: billing[0], after: billing[1] };
  const changes = billing[0] === billing[1] ? [] : [changeOf('billing-changed', 'output', facts)];
  changes.push(...schemaChanges(before, after));
  const isOtherDocument = before.locked.document !== after.locked.document;
  if (changes.length > 0 || !isOtherDocument) return changes;
  return [changeOf('document-changed', 'output', { pointer: '' })];
}

function schemaChanges(
  { schemas: old, locked: oldLocked }: ShippedModel,
  { schemas: now, locked }: ShippedModel,
): SchemaChange[] {
  if (old === undefined || now === undefined) {
    if (old === now && oldLocked.document === locked.document) return [];
    return [changeOf('schema-uncompared', 'input', { pointer: '', subject: 'one of the outputs ships no schemas' })];
  }
  if (old.digest === now.digest) return factChanges(old.facts, now.facts);
  return [...inputChanges(old, now), ...outputChanges(old, now), ...factChanges(old.facts, now.facts)];
}

// What is not authored is not checked, so that nothing of it was or is asked for.
function inputChanges(old: ShippedSchemas, now: ShippedSchemas): SchemaChange[] {
  if ([old, now].some(({ facts }) => facts['inputAuthored'] === false)) return [];
  if (old.input === undefined && now.input === undefined) return [];
  const nowhere = { schema: true, pointer: '/input', root: {} };
  return compareSchemas(old.input ?? nowhere, now.input ?? nowhere, 'input');
}

function outputChanges({ outputs: old }: ShippedSchemas, { outputs: now }: ShippedSchemas): SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const [mediaType, schema] of now) {
    const before = old.get(mediaType);
    if (before !== undefined) changes.push(...compareSchemas(before, schema, 'output'));
    else changes.push(changeOf('media-type-added', 'output', { pointer: schema.pointer, after: mediaType }));
  }
  for (const [mediaType, schema] of old) {
    if (!now.has(mediaType))
      changes.push(changeOf('media-type-removed', 'output', { pointer: schema.pointer, before: mediaType }));
  }
  return changes;
}

function factChanges(old: JsonObject, now: JsonObject): SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const [key, direction] of [
    ['inputAuthored', 'input'],
    ['outputAuthored', 'output'],
  ] as const) {
    const [before, after] = [old[key], now[key]];
    if (typeof before === 'boolean' && typeof after === 'boolean' && before !== after)
      changes.push(changeOf(after ? 'authored-on' : 'authored-off', direction, { pointer: `/${key}`, before, after }));
  }
  return [...changes, ...providerChanges(old['providers'], now['providers'])];
}

function providerChanges(old: JsonValue | undefined, now: JsonValue | undefined): SchemaChange[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return [];
  const changes: SchemaChange[] = [];
  const [before, after] = [old['default'], now['default']];
  if (!sameJson(before, after))
    changes.push(changeOf('provider-changed', 'input', { pointer: '/providers/default', before, after }));
  const [lost, gained] = [listOf(old['alternates']), listOf(now['alternates'])];
  const pointer = '/providers/alternates';
  for (const [text, value] of lost)
    if (!gained.has(text)) changes.push(changeOf('alternate-removed', 'input', { pointer, before: value }));
  for (const [text, value] of gained)
    if (!lost.has(text)) changes.push(changeOf('alternate-added', 'input', { pointer, after: value }));
  return changes;
}

function listOf(value: JsonValue | undefined): Map<string, JsonValue> {
  return new Map((Array.isArray(value) ? value : []).map((one) => [canonicalText(one), one]));
}

/** New ids with the former id of each. */
function findRenamed(before: Models, after: Models): Map<string, string> {
  const gone = new Map([...before].filter(([id]) => !after.has(id)));
  const renamed = new Map<string, string>();
  for (const model of [...after.values()].filter(({ id }) => !before.has(id))) {
    const former = [...gone.values()]
      .filter((old) => isFormer(old, model))
      .sort((left, right) => likeness(right, model) - likeness(left, model))[0];
    if (former === undefined) continue;
    renamed.set(model.id, former.id);
    gone.delete(former.id);
  }
  return renamed;
}

function isFormer(old: ShippedModel, now: ShippedModel): boolean {
  if (now.schemas === undefined || old.schemas === undefined) return false;
  if (old.schemas.facts['aliasOf'] === now.id || now.schemas.facts['aliasOf'] === old.id) return true;
  if (old.schemas.digest !== now.schemas.digest) return false;
  // Schemas that say next to nothing are no likeness by themselves.
  return !now.schemas.isCommon || likeness(old, now) > 0;
}

/** Parts of the ids that are the same. */
function likeness(old: ShippedModel, now: ShippedModel): number {
  const [before, after] = [old.id.split('/'), now.id.split('/')];
  return before.filter((part, index) => part === after[index]).length;
}
