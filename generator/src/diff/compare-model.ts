import {
  type CanonicalSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listBodyKinds,
} from '../../../specs/src/index.ts';
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { diffModelOperations } from './diff-operations.ts';
import { findWitness } from './find-witness.ts';
import { childPointer, type Located, listMembers, locate, type Place, type ShippedDocument } from './located-schema.ts';
import { definitionsIn, type ShippedModel } from './output-tree.ts';
import {
  classify,
  diffLists,
  diffMediaTypes,
  type SchemaChange,
  sameJson,
  withoutRepetition,
} from './schema-change.ts';
import type { DeclarationPair } from './type-check.ts';

type Compared = { readonly changes: readonly SchemaChange[]; readonly declarations: DeclarationPair | undefined };

/** What changed in a model, and what the compiler is asked about it: nothing where the schemas are the same. */
export function compareModel(before: ShippedModel, after: ShippedModel): Compared {
  const found = diffExports(before, after);
  const [old, now] = [before.schemas, after.schemas];
  const [charged, charges] = [before.locked.chargesOnPolicyRejection, after.locked.chargesOnPolicyRejection];
  if (charged !== charges)
    found.push(classify('billing-changed', 'output', { pointer: '', before: charged, after: charges }));
  if (old === undefined || now === undefined) {
    if (old !== now || before.locked.document !== after.locked.document)
      found.push(
        classify('schema-uncompared', 'input', { pointer: '', subject: 'one of the outputs ships no schemas' }),
      );
    return { changes: found, declarations: undefined };
  }
  const facts = [
    ...diffFacts(old.document.root, now.document.root),
    ...diffModelOperations(old.document, now.document),
  ];
  if (old.digest === now.digest) return { changes: [...found, ...facts], declarations: undefined };
  const { declarations: text } = before;
  const declarations =
    text === '' || after.declarations === ''
      ? undefined
      : { before: text, after: after.declarations, names: namesBySide(before) };
  const changes = diffSchemas(
    old.document,
    now.document,
    createComparison(old.document.root, declarations !== undefined),
  );
  return { changes: [...found, ...changes, ...facts], declarations };
}

/** The names that lead into each side. */
function namesBySide({ schemas }: ShippedModel): DeclarationPair['names'] {
  const namesIn = (roots: readonly Located[]): Set<string> =>
    new Set(schemas && [...definitionsIn(roots, schemas.document)].map((pointer) => pointer.slice('/$defs/'.length)));
  const document = schemas?.document;
  return {
    input: namesIn(document === undefined ? [] : [locate('/input', document)]),
    output: namesIn(document === undefined ? [] : [...locateOutputs(document).values()]),
  };
}

function diffExports(before: ShippedModel, after: ShippedModel): SchemaChange[] {
  if (before.exports.size === 0 || after.exports.size === 0) return [];
  return diffLists([...before.exports], [...after.exports], (turn, subject) => {
    const { input, output } = namesBySide(turn === 'removed' ? before : after);
    const direction = input.has(subject) && !output.has(subject) ? 'input' : 'output';
    return classify(`export-${turn}`, direction, { pointer: '', subject });
  });
}

function diffSchemas(old: ShippedDocument, now: ShippedDocument, comparison: Comparison): SchemaChange[] {
  const found = withoutRepetition([...diffInput(old, now, comparison), ...diffOutputs(old, now, comparison)]);
  return found.map((change) => noteMark(change, old.root, now.root));
}

/** A member that a side lost may belong to the other side from now on. */
function noteMark(change: SchemaChange, old: JsonObject, now: JsonObject): SchemaChange {
  const { rule, direction, subject } = change;
  const mark = direction === 'input' ? 'readOnly' : 'writeOnly';
  const isMarked = (document: JsonObject): boolean =>
    listMembers(document).some(([name, one]) => name === subject && isJsonObject(one) && one[mark] === true);
  return rule === 'property-removed' && isMarked(now) && !isMarked(old)
    ? { ...change, note: `it is ${mark} now` }
    : change;
}

// An input schema that is not authored is not checked.
function diffInput(old: ShippedDocument, now: ShippedDocument, comparison: Comparison): SchemaChange[] {
  const roots = [old.root, now.root];
  const isChecked =
    roots.every((root) => root['inputAuthored'] !== false) && roots.some((root) => root['input'] !== undefined);
  if (!isChecked) return [];
  const found = compareSchemas(locateInput(old), locateInput(now), 'input', comparison);
  return [...found, ...findWitness({ old: locate('/input', old), now: locate('/input', now) }, 'input', found)];
}

// The router takes JSON objects only, whatever else a schema accepts (MR-RUN-15).
function locateInput(document: ShippedDocument): Place {
  const input = locate('/input', document);
  return document.root['input'] === undefined ? [input] : [input, { ...input, schema: onlyObjects }];
}
const onlyObjects: CanonicalSchema = { type: ['object'] };

function diffOutputs(old: ShippedDocument, now: ShippedDocument, comparison: Comparison): SchemaChange[] {
  return diffMediaTypes(locateOutputs(old), locateOutputs(now), {
    direction: 'output',
    both: (before, after) => diffOutput(before, after, comparison),
  });
}

function diffOutput(before: Output, after: Output, comparison: Comparison): SchemaChange[] {
  const readForms = ({ mediaType, document, schema }: Output) =>
    listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() });
  const [old, now] = [readForms(before), readForms(after)];
  const forms = diffLists(old, now, (turn, _, value) =>
    classify(`body-form-${turn}`, 'output', { pointer: after.pointer, ...value }),
  );
  // Where a body is no JSON, its schema says nothing to readers.
  const isJson = old.includes('json') && now.includes('json');
  if (!isJson) return forms;
  const found = compareSchemas([before], [after], 'output', comparison);
  return [...forms, ...found, ...findWitness({ old: before, now: after }, 'output', found)];
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

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
