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
import { describeSchema } from './describe-change.ts';
import { diffMediaTypes, diffModelOperations } from './diff-operations.ts';
import type { ShippedModel } from './documents.ts';
import {
  childPointer,
  isClosed,
  type Located,
  listMembers,
  locate,
  type Place,
  rawSchema,
  type ShippedDocument,
} from './documents.ts';
import {
  classify,
  type Direction,
  diffLists,
  isSameJson,
  type SchemaChange,
  withoutRepetition,
} from './schema-change.ts';
import { otherMembers, readMembers } from './shape.ts';
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
  const facts = [...diffProviders(older.root, newer.root), ...diffModalities(older.root, newer.root)];
  facts.push(...diffModelOperations(older, newer, isOver));
  const isSame = before.schemas === after.schemas && !sides.some((side) => readAuthored(side, older, newer));
  if (isSame) return { changes: [...found, ...facts], declarations: undefined };
  const texts = { before: before.declarations, after: after.declarations };
  const isCompiled = texts.before !== '' && texts.after !== '';
  const comparison = createComparison(older.root, isCompiled, { isOver });
  const changes = withoutRepetition([
    ...diffInput(older, newer, comparison),
    ...diffOutputs(older, newer, comparison),
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

function diffInput(old: ShippedDocument, now: ShippedDocument, comparison: Comparison): SchemaChange[] {
  const [was, is] = [locate('/input', old), locate('/input', now)];
  const turn = readAuthored('input', old, now);
  const at = { pointer: '/inputAuthored', field: '' };
  if (turn === 'on') return [classify('authored-on', 'input', { ...at, after: listNeeds(is, comparison) })];
  if (turn === 'off') {
    // Code that reads an input loses its members, though everything is accepted.
    const members = comparison.shapesOf([was], 'object').flatMap((shape) => [...readMembers(shape).names]);
    const change = classify('authored-off', 'input', at);
    return [members.length === 0 ? change : { ...change, verdict: 'breaking', breaks: ['code'] }];
  }
  // An input schema that is not authored is not checked.
  const isChecked = now.root['inputAuthored'] !== false && [old, now].some(({ root }) => 'input' in root);
  return isChecked ? compareSide(was, is, 'input', comparison) : [];
}

/** The members that inputs need and may have. */
function listNeeds(input: Located, { shapesOf }: Comparison): JsonObject {
  const shapes = shapesOf([input], 'object');
  const [first, ...others] = shapes.map((shape) => readMembers(shape));
  const required = [...(first?.required ?? [])].filter((name) => others.every((one) => one.required.has(name)));
  const known = new Set(shapes.flatMap((shape) => [...readMembers(shape).named.keys()]));
  return {
    required,
    optional: [...known].filter((name) => !required.includes(name)),
    isClosed: shapes.every((shape) => isClosed(otherMembers(shape))),
    ...(shapes.length > 1 ? { types: describeSchema(rawSchema(input) ?? true, input.document.root) } : {}),
  };
}

const sides = ['input', 'output'] as const;

function readAuthored(side: Direction, old: ShippedDocument, now: ShippedDocument): 'on' | 'off' | undefined {
  const [before, after] = [old.root[`${side}Authored`], now.root[`${side}Authored`]];
  if (typeof before !== 'boolean' || typeof after !== 'boolean' || before === after) return undefined;
  return after ? 'on' : 'off';
}

function diffOutputs(old: ShippedDocument, now: ShippedDocument, comparison: Comparison): SchemaChange[] {
  const [before, after] = [locateOutputs(old), locateOutputs(now)];
  const turn = readAuthored('output', old, now);
  const found = diffMediaTypes(before, after, {
    direction: 'output',
    both: (was, is, mediaType) => diffOutput(mediaType, was, is, comparison),
  });
  if (found.some(({ rule }) => rule === 'media-type-changed') || turn === undefined) return found;
  const [is] = after.values();
  const described = is && describeSchema(rawSchema(is) ?? true, now.root);
  const breaks = [...new Set(found.flatMap((change) => change.breaks))];
  const change = classify(`authored-${turn}`, 'output', {
    pointer: '/outputAuthored',
    field: '',
    after: turn === 'on' ? described : undefined,
  });
  return breaks.length > 0 ? [{ ...change, breaks, verdict: 'breaking' }] : [change];
}

function diffOutput(mediaType: string, before: Located, after: Located, comparison: Comparison): SchemaChange[] {
  const [old = [], now = []] = [before, after].map(({ document, schema }) =>
    listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() }),
  );
  const forms = diffLists(old, now, (turn, _, value) =>
    classify(`body-form-${turn}`, 'output', { pointer: after.pointer, ...value }),
  );
  // Where a body is not JSON, its schema tells readers nothing.
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
function locateOutputs(document: ShippedDocument): Map<string, Located & { readonly hasSchema: boolean }> {
  const types = Object.keys(asObject(document.root['outputs']));
  const hasSchema = document.root['outputAuthored'] !== false;
  return new Map(
    types.map((type) => [type, { ...locate(childPointer({ pointer: '/outputs' }, type), document), hasSchema }]),
  );
}

function diffProviders({ providers: old }: JsonObject, { providers: now }: JsonObject): SchemaChange[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return [];
  const [{ default: before, alternates: earlier }, { default: after, alternates: later }] = [old, now];
  const change = classify('provider-changed', 'input', { pointer: '/providers/default', before, after });
  const list = (value: JsonValue | undefined): string[] =>
    (Array.isArray(value) ? value : []).map(asObject).map(({ provider, modelId }) => `${provider} (${modelId})`);
  const alternates = diffLists(list(earlier), list(later), (turn, _, value) =>
    classify(`alternate-${turn}`, 'input', { pointer: '/providers/alternates', ...value }),
  );
  return isSameJson(before, after) ? alternates : [change, ...alternates];
}

/** A change of the kinds of media that a model takes and returns; none where an output was made before they were kept. */
function diffModalities({ modalities: before }: JsonObject, { modalities: after }: JsonObject): SchemaChange[] {
  if (before === undefined || after === undefined || isSameJson(before, after)) return [];
  return [classify('modalities-changed', 'input', { pointer: '/modalities', before, after })];
}
