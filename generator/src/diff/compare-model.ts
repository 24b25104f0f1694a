import {
  asObject,
  type CanonicalSchema,
  type JsonObject,
  type JsonValue,
  listBodyKinds,
  readEssence,
  resolvePointer,
  schemasReached,
} from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import {
  type Change,
  type ChangeFacts,
  type Direction,
  diffNames,
  isSameJson,
  makeChange,
  markAsBreakingCode,
} from './change.ts';
import { type Comparison, compareSchemas, createComparison } from './compare-schemas.ts';
import { diffModelOperations } from './diff-operations.ts';
import {
  childPointer,
  type LocatedSchema,
  locateSchema,
  type SchemaGroup,
  type ShippedDocument,
  type ShippedModel,
} from './documents.ts';
import { readMembers } from './shape.ts';
import type { DeclarationPair } from './type-check.ts';
import { describeInput, describeLocatedSchema, describeValueChange, joinSome, quote } from './words.ts';

type ModelComparison = { readonly changes: readonly Change[]; readonly declarations: DeclarationPair | undefined };

/**
 * Returns the changes of a model, and the declarations that the compiler has to compare. `declarations` is undefined if
 * the schemas are equal or can't be compared.
 */
export function compareModel(before: ShippedModel, after: ShippedModel, isOver: IsOver = () => false): ModelComparison {
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
  const [input, output] = [detectAuthoredChange('input', old, now), detectAuthoredChange('output', old, now)];
  if (before.schemas === after.schemas && !input && !output)
    return { changes: [...found, ...ofCall], declarations: undefined };
  const isCompiled = before.declarations !== '' && after.declarations !== '';
  const comparison = createComparison(old.root, isCompiled, { isOver });
  const inputs = diffModelInput(old, now, input, comparison);
  const changes = [...inputs, ...diffModelOutputs(old, now, output, comparison)];
  const texts = { before: before.declarations, after: after.declarations, names: namesByDirection(old) };
  return { changes: [...changes, ...found, ...ofCall], declarations: isCompiled ? texts : undefined };
}

/** Returns the names of the definitions that inputs use, and of those that outputs use. */
function namesByDirection(document: ShippedDocument): DeclarationPair['names'] {
  const input = locateSchema('/input', document).schema;
  const outputs = [...locateOutputs(document).values()].map(({ schema }) => schema);
  // `locateSchema` above has added the definitions that the schemas refer to.
  const definitions = document.reader.definitions();
  const namesIn = (schemas: readonly CanonicalSchema[]): Set<string> =>
    new Set([...schemasReached(schemas, definitions)].flatMap(({ ref }) => ref?.slice('/$defs/'.length) ?? []));
  return { input: namesIn([input]), output: namesIn(outputs) };
}

function diffExports(before: ShippedModel, after: ShippedModel): Change[] {
  // Text from a document never starts a line of declarations.
  const pattern = /^export (?:type|declare (?:const|function)) ([\w$]+)/gm;
  const [old = [], now = []] = [before, after].map(({ declarations }) =>
    [...declarations.matchAll(pattern)].map(([, name = '']) => name),
  );
  if (old.length === 0 || now.length === 0) return [];
  const [removed, added] = [old.filter((name) => !now.includes(name)), now.filter((name) => !old.includes(name))];
  const replaced = findReplaced(before.document?.root ?? null, after.document?.root ?? null);
  const renamed = [...replaced].filter(([name, other]) => removed.includes(name) && added.includes(other));
  const reported = new Set(renamed.flat());
  const changes = renamed.map(([name, other]) => {
    const message = `TypeScript export ${quote(name)} renamed to ${quote(other)}`;
    return makeChange('export-removed', 'output', { pointer: '', before: [name], after: [other], message });
  });
  const [others = [], fresh = []] = [removed, added].map((names) => names.filter((name) => !reported.has(name)));
  const make = (kind: 'removed' | 'added', facts: Omit<ChangeFacts, 'pointer'>): Change =>
    makeChange(`export-${kind}`, 'output', { pointer: '', ...facts });
  return [...changes, ...diffNames('TypeScript export', others, fresh, make)];
}

/** Maps each definition of the older document to the one that the newer document refers to in the same place instead. */
function findReplaced(old: JsonValue, now: JsonValue): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>();
  const pending: [JsonValue, JsonValue][] = [[old, now]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [was, is] = next.map((part) => new Map(Object.entries(part ?? {})));
    const [name, other] = [was, is].map((part) => /^#\/\$defs\/(.*)/.exec(String(part?.get('$ref')))?.[1]);
    if (name !== undefined && other !== undefined && name !== other && !replaced.has(name)) {
      replaced.set(name, other);
      pending.push([resolvePointer(old, `/$defs/${name}`) ?? null, resolvePointer(now, `/$defs/${other}`) ?? null]);
    }
    for (const [key, part] of was ?? []) if (typeof part === 'object') pending.push([part, is?.get(key) ?? null]);
  }
  return replaced;
}

/** Facts in the document that are compared: rule, section, pointer, and what messages call the fact. */
const documentFacts = [
  ['provider-changed', 'providers', '/providers/default', 'default provider'],
  ['modalities-changed', 'modalities', '/modalities/input', 'input modalities'],
  ['modalities-changed', 'modalities', '/modalities/output', 'output modalities'],
] as const;
const chargeTexts = { yes: 'charged', no: 'free', unknown: 'not documented' };

/** Compares what the catalog and the document state about the model, except its schemas. */
function diffFacts(old: ShippedModel, now: ShippedModel): Change[] {
  const [before = {}, after = {}] = [old, now].map(({ document }): JsonObject => document?.root ?? {});
  // Outputs of older versions lack some sections.
  const isComparable = (section: string): boolean => [before, after].every((root) => root[section] !== undefined);
  const listAlternates = (root: JsonObject): string[] =>
    [resolvePointer(root, '/providers/alternates') ?? []]
      .flat()
      .map(asObject)
      .map(({ provider, modelId }) => `${provider} (${modelId})`);
  const [alternates = [], alternatesNow = []] = isComparable('providers') ? [before, after].map(listAlternates) : [];
  const found = diffNames('alternate provider', alternates, alternatesNow, (kind, facts) =>
    makeChange(`alternate-${kind}`, 'input', { pointer: '/providers/alternates', ...facts }),
  );
  const [charge, chargeNow] = [old.locked.chargesOnPolicyRejection, now.locked.chargesOnPolicyRejection];
  if (charge !== chargeNow) {
    const message = `calls rejected for their content are ${chargeTexts[chargeNow]} now (were ${chargeTexts[charge]})`;
    found.push(
      makeChange('billing-changed', 'input', { pointer: '/billing', before: charge, after: chargeNow, message }),
    );
  }
  const list = (value: JsonValue): string =>
    [value]
      .flat()
      .map((one) => quote(String(one)))
      .join(', ');
  for (const [rule, section, pointer, noun] of documentFacts) {
    const [was, is] = [before, after].map((root) => resolvePointer(root, pointer));
    if (!isComparable(section) || isSameJson(was, is)) continue;
    let message = describeValueChange(noun, was, is, list);
    if (is === undefined) message = `${noun} no longer documented`;
    else if (was === undefined) message = `${noun} documented now: ${list(is)}`;
    found.push(makeChange(rule, 'input', { pointer, before: was, after: is, message }));
  }
  return found;
}

type AuthoredChange = 'on' | 'off' | undefined;

/** Detects that a placeholder got a schema (`on`), or a schema became a placeholder (`off`). */
function detectAuthoredChange(
  direction: Direction,
  { root: old }: ShippedDocument,
  { root: now }: ShippedDocument,
): AuthoredChange {
  const [before, after] = [old[`${direction}Authored`], now[`${direction}Authored`]];
  if (typeof before !== 'boolean' || typeof after !== 'boolean' || before === after) return undefined;
  return after ? 'on' : 'off';
}

function diffModelInput(
  old: ShippedDocument,
  now: ShippedDocument,
  authored: AuthoredChange,
  comparison: Comparison,
): Change[] {
  const [was, is] = [locateSchema('/input', old), locateSchema('/input', now)];
  const at = { pointer: '/inputAuthored', field: '' };
  if (authored === 'off') {
    const message = 'no longer validated: any JSON object is accepted';
    const change = makeChange('authored-off', 'input', { ...at, message });
    // The input type has no members any more, so code that reads them does not compile, although every input is accepted.
    const hasMembers = comparison.shapesOf([was], 'object').some((shape) => readMembers(shape).named.size > 0);
    return [hasMembers ? markAsBreakingCode(change) : change];
  }
  if (authored === 'on') {
    const clauses = [
      'validated now (any JSON object was accepted before)',
      ...describeInput(is, comparison.shapesOf([is], 'object')),
    ];
    const message = clauses.join('; ');
    return [makeChange('authored-on', 'input', { ...at, message })];
  }
  // A placeholder as input schema means that inputs are not checked.
  const isChecked = now.root['inputAuthored'] !== false && [old, now].some(({ root }) => 'input' in root);
  if (!isChecked) return [];
  // The router only accepts JSON objects, whatever else a schema accepts (MR-RUN-15).
  const asObjects = (one: LocatedSchema): SchemaGroup =>
    'input' in one.document.root ? [one, { ...one, schema: { type: ['object'] } }] : [one];
  return compareSchemas({ old: asObjects(was), now: asObjects(is) }, 'input', comparison);
}

function diffModelOutputs(
  old: ShippedDocument,
  now: ShippedDocument,
  authored: AuthoredChange,
  comparison: Comparison,
): Change[] {
  const [before, after] = [locateOutputs(old), locateOutputs(now)];
  const shared = [...after.keys()].filter((mediaType) => before.has(mediaType));
  const found: Change[] = [];
  if (shared.length < before.size || shared.length < after.size) {
    const [was, is] = [before, after].map(
      (outputs) => [...outputs].map(([type, one]) => describeBody(type, one, comparison)).join(' or ') || 'nothing',
    );
    const types = { before: [...before.keys()], after: [...after.keys()] };
    const facts = { pointer: '/outputs', field: '', ...types, message: `changed from ${was} to ${is}` };
    // `*/*` accepts any body, so other media types neither add to it nor remove from it.
    const isOpen = (outputs: typeof before): boolean => shared.length === 0 && outputs.has('*/*');
    const isNarrower = shared.length < before.size && !isOpen(after);
    const isWider = shared.length < after.size && !isOpen(before);
    found.push(makeChange('media-type-changed', 'output', facts, { isNarrower, isWider, isCompiled: false }));
    if (shared.length === 0) return found;
  }
  for (const mediaType of shared) {
    const [was, is] = [before.get(mediaType), after.get(mediaType)];
    if (was === undefined || is === undefined) continue;
    const [kinds = [], kindsNow = []] = [was, is].map(({ document, schema }) =>
      listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() }),
    );
    const forms = diffNames('body kind', kinds, kindsNow, (change, facts) =>
      makeChange(`body-form-${change}`, 'output', { pointer: is.pointer, ...facts }),
    );
    found.push(...forms);
    // Only JSON bodies are parsed, so the schemas of other bodies can't break code that reads outputs.
    if (kinds.includes('json') && kindsNow.includes('json'))
      found.push(...compareSchemas({ old: [was], now: [is] }, 'output', comparison));
  }
  const [is] = after.values();
  if (authored === undefined) return found;
  const described = is && authored === 'on' ? quote(describeLocatedSchema(is)) : '';
  const message =
    authored === 'on' ? `described from now on: ${described}` : 'no longer described: any value is possible';
  const change = makeChange(`authored-${authored}`, 'output', { pointer: '/outputAuthored', field: '', message });
  const breaks = [...new Set(found.flatMap((one) => one.breaks))];
  return breaks.length > 0 ? [{ ...change, breaks, verdict: 'breaking' }] : [change];
}

function describeBody(mediaType: string, located: LocatedSchema, { shapesOf }: Comparison): string {
  const { document, schema } = located;
  const kinds = listBodyKinds(mediaType, { schema, definitions: document.reader.definitions() });
  if (mediaType === '*/*')
    return [...kinds.filter((kind) => kind !== 'json'), 'any JSON'].join(', ').replace(/,([^,]*)$/, ' or$1');
  if (mediaType !== 'application/json') return quote(mediaType);
  const shapes = shapesOf([located], 'object').map(readMembers);
  const names = new Set(shapes.flatMap(({ required, named }) => [...required, ...named.keys()]));
  const isRequired = (name: string): boolean => shapes.every(({ required }) => required.has(name));
  const listed = joinSome([...names].map((name) => quote(isRequired(name) ? name : `${name}?`)));
  if (names.size > 0) return `a JSON object (${listed})`;
  const described = describeLocatedSchema(located);
  return described === 'object' || described === 'anything' ? 'any JSON object' : `JSON ${quote(described)}`;
}

/** Returns schemas of results by media type without parameters, because a character set doesn't affect clients. */
function locateOutputs(document: ShippedDocument): Map<string, LocatedSchema> {
  const types = Object.keys(asObject(document.root['outputs']));
  return new Map(
    types.map((type) => [readEssence(type), locateSchema(childPointer({ pointer: '/outputs' }, type), document)]),
  );
}
