import {
  type CanonicalSchema,
  canonicalText,
  type Definitions,
  isNothing,
  mergeLimits,
  nothing,
  printJsonSchema,
  schemasOfValue,
} from '../../../specs/src/index.ts';

/** Members of a union of objects. Each member must be valid against at least one of its schemas. */
type Alternatives = {
  readonly members: ReadonlyMap<string, readonly CanonicalSchema[]>;
  readonly required: ReadonlySet<string>;
  readonly isClosed: boolean;
};
/** Members of an intersection of objects. Each member must be valid against all of its schemas. */
type MergedMembers = Alternatives & {
  isClosed: boolean;
  patterns: ReadonlyMap<string, CanonicalSchema> | undefined;
  others: CanonicalSchema | undefined;
};
type MergeContext = { readonly definitions: Definitions; parts: number };

const maxParts = 10_000;
const maxNested = 32;
const combining = ['ref', 'enum', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'] as const;

/**
 * Describes an input as one plain object without references, alternatives or conditions at its root, because the tool APIs of
 * model providers reject those. The object has the members of all alternatives; a member is required if every alternative
 * requires it. This accepts combinations that the original schema rejects; `validateInput` is exact.
 */
export function describeAsObject(input: CanonicalSchema, definitions: Definitions): CanonicalSchema {
  if (combining.every((keyword) => input[keyword] === undefined)) return input;
  const source = { definitions, parts: maxParts };
  const included = [...schemasOfValue({ schema: input, definitions }, ['included'], source)];
  const described = describeParts(included, source, 0);
  const object: CanonicalSchema = { type: ['object'], ...mergeLimits(included.toReversed()) };
  // In reverse order, so that annotations closer to the root take precedence.
  for (const { description, default: preset, examples, deprecated } of included.toReversed()) {
    if (description !== undefined) object.description = description;
    if (preset !== undefined) object.default = preset;
    if (examples !== undefined) object.examples = examples;
    if (deprecated !== undefined) object.deprecated = deprecated;
  }
  if (described === undefined) return { ...object, additionalProperties: nothing };
  const { members, required, isClosed, patterns, others } = described;
  object.properties = new Map([...members].map(([name, schemas]) => [name, makeAllOf(schemas)]));
  if (required.size > 0) object.required = [...required];
  if (patterns !== undefined) object.patternProperties = patterns;
  if (isClosed) object.additionalProperties = nothing;
  else if (others !== undefined) object.additionalProperties = others;
  return object;
}

/** Merges the parts of an intersection. Returns undefined if no object is valid against all parts. */
function describeParts(
  parts: readonly CanonicalSchema[],
  source: MergeContext,
  depth: number,
): MergedMembers | undefined {
  const members = new Map<string, CanonicalSchema[]>();
  const required = new Set<string>();
  const described: MergedMembers = { members, required, isClosed: false, patterns: undefined, others: undefined };
  for (const part of parts) {
    if (isNothing(part) || part.type?.includes('object') === false) return undefined;
    for (const [name, schema] of part.properties ?? []) addTo(members, name, schema);
    for (const name of part.required ?? []) required.add(name);
    described.patterns ??= part.patternProperties;
    described.isClosed ||= isClosing(part.additionalProperties) || isClosing(part.unevaluatedProperties);
    if (!isClosing(part.additionalProperties)) described.others ??= part.additionalProperties;
    if (depth >= maxNested || source.parts <= 0) continue;
    const { anyOf, oneOf, then: consequence = {}, else: alternative = {}, dependentSchemas } = part;
    const alternatives: (readonly CanonicalSchema[] | undefined)[] = [anyOf, oneOf];
    if (part.if !== undefined) alternatives.push([consequence, alternative]);
    for (const schema of dependentSchemas?.values() ?? []) alternatives.push([schema, {}]);
    for (const branches of alternatives.filter((list) => list !== undefined)) {
      const union = describeBranches(branches, source, depth + 1);
      if (union === undefined) return undefined;
      for (const [name, schemas] of union.members) addTo(members, name, makeAnyOf(schemas));
      for (const name of union.required) required.add(name);
      described.isClosed ||= union.isClosed;
    }
  }
  return described;
}

/** Merges the alternatives that accept objects. Returns undefined if no alternative accepts objects. */
function describeBranches(
  branches: readonly CanonicalSchema[],
  source: MergeContext,
  depth: number,
): Alternatives | undefined {
  const each = branches.flatMap((schema) => {
    const included = schemasOfValue({ schema, definitions: source.definitions }, ['included'], source);
    return describeParts([...included], source, depth) ?? [];
  });
  const [first] = each;
  if (first === undefined) return undefined;
  const members = new Map<string, CanonicalSchema[]>();
  for (const one of each) for (const [name, schemas] of one.members) addTo(members, name, makeAllOf(schemas));
  const required = [...first.required].filter((name) => each.every((one) => one.required.has(name)));
  return { members, required: new Set(required), isClosed: each.every(({ isClosed }) => isClosed) };
}

const isClosing = (schema: CanonicalSchema | undefined): boolean => schema !== undefined && isNothing(schema);

/** Returns a schema that accepts a value if at least one of the given schemas accepts it. */
function makeAnyOf(schemas: readonly CanonicalSchema[]): CanonicalSchema {
  const distinct = removeDuplicates(schemas);
  const [only] = distinct;
  if (distinct.length === 1 && only !== undefined) return only;
  // Discriminator values of the alternatives become one `enum`.
  const isListed = ({ enum: values, type, ...rest }: CanonicalSchema): boolean =>
    values !== undefined && Object.keys(rest).every((keyword) => keyword === 'title' || keyword === 'description');
  if (!distinct.every(isListed)) return { anyOf: distinct };
  const values = new Map(distinct.flatMap(({ enum: listed = [] }) => listed.map((one) => [canonicalText(one), one])));
  const [first] = distinct;
  const isOfOneType = first?.type !== undefined && distinct.every(({ type }) => type?.join() === first.type?.join());
  return { ...(isOfOneType ? { type: first.type } : {}), enum: [...values.values()] };
}

function makeAllOf(schemas: readonly CanonicalSchema[]): CanonicalSchema {
  const distinct = removeDuplicates(schemas);
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { allOf: distinct };
}

function removeDuplicates(schemas: readonly CanonicalSchema[]): readonly CanonicalSchema[] {
  const print = (schema: CanonicalSchema): string =>
    canonicalText(printJsonSchema(schema, { annotated: true, printName: (name) => name }));
  return [...new Map(schemas.map((schema) => [print(schema), schema])).values()];
}

function addTo(members: Map<string, CanonicalSchema[]>, name: string, schema: CanonicalSchema): void {
  members.set(name, [...(members.get(name) ?? []), schema]);
}
