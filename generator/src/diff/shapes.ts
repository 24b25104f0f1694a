import { type CanonicalSchema, isNothing } from '../../../specs/src/index.ts';
import { isEmpty } from './limits.ts';
import { followReference, identify, type Located, listParts, locateChild, type Place } from './located-schema.ts';
import {
  describeRest,
  emptyShape,
  forbid,
  intersect,
  noteOpaque,
  readOwn,
  type Shape,
  type ShapeType,
  takesType,
} from './shape.ts';
import { spend, type Work } from './work.ts';

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
  const branches = listed
    .map((branch) => {
      const others = listed.filter((one) => one !== branch && mayBe(one, type));
      return expand(branch, context).map((shape): Shape => {
        const made = isExclusive && !isLiteral ? exclude(shape, others) : shape;
        return { ...made, origin: shape.origin ?? branch };
      });
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
  const { not, conditional, dependentRequired = [], dependentSchemas = [] } = located.schema;
  const { type, work } = context;
  const excluding = (shapes: Shape[], part: CanonicalSchema, keyword: string): Shape[] => {
    const excluded = locateChild(located, part, keyword);
    return mayBe(excluded, type) ? shapes.map((shape) => exclude(shape, [excluded])) : shapes;
  };
  const part = (schema: CanonicalSchema | undefined, keyword: string): Shape[] =>
    schema === undefined ? [emptyShape(type)] : expand(locateChild(located, schema, keyword), context);
  let shapes = not === undefined ? start : excluding(start, not, 'not');
  if (conditional !== undefined && (conditional.yes ?? conditional.no) !== undefined) {
    const met = cross(part(conditional.test, 'if'), part(conditional.yes, 'then'), work);
    shapes = cross(shapes, [...met, ...excluding(part(conditional.no, 'else'), conditional.test, 'if')], work);
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
  const present = { ...emptyShape('object'), required: new Set([name]) };
  const bound = cross([present], expand(at, context), work);
  return all.flatMap((shape) => {
    const without = { ...shape, members: [...shape.members, forbid(name, at)] };
    return shape.required.has(name) ? cross([shape], bound, work) : [without, ...cross([shape], bound, work)];
  });
}

/** The shape without the values of others: where these only require a member, without that member. */
function exclude(shape: Shape, others: readonly Located[]): Shape {
  const [members, excluded] = [[...shape.members], [...shape.excluded]];
  for (const other of others) {
    const { required: [name, ...more] = [], type, ...rest } = other.schema;
    const isAlone = shape.type === 'object' && more.length === 0 && Object.keys(rest).length === 0;
    if (isAlone && name !== undefined) members.push(forbid(name, other));
    else excluded.push(other);
  }
  return { ...shape, members, excluded };
}

/** Whether the schema may accept values of the type, as far as it says so itself. */
function mayBe(located: Located, type: ShapeType): boolean {
  return listParts([located]).every(({ schema }) => !isNothing(schema) && takesType(schema, type));
}

function addUnevaluated(shape: Shape, located: Located, work: Work): Shape {
  const { unevaluatedProperties, unevaluatedItems } = located.schema;
  const { members, items } = shape.evaluated;
  if (unevaluatedProperties !== undefined && shape.type === 'object' && !members.some(({ isRest }) => isRest)) {
    const rest = describeRest(members, locateChild(located, unevaluatedProperties, 'unevaluatedProperties'));
    return { ...shape, members: [...shape.members, rest], evaluated: { items, members: [rest] } };
  }
  if (unevaluatedItems === undefined || shape.type !== 'array' || !Number.isFinite(items)) return shape;
  if (shape.contains.length > 0) return noteOpaque(shape, { unevaluatedItems }, located, work);
  const schema = locateChild(located, unevaluatedItems, 'unevaluatedItems');
  return { ...shape, items: [...shape.items, { schema, from: items, isRest: true }] };
}
