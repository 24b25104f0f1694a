import {
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  hasImpossibleEnum,
  isNull,
  type Side,
} from './canonical-schema.ts';
import { kindsOfValue, mapParts, type PartBudget, schemasOfValue, schemasReached } from './schema-parts.ts';

export type SchemasOfSides = {
  readonly inputs: readonly CanonicalSchema[];
  readonly outputs: readonly CanonicalSchema[];
  readonly definitions: Definitions;
};
/**
 * Returns a new name for the input or output form of a definition, if a different form already has the definition's
 * name.
 */
export type NameCopy = (name: DefinitionName, side: Side) => DefinitionName;

/**
 * Removes `readOnly` members from inputs and `writeOnly` members from outputs, even if they are required, and even if
 * only one of the schemas of a value marks them. Also removes output-only branches from inputs. An output's enum takes
 * precedence over a type that rejects all of its values. Schemas under `not` and `if` keep their members. If the two
 * forms of a definition differ, the output form keeps the name.
 */
export function splitBySide({ inputs, outputs, definitions }: SchemasOfSides, nameCopy: NameCopy): SchemasOfSides {
  const marked = findMarkedDefinitions(definitions);
  const forms = new Map<DefinitionName, CanonicalSchema>();
  const split = (side: Side, schemas: readonly CanonicalSchema[]): CanonicalSchema[] => {
    const mark = side === 'input' ? 'readOnly' : 'writeOnly';
    const known = { names: new Map(), members: new Map(), marks: new Map() };
    const view: View = {
      side,
      mark,
      definitions,
      marked,
      formsByName: forms,
      nameCopy,
      ...known,
      pending: [],
      parts: maxParts,
    };
    const converted = schemas.map((schema) => convertValue(schema, view));
    for (let next = view.pending.pop(); next !== undefined; next = view.pending.pop()) {
      forms.set(next.name, convertSchema(definitions.get(next.of) ?? {}, next.hidden, view));
    }
    return converted;
  };
  const [convertedOutputs, convertedInputs] = [split('output', outputs), split('input', inputs)];
  return { inputs: convertedInputs, outputs: convertedOutputs, definitions: forms };
}

const maxForms = 20_000;
const maxParts = 1_000_000;

/** Names of members to remove from all schemas of a value; `kept` if a schema stays unchanged. */
type Hidden = ReadonlySet<string> | 'kept';
type Names = ReadonlySet<DefinitionName>;
type View = PartBudget & {
  readonly side: Side;
  readonly mark: 'readOnly' | 'writeOnly';
  readonly definitions: Definitions;
  readonly marked: Names;
  /** Input or output forms of definitions, by name. Requested forms are added to `pending` and created later. */
  readonly formsByName: Map<DefinitionName, CanonicalSchema>;
  readonly pending: { readonly name: DefinitionName; readonly of: DefinitionName; readonly hidden: Hidden }[];
  readonly nameCopy: NameCopy;
  /** Names of forms by definition and hidden members. */
  readonly names: Map<string, DefinitionName>;
  /** The names that `namesIn` returned for each definition. */
  readonly members: Map<DefinitionName, ReadonlySet<string>>;
  /** True for schemas of members that have the mark. */
  readonly marks: Map<CanonicalSchema, boolean>;
};

function nameForm(of: DefinitionName, wanted: Hidden, view: View): DefinitionName {
  const { formsByName, marked, names } = view;
  // The number of forms is limited: a document can require a different form of a definition at every reference.
  const hidden = formsByName.size < maxForms ? wanted : 'kept';
  const hiddenHere =
    hidden === 'kept' ? hidden : [...hidden].filter((name) => findMemberNames(of, view).has(name)).sort();
  const isWhole = !marked.has(of) && (hiddenHere === 'kept' || hiddenHere.length === 0);
  const key = JSON.stringify([of, isWhole || hiddenHere]);
  // The unchanged form of a definition without marks keeps the name. If it has marks, the first form gets the name.
  const isOwn = isWhole || (marked.has(of) && !formsByName.has(of));
  const name = names.get(key) ?? (isOwn ? of : view.nameCopy(of, view.side));
  names.set(key, name);
  if (formsByName.has(name)) return name;
  formsByName.set(name, {}); // Reserves the name.
  view.pending.push({ name, of, hidden: isWhole ? 'kept' : hidden });
  return name;
}

function findMemberNames(of: DefinitionName, { members, definitions }: View): ReadonlySet<string> {
  const known = members.get(of) ?? collectMemberNames(of, definitions);
  members.set(of, known);
  return known;
}

/** Converts a schema that describes a complete value. Omits the members that at least one schema of the value marks. */
function convertValue(schema: CanonicalSchema, view: View): CanonicalSchema {
  const hidden = new Set<string>();
  for (const { properties = [] } of schemasOfValue({ schema, definitions: view.definitions }, kindsOfValue, view))
    for (const [name, member] of properties) if (hasMark(member, view, 0)) hidden.add(name);
  return convertSchema(schema, hidden, view);
}

function convertSchema(whole: CanonicalSchema, hidden: Hidden, view: View): CanonicalSchema {
  const schema = view.side === 'input' ? withoutOutputBranch(whole) : withPossibleEnum(whole);
  const converted = mapParts(hidden === 'kept' ? schema : withoutMembers(schema, hidden), (part, kind) => {
    if (kind === 'child' && hidden !== 'kept') return convertValue(part, view);
    return convertSchema(part, kind === 'tested' ? 'kept' : hidden, view);
  });
  if (schema.ref !== undefined) converted.ref = nameForm(schema.ref, hidden, view);
  if (schema.discriminator === undefined) return converted;
  const { propertyName, values } = schema.discriminator;
  const renamed = [...values].map(([name, words]) => [nameForm(name, hidden, view), words] as const);
  converted.discriminator = { propertyName, values: new Map(renamed) };
  return converted;
}

function withoutOutputBranch(schema: CanonicalSchema): CanonicalSchema {
  const { anyOf, ...annotations } = schema;
  if (anyOf?.some(({ outputOnly }) => outputOnly) !== true) return schema;
  return { ...anyOf.find(({ outputOnly }) => outputOnly !== true), ...annotations };
}

/** Drops a type that contradicts the enum, because servers do return the values of the enum. */
function withPossibleEnum(schema: CanonicalSchema): CanonicalSchema {
  if (!hasImpossibleEnum(schema)) return schema;
  const { type: _, ...rest } = schema;
  return rest;
}

function withoutMembers(schema: CanonicalSchema, hidden: ReadonlySet<string>): CanonicalSchema {
  const { properties, required, dependentRequired, dependentSchemas } = schema;
  const isShown = (name: string): boolean => !hidden.has(name);
  const listShown = <T>(members: ReadonlyMap<string, T>): [string, T][] =>
    [...members].filter(([name]) => isShown(name));
  const reduced: CanonicalSchema = { ...schema };
  if (properties !== undefined) reduced.properties = new Map(listShown(properties));
  if (required !== undefined) reduced.required = required.filter(isShown);
  if (dependentRequired !== undefined)
    reduced.dependentRequired = new Map(
      listShown(dependentRequired).map(([name, others]) => [name, others.filter(isShown)]),
    );
  if (dependentSchemas !== undefined) reduced.dependentSchemas = new Map(listShown(dependentSchemas));
  return reduced;
}

const maxNested = 32;

function hasMark(member: CanonicalSchema, view: View, depth: number): boolean {
  const known = view.marks.get(member);
  if (known !== undefined || depth > maxNested) return known === true;
  view.marks.set(member, false); // In case the schema refers to itself.
  const isInner = (part: CanonicalSchema): boolean => hasMark(part, view, depth + 1);
  const target = member.ref === undefined ? undefined : view.definitions.get(member.ref);
  const branches = member.anyOf ?? member.oneOf ?? [];
  const isFound =
    member[view.mark] === true ||
    (target !== undefined && isInner(target)) ||
    member.allOf?.some(isInner) === true ||
    (branches.some(isInner) && branches.every((branch) => isNull(branch) || isInner(branch)));
  view.marks.set(member, isFound);
  return isFound;
}

/** Returns the names of all members that a definition, or a schema for the same value, mentions. */
function collectMemberNames(name: DefinitionName, definitions: Definitions): Set<string> {
  const names = new Set<string>();
  for (const schema of schemasOfValue({ schema: { ref: name }, definitions }, kindsOfValue, { parts: Infinity })) {
    const { properties, required = [], dependentRequired, dependentSchemas } = schema;
    for (const members of [properties, dependentRequired, dependentSchemas])
      for (const one of members?.keys() ?? []) names.add(one);
    for (const one of [...required, ...(dependentRequired?.values() ?? [])].flat()) names.add(one);
  }
  return names;
}

/** Returns the definitions that have a mark, or that refer to a marked definition. */
function findMarkedDefinitions(definitions: Definitions): Set<DefinitionName> {
  const referrers = new Map<DefinitionName, DefinitionName[]>([...definitions.keys()].map((name) => [name, []]));
  const marked = new Set<DefinitionName>();
  for (const [name, schema] of definitions) {
    for (const part of schemasReached([schema], new Map())) {
      const { ref, readOnly, writeOnly, outputOnly } = part;
      if ((readOnly ?? writeOnly ?? outputOnly) || hasImpossibleEnum(part)) marked.add(name);
      if (ref !== undefined) referrers.get(ref)?.push(name);
    }
  }
  for (const name of marked) for (const referrer of referrers.get(name) ?? []) marked.add(referrer);
  return marked;
}
