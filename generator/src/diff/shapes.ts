import { anything, type CanonicalSchema, isNothing, spend, type Work } from '../../../specs/src/index.ts';
import { followReference, identify, type Located, listParts, locateChild, type Place } from './documents.ts';
import {
  assert,
  countListed,
  emptyShape,
  forbid,
  intersect,
  isEmpty,
  noteOpaque,
  readMembers,
  readOwn,
  type Shape,
  type ShapeType,
  takesType,
} from './shape.ts';

const alternativesAtMost = 60;
const nestedAtMost = 60;
/** Alternatives of a value that may match together, for `unevaluatedProperties`. */
const combinedAtMost = 4;

export type ReadShapes = (place: Place, type: ShapeType) => readonly Shape[];
type Context = {
  readonly type: ShapeType;
  /** The schemas of the same value around this one. */
  readonly path: readonly CanonicalSchema[];
  /** Whether it matters which members are evaluated. */
  readonly tracks: boolean;
  readonly work: Work;
  readonly isLiteral: boolean;
};

/**
 * Reads schemas as shapes: references followed, `allOf` merged, alternatives and conditions written out. `isLiteral` leaves out
 * conditions, dependents and what is excluded, so that there is one shape for each alternative that is written.
 */
export function createShapeReader(work: Work, isLiteral: boolean): ReadShapes {
  const known = new Map<string, readonly Shape[]>();
  return (place, type) => {
    const key = `${type} ${identify(place)}`;
    const found = known.get(key) ?? readPlace(place, { type, path: [], tracks: false, work, isLiteral });
    known.set(key, found);
    return found;
  };
}

function readPlace(place: Place, context: Context): readonly Shape[] {
  const { type, work } = context;
  const start = [emptyShape(type)];
  const shapes = place.reduce((all, located) => cross(all, expand(located, context), work), start);
  return shapes.filter((shape) => !isEmpty(shape));
}

function cross(left: Shape[], right: Shape[], work: Work): Shape[] {
  spend(work, left.length * right.length);
  return left.flatMap((one) => right.map((other) => intersect(one, other)));
}

function expand(located: Located, context: Context): Shape[] {
  const { schema } = located;
  const { type, path, work } = context;
  spend(work);
  // A schema that is its own alternative adds nothing.
  if (isNothing(schema) || path.includes(schema) || !takesType(schema, type)) return [];
  const own = readOwn(located, type, work);
  const tracks = context.tracks || (schema.unevaluatedProperties ?? schema.unevaluatedItems) !== undefined;
  const inner = { ...context, path: [...path, schema], tracks };
  const shapes = path.length < nestedAtMost ? expandParts([own], located, inner) : undefined;
  return shapes ?? [noteOpaque(emptyShape(type), schema, located, work)];
}

/** The shapes with all that applies to the same value; undefined for too many. */
function expandParts(start: Shape[], located: Located, context: Context): Shape[] | undefined {
  const { schema } = located;
  const target = followReference(located);
  const included = schema.allOf?.map((part, index) => locateChild(located, part, 'allOf', index)) ?? [];
  const { work, isLiteral } = context;
  let shapes = start;
  for (const part of target === undefined ? included : [target, ...included])
    shapes = cross(shapes, expand(part, context), work);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const listed = schema[keyword]?.map((part, index) => locateChild(located, part, keyword, index));
    if (listed !== undefined) shapes = cross(shapes, expandUnion(listed, located, context), work);
    if (shapes.length > alternativesAtMost) return undefined;
  }
  if (!isLiteral) shapes = expandConditions(shapes, located, context);
  return shapes.length > alternativesAtMost ? undefined : shapes.map((shape) => addUnevaluated(shape, located, work));
}

function expandUnion(listed: readonly Located[], at: Located, context: Context): Shape[] {
  const { type, tracks, work, isLiteral } = context;
  const isExclusive = at.schema.oneOf !== undefined && listed[0]?.schema === at.schema.oneOf[0];
  const exclusive = isExclusive && !isLiteral ? listed.filter((one) => mayBe(one, type)) : [];
  if (exclusive.length > alternativesAtMost) return [noteOpaque(emptyShape(type), at.schema, at, work)];
  const branches = listed
    .map((branch) => {
      const others = exclusive.filter((one) => one !== branch);
      return expand(branch, context).map(
        (shape): Shape => ({
          ...exclude(shape, others),
          origin: shape.origin ?? branch,
        }),
      );
    })
    .filter((shapes) => shapes.length > 0);
  // Where several alternatives match, the members of all of them count as evaluated.
  if (isExclusive || !tracks) return branches.flat();
  if (branches.length > combinedAtMost) return [noteOpaque(emptyShape(type), at.schema, at, work)];
  let all: Shape[] = [];
  for (const shapes of branches) all = all.concat(shapes, cross(all, shapes, work));
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
  if (type !== 'object') return shapes;
  const dependents: [string, CanonicalSchema][] = [...dependentRequired]
    .filter(([name, others]) => others.some((other) => other !== name))
    .map(([name, others]) => [name, { required: others }]);
  for (const [name, schema] of [...dependents, ...dependentSchemas])
    shapes = dependOn(name, shapes, locateChild(located, schema, 'dependentSchemas', name), context);
  return shapes;
}

/** Objects without the member, and objects with it that the schema accepts. */
function dependOn(name: string, all: Shape[], at: Located, context: Context): Shape[] {
  const { work } = context;
  const present = assert(emptyShape('object'), at, { required: [name] });
  const bound = cross([present], expand(at, context), work);
  return all.flatMap((shape) => {
    const without = forbid(shape, at, name);
    return readMembers(shape).required.has(name)
      ? cross([shape], bound, work)
      : [without, ...cross([shape], bound, work)];
  });
}

/** The shape without the values of others: where these only require a member, without that member. */
function exclude(shape: Shape, others: readonly Located[]): Shape {
  let made = shape;
  for (const other of others) {
    const { required: [name, ...more] = [], type, ...rest } = other.schema;
    const isAlone = shape.type === 'object' && more.length === 0 && Object.keys(rest).length === 0;
    if (isAlone && name !== undefined) made = forbid(made, other, name);
    else made = { ...made, excluded: [...made.excluded, other] };
  }
  return made;
}

/** Whether the schema may accept values of the type, as far as it says so itself. */
function mayBe(located: Located, type: ShapeType): boolean {
  return listParts([located]).every(({ schema }) => !isNothing(schema) && takesType(schema, type));
}

/** The shape with what applies to members and items that its schemas do not describe. */
function addUnevaluated(shape: Shape, located: Located, work: Work): Shape {
  const { unevaluatedProperties, unevaluatedItems } = located.schema;
  const schemas = shape.schemas.map(({ schema }) => schema);
  if (unevaluatedProperties !== undefined && shape.type === 'object') {
    const isOpen = schemas.every(({ additionalProperties }) => additionalProperties === undefined);
    const described = (keyword: 'properties' | 'patternProperties') =>
      new Map(schemas.flatMap((one) => [...(one[keyword]?.keys() ?? [])]).map((name) => [name, anything]));
    const [properties, patternProperties] = [described('properties'), described('patternProperties')];
    const rest = { properties, patternProperties, additionalProperties: unevaluatedProperties };
    return isOpen ? assert(shape, located, rest) : shape;
  }
  const isOpen = schemas.every(({ items }) => items === undefined);
  if (unevaluatedItems === undefined || shape.type !== 'array' || !isOpen) return shape;
  if (schemas.some(({ contains }) => contains !== undefined))
    return noteOpaque(shape, { unevaluatedItems }, located, work);
  const prefixItems = Array.from({ length: countListed(shape) }, () => anything);
  return assert(shape, located, { prefixItems, items: unevaluatedItems });
}
