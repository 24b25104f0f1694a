import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { LockedModel } from '../output/lockfile.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ModelDiff } from './diff-report.ts';
import { childPointer, combine, type Located, locate, openDocument, type ShippedDocument } from './located-schema.ts';
import type { OutputTree } from './output-tree.ts';
import {
  canonicalText,
  changeOf,
  changesByName,
  mediaTypeChanges,
  type SchemaChange,
  sameJson,
  worstOf,
} from './schema-change.ts';

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
  const removed = [...before.keys()].filter((id) => !after.has(id) && !formerIds.has(id));
  const diffs = [...after.values()].map((model): ModelDiff | undefined => {
    const [old, formerId] = [before.get(model.id), renamed.get(model.id)];
    if (old !== undefined) return diffModel(old, model);
    const former = before.get(formerId ?? '');
    if (former === undefined) return { id: model.id, kind: 'added', verdict: 'compatible', changes: [] };
    const changes = changesOf(former, model).filter(({ rule }) => rule !== 'document-changed');
    return { id: model.id, kind: 'renamed', formerId: former.id, verdict: 'breaking', changes };
  });
  return [
    ...diffs.filter((diff) => diff !== undefined),
    ...removed.map((id): ModelDiff => ({ id, kind: 'removed', verdict: 'breaking', changes: [] })),
  ].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function diffModel(before: ShippedModel, after: ShippedModel): ModelDiff | undefined {
  const changes = changesOf(before, after);
  const verdict = worstOf(changes.map((change) => change.verdict));
  return verdict === undefined ? undefined : { id: after.id, kind: 'changed', verdict, changes };
}

function changesOf(
  { locked: old, schemas: oldSchemas }: ShippedModel,
  { locked, schemas }: ShippedModel,
): SchemaChange[] {
  const [before, after] = [old.chargesOnPolicyRejection, locked.chargesOnPolicyRejection];
  const isSameDocument = old.document === locked.document;
  const changes = before === after ? [] : [changeOf('billing-changed', 'output', { pointer: '', before, after })];
  if (oldSchemas !== undefined && schemas !== undefined) changes.push(...schemaChanges(oldSchemas, schemas));
  else if (oldSchemas !== schemas || !isSameDocument)
    changes.push(
      changeOf('schema-uncompared', 'input', { pointer: '', subject: 'one of the outputs ships no schemas' }),
    );
  if (changes.length > 0 || isSameDocument) return changes;
  return [changeOf('document-changed', 'output', { pointer: '' })];
}

function schemaChanges(old: ShippedSchemas, now: ShippedSchemas): SchemaChange[] {
  const facts = factChanges(old.document.root, now.document.root);
  return old.digest === now.digest ? facts : [...inputChanges(old, now), ...outputChanges(old, now), ...facts];
}

// An input schema that is not authored is not checked.
function inputChanges({ document: old }: ShippedSchemas, { document: now }: ShippedSchemas): SchemaChange[] {
  const roots = [old.root, now.root];
  const isChecked =
    roots.every((root) => root['inputAuthored'] !== false) && roots.some((root) => root['input'] !== undefined);
  return isChecked ? compareSchemas(inputOf(old), inputOf(now), 'input') : [];
}

function inputOf(document: ShippedDocument): Located {
  const input = locate('/input', document);
  if (document.root['input'] === undefined) return input;
  // The router takes JSON objects only, whatever else a schema accepts (MR-RUN-15).
  return combine([input, { ...input, schema: { type: ['object'] } }]) ?? input;
}

function outputChanges(old: ShippedSchemas, now: ShippedSchemas): SchemaChange[] {
  return mediaTypeChanges(outputsOf(old), outputsOf(now), {
    direction: 'output',
    both: (before, after) => compareSchemas(before, after, 'output'),
  });
}

function outputsOf({ document }: ShippedSchemas): Map<string, Located> {
  const { outputs } = document.root;
  const mediaTypes = isJsonObject(outputs) ? Object.keys(outputs) : [];
  return new Map(mediaTypes.map((type) => [type, locate(childPointer({ pointer: '/outputs' }, type), document)]));
}

function factChanges(old: JsonObject, now: JsonObject): SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const direction of ['input', 'output'] as const) {
    const key = `${direction}Authored`;
    const [before, after] = [old[key], now[key]];
    if (typeof before === 'boolean' && typeof after === 'boolean' && before !== after)
      changes.push(changeOf(after ? 'authored-on' : 'authored-off', direction, { pointer: `/${key}`, before, after }));
  }
  return [...changes, ...providerChanges(old['providers'], now['providers'])];
}

function providerChanges(old: JsonValue | undefined, now: JsonValue | undefined): SchemaChange[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return [];
  const { default: before } = old;
  const { default: after } = now;
  const change = changeOf('provider-changed', 'input', { pointer: '/providers/default', before, after });
  const pointer = '/providers/alternates';
  return [
    ...(sameJson(before, after) ? [] : [change]),
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
