import {
  asObject,
  type CanonicalSchema,
  isJsonObject,
  type JsonObject,
  listBodyKinds,
  visitParts,
} from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { describeSchema } from './describe-change.ts';
import { diffMediaTypes, diffModelOperations } from './diff-operations.ts';
import {
  childPointer,
  isClosed,
  type Located,
  listMembers,
  locate,
  type Place,
  rawSchema,
  type ShippedDocument,
  type ShippedModel,
} from './documents.ts';
import {
  breakCode,
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

/** The changes of a model, and the declarations that the compiler has to compare; undefined if the schemas are the same. */
export function compareModel(before: ShippedModel, after: ShippedModel, isOver: IsOver = () => false): Compared {
  const [old, now] = [before.document, after.document];
  const found = [...diffExports(before, after), ...diffBilling(before, after)];
  if (old === undefined || now === undefined) {
    const isSame = old === now && before.locked.document === after.locked.document;
    const facts = { pointer: '', subject: 'one of the outputs ships no schemas' };
    const changes = isSame ? found : [...found, classify('schema-uncompared', 'input', facts)];
    return { changes, declarations: undefined };
  }
  const ofCall = [...diffProviders(old.root, now.root), ...diffModalities(old.root, now.root)];
  ofCall.push(...diffModelOperations({ old, now }, isOver));
  const turns = { input: readTurn('input', old, now), output: readTurn('output', old, now) };
  if (before.schemas === after.schemas && !turns.input && !turns.output)
    return { changes: [...found, ...ofCall], declarations: undefined };
  const isCompiled = before.declarations !== '' && after.declarations !== '';
  const comparison = createComparison(old.root, isCompiled, { isOver });
  const inputs = diffInput(old, now, turns.input, comparison);
  const changes = withoutRepetition([...inputs, ...diffOutputs(old, now, turns.output, comparison)]);
  const texts = { before: before.declarations, after: after.declarations, names: namesBySide(old) };
  return {
    changes: [...found, ...changes.map((change) => noteMark(change, old.root, now.root)), ...ofCall],
    declarations: isCompiled ? texts : undefined,
  };
}

/** The names of definitions that inputs and outputs use. */
function namesBySide(document: ShippedDocument): DeclarationPair['names'] {
  const namesIn = (roots: readonly Located[]): Set<string> => {
    const definitions = document.reader.definitions();
    const found = new Set(roots.map(({ schema }) => schema));
    const names = new Set<string>();
    // The set grows during the loop.
    for (const schema of found) {
      visitParts(schema, (part) => void found.add(part));
      const target = schema.ref && definitions.get(schema.ref);
      if (schema.ref !== undefined) names.add(schema.ref.slice('/$defs/'.length));
      if (target) found.add(target);
    }
    return names;
  };
  const [input, outputs] = [locate('/input', document), [...locateOutputs(document).values()]];
  return { input: namesIn([input]), output: namesIn(outputs) };
}

function diffExports(before: ShippedModel, after: ShippedModel): SchemaChange[] {
  // Text of a document never starts a line of declarations.
  const [old = [], now = []] = [before, after].map(({ declarations }) =>
    [...declarations.matchAll(/^export (?:type|declare (?:const|function)) ([\w$]+)/gm)].map(([, name]) =>
      String(name),
    ),
  );
  if (old.length === 0 || now.length === 0) return [];
  return diffLists(old, now, (turn, subject) => {
    const { document } = turn === 'removed' ? before : after;
    const names = document && namesBySide(document);
    const direction = names?.input.has(subject) && !names.output.has(subject) ? 'input' : 'output';
    return classify(`export-${turn}`, direction, { pointer: '', subject });
  });
}

function diffBilling({ locked: old }: ShippedModel, { locked: now }: ShippedModel): SchemaChange[] {
  const [before, after] = [old.chargesOnPolicyRejection, now.chargesOnPolicyRejection];
  return before === after ? [] : [classify('billing-changed', 'output', { pointer: '', before, after })];
}

/** Adds that a removed member belongs only to the other side now. */
function noteMark(change: SchemaChange, old: JsonObject, now: JsonObject): SchemaChange {
  const mark = change.direction === 'input' ? 'readOnly' : 'writeOnly';
  const isMarked = (document: JsonObject): boolean =>
    listMembers(document).some(([name, one]) => name === change.subject && isJsonObject(one) && one[mark] === true);
  const isMoved = change.rule === 'property-removed' && isMarked(now) && !isMarked(old);
  return isMoved ? { ...change, note: `it is ${mark} now` } : change;
}

type Turn = 'on' | 'off' | undefined;

/** A placeholder got a schema (`on`), or a schema became a placeholder (`off`). */
function readTurn(side: Direction, { root: old }: ShippedDocument, { root: now }: ShippedDocument): Turn {
  const [before, after] = [old[`${side}Authored`], now[`${side}Authored`]];
  if (typeof before !== 'boolean' || typeof after !== 'boolean' || before === after) return undefined;
  return after ? 'on' : 'off';
}

function diffInput(old: ShippedDocument, now: ShippedDocument, turn: Turn, comparison: Comparison): SchemaChange[] {
  const [was, is] = [locate('/input', old), locate('/input', now)];
  const listNames = (input: Located) =>
    comparison.shapesOf([input], 'object').map((shape) => ({ shape, ...readMembers(shape) }));
  const at = { pointer: '/inputAuthored', field: '' };
  if (turn === 'off') {
    const change = classify('authored-off', 'input', at);
    // Code that reads an input loses its members, although every input is accepted.
    return [listNames(was).some(({ names }) => names.size > 0) ? breakCode(change) : change];
  }
  if (turn === 'on') {
    const alternatives = listNames(is);
    const [first, ...others] = alternatives;
    const required = [...(first?.required ?? [])].filter((name) => others.every((one) => one.required.has(name)));
    const known = new Set(alternatives.flatMap(({ named }) => [...named.keys()]));
    const optional = [...known].filter((name) => !required.includes(name));
    const isAllClosed = alternatives.every(({ shape }) => isClosed(otherMembers(shape)));
    const types = others.length > 0 ? { types: describeSchema(rawSchema(is), now.exact) } : {};
    return [
      classify('authored-on', 'input', { ...at, after: { required, optional, isClosed: isAllClosed, ...types } }),
    ];
  }
  // An input schema that is a placeholder is not checked.
  const isChecked = now.root['inputAuthored'] !== false && [old, now].some(({ root }) => 'input' in root);
  if (!isChecked) return [];
  // The router takes JSON objects only, whatever else a schema accepts (MR-RUN-15).
  const asObjects = (one: Located): Place =>
    'input' in one.document.root ? [one, { ...one, schema: onlyObjects }] : [one];
  return compareSchemas([asObjects(was), asObjects(is)], { direction: 'input' }, comparison);
}
const onlyObjects: CanonicalSchema = { type: ['object'] };

function diffOutputs(old: ShippedDocument, now: ShippedDocument, turn: Turn, comparison: Comparison): SchemaChange[] {
  const after = locateOutputs(now);
  const found = diffMediaTypes(locateOutputs(old), after, {
    direction: 'output',
    both: (was, is, mediaType) => {
      const [kinds = [], kindsNow = []] = [was, is].map(({ document, schema }) =>
        listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() }),
      );
      const forms = diffLists(kinds, kindsNow, (turn, _, value) =>
        classify(`body-form-${turn}`, 'output', { pointer: is.pointer, ...value }),
      );
      // The schema of a body that isn't JSON has no effect on readers.
      if (!kinds.includes('json') || !kindsNow.includes('json')) return forms;
      return [...forms, ...compareSchemas([[was], [is]], { direction: 'output' }, comparison)];
    },
  });
  if (found.some(({ rule }) => rule === 'media-type-changed') || turn === undefined) return found;
  const [is] = after.values();
  const described = is && turn === 'on' ? describeSchema(rawSchema(is), now.exact) : undefined;
  const change = classify(`authored-${turn}`, 'output', { pointer: '/outputAuthored', field: '', after: described });
  const breaks = [...new Set(found.flatMap((one) => one.breaks))];
  return breaks.length > 0 ? [{ ...change, breaks, verdict: 'breaking' }] : [change];
}

/** The schemas of results, by media type. */
function locateOutputs(document: ShippedDocument): Map<string, Located & { readonly hasSchema: boolean }> {
  const hasSchema = document.root['outputAuthored'] !== false;
  const types = Object.keys(asObject(document.root['outputs']));
  return new Map(
    types.map((type) => [type, { ...locate(childPointer({ pointer: '/outputs' }, type), document), hasSchema }]),
  );
}

function diffProviders({ providers: old }: JsonObject, { providers: now }: JsonObject): SchemaChange[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return [];
  const [before, after] = [old['default'], now['default']];
  const list = ({ alternates }: JsonObject): string[] =>
    (Array.isArray(alternates) ? alternates : [])
      .map(asObject)
      .map(({ provider, modelId }) => `${provider} (${modelId})`);
  const alternates = diffLists(list(old), list(now), (turn, _, value) =>
    classify(`alternate-${turn}`, 'input', { pointer: '/providers/alternates', ...value }),
  );
  if (isSameJson(before, after)) return alternates;
  return [classify('provider-changed', 'input', { pointer: '/providers/default', before, after }), ...alternates];
}

/** Compares the kinds of media; an output of an older version may not have them. */
function diffModalities({ modalities: before }: JsonObject, { modalities: after }: JsonObject): SchemaChange[] {
  if (before === undefined || after === undefined || isSameJson(before, after)) return [];
  return [classify('modalities-changed', 'input', { pointer: '/modalities', before, after })];
}
