import {
  asObject,
  type CanonicalSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listBodyKinds,
  visitParts,
} from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { diffModelOperations } from './diff-operations.ts';
import { childPointer, type Located, listMembers, locate, type Place, type ShippedDocument } from './located-schema.ts';
import type { ShippedModel } from './output-tree.ts';
import {
  classify,
  type Direction,
  diffLists,
  diffMediaTypes,
  type SchemaChange,
  sameJson,
  withoutRepetition,
} from './schema-change.ts';
import type { DeclarationPair } from './type-check.ts';

type Compared = { readonly changes: readonly SchemaChange[]; readonly declarations: DeclarationPair | undefined };

/** What changed in a model, and what the compiler is asked about it: nothing where the schemas are the same. */
export function compareModel(before: ShippedModel, after: ShippedModel, isOver: IsOver = () => false): Compared {
  const [older, newer] = [before.document, after.document];
  const found = [...diffExports(before, after), ...diffBilling(before, after)];
  if (older === undefined || newer === undefined) {
    const isSame = older === newer && before.locked.document === after.locked.document;
    const facts = { pointer: '', subject: 'one of the outputs ships no schemas' };
    return {
      changes: isSame ? found : [...found, classify('schema-uncompared', 'input', facts)],
      declarations: undefined,
    };
  }
  const facts = [...diffAuthored(older.root, newer.root), ...diffProviders(older.root, newer.root)];
  facts.push(...diffModelOperations(older, newer));
  if (before.schemas === after.schemas) return { changes: [...found, ...facts], declarations: undefined };
  const texts = { before: before.declarations, after: after.declarations };
  const isCompiled = texts.before !== '' && texts.after !== '';
  const comparison = createComparison(older.root, isCompiled, { isOver });
  const changes = withoutRepetition([
    ...diffInput(older, newer, comparison),
    ...diffMediaTypes(locateOutputs(older), locateOutputs(newer), {
      direction: 'output',
      both: (was, is, mediaType) => diffOutput(mediaType, was, is, comparison),
    }),
  ]).map((change) => noteMark(change, older.root, newer.root));
  return {
    changes: [...found, ...changes, ...facts],
    declarations: isCompiled ? { ...texts, names: namesBySide(older) } : undefined,
  };
}

/** The names of definitions that lead into each side. */
function namesBySide(document: ShippedDocument): DeclarationPair['names'] {
  const namesIn = (roots: readonly Located[]): Set<string> => {
    // Roots that are read add definitions.
    const definitions = document.reader.definitions();
    const found = new Set(roots.map(({ schema }) => schema));
    const names = new Set<string>();
    // The set grows while it is walked.
    for (const schema of found) {
      visitParts(schema, (part) => void found.add(part));
      const target = schema.ref && definitions.get(schema.ref);
      if (schema.ref !== undefined) names.add(schema.ref.slice('/$defs/'.length));
      if (target) found.add(target);
    }
    return names;
  };
  return { input: namesIn([locate('/input', document)]), output: namesIn([...locateOutputs(document).values()]) };
}

function diffExports(before: ShippedModel, after: ShippedModel): SchemaChange[] {
  const [old, now] = [exportedNames(before), exportedNames(after)];
  if (old.length === 0 || now.length === 0) return [];
  return diffLists(old, now, (turn, subject) => {
    const { document } = turn === 'removed' ? before : after;
    const names = document && namesBySide(document);
    const direction = names?.input.has(subject) && !names.output.has(subject) ? 'input' : 'output';
    return classify(`export-${turn}`, direction, { pointer: '', subject });
  });
}

// Text of a document never starts a line of declarations.
function exportedNames({ declarations }: ShippedModel): string[] {
  const names = declarations.matchAll(/^export (?:type|declare (?:const|function)) ([\w$]+)/gm);
  return [...names].flatMap(([, name]) => name ?? []);
}

function diffBilling({ locked: old }: ShippedModel, { locked: now }: ShippedModel): SchemaChange[] {
  const [before, after] = [old.chargesOnPolicyRejection, now.chargesOnPolicyRejection];
  return before === after ? [] : [classify('billing-changed', 'output', { pointer: '', before, after })];
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
  const isChecked = roots.every((root) => root['inputAuthored'] !== false) && roots.some((root) => 'input' in root);
  return isChecked ? compareSide(locate('/input', old), locate('/input', now), 'input', comparison) : [];
}

function diffOutput(mediaType: string, before: Located, after: Located, comparison: Comparison): SchemaChange[] {
  const [old = [], now = []] = [before, after].map(({ document, schema }) =>
    listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() }),
  );
  const forms = diffLists(old, now, (turn, _, value) =>
    classify(`body-form-${turn}`, 'output', { pointer: after.pointer, ...value }),
  );
  // Where a body is no JSON, its schema says nothing to readers.
  const isJson = old.includes('json') && now.includes('json');
  return isJson ? [...forms, ...compareSide(before, after, 'output', comparison)] : forms;
}

function compareSide(old: Located, now: Located, direction: Direction, comparison: Comparison): SchemaChange[] {
  // The router takes JSON objects only, whatever else a schema accepts (MR-RUN-15).
  const toPlace = (one: Located): Place =>
    direction === 'input' && 'input' in one.document.root ? [one, { ...one, schema: onlyObjects }] : [one];
  return compareSchemas([toPlace(old), toPlace(now)], { direction }, comparison);
}
const onlyObjects: CanonicalSchema = { type: ['object'] };

/** The schemas of results, by media type. */
function locateOutputs(document: ShippedDocument): Map<string, Located> {
  const types = Object.keys(asObject(document.root['outputs']));
  return new Map(types.map((type) => [type, locate(childPointer({ pointer: '/outputs' }, type), document)]));
}

function diffAuthored(old: JsonObject, now: JsonObject): SchemaChange[] {
  return (['input', 'output'] as const).flatMap((direction) => {
    const key = `${direction}Authored`;
    const [before, after] = [old[key], now[key]];
    if (typeof before !== 'boolean' || typeof after !== 'boolean' || before === after) return [];
    return [
      classify(after ? 'authored-on' : 'authored-off', direction, { pointer: `/${key}`, field: '', before, after }),
    ];
  });
}

function diffProviders({ providers: old }: JsonObject, { providers: now }: JsonObject): SchemaChange[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return [];
  const [{ default: before, alternates: earlier }, { default: after, alternates: later }] = [old, now];
  const change = classify('provider-changed', 'input', { pointer: '/providers/default', before, after });
  const toList = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
  const alternates = diffLists(toList(earlier), toList(later), (turn, _, value) =>
    classify(`alternate-${turn}`, 'input', { pointer: '/providers/alternates', ...value }),
  );
  return sameJson(before, after) ? alternates : [change, ...alternates];
}
