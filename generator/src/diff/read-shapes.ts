import { anything, type CanonicalSchema, isNothing, spend, type Work } from '../../../specs/src/index.ts';
import { identify, type Located, listIncluded, listParts, locateChild, type Place } from './documents.ts';
import {
  acceptsType,
  addOpaque,
  assert,
  countListed,
  emptyShape,
  forbid,
  intersect,
  isEmpty,
  readMembers,
  readOwn,
  type Shape,
  type ShapeType,
} from './shape.ts';

const alternativesAtMost = 60;
const nestedAtMost = 60;
/** Maximum number of alternatives that may match together, for `unevaluatedProperties`. */
const combinedAtMost = 4;

export type ReadShapes = (place: Place, type: ShapeType) => readonly Shape[];
type Context = {
  readonly type: ShapeType;
  /** The schemas around this one that apply to the same value. */
  readonly path: readonly CanonicalSchema[];
  /** True if evaluated members must be tracked. */
  readonly tracks: boolean;
  readonly work: Work;
  readonly isLiteral: boolean;
};

/**
 * Reads schemas as shapes: follows references, merges `allOf`, and expands alternatives and conditions. `isLiteral`:
 * ignores conditions, dependents and excluded values, so that each written alternative gives one shape.
 */
export function createShapeReader(work: Work, isLiteral: boolean): ReadShapes {
  const known = new Map<string, readonly Shape[]>();
  return (place, type) => {
    const key = `${type} ${identify(place)}`;
    const context = { type, path: [], tracks: false, work, isLiteral };
    const read = (): Shape[] => {
      let shapes = [emptyShape(type)];
      for (const located of place) shapes = cross(shapes, expand(located, context), work);
      return shapes.filter((shape) => !isEmpty(shape));
    };
    const shapes = known.get(key) ?? read();
    known.set(key, shapes);
    return shapes;
  };
}

function cross(left: Shape[], right: Shape[], work: Work): Shape[] {
  spend(work, left.length * right.length);
  return left.flatMap((one) => right.map((other) => intersect(one, other)));
}

function expand(located: Located, context: Context): Shape[] {
  const { schema } = located;
  const { type, path, work } = context;
  spend(work);
  // A schema that contains itself as an alternative adds nothing.
  if (isNothing(schema) || path.includes(schema) || !acceptsType(schema, type)) return [];
  const tracks = context.tracks || (schema.unevaluatedProperties ?? schema.unevaluatedItems) !== undefined;
  const inner = { ...context, path: [...path, schema], tracks };
  const own = [readOwn(located, type, work)];
  const shapes = path.length < nestedAtMost ? expandParts(own, located, inner) : undefined;
  return shapes ?? [addOpaque(emptyShape(type), schema, located, work)];
}

/** Combines the shapes with the schemas of the same value; returns undefined if there are too many. */
function expandParts(start: Shape[], located: Located, context: Context): Shape[] | undefined {
  const { work } = context;
  let shapes = start;
  for (const part of listIncluded(located)) shapes = cross(shapes, expand(part, context), work);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (located.schema[keyword] !== undefined) shapes = cross(shapes, expandUnion(located, keyword, context), work);
    if (shapes.length > alternativesAtMost) return undefined;
  }
  if (!context.isLiteral) shapes = expandConditions(shapes, located, context);
  return shapes.length > alternativesAtMost ? undefined : shapes.map((shape) => addUnevaluated(shape, located, work));
}

function expandUnion(at: Located, keyword: 'anyOf' | 'oneOf', context: Context): Shape[] {
  const { type, tracks, work, isLiteral } = context;
  const opaque = (): Shape[] => [addOpaque(emptyShape(type), at.schema, at, work)];
  const listed = at.schema[keyword]?.map((part, index) => locateChild(at, part, keyword, index)) ?? [];
  const exclusive = keyword === 'oneOf' && !isLiteral ? listed.filter((one) => mayBe(one, type)) : [];
  if (exclusive.length > alternativesAtMost) return opaque();
  const branches = listed.map((branch) => {
    const others = exclusive.filter((one) => one !== branch);
    return expand(branch, context).map((shape) => ({ ...exclude(shape, others), origin: shape.origin ?? branch }));
  });
  if (keyword === 'oneOf' || !tracks) return branches.flat();
  // If several alternatives match, the members of all of them are evaluated.
  const matching = branches.filter((shapes) => shapes.length > 0);
  if (matching.length > combinedAtMost) return opaque();
  let all: Shape[] = [];
  for (const shapes of matching) all = all.concat(shapes, cross(all, shapes, work));
  return all;
}

function expandConditions(start: Shape[], located: Located, context: Context): Shape[] {
  const { not, if: test, then: yes, else: no, dependentRequired = [], dependentSchemas = [] } = located.schema;
  const { type, work } = context;
  const excluding = (shapes: Shape[], part: CanonicalSchema, keyword: string): Shape[] => {
    const excluded = locateChild(located, part, keyword);
    return mayBe(excluded, type) ? shapes.map((shape) => exclude(shape, [excluded])) : shapes;
  };
  const part = (schema: CanonicalSchema | undefined, keyword: string): Shape[] =>
    schema === undefined ? [emptyShape(type)] : expand(locateChild(located, schema, keyword), context);
  let shapes = not === undefined ? start : excluding(start, not, 'not');
  if (test !== undefined && (yes ?? no) !== undefined) {
    const met = cross(part(test, 'if'), part(yes, 'then'), work);
    shapes = cross(shapes, [...met, ...excluding(part(no, 'else'), test, 'if')], work);
  }
  const dependents: [string, CanonicalSchema][] = [...dependentRequired]
    .filter(([name, others]) => others.some((other) => other !== name))
    .map(([name, others]) => [name, { required: others }]);
  for (const [name, schema] of type === 'object' ? [...dependents, ...dependentSchemas] : []) {
    // Objects without the member, and objects with it that the schema accepts.
    const at = locateChild(located, schema, 'dependentSchemas', name);
    const present = cross([assert(emptyShape('object'), at, { required: [name] })], expand(at, context), work);
    shapes = shapes.flatMap((shape) => {
      const without = readMembers(shape).required.has(name) ? [] : [forbid(shape, at, name)];
      return [...without, ...cross([shape], present, work)];
    });
  }
  return shapes;
}

/** Removes the values of other schemas. If a schema only requires a member, forbids that member. */
function exclude(shape: Shape, others: readonly Located[]): Shape {
  let made = shape;
  for (const other of others) {
    const { required: [name, ...more] = [], type, ...rest } = other.schema;
    const isOnlyName = shape.type === 'object' && more.length === 0 && Object.keys(rest).length === 0;
    if (isOnlyName && name !== undefined) made = forbid(made, other, name);
    else made = { ...made, excluded: [...made.excluded, other] };
  }
  return made;
}

/** False if the schema's own keywords, its reference or its `allOf` reject every value of the type. */
function mayBe(located: Located, type: ShapeType): boolean {
  return listParts([located]).every(({ schema }) => !isNothing(schema) && acceptsType(schema, type));
}

/** Adds `unevaluatedProperties` and `unevaluatedItems`, which apply to parts that no other schema describes. */
function addUnevaluated(shape: Shape, located: Located, work: Work): Shape {
  const { unevaluatedProperties, unevaluatedItems } = located.schema;
  const schemas = shape.schemas.map(({ schema }) => schema);
  if (unevaluatedProperties !== undefined && shape.type === 'object') {
    if (schemas.some((one) => one.additionalProperties !== undefined)) return shape;
    const list = (keyword: 'properties' | 'patternProperties') =>
      new Map(schemas.flatMap((one) => [...(one[keyword]?.keys() ?? [])]).map((name) => [name, anything]));
    const [properties, patternProperties] = [list('properties'), list('patternProperties')];
    return assert(shape, located, { properties, patternProperties, additionalProperties: unevaluatedProperties });
  }
  const isOpen = unevaluatedItems !== undefined && schemas.every(({ items }) => items === undefined);
  if (!isOpen || shape.type !== 'array') return shape;
  if (schemas.some(({ contains }) => contains !== undefined))
    return addOpaque(shape, { unevaluatedItems }, located, work);
  const prefixItems = Array.from({ length: countListed(shape) }, () => anything);
  return assert(shape, located, { prefixItems, items: unevaluatedItems });
}
