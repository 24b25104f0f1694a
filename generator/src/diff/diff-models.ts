import { bodyKindsOf, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { compareSchemas, type SchemaPair } from './compare-schemas.ts';
import { diffModelOperations } from './diff-operations.ts';
import type { ModelDiff } from './diff-report.ts';
import { childPointer, type Located, locate, narrow, type ShippedDocument } from './located-schema.ts';
import {
  changeOf,
  changesOfLists,
  mediaTypeChanges,
  type SchemaChange,
  sameJson,
  withoutRepetition,
  worstOf,
} from './schema-change.ts';
import { definitionsIn, type ShippedModel, type ShippedSchemas } from './shipped-models.ts';

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

function changesOf(before: ShippedModel, after: ShippedModel): SchemaChange[] {
  const found = exportChanges(before, after);
  const [old, now] = [before.schemas, after.schemas];
  const isSameDocument = before.locked.document === after.locked.document;
  const [charged, charges] = [before.locked.chargesOnPolicyRejection, after.locked.chargesOnPolicyRejection];
  if (charged !== charges)
    found.push(changeOf('billing-changed', 'output', { pointer: '', before: charged, after: charges }));
  if (old !== undefined && now !== undefined) found.push(...schemaChanges(old, now, sharedNames(before, after)));
  else if (old !== now || !isSameDocument)
    found.push(changeOf('schema-uncompared', 'input', { pointer: '', subject: 'one of the outputs ships no schemas' }));
  if (found.length > 0 || isSameDocument) return found;
  return [changeOf('document-changed', 'output', { pointer: '' })];
}

function exportChanges({ exports: before }: ShippedModel, { exports: after }: ShippedModel): SchemaChange[] {
  if (before.size === 0 || after.size === 0) return [];
  return changesOfLists([...before], [...after], (turn, subject) =>
    changeOf(`export-${turn}`, 'output', { pointer: '', subject }),
  );
}

function sharedNames({ exports: before }: ShippedModel, { exports: after }: ShippedModel): string[] {
  return [...before].filter((name) => after.has(name));
}

function schemaChanges(old: ShippedSchemas, now: ShippedSchemas, names: readonly string[]): SchemaChange[] {
  const [before, after] = [old.document, now.document];
  const facts = [...factChanges(before.root, after.root), ...diffModelOperations(before, after)];
  if (old.digest === now.digest) return facts;
  const changes = [...inputChanges(old, now, names), ...outputChanges(old, now, names), ...facts];
  return withoutRepetition(changes);
}

// An input schema that is not authored is not checked.
function inputChanges(
  { document: old }: ShippedSchemas,
  { document: now }: ShippedSchemas,
  names: readonly string[],
): SchemaChange[] {
  const roots = [old.root, now.root];
  const isChecked =
    roots.every((root) => root['inputAuthored'] !== false) && roots.some((root) => root['input'] !== undefined);
  if (!isChecked) return [];
  return compareSchemas([[inputOf(old), inputOf(now)], ...namedPairs('input', [old, now], names)], 'input');
}

function inputOf(document: ShippedDocument): Located {
  const input = locate('/input', document);
  if (document.root['input'] === undefined) return input;
  // The router takes JSON objects only, whatever else a schema accepts (MR-RUN-15).
  return narrow(input, { type: ['object'] });
}

function outputChanges(
  { document: old }: ShippedSchemas,
  { document: now }: ShippedSchemas,
  names: readonly string[],
): SchemaChange[] {
  return [
    ...mediaTypeChanges(outputsOf(old), outputsOf(now), { direction: 'output', both: diffOutput }),
    ...compareSchemas(namedPairs('outputs', [old, now], names), 'output'),
  ];
}

function diffOutput(before: Output, after: Output): SchemaChange[] {
  const formsOf = ({ mediaType, document, schema }: Output) =>
    bodyKindsOf(mediaType, { schema, definitions: document.reader.definitions() });
  const [old, now] = [formsOf(before), formsOf(after)];
  const forms = changesOfLists(old, now, (turn, _, value) =>
    changeOf(`body-form-${turn}`, 'output', { pointer: after.pointer, ...value }),
  );
  // Where a body is no JSON, its schema says nothing to readers.
  const isJson = old.includes('json') && now.includes('json');
  return isJson ? [...forms, ...compareSchemas([[before, after]], 'output')] : forms;
}

type Output = Located & { readonly mediaType: string };

function outputsOf(document: ShippedDocument): Map<string, Output> {
  const { outputs } = document.root;
  const mediaTypes = isJsonObject(outputs) ? Object.keys(outputs) : [];
  return new Map(
    mediaTypes.map((mediaType) => {
      const located = locate(childPointer({ pointer: '/outputs' }, mediaType), document);
      return [mediaType, { ...located, mediaType }];
    }),
  );
}

/** The definitions of a side that keep their exported names: another type may have come under one. */
function namedPairs(
  side: 'input' | 'outputs',
  [old, now]: readonly [ShippedDocument, ShippedDocument],
  names: readonly string[],
): SchemaPair[] {
  const rootsOf = (document: ShippedDocument): Located[] =>
    side === 'input' ? [locate('/input', document)] : [...outputsOf(document).values()];
  const [before, after] = [definitionsIn(rootsOf(old), old), definitionsIn(rootsOf(now), now)];
  return names
    .map((name) => childPointer({ pointer: '/$defs' }, name))
    .filter((pointer) => before.has(pointer) && after.has(pointer))
    .map((pointer): SchemaPair => [locate(pointer, old), locate(pointer, now)]);
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
    ...changesOfLists(alternatesOf(old), alternatesOf(now), (turn, _, value) =>
      changeOf(`alternate-${turn}`, 'input', { pointer, ...value }),
    ),
  ];
}

function alternatesOf({ alternates }: JsonObject): JsonValue[] {
  return Array.isArray(alternates) ? alternates : [];
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
