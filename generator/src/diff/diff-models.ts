import { isJsonObject, type JsonObject, type JsonValue, listBodyKinds } from '../../../specs/src/index.ts';
import { toList } from './compare-limits.ts';
import { compareSchemas, type SchemaPair } from './compare-schemas.ts';
import { diffModelOperations } from './diff-operations.ts';
import type { ModelDiff } from './diff-report.ts';
import { childPointer, type Located, locate, narrow, type ShippedDocument } from './located-schema.ts';
import { definitionsIn, type ShippedModel, type ShippedSchemas } from './output-tree.ts';
import {
  classify,
  diffLists,
  diffMediaTypes,
  pickWorst,
  type SchemaChange,
  sameJson,
  withoutRepetition,
} from './schema-change.ts';

type Models = ReadonlyMap<string, ShippedModel>;

/** The changed models, sorted by id; a model that is removed under one id and added under another is renamed. */
export function diffModels(before: Models, after: Models): ModelDiff[] {
  const renamed = findRenamed(before, after);
  const formerIds = new Set(renamed.values());
  const removed = [...before.keys()].filter((id) => !after.has(id) && !formerIds.has(id));
  const diffs = [...after.values()].map((model): ModelDiff | undefined => {
    const [old, formerId] = [before.get(model.id), renamed.get(model.id)];
    if (old !== undefined) {
      const changes = compareModels(old, model);
      const verdict = pickWorst(changes.map((change) => change.verdict));
      return verdict && { id: model.id, kind: 'changed', verdict, changes };
    }
    const former = before.get(formerId ?? '');
    if (former === undefined) return { id: model.id, kind: 'added', verdict: 'compatible', changes: [] };
    const changes = compareModels(former, model).filter(({ rule }) => rule !== 'document-changed');
    return { id: model.id, kind: 'renamed', formerId: former.id, verdict: 'breaking', changes };
  });
  return [
    ...diffs.filter((diff) => diff !== undefined),
    ...removed.map((id): ModelDiff => ({ id, kind: 'removed', verdict: 'breaking', changes: [] })),
  ].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function compareModels(before: ShippedModel, after: ShippedModel): SchemaChange[] {
  const found = diffExports(before, after);
  const [old, now] = [before.schemas, after.schemas];
  const isSameDocument = before.locked.document === after.locked.document;
  const [charged, charges] = [before.locked.chargesOnPolicyRejection, after.locked.chargesOnPolicyRejection];
  if (charged !== charges)
    found.push(classify('billing-changed', 'output', { pointer: '', before: charged, after: charges }));
  if (old !== undefined && now !== undefined)
    found.push(
      ...diffSchemas(
        old,
        now,
        [...before.exports].filter((name) => after.exports.has(name)),
      ),
    );
  else if (old !== now || !isSameDocument)
    found.push(classify('schema-uncompared', 'input', { pointer: '', subject: 'one of the outputs ships no schemas' }));
  if (found.length > 0 || isSameDocument) return found;
  return [classify('document-changed', 'output', { pointer: '' })];
}

function diffExports({ exports: before }: ShippedModel, { exports: after }: ShippedModel): SchemaChange[] {
  if (before.size === 0 || after.size === 0) return [];
  return diffLists([...before], [...after], (turn, subject) =>
    classify(`export-${turn}`, 'output', { pointer: '', subject }),
  );
}

function diffSchemas(old: ShippedSchemas, now: ShippedSchemas, names: readonly string[]): SchemaChange[] {
  const [before, after] = [old.document, now.document];
  const facts = [...diffFacts(before.root, after.root), ...diffModelOperations(before, after)];
  if (old.digest === now.digest) return facts;
  return withoutRepetition([...diffInput(before, after, names), ...diffOutputs(before, after, names), ...facts]);
}

// An input schema that is not authored is not checked.
function diffInput(old: ShippedDocument, now: ShippedDocument, names: readonly string[]): SchemaChange[] {
  const roots = [old.root, now.root];
  const isChecked =
    roots.every((root) => root['inputAuthored'] !== false) && roots.some((root) => root['input'] !== undefined);
  if (!isChecked) return [];
  return compareSchemas([[locateInput(old), locateInput(now)], ...pairNamed('input', [old, now], names)], 'input');
}

function locateInput(document: ShippedDocument): Located {
  const input = locate('/input', document);
  if (document.root['input'] === undefined) return input;
  // The router takes JSON objects only, whatever else a schema accepts (MR-RUN-15).
  return narrow(input, { type: ['object'] });
}

function diffOutputs(old: ShippedDocument, now: ShippedDocument, names: readonly string[]): SchemaChange[] {
  return [
    ...diffMediaTypes(locateOutputs(old), locateOutputs(now), { direction: 'output', both: diffOutput }),
    ...compareSchemas(pairNamed('outputs', [old, now], names), 'output'),
  ];
}

function diffOutput(before: Output, after: Output): SchemaChange[] {
  const readForms = ({ mediaType, document, schema }: Output) =>
    listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() });
  const [old, now] = [readForms(before), readForms(after)];
  const forms = diffLists(old, now, (turn, _, value) =>
    classify(`body-form-${turn}`, 'output', { pointer: after.pointer, ...value }),
  );
  // Where a body is no JSON, its schema says nothing to readers.
  const isJson = old.includes('json') && now.includes('json');
  return isJson ? [...forms, ...compareSchemas([[before, after]], 'output')] : forms;
}

type Output = Located & { readonly mediaType: string };

function locateOutputs(document: ShippedDocument): Map<string, Output> {
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
function pairNamed(
  side: 'input' | 'outputs',
  [old, now]: readonly [ShippedDocument, ShippedDocument],
  names: readonly string[],
): SchemaPair[] {
  const listRoots = (document: ShippedDocument): Located[] =>
    side === 'input' ? [locate('/input', document)] : [...locateOutputs(document).values()];
  const [before, after] = [definitionsIn(listRoots(old), old), definitionsIn(listRoots(now), now)];
  return names
    .map((name) => childPointer({ pointer: '/$defs' }, name))
    .filter((pointer) => before.has(pointer) && after.has(pointer))
    .map((pointer): SchemaPair => [locate(pointer, old), locate(pointer, now)]);
}

function diffFacts(old: JsonObject, now: JsonObject): SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const direction of ['input', 'output'] as const) {
    const key = `${direction}Authored`;
    const [before, after] = [old[key], now[key]];
    if (typeof before === 'boolean' && typeof after === 'boolean' && before !== after)
      changes.push(classify(after ? 'authored-on' : 'authored-off', direction, { pointer: `/${key}`, before, after }));
  }
  return [...changes, ...diffProviders(old['providers'], now['providers'])];
}

function diffProviders(old: JsonValue | undefined, now: JsonValue | undefined): SchemaChange[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return [];
  const [{ default: before, alternates: earlier }, { default: after, alternates: later }] = [old, now];
  const change = classify('provider-changed', 'input', { pointer: '/providers/default', before, after });
  const pointer = '/providers/alternates';
  return [
    ...(sameJson(before, after) ? [] : [change]),
    ...diffLists(toList(earlier), toList(later), (turn, _, value) =>
      classify(`alternate-${turn}`, 'input', { pointer, ...value }),
    ),
  ];
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
  if (now.schemas === undefined || old.schemas === undefined) return false;
  if (old.schemas.document.root['aliasOf'] === now.id || now.schemas.document.root['aliasOf'] === old.id) return true;
  if (old.schemas.digest !== now.schemas.digest) return false;
  // Short schemas alone are no sign of the same model.
  return !now.schemas.isCommon || countSharedSegments(old, now) > 0;
}

/** How many segments of the ids are equal. */
function countSharedSegments(old: ShippedModel, now: ShippedModel): number {
  const [before, after] = [old.id.split('/'), now.id.split('/')];
  return before.filter((part, index) => part === after[index]).length;
}
