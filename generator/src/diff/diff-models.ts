import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { LockedModel } from '../output/lockfile.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ModelDiff } from './diff-report.ts';
import { childPointer, combine, type Located, locate, openDocument, type ShippedDocument } from './located-schema.ts';
import type { OutputTree } from './output-tree.ts';
import { canonicalText, changeOf, changesByName, type SchemaChange, sameJson, worstOf } from './schema-change.ts';

/** A model of an output. */
export type ShippedModel = {
  readonly id: string;
  readonly locked: LockedModel;
  /** Undefined when the output has no schemas of the model. */
  readonly schemas: ShippedSchemas | undefined;
};
type ShippedSchemas = {
  /** The model's `schema.json`. */
  readonly document: ShippedDocument;
  /** Of the schemas alone, without the model's id. */
  readonly digest: Digest;
  /** Whether the schemas are so short that many models have the same. */
  readonly isCommon: boolean;
};

export function readShippedModels(tree: OutputTree): Map<string, ShippedModel> {
  return new Map(
    Object.entries(tree.lock.models).map(([id, locked]) => {
      const path = Object.keys(locked.files).find((file) => file.endsWith('.schema.json'));
      const root = path === undefined ? undefined : tree.json(path);
      return [id, { id, locked, schemas: isJsonObject(root) ? readSchemas(root) : undefined }];
    }),
  );
}

function readSchemas(root: JsonObject): ShippedSchemas {
  const { input = null, outputs = null, $defs = null } = root;
  const text = canonicalText([input, outputs, $defs]);
  return { document: openDocument(root), digest: digestOf(text), isCommon: text.length < 400 };
}

type Models = ReadonlyMap<string, ShippedModel>;

/** The changed models, sorted by id; a model that is removed under one id and added under another is renamed. */
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
  if (old.digest === now.digest) return factChanges(old, now);
  return [...inputChanges(old, now), ...outputChanges(old, now), ...factChanges(old, now)];
}

// An input schema that is not authored is not checked.
function inputChanges({ document: old }: ShippedSchemas, { document: now }: ShippedSchemas): SchemaChange[] {
  if ([old, now].some(({ root }) => root['inputAuthored'] === false)) return [];
  return [old, now].every(({ root }) => root['input'] === undefined)
    ? []
    : compareSchemas(inputOf(old), inputOf(now), 'input');
}

function inputOf(document: ShippedDocument): Located {
  const input = locate('/input', document);
  // The router takes JSON objects only, whatever else a schema accepts (MR-RUN-15).
  const objectsOnly = combine([input, { ...input, schema: { type: ['object'] } }]) ?? input;
  return document.root['input'] === undefined ? input : objectsOnly;
}

function outputChanges(old: ShippedSchemas, now: ShippedSchemas): SchemaChange[] {
  return changesByName(outputsOf(old), outputsOf(now), {
    removed: (before, { pointer }) => changeOf('media-type-removed', 'output', { pointer, before }),
    added: (after, { pointer }) => changeOf('media-type-added', 'output', { pointer, after }),
    both: (before, after) => compareSchemas(before, after, 'output'),
  });
}

function outputsOf({ document }: ShippedSchemas): Map<string, Located> {
  const { outputs } = document.root;
  const mediaTypes = isJsonObject(outputs) ? Object.keys(outputs) : [];
  return new Map(mediaTypes.map((type) => [type, locate(childPointer({ pointer: '/outputs' }, type), document)]));
}

function factChanges({ document: { root: old } }: ShippedSchemas, { document: { root: now } }: ShippedSchemas) {
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
  const [before, after] = [old['default'], now['default']];
  const pointer = '/providers/alternates';
  return [
    ...(sameJson(before, after)
      ? []
      : [changeOf('provider-changed', 'input', { pointer: '/providers/default', before, after })]),
    ...changesByName(alternatesOf(old), alternatesOf(now), {
      removed: (_, alternate) => changeOf('alternate-removed', 'input', { pointer, before: alternate }),
      added: (_, alternate) => changeOf('alternate-added', 'input', { pointer, after: alternate }),
      both: () => [],
    }),
  ];
}

function alternatesOf({ alternates }: JsonObject): Map<string, JsonValue> {
  return new Map((Array.isArray(alternates) ? alternates : []).map((one) => [canonicalText(one), one]));
}

/** New ids with the former id of each. */
function findRenamed(before: Models, after: Models): Map<string, string> {
  const gone = new Map([...before].filter(([id]) => !after.has(id)));
  const renamed = new Map<string, string>();
  for (const model of [...after.values()].filter(({ id }) => !before.has(id))) {
    const former = [...gone.values()]
      .filter((old) => isFormer(old, model))
      .sort((left, right) => sharedSegments(right, model) - sharedSegments(left, model))[0];
    if (former === undefined) continue;
    renamed.set(model.id, former.id);
    gone.delete(former.id);
  }
  return renamed;
}

function isFormer(old: ShippedModel, now: ShippedModel): boolean {
  if (now.schemas === undefined || old.schemas === undefined) return false;
  if (old.schemas.document.root['aliasOf'] === now.id || now.schemas.document.root['aliasOf'] === old.id) return true;
  if (old.schemas.digest !== now.schemas.digest) return false;
  // Short schemas alone are no sign of the same model.
  return !now.schemas.isCommon || sharedSegments(old, now) > 0;
}

/** How many segments of the ids are equal. */
function sharedSegments(old: ShippedModel, now: ShippedModel): number {
  const [before, after] = [old.id.split('/'), now.id.split('/')];
  return before.filter((part, index) => part === after[index]).length;
}
