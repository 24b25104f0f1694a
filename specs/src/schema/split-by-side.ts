import type { CanonicalSchema, DefinitionName, Definitions, Discriminator, Side } from './canonical-schema.ts';

export type SchemasOfSides = {
  readonly inputs: readonly CanonicalSchema[];
  readonly outputs: readonly CanonicalSchema[];
  readonly definitions: Definitions;
};
/** Returns a new name for the form that a definition has for a side, where another form has its own name. */
export type NameCopy = (name: DefinitionName, side: Side) => DefinitionName;

/**
 * The schemas of both sides without the members of the other one: no `readOnly` member in an input and no `writeOnly` one in an
 * output, whether it is required or not and whichever schema of the value marks it. `not` and `if` stay as they are. Where the
 * sides see a definition differently, outputs keep its name.
 */
export function splitBySide({ inputs, outputs, definitions }: SchemasOfSides, nameCopy: NameCopy): SchemasOfSides {
  const marked = findMarked(definitions);
  const made = new Map<DefinitionName, CanonicalSchema>();
  const split = (side: Side, schemas: readonly CanonicalSchema[]): CanonicalSchema[] => {
    const view = createView({ side, definitions, marked, made, nameCopy });
    const seen = schemas.map((schema) => seeValue(schema, view));
    for (let next = view.pending.pop(); next !== undefined; next = view.pending.pop()) {
      made.set(next.name, seeSchema(definitions.get(next.of) ?? {}, next.hidden, view));
    }
    return seen;
  };
  const [seenOutputs, seenInputs] = [split('output', outputs), split('input', inputs)];
  return { inputs: seenInputs, outputs: seenOutputs, definitions: made };
}

const formsAtMost = 20_000;
const visitsAtMost = 1_000_000;

/** Names of members to leave out, of all schemas of a value; `kept` where a schema stays as it is. */
type Hidden = ReadonlySet<string> | 'kept';
type View = {
  readonly mark: 'readOnly' | 'writeOnly';
  readonly definitions: Definitions;
  readonly pending: { readonly name: DefinitionName; readonly of: DefinitionName; readonly hidden: Hidden }[];
  readonly nameOf: (of: DefinitionName, hidden: Hidden) => DefinitionName;
  /** Schemas left to visit, before members are no longer looked for. */
  visits: number;
  /** Whether a member's schema has the mark. */
  readonly marks: Map<CanonicalSchema, boolean>;
};
type ViewOptions = {
  readonly side: Side;
  readonly definitions: Definitions;
  readonly marked: ReadonlySet<DefinitionName>;
  readonly made: Map<DefinitionName, CanonicalSchema>;
  readonly nameCopy: NameCopy;
};

function createView({ side, definitions, marked, made, nameCopy }: ViewOptions): View {
  const names = new Map<string, DefinitionName>();
  const members = new Map<DefinitionName, ReadonlySet<string>>();
  const namesOf = (of: DefinitionName): ReadonlySet<string> => {
    const known = members.get(of) ?? namesIn(of, definitions);
    members.set(of, known);
    return known;
  };
  const pending: View['pending'] = [];
  const claim = (of: DefinitionName, hidden: Hidden, isWhole: boolean): DefinitionName => {
    // A definition without marks keeps its name for its whole form; one with marks gives it to the first form.
    const name = isWhole || (marked.has(of) && !made.has(of)) ? of : nameCopy(of, side);
    if (made.has(name)) return name;
    made.set(name, {}); // taken
    pending.push({ name, of, hidden: isWhole ? 'kept' : hidden });
    return name;
  };
  const nameOf: View['nameOf'] = (of, wanted) => {
    // A document can ask for a form of every definition at every place.
    const hidden = made.size < formsAtMost ? wanted : 'kept';
    const left = hidden === 'kept' ? hidden : [...hidden].filter((name) => namesOf(of).has(name)).sort();
    const isWhole = !marked.has(of) && (left === 'kept' || left.length === 0);
    const key = JSON.stringify([of, isWhole || left]);
    const name = names.get(key) ?? claim(of, hidden, isWhole);
    names.set(key, name);
    return name;
  };
  return {
    mark: side === 'input' ? 'readOnly' : 'writeOnly',
    definitions,
    pending,
    nameOf,
    visits: visitsAtMost,
    marks: new Map(),
  };
}

/** A schema that alone describes a value. */
function seeValue(schema: CanonicalSchema, view: View): CanonicalSchema {
  return seeSchema(schema, hiddenMembers(schema, view), view);
}

/** How a view sees the parts of a schema. */
type Sight = {
  readonly isShown: (name: string) => boolean;
  /** A further schema of the same value. */
  readonly here: (part: CanonicalSchema) => CanonicalSchema;
  /** A schema of a member or item. */
  readonly inside: (part: CanonicalSchema) => CanonicalSchema;
};

function seeSchema(schema: CanonicalSchema, hidden: Hidden, view: View): CanonicalSchema {
  const asIs = (part: CanonicalSchema): CanonicalSchema => seeSchema(part, 'kept', view);
  const sight: Sight =
    hidden === 'kept'
      ? { isShown: () => true, here: asIs, inside: asIs }
      : {
          isShown: (name) => !hidden.has(name),
          here: (part) => seeSchema(part, hidden, view),
          inside: (part) => seeValue(part, view),
        };
  const made: CanonicalSchema = { ...schema, ...seeMembers(schema, sight), ...seeOthers(schema, sight) };
  if (schema.ref !== undefined) made.ref = view.nameOf(schema.ref, hidden);
  if (schema.not !== undefined) made.not = asIs(schema.not);
  if (schema.conditional !== undefined) made.conditional = seeConditional(schema.conditional, sight, asIs);
  if (schema.discriminator !== undefined)
    made.discriminator = seeDiscriminator(schema.discriminator, (name) => view.nameOf(name, hidden));
  return made;
}

function seeMembers(schema: CanonicalSchema, { isShown, here, inside }: Sight): CanonicalSchema {
  const { properties, required, patternProperties, dependentRequired, dependentSchemas } = schema;
  const made: CanonicalSchema = {};
  if (properties !== undefined) made.properties = mapOf(properties, isShown, inside);
  if (required !== undefined) made.required = required.filter(isShown);
  if (patternProperties !== undefined) made.patternProperties = mapOf(patternProperties, () => true, inside);
  if (dependentRequired !== undefined)
    made.dependentRequired = mapOf(dependentRequired, isShown, (names) => names.filter(isShown));
  if (dependentSchemas !== undefined) made.dependentSchemas = mapOf(dependentSchemas, isShown, here);
  return made;
}

const restKeywords = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;

function seeOthers(schema: CanonicalSchema, { here, inside }: Sight): CanonicalSchema {
  const made: CanonicalSchema = {};
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    if (schema[keyword] !== undefined) made[keyword] = schema[keyword].map(here);
  if (schema.prefixItems !== undefined) made.prefixItems = schema.prefixItems.map(inside);
  for (const keyword of ['items', 'contains', 'unevaluatedItems', ...restKeywords] as const)
    if (schema[keyword] !== undefined) made[keyword] = inside(schema[keyword]);
  return made;
}

function seeConditional(
  { test, yes, no }: NonNullable<CanonicalSchema['conditional']>,
  { here }: Sight,
  asIs: Sight['here'],
): NonNullable<CanonicalSchema['conditional']> {
  return { test: asIs(test), ...(yes && { yes: here(yes) }), ...(no && { no: here(no) }) };
}

function seeDiscriminator(
  { propertyName, values }: Discriminator,
  nameOf: (name: DefinitionName) => DefinitionName,
): Discriminator {
  return { propertyName, values: new Map([...values].map(([name, words]) => [nameOf(name), words])) };
}

function mapOf<T>(
  members: ReadonlyMap<string, T>,
  isShown: (name: string) => boolean,
  change: (member: T) => T,
): Map<string, T> {
  return new Map([...members].filter(([name]) => isShown(name)).map(([name, member]) => [name, change(member)]));
}

/** The members of a value that any of its schemas marks, references followed. */
function hiddenMembers(schema: CanonicalSchema, view: View): ReadonlySet<string> {
  const { definitions } = view;
  const hidden = new Set<string>();
  if (view.visits < 0) return hidden;
  const schemas = schemasOfValue(schema, definitions);
  view.visits -= schemas.size;
  for (const { properties = [] } of schemas)
    for (const [name, member] of properties) if (isMarked(member, view, 0)) hidden.add(name);
  return hidden;
}

const nestedAtMost = 32;

function isMarked(member: CanonicalSchema, view: View, depth: number): boolean {
  const known = view.marks.get(member);
  if (known !== undefined || depth > nestedAtMost) return known === true;
  view.marks.set(member, false); // while it leads back to itself
  const isInner = (part: CanonicalSchema): boolean => isMarked(part, view, depth + 1);
  const target = member.ref === undefined ? undefined : view.definitions.get(member.ref);
  const branches = member.anyOf ?? member.oneOf ?? [];
  const isFound =
    member[view.mark] === true ||
    (target !== undefined && isInner(target)) ||
    member.allOf?.some(isInner) === true ||
    (branches.some(isInner) && branches.every((branch) => branch.type?.join() === 'null' || isInner(branch)));
  view.marks.set(member, isFound);
  return isFound;
}

/** Members that the schemas of a definition's value name. */
function namesIn(name: DefinitionName, definitions: Definitions): Set<string> {
  const names = new Set<string>();
  for (const schema of schemasOfValue({ ref: name }, definitions)) {
    const {
      properties = new Map(),
      dependentRequired = new Map(),
      dependentSchemas = new Map(),
      required = [],
    } = schema;
    const dependents = [...dependentRequired.values()].flat();
    for (const one of [...properties.keys(), ...required, ...dependentRequired.keys(), ...dependents]) names.add(one);
    for (const one of dependentSchemas.keys()) names.add(one);
  }
  return names;
}

/** The schema, what it refers to and their branches: all may describe the same value. */
function schemasOfValue(schema: CanonicalSchema, definitions: Definitions): ReadonlySet<CanonicalSchema> {
  const found = new Set([schema]);
  // What is added while the set is walked is walked as well.
  for (const { ref, allOf = [], anyOf = [], oneOf = [], conditional, dependentSchemas } of found) {
    const target = ref === undefined ? undefined : definitions.get(ref);
    const dependents = dependentSchemas?.values() ?? [];
    for (const part of [target, ...allOf, ...anyOf, ...oneOf, conditional?.yes, conditional?.no, ...dependents])
      if (part !== undefined) found.add(part);
  }
  return found;
}

/** Definitions with a mark, or with a reference that leads to one. */
function findMarked(definitions: Definitions): Set<DefinitionName> {
  const referrers = new Map<DefinitionName, DefinitionName[]>([...definitions.keys()].map((name) => [name, []]));
  const marked = new Set<DefinitionName>();
  for (const [name, schema] of definitions) {
    for (const { ref, readOnly, writeOnly } of everySchemaIn(schema)) {
      if (readOnly ?? writeOnly) marked.add(name);
      if (ref !== undefined) referrers.get(ref)?.push(name);
    }
  }
  for (const name of marked) for (const referrer of referrers.get(name) ?? []) marked.add(referrer);
  return marked;
}

function everySchemaIn(schema: CanonicalSchema): ReadonlySet<CanonicalSchema> {
  const found = new Set([schema]);
  const add = (part: CanonicalSchema | undefined): void => {
    if (part !== undefined) found.add(part);
  };
  for (const part of found) {
    const { properties, patternProperties, dependentSchemas, conditional } = part;
    for (const list of [part.allOf, part.anyOf, part.oneOf, part.prefixItems]) list?.forEach(add);
    for (const members of [properties, patternProperties, dependentSchemas]) members?.forEach(add);
    for (const one of [part.items, part.contains, part.unevaluatedItems, part.not]) add(one);
    for (const keyword of restKeywords) add(part[keyword]);
    if (conditional !== undefined) for (const one of [conditional.test, conditional.yes, conditional.no]) add(one);
  }
  return found;
}
