import {
  anything,
  type CanonicalSchema,
  canonicalText,
  findText,
  isNothing,
  type JsonTypeName,
  type JsonValue,
  limitKeywords,
  linearPattern,
  nothing,
  spend,
  type Work,
} from '../../../specs/src/index.ts';
import {
  identifyGroup,
  isClosed,
  type LocatedSchema,
  listIncluded,
  listParts,
  locateChild,
  printSchema,
  type SchemaGroup,
} from './documents.ts';

export type ShapeType = Exclude<JsonTypeName, 'integer'>;
export const shapeTypes: readonly ShapeType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** One way in which a schema accepts values of one type. A value must meet all parts of the shape. */
export type Shape = {
  readonly type: ShapeType;
  /** Schemas that apply. Only their own keywords count; targets of `$ref` and members of `allOf` are listed separately. */
  readonly schemas: readonly LocatedSchema[];
  /** Listed values by their canonical texts; undefined if any value is accepted. */
  readonly values?: ReadonlyMap<string, JsonValue> | undefined;
  /** Schemas whose values are rejected. */
  readonly excluded: readonly LocatedSchema[];
  /** Texts of schemas that are too complex to analyse; they are only compared for equality. */
  readonly opaque: ReadonlySet<string>;
  /** The alternative of `anyOf` or `oneOf` that the shape comes from; for nested ones, the outermost. */
  readonly origin?: LocatedSchema | undefined;
};
export type ReadShapes = (group: SchemaGroup, type: ShapeType) => readonly Shape[];

const maxAlternatives = 60;
const maxNested = 60;
/** Maximum number of alternatives that may match together, for `unevaluatedProperties`. */
const maxCombined = 4;

type Context = {
  readonly type: ShapeType;
  /** The schemas around this one that apply to the same value. */
  readonly path: readonly CanonicalSchema[];
  /** True if an outer schema has `unevaluatedProperties`, which depends on the members that other schemas describe. */
  readonly tracksEvaluated: boolean;
  readonly work: Work;
  readonly isLiteral: boolean;
};

/**
 * Reads schemas as shapes: follows references, merges `allOf`, and expands alternatives and conditions. `isLiteral`:
 * ignores conditions, dependents and excluded values, so that each written alternative gives one shape.
 */
export function createShapeReader(work: Work, isLiteral: boolean): ReadShapes {
  const cached = new Map<string, readonly Shape[]>();
  return (group, type) => {
    const key = `${type} ${identifyGroup(group)}`;
    const read = (): Shape[] => {
      let shapes = [emptyShape(type)];
      for (const located of group)
        shapes = intersectPairs(
          shapes,
          expandSchema(located, { type, path: [], tracksEvaluated: false, work, isLiteral }),
          work,
        );
      return shapes.filter((shape) => !isEmpty(shape));
    };
    const shapes = cached.get(key) ?? read();
    cached.set(key, shapes);
    return shapes;
  };
}

export function emptyShape(type: ShapeType, ...values: readonly JsonValue[]): Shape {
  const shape = { type, schemas: [], excluded: [], opaque: new Set<string>() };
  return values.length === 0 ? shape : { ...shape, values: indexValues(values) };
}

function indexValues(values: readonly JsonValue[]): ReadonlyMap<string, JsonValue> {
  return new Map(values.map((value) => [canonicalText(value), value]));
}

/** Combines each shape of the first list with each of the second: the values that a pair of shapes accepts. */
function intersectPairs(left: Shape[], right: Shape[], work: Work): Shape[] {
  spend(work, left.length * right.length);
  return left.flatMap((one) =>
    right.map((other): Shape => {
      const { values: listed } = other;
      const values = listed && one.values && new Map([...one.values].filter(([text]) => listed.has(text)));
      return {
        type: one.type,
        schemas: [...one.schemas, ...other.schemas],
        values: values ?? one.values ?? listed,
        excluded: [...one.excluded, ...other.excluded],
        opaque: new Set([...one.opaque, ...other.opaque]),
        origin: one.origin ?? other.origin,
      };
    }),
  );
}

/** Adds a schema to the shape. */
export function addSchema(shape: Shape, at: LocatedSchema, schema: CanonicalSchema): Shape {
  return { ...shape, schemas: [...shape.schemas, { ...at, schema }] };
}

/** Adds a schema that rejects values with this member. */
export function forbidMember(shape: Shape, at: LocatedSchema, name: string): Shape {
  return addSchema(shape, at, { properties: new Map([[name, nothing]]) });
}

/** Adds a schema that is only compared with equal texts, not analysed. */
function addOpaque(shape: Shape, schema: CanonicalSchema, at: LocatedSchema, work: Work): Shape {
  return { ...shape, opaque: new Set([...shape.opaque, printSchema({ ...at, schema }, work)]) };
}

/** True if the schema's own keywords accept values of the type. */
function acceptsType({ type: names, enum: values }: CanonicalSchema, type: ShapeType): boolean {
  const isNamed = names?.some((name) => name === type || (name === 'integer' && type === 'number')) ?? true;
  return isNamed && (values?.some((value) => readType(value) === type) ?? true);
}

export function readType(value: JsonValue): ShapeType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'string' : 'object';
}

/** Returns a shape for each combination of the alternatives in a schema, its references, its `allOf` and its conditions. */
function expandSchema(located: LocatedSchema, context: Context): Shape[] {
  const { schema } = located;
  const { type, path, work } = context;
  spend(work);
  // A schema that contains itself as an alternative adds nothing.
  if (isNothing(schema) || path.includes(schema) || !acceptsType(schema, type)) return [];
  const { enum: listed = type === 'boolean' ? [true, false] : undefined, propertyNames, contains } = schema;
  const values = listed && indexValues(listed.filter((value) => readType(value) === type));
  let own: Shape = { ...emptyShape(type), schemas: [located], values };
  // These keywords are rare, so they are not analysed.
  if (type === 'object' && propertyNames) own = addOpaque(own, { propertyNames }, located, work);
  const counts = new Map([...(schema.limits ?? [])].filter(([keyword]) => keyword.endsWith('Contains')));
  if (type === 'array' && contains) own = addOpaque(own, { contains, limits: counts }, located, work);
  if (type === 'array' && schema.unevaluatedItems) own = addOpaque(own, schema, located, work);
  const tracksEvaluated = context.tracksEvaluated || schema.unevaluatedProperties !== undefined;
  const inner = { ...context, path: [...path, schema], tracksEvaluated };
  const tooLarge = (): Shape[] => [addOpaque(emptyShape(type), schema, located, work)];
  if (path.length >= maxNested) return tooLarge();
  let shapes = [own];
  for (const part of listIncluded(located)) shapes = intersectPairs(shapes, expandSchema(part, inner), work);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (schema[keyword] !== undefined) shapes = intersectPairs(shapes, expandUnion(located, keyword, inner), work);
    if (shapes.length > maxAlternatives) return tooLarge();
  }
  if (!context.isLiteral) shapes = expandConditions(shapes, located, inner);
  return shapes.length > maxAlternatives ? tooLarge() : shapes.map((shape) => addUnevaluated(shape, located));
}

function expandUnion(at: LocatedSchema, keyword: 'anyOf' | 'oneOf', context: Context): Shape[] {
  const { type, tracksEvaluated, work, isLiteral } = context;
  const opaque = (): Shape[] => [addOpaque(emptyShape(type), at.schema, at, work)];
  const listed = at.schema[keyword]?.map((part, index) => locateChild(at, part, keyword, index)) ?? [];
  const exclusive = keyword === 'oneOf' && !isLiteral ? listed.filter((one) => mayAccept(one, type)) : [];
  if (exclusive.length > maxAlternatives) return opaque();
  const branches = listed.map((branch) => {
    const others = exclusive.filter((one) => one !== branch);
    return expandSchema(branch, context).map((shape) => ({
      ...excludeValues(shape, others),
      origin: shape.origin ?? branch,
    }));
  });
  if (keyword === 'oneOf' || !tracksEvaluated) return branches.flat();
  // If several alternatives match, the members of all of them are evaluated.
  const matching = branches.filter((shapes) => shapes.length > 0);
  if (matching.length > maxCombined) return opaque();
  let all: Shape[] = [];
  for (const shapes of matching) all = all.concat(shapes, intersectPairs(all, shapes, work));
  return all;
}

/** Writes conditions and dependents as alternatives, and combines the shapes with them. */
function expandConditions(start: Shape[], located: LocatedSchema, context: Context): Shape[] {
  const {
    not = nothing,
    if: test,
    then: yes,
    else: no,
    dependentRequired = [],
    dependentSchemas = [],
  } = located.schema;
  const needed = [...dependentRequired].map(([name, required]): [string, CanonicalSchema] => [name, { required }]);
  const conditions = [...needed, ...dependentSchemas].map(([name, schema]): CanonicalSchema[] => {
    return [{ properties: new Map([[name, nothing]]) }, { required: [name], allOf: [schema] }];
  });
  const chosen = context.type === 'object' ? conditions : [];
  if (test !== undefined && (yes ?? no) !== undefined)
    chosen.push([{ allOf: [test, yes ?? anything] }, { not: test, allOf: [no ?? anything] }]);
  let shapes = start;
  for (const anyOf of chosen)
    shapes = intersectPairs(
      shapes,
      expandSchema({ ...located, schema: { anyOf } }, { ...context, tracksEvaluated: false }),
      context.work,
    );
  const excluded = locateChild(located, not, 'not');
  return mayAccept(excluded, context.type) ? shapes.map((shape) => excludeValues(shape, [excluded])) : shapes;
}

/** Excludes the values that other schemas accept. If such a schema only requires a member, forbids that member. */
function excludeValues(shape: Shape, others: readonly LocatedSchema[]): Shape {
  let narrowed = shape;
  for (const other of others) {
    const { required: [name, ...more] = [], type, ...rest } = other.schema;
    const isOnlyName = shape.type === 'object' && more.length === 0 && Object.keys(rest).length === 0;
    if (isOnlyName && name !== undefined) narrowed = forbidMember(narrowed, other, name);
    else narrowed = { ...narrowed, excluded: [...narrowed.excluded, other] };
  }
  return narrowed;
}

/** False if the schema's own keywords, its reference or its `allOf` reject every value of the type. */
function mayAccept(located: LocatedSchema, type: ShapeType): boolean {
  return listParts([located]).every(({ schema }) => !isNothing(schema) && acceptsType(schema, type));
}

/** Adds `unevaluatedProperties`, which applies to members that no other schema describes. */
function addUnevaluated(shape: Shape, located: LocatedSchema): Shape {
  const { unevaluatedProperties: additionalProperties } = located.schema;
  const schemas = shape.schemas.map(({ schema }) => schema);
  if (additionalProperties === undefined || shape.type !== 'object') return shape;
  if (schemas.some((one) => one.additionalProperties !== undefined)) return shape;
  const list = (keyword: 'properties' | 'patternProperties') =>
    new Map(schemas.flatMap((one) => [...(one[keyword]?.keys() ?? [])]).map((name) => [name, anything]));
  const [properties, patternProperties] = [list('properties'), list('patternProperties')];
  return addSchema(shape, located, { properties, patternProperties, additionalProperties });
}

export type Members = {
  readonly required: ReadonlySet<string>;
  /** Schemas in `properties` by name. */
  readonly named: ReadonlyMap<string, readonly LocatedSchema[]>;
  readonly patterns: readonly string[];
};
const membersOfShape = new WeakMap<Shape, Members>();

/** Returns the members that the schemas of a shape describe. */
export function readMembers(shape: Shape): Members {
  const found = membersOfShape.get(shape);
  if (found !== undefined) return found;
  const named = new Map<string, LocatedSchema[]>();
  for (const located of shape.schemas)
    for (const [name, part] of located.schema.properties ?? [])
      named.set(name, [...(named.get(name) ?? []), locateChild(located, part, 'properties', name)]);
  const required = new Set(shape.schemas.flatMap(({ schema }) => schema.required ?? []));
  const patterns = shape.schemas.flatMap(({ schema }) => [...(schema.patternProperties?.keys() ?? [])]);
  const members = { required, named, patterns };
  membersOfShape.set(shape, members);
  return members;
}

/** Returns the schemas in `patternProperties` for the patterns that match a name. */
function listMatching(located: LocatedSchema, isMatching: (pattern: string) => boolean): LocatedSchema[] {
  const matching = [...(located.schema.patternProperties ?? [])].filter(([pattern]) => isMatching(pattern));
  return matching.map(([pattern, schema]) => locateChild(located, schema, 'patternProperties', pattern));
}

/** Returns the schemas that apply to the member with a name. */
export function locateMember({ schemas }: Shape, name: string): SchemaGroup {
  const [rest, described]: [LocatedSchema[], LocatedSchema[]] = [[], []];
  for (const located of schemas) {
    const { properties, additionalProperties } = located.schema;
    const own = properties?.get(name);
    const matching = listMatching(located, (pattern) => matches(pattern, name));
    described.push(...(own === undefined ? [] : [locateChild(located, own, 'properties', name)]), ...matching);
    if (own === undefined && matching.length === 0 && additionalProperties !== undefined)
      rest.push(locateChild(located, additionalProperties, 'additionalProperties'));
  }
  // `additionalProperties` comes first, because reports show the pointer of the first schema: if it is `false`, it rejects the member.
  return [...rest, ...described];
}

/** Returns the schemas for members that `properties` doesn't list and whose names match exactly the patterns in `matched`. */
export function locateOtherMembers({ schemas }: Shape, matched: readonly string[] = []): SchemaGroup {
  return schemas.flatMap((located) => {
    const matching = listMatching(located, (pattern) => pattern === '' || matched.includes(pattern));
    const { additionalProperties: rest } = located.schema;
    return matching.length > 0 || rest === undefined ? matching : [locateChild(located, rest, 'additionalProperties')];
  });
}

export function locateItem({ schemas }: Shape, index: number): SchemaGroup {
  return schemas.flatMap((located) => {
    const { prefixItems = [], items } = located.schema;
    const own = prefixItems[index];
    if (own !== undefined) return [locateChild(located, own, 'prefixItems', index)];
    return items === undefined ? [] : [locateChild(located, items, 'items')];
  });
}

/** Returns the largest number of `prefixItems` in the schemas of a shape. */
export function countListed({ schemas }: Shape): number {
  return Math.max(0, ...schemas.map(({ schema }) => schema.prefixItems?.length ?? 0));
}

const maxRange = 50;

/** Returns the values of a shape if there are few. */
export function listValues(shape: Shape): readonly JsonValue[] | undefined {
  if (shape.values !== undefined) return [...shape.values.values()].filter((value) => satisfiesBounds(value, shape));
  if (shape.type === 'null') return [null];
  if (!isInteger(shape)) return undefined;
  const { least, most } = readRange(shape);
  const length = Math.max(0, most - least + 1);
  if (length > maxRange) return undefined;
  return Array.from({ length }, (_, index) => least + index).filter((value) => satisfiesBounds(value, shape));
}

export function isInteger({ type, schemas }: Shape): boolean {
  return type === 'number' && schemas.some(({ schema }) => schema.type?.includes('number') === false);
}

/** Returns the values of a keyword in all schemas of a shape. */
function readLimits({ schemas }: Shape, keyword: string): JsonValue[] {
  return schemas.flatMap(({ schema }) => schema.limits?.get(keyword) ?? []);
}

/**
 * Numbers, or sizes of texts, lists and objects, that a shape accepts. `opensLow`, `opensHigh`: the end itself is
 * excluded.
 */
type Range = { readonly least: number; readonly most: number; readonly opensLow: boolean; readonly opensHigh: boolean };

/** `countsMembers`: the largest number of members of a closed object follows from their names. */
export function readRange(shape: Shape, isWhole = isInteger(shape), countsMembers = true): Range {
  const read = (keyword: string): number => {
    const bounds = readLimits(shape, keyword).map(Number);
    return limitKeywords.get(keyword)?.end === 'least' ? Math.max(...bounds) : Math.min(...bounds);
  };
  if (shape.type === 'number') {
    const [least, above] = [read('minimum'), read('exclusiveMinimum')];
    const [most, below] = [read('maximum'), read('exclusiveMaximum')];
    const [opensLow, opensHigh] = [above >= least && above > -Infinity, below <= most && below < Infinity];
    if (!isWhole) return { least: Math.max(least, above), most: Math.min(most, below), opensLow, opensHigh };
    const first = Math.max(Math.ceil(least), Math.floor(above) + 1);
    const last = Math.min(Math.floor(most), Math.ceil(below) - 1);
    return { least: first, most: last, opensLow: false, opensHigh: false };
  }
  const unit = { string: 'Length', array: 'Items', object: 'Properties' }[String(shape.type)] ?? '';
  let [least, most] = [read(`min${unit}`), read(`max${unit}`)];
  if (shape.type === 'array') {
    const indexes = Array.from({ length: countListed(shape) + 1 }, (_, index) => index);
    most = Math.min(most, indexes.find((index) => isClosed(locateItem(shape, index))) ?? most);
  }
  if (shape.type === 'object') {
    const { required, named, patterns } = readMembers(shape);
    least = Math.max(least, required.size);
    if (countsMembers && isClosed(locateOtherMembers(shape)) && patterns.length === 0)
      most = Math.min(most, [...named.keys()].filter((name) => !isClosed(locateMember(shape, name))).length);
  }
  return { least, most, opensLow: false, opensHigh: false };
}

/** True if the shape's own keywords reject every value. */
function isEmpty(shape: Shape): boolean {
  if (shape.values !== undefined) return ![...shape.values.values()].some((value) => satisfiesBounds(value, shape));
  const { least, most } = readRange(shape);
  const isRequired = (name: string): boolean => isClosed(locateMember(shape, name));
  return least > most || (shape.type === 'object' && [...readMembers(shape).required].some(isRequired));
}

/** True if a value is within the bounds of a shape. Doesn't check its members and items. */
export function satisfiesBounds(value: JsonValue, shape: Shape): boolean {
  if (value === null || typeof value === 'boolean') return true;
  const { least, most, opensLow, opensHigh } = readRange(shape);
  const size =
    typeof value === 'object' ? Object.keys(value).length : typeof value === 'string' ? [...value].length : value;
  if (size < least || size > most || (opensLow && size === least) || (opensHigh && size === most)) return false;
  if (typeof value === 'string')
    return readLimits(shape, 'pattern').every((pattern) => matches(String(pattern), value));
  if (typeof value !== 'number') return true;
  const isStep = (step: JsonValue): boolean => value === 0 || isMultiple(Math.abs(value), Number(step));
  return (!isInteger(shape) || Number.isInteger(value)) && readLimits(shape, 'multipleOf').every(isStep);
}

/** True if all values of a shape are within the bounds of another one. `isReader`: objects may have further members. */
export function fitsBounds(shape: Shape, other: Shape, isReader: boolean): boolean {
  const [steps = [], wideSteps = []] = [shape, other].map((one) => readLimits(one, 'multipleOf').map(Number));
  const isWhole = isInteger(shape) || (shape.type === 'number' && steps.some(Number.isInteger));
  const [own, theirs] = [readRange(shape, isWhole), readRange(other, isWhole, !isReader)];
  const fitsLow = own.least > theirs.least || (own.least === theirs.least && (own.opensLow || !theirs.opensLow));
  const fitsHigh = own.most < theirs.most || (own.most === theirs.most && (own.opensHigh || !theirs.opensHigh));
  const isUnique = (one: Shape): boolean => readLimits(one, 'uniqueItems').includes(true);
  if (shape.type === 'string') {
    const patterns = ['', ...readLimits(shape, 'pattern').map(String)];
    const hasPattern = (wide: string): boolean =>
      patterns.some((narrow) => wide === narrow || wide === '' || !mayMatch([narrow], [wide]));
    // A pattern may also limit the length of a string.
    if (!fitsLow && !hasPattern(`^[^]{${theirs.least}}`)) return false;
    if (!fitsHigh && !hasPattern(`^[^]{0,${theirs.most}}$`)) return false;
    return readLimits(other, 'pattern').every((wide) => hasPattern(String(wide)));
  }
  if (!fitsLow || !fitsHigh) return false;
  if (shape.type === 'array') return !isUnique(other) || isUnique(shape) || own.most <= 1;
  if (shape.type !== 'number') return true;
  const isStep = (wide: number): boolean =>
    (isWhole && isMultiple(1, wide)) || steps.some((narrow) => isMultiple(narrow, wide));
  return (isWhole || !isInteger(other)) && wideSteps.every(isStep);
}

/** True if no number or size is within the bounds of both shapes. */
export function areBoundsApart(one: Shape, other: Shape): boolean {
  const [range, others] = [readRange(one), readRange(other)];
  return range.least > others.most || others.least > range.most;
}

// Allows for floating point errors: 0.3 / 0.1 is slightly less than 3.
function isMultiple(large: number, small: number): boolean {
  const ratio = large / small;
  return Math.round(ratio) >= 1 && Math.abs(ratio - Math.round(ratio)) < 1e-9 * ratio;
}

const matchers = new Map<string, (text: string) => boolean>();
const maxMatchers = 2_000;

/** True if a pattern matches a text; false for a pattern that `linearPattern` can't parse. */
function matches(pattern: string, text: string): boolean {
  const cached = matchers.get(pattern);
  if (cached !== undefined) return cached(text);
  const matcher = linearPattern(pattern) ?? (() => false);
  if (matchers.size > maxMatchers) matchers.clear();
  matchers.set(pattern, matcher);
  return matcher(text);
}

/**
 * True if some text matches all patterns of the first list and none of the second; also true if the search is cut
 * short.
 */
export function mayMatch(matched: readonly string[], others: readonly string[]): boolean {
  const { text, isComplete } = findText({ all: matched, none: others }, { size: 400, states: 3_000 });
  return text !== undefined || !isComplete;
}
