import { type CanonicalSchema, isNothing, nothing } from '../../../specs/src/index.ts';
import { followReference, identify, type Located, listParts, locateChild, type Place } from './located-schema.ts';
import { emptyShape, intersect, type MemberRule, noteOpaque, readOwn, type Shape, type ShapeType } from './shape.ts';
import { isEmpty } from './shape-reads.ts';
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
 * Reads schemas as shapes: references followed, `allOf` merged, alternatives and conditions written out. `isLiteral` keeps
 * conditions, dependents and negations as they are written, so that a change of them can be named.
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
  const { type, path, work, isLiteral } = context;
  spend(work);
  // A schema that is its own alternative adds nothing.
  if (isNothing(schema) || path.includes(schema)) return [];
  const own = readOwn(located, type, isLiteral ? undefined : work);
  if (own === undefined) return [];
  const tracks = context.tracks || (schema.unevaluatedProperties ?? schema.unevaluatedItems) !== undefined;
  const inner = { ...context, path: [...path, schema], tracks };
  const shapes = path.length < nestedAtMost ? expandParts([own], located, inner) : undefined;
  return shapes ?? [noteOpaque(emptyShape(type), 'schema', located, work)];
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
  if (isExclusive && isLiteral && branches.length > 1)
    return branches.flat().map((shape) => noteOpaque(shape, 'oneOf', at, undefined));
  // Where several alternatives match, the members of all of them count as evaluated.
  if (isExclusive || !tracks) return branches.flat();
  if (branches.length > combinedAtMost) return [noteOpaque(emptyShape(type), 'schema', at, work)];
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
  const present = { ...emptyShape('object'), required: new Map([[name, at.pointer]]) };
  const bound = cross([present], expand(at, context), work);
  const absent: MemberRule = { kind: 'property', name, schema: { ...at, schema: nothing } };
  return all.flatMap((shape) => {
    const without = { ...shape, members: [...shape.members, absent] };
    return shape.required.has(name) ? cross([shape], bound, work) : [without, ...cross([shape], bound, work)];
  });
}

/** The shape without the values of others: where these only require a member, without that member. */
function exclude(shape: Shape, others: readonly Located[]): Shape {
  const readName = ({ schema: { required = [], type, ...rest } }: Located): string | undefined => {
    const isAlone = shape.type === 'object' && required.length === 1 && Object.keys(rest).length === 0;
    return isAlone ? required[0] : undefined;
  };
  const absent = others.flatMap((other): MemberRule[] => {
    const name = readName(other);
    return name === undefined ? [] : [{ kind: 'property', name, schema: { ...other, schema: nothing } }];
  });
  const left = others.filter((other) => readName(other) === undefined);
  return { ...shape, members: [...shape.members, ...absent], excluded: [...shape.excluded, ...left] };
}

/** Whether the schema may accept values of the type, as far as it says so itself. */
function mayBe(located: Located, type: ShapeType): boolean {
  return listParts([located]).every((part) => !isNothing(part.schema) && readOwn(part, type, undefined) !== undefined);
}

function addUnevaluated(shape: Shape, located: Located, work: Work): Shape {
  const { unevaluatedProperties, unevaluatedItems } = located.schema;
  const { members, items } = shape.evaluated;
  let made = shape;
  if (unevaluatedProperties !== undefined && shape.type === 'object') {
    const schema = locateChild(located, unevaluatedProperties, 'unevaluatedProperties');
    const names = new Set(members.flatMap((rule) => (rule.kind === 'property' ? [rule.name] : [])));
    const patterns = members.flatMap((rule) => (rule.kind === 'pattern' ? [rule.pattern] : []));
    const isAll = members.some(({ kind }) => kind === 'rest');
    const rest: MemberRule = { kind: 'rest', names, patterns, schema };
    if (!isAll) made = { ...made, members: [...made.members, rest], evaluated: { items, members: [rest] } };
  }
  if (unevaluatedItems !== undefined && shape.type === 'array' && Number.isFinite(items)) {
    const schema = locateChild(located, unevaluatedItems, 'unevaluatedItems');
    if (shape.contains.length > 0) return noteOpaque(made, 'unevaluatedItems', located, work);
    made = { ...made, items: [...made.items, { schema, from: items, isRest: true }] };
  }
  return made;
}
