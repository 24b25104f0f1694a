import {
  asObject,
  type CanonicalSchema,
  type JsonObject,
  type JsonValue,
  listBodyKinds,
  readEssence,
  resolvePointer,
  visitParts,
} from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import {
  breakCode,
  type Change,
  type Direction,
  diffNames,
  isSameJson,
  makeChange,
  withoutRepetition,
} from './change.ts';
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { diffModelOperations } from './diff-operations.ts';
import {
  childPointer,
  isClosed,
  type Located,
  locate,
  type Place,
  rawSchema,
  type ShippedDocument,
  type ShippedModel,
} from './documents.ts';
import { otherMembers, readMembers } from './shape.ts';
import type { DeclarationPair } from './type-check.ts';
import { describeSchema, describeTurn, listSome, quote } from './words.ts';

type Compared = { readonly changes: readonly Change[]; readonly declarations: DeclarationPair | undefined };

/**
 * Returns the changes of a model, and the declarations for the compiler to compare; undefined if the schemas are equal.
 */
export function compareModel(before: ShippedModel, after: ShippedModel, isOver: IsOver = () => false): Compared {
  const [old, now] = [before.document, after.document];
  const found = diffExports(before, after);
  const facts = diffFacts(before, after);
  if (old === undefined || now === undefined) {
    const isSame = old === now && before.locked.document === after.locked.document;
    const message = 'one of the outputs ships no schemas; counts as breaking';
    const uncompared = isSame ? [] : [makeChange('schema-uncompared', 'input', { pointer: '', message })];
    return { changes: [...found, ...uncompared, ...facts], declarations: undefined };
  }
  const ofCall = [...facts, ...diffModelOperations(old, now, isOver)];
  const turns = { input: readTurn('input', old, now), output: readTurn('output', old, now) };
  if (before.schemas === after.schemas && !turns.input && !turns.output)
    return { changes: [...found, ...ofCall], declarations: undefined };
  const isCompiled = before.declarations !== '' && after.declarations !== '';
  const comparison = createComparison(old.root, isCompiled, { isOver });
  const inputs = diffInput(old, now, turns.input, comparison);
  const changes = withoutRepetition([...inputs, ...diffOutputs(old, now, turns.output, comparison)]);
  const texts = { before: before.declarations, after: after.declarations, names: namesBySide(old) };
  return { changes: [...found, ...changes, ...ofCall], declarations: isCompiled ? texts : undefined };
}

/** Lists the names of definitions that inputs and outputs use. */
function namesBySide(document: ShippedDocument): DeclarationPair['names'] {
  const namesIn = (roots: readonly Located[]): Set<string> => {
    const definitions = document.reader.definitions();
    const found = new Set(roots.map(({ schema }) => schema));
    const names = new Set<string>();
    // Items added during the loop are also visited.
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

/** Names that only inputs use count as inputs, all others as outputs. */
function diffExports(before: ShippedModel, after: ShippedModel): Change[] {
  const listExports = ({ declarations, document }: ShippedModel) => {
    // Text from a document never starts a line of declarations.
    const exports = declarations.matchAll(/^export (?:type|declare (?:const|function)) ([\w$]+)/gm);
    const names = document && namesBySide(document);
    return [...exports].map(([, name = '']) => {
      const isOfInput = names?.input.has(name) && !names.output.has(name);
      return { name, side: isOfInput ? ('input' as const) : ('output' as const) };
    });
  };
  const [old, now] = [listExports(before), listExports(after)];
  if (old.length === 0 || now.length === 0) return [];
  type Exports = typeof old;
  return (['input', 'output'] as const).flatMap((side) => {
    const without = (all: Exports, others: Exports): string[] =>
      all.flatMap(({ name, side: own }) =>
        own === side && others.every((other) => other.name !== name) ? [name] : [],
      );
    return diffNames('TypeScript export', without(old, now), without(now, old), (turn, facts) =>
      makeChange(`export-${turn}`, side, { pointer: '', ...facts }),
    );
  });
}

/** Compares facts of the catalog and the document about the model, except its schemas. */
function diffFacts(
  { locked, document: old }: ShippedModel,
  { locked: lockedNow, document: now }: ShippedModel,
): Change[] {
  const [billing, billingNow] = [locked.chargesOnPolicyRejection, lockedNow.chargesOnPolicyRejection];
  const before: JsonObject = { billing, ...old?.root };
  const after: JsonObject = { billing: billingNow, ...now?.root };
  const listAlternates = (root: JsonObject): string[] =>
    [resolvePointer(root, '/providers/alternates') ?? []]
      .flat()
      .map(asObject)
      .map(({ provider, modelId }) => `${provider} (${modelId})`);
  // Outputs of older versions lack some sections.
  const isComparable = (section: string): boolean => [before, after].every((root) => root[section] !== undefined);
  const alternates = isComparable('providers') ? [before, after].map(listAlternates) : [];
  return [
    ...diffNames('alternate provider', alternates[0] ?? [], alternates[1] ?? [], (turn, facts) =>
      makeChange(`alternate-${turn}`, 'input', { pointer: '/providers/alternates', ...facts }),
    ),
    ...comparedFacts.flatMap(([rule, section, pointer, noun]) => {
      const [was, is] = [before, after].map((root) => resolvePointer(root, pointer));
      if (!isComparable(section) || isSameJson(was, is)) return [];
      const show = (value: JsonValue): string => quote([value].flat().join(', '));
      return [
        makeChange(rule, 'input', { pointer, before: was, after: is, message: describeTurn(noun, was, is, show) }),
      ];
    }),
  ];
}
const comparedFacts = [
  ['billing-changed', 'billing', '/billing', 'charge for content-policy rejections'],
  ['provider-changed', 'providers', '/providers/default', 'default provider'],
  ['modalities-changed', 'modalities', '/modalities/input', 'documented media of inputs'],
  ['modalities-changed', 'modalities', '/modalities/output', 'documented media of outputs'],
] as const;

type Turn = 'on' | 'off' | undefined;

/** Detects that a placeholder got a schema (`on`), or a schema became a placeholder (`off`). */
function readTurn(side: Direction, { root: old }: ShippedDocument, { root: now }: ShippedDocument): Turn {
  const [before, after] = [old[`${side}Authored`], now[`${side}Authored`]];
  if (typeof before !== 'boolean' || typeof after !== 'boolean' || before === after) return undefined;
  return after ? 'on' : 'off';
}

function diffInput(old: ShippedDocument, now: ShippedDocument, turn: Turn, comparison: Comparison): Change[] {
  const [was, is] = [locate('/input', old), locate('/input', now)];
  const at = { pointer: '/inputAuthored', field: '' };
  if (turn === 'off') {
    const message = 'inputs are no longer checked: any JSON object is accepted';
    const change = makeChange('authored-off', 'input', { ...at, message });
    // Code that reads an input loses its members, although every input is accepted.
    const hasMembers = comparison.shapesOf([was], 'object').some((shape) => readMembers(shape).names.size > 0);
    return [hasMembers ? breakCode(change) : change];
  }
  if (turn === 'on') return [makeChange('authored-on', 'input', { ...at, message: describeInput(is, comparison) })];
  // A placeholder as input schema means that inputs are not checked.
  const isChecked = now.root['inputAuthored'] !== false && [old, now].some(({ root }) => 'input' in root);
  if (!isChecked) return [];
  // The router only accepts JSON objects, whatever else a schema accepts (MR-RUN-15).
  const asObjects = (one: Located): Place =>
    'input' in one.document.root ? [one, { ...one, schema: onlyObjects }] : [one];
  return compareSchemas({ old: asObjects(was), now: asObjects(is) }, 'input', comparison);
}
const onlyObjects: CanonicalSchema = { type: ['object'] };

/** Describes what callers must do if the service starts to check inputs. */
function describeInput(input: Located, { shapesOf }: Comparison): string {
  const alternatives = shapesOf([input], 'object').map((shape) => ({ shape, ...readMembers(shape) }));
  const [first, ...rest] = alternatives;
  const required = [...(first?.required ?? [])].filter((name) => rest.every((one) => one.required.has(name)));
  const names = new Set(alternatives.flatMap(({ named }) => [...named.keys()]));
  const optional = [...names].filter((name) => !required.includes(name)).map((name) => quote(name));
  const areAllClosed = alternatives.every(({ shape }) => isClosed(otherMembers(shape)));
  const verb = ({ length }: readonly string[]): string => (length > 1 ? 'are' : 'is');
  const known = `${optional.slice(0, 6).join(', ')}${optional.length > 6 ? ', …' : ''} ${verb(optional)}`;
  const clauses = [
    ...(required.length > 0 ? [`${listSome(required.map((name) => quote(name)))} ${verb(required)} required`] : []),
    ...(optional.length > 0 ? [areAllClosed ? `only ${known} known` : `${known} described`] : []),
  ];
  const as = rest.length > 0 ? ` as ${quote(describeSchema(rawSchema(input), input.document.exact))}` : '';
  return `inputs are checked from now on${as}${clauses.length === 0 ? '' : `: ${clauses.join('; ')}`}`;
}

function diffOutputs(old: ShippedDocument, now: ShippedDocument, turn: Turn, comparison: Comparison): Change[] {
  const [before, after] = [locateOutputs(old), locateOutputs(now)];
  const shared = [...after.keys()].filter((mediaType) => before.has(mediaType));
  const found: Change[] = [];
  if (shared.length < before.size || shared.length < after.size) {
    const [was, is] = [before, after].map((outputs) => [...outputs].map(describeBody).join(' or ') || 'nothing');
    const types = { before: [...before.keys()], after: [...after.keys()] };
    const facts = { pointer: '/outputs', field: '', ...types, message: `${is} now, was ${was} before` };
    // Any body was possible before, or is possible now.
    const isOpen = (outputs: typeof before): boolean => shared.length === 0 && outputs.has('*/*');
    const isNarrower = shared.length < before.size && !isOpen(after);
    const isWider = shared.length < after.size && !isOpen(before);
    found.push(makeChange('media-type-changed', 'output', facts, { isNarrower, isWider, isCompiled: false }));
    if (shared.length === 0) return found;
  }
  for (const mediaType of shared) {
    const [was, is] = [before.get(mediaType), after.get(mediaType)];
    if (was !== undefined && is !== undefined) found.push(...diffBodies(mediaType, was, is, comparison));
  }
  const [is] = after.values();
  if (turn === undefined) return found;
  const described = is && turn === 'on' ? quote(describeSchema(rawSchema(is), now.exact)) : '';
  const message =
    turn === 'on'
      ? `outputs are described from now on: ${described}`
      : 'outputs are no longer described: any value is possible';
  const change = makeChange(`authored-${turn}`, 'output', { pointer: '/outputAuthored', field: '', message });
  const breaks = [...new Set(found.flatMap((one) => one.breaks))];
  return breaks.length > 0 ? [{ ...change, breaks, verdict: 'breaking' }] : [change];
}

function describeBody([mediaType, { document }]: readonly [string, Located]): string {
  if (mediaType === '*/*') return 'bytes or anything';
  if (mediaType !== 'application/json') return quote(mediaType);
  return document.root['outputAuthored'] === false ? 'JSON' : 'JSON with a schema';
}

function diffBodies(mediaType: string, was: Located, is: Located, comparison: Comparison): Change[] {
  const [kinds = [], kindsNow = []] = [was, is].map(({ document, schema }) =>
    listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() }),
  );
  const forms = diffNames('body form', kinds, kindsNow, (turn, facts) =>
    makeChange(`body-form-${turn}`, 'output', { pointer: is.pointer, ...facts }),
  );
  // Schemas of bodies other than JSON have no effect on readers.
  if (!kinds.includes('json') || !kindsNow.includes('json')) return forms;
  return [...forms, ...compareSchemas({ old: [was], now: [is] }, 'output', comparison)];
}

/** Returns schemas of results by media type without parameters, because a character set doesn't affect clients. */
function locateOutputs(document: ShippedDocument): Map<string, Located> {
  const types = Object.keys(asObject(document.root['outputs']));
  return new Map(
    types.map((type) => [readEssence(type), locate(childPointer({ pointer: '/outputs' }, type), document)]),
  );
}
