import type ts from 'typescript';
import { joinField } from './compare-shapes.ts';
import { type Compiler, createProgram, type Exports, loadCompiler, readExports, readTypes } from './compile-types.ts';
import type { Direction } from './schema-change.ts';

/** The declarations of a model in both outputs, and the names that lead into each side of the older one. */
export type DeclarationPair = {
  readonly before: string;
  readonly after: string;
  readonly names: Readonly<Record<Direction, ReadonlySet<string>>>;
};
/** Code that was written for the older types and does not compile against the newer ones. */
export type Break = {
  readonly direction: Direction;
  readonly field: string;
  /** The exported type that was compared, where it was not met in `Input` or `Output`. */
  readonly name?: string | undefined;
  readonly code: string;
};

/** What breaks in code that uses the older declarations, model by model. */
export function checkTypes(pairs: readonly DeclarationPair[]): Break[][] {
  if (pairs.length === 0) return [];
  // Loaded here, since most comparisons find nothing to ask.
  const compiler = loadCompiler();
  const files = new Map<string, string>();
  for (const [index, { before, after }] of pairs.entries()) {
    files.set(`/${index}/before.d.ts`, readTypes(before));
    files.set(`/${index}/after.d.ts`, readTypes(after));
  }
  const program = createProgram(compiler, files);
  return pairs.map((pair, index) => {
    const [before, after] = ['before', 'after'].map((name) => readExports(program, `/${index}/${name}.d.ts`));
    return before === undefined || after === undefined ? [] : checkPair(compiler, program, { before, after, pair });
  });
}

const stepsAtMost = 50_000;
const nestedAtMost = 40;
const textAtMost = 80;

type Sides = { readonly before: Exports; readonly after: Exports; readonly pair: DeclarationPair };
/** Where two types are compared. */
type At = {
  readonly field: string;
  readonly depth: number;
  readonly direction: Direction;
  readonly name?: string;
  /** Whether the value as a whole fits, so that its parts do, in whichever alternatives they are found. */
  readonly isFit: boolean;
};

/** What is known while one model's types are compared. */
type Check = {
  readonly compiler: Compiler;
  readonly checker: ts.TypeChecker;
  readonly after: Exports;
  readonly breaks: Break[];
  readonly seen: Map<ts.Type, Map<ts.Type, Set<Direction>>>;
  steps: number;
  /** Whether something was left out, so that a type that does not fit may be no news. */
  isCut: boolean;
};

function checkPair(compiler: Compiler, program: ts.Program, { before, after, pair }: Sides): Break[] {
  const checker = program.getTypeChecker();
  const check: Check = { compiler, checker, after, breaks: [], seen: new Map(), steps: stepsAtMost, isCut: false };
  for (const [direction, root] of [
    ['input', 'Input'],
    ['output', 'Output'],
  ] as const) {
    for (const name of new Set([root, ...pair.names[direction]])) {
      const [old, now] = [before.get(name), after.get(name)];
      const at = { field: '', depth: 0, direction, isFit: false, ...(name === root ? {} : { name }) };
      check.isCut = false;
      if (old !== undefined && now !== undefined) checkType(old, now, at, check);
    }
  }
  return check.breaks;
}

/** Whether code is found that breaks. */
function checkType(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  if (old === now || isSeen(old, now, at.direction, check)) return false;
  check.steps -= 1;
  if (check.steps < 0 || at.depth > nestedAtMost) {
    check.isCut = true;
    return false;
  }
  const isInput = at.direction === 'input';
  const isFit =
    at.isFit || (isInput ? check.checker.isTypeAssignableTo(old, now) : check.checker.isTypeAssignableTo(now, old));
  const isBroken = checkInside(old, now, { ...at, isFit, depth: at.depth + 1 }, check);
  if (isBroken || check.isCut || isFit) return isBroken;
  return report(at, { type: print(old, check) }, check);
}

/** A name that stays may stand for another type than the one that is in its place now. */
function checkName(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const name = old.aliasSymbol?.name ?? '';
  const alias = at.name === undefined ? check.after.get(name) : undefined;
  if (alias === undefined || listMembers(now, check).includes(alias)) return false;
  const isInput = at.direction === 'input';
  const isFit = isInput
    ? check.checker.isTypeAssignableTo(alias, now)
    : listMembers(now, check).some((one) => check.checker.isTypeAssignableTo(one, alias));
  return !isFit && report(at, { type: name }, check);
}

function isSeen(old: ts.Type, now: ts.Type, direction: Direction, check: Check): boolean {
  const known = check.seen.get(old) ?? new Map<ts.Type, Set<Direction>>();
  check.seen.set(old, known);
  const directions = known.get(now) ?? new Set();
  known.set(now, directions);
  return directions.size === directions.add(direction).size;
}

function checkInside(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const isAny = ({ flags }: ts.Type): boolean =>
    (flags & (check.compiler.TypeFlags.Any | check.compiler.TypeFlags.Unknown)) !== 0;
  if (isAny(old) || isAny(now)) return false;
  const others = listMembers(now, check);
  const members = listMembers(old, check);
  const broken = members.map((one) => {
    if (check.checker.isArrayLikeType(one)) return checkList(one, others, at, check);
    if (isObject(one, check)) {
      const isBroken = checkObject(one, { others, isAlone: members.length === 1 }, at, check);
      return isBroken || checkName(one, now, at, check);
    }
    const isAlive = others.some(
      (other) => check.checker.isTypeAssignableTo(one, other) || check.checker.isTypeAssignableTo(other, one),
    );
    if (isAlive) return false;
    return report(at, { type: print(one, check), isCompared: at.direction === 'output' }, check);
  });
  return broken.includes(true);
}

function listMembers(type: ts.Type, check: Check): readonly ts.Type[] {
  const members = type.isUnion() ? type.types : [type];
  return members.filter(
    ({ flags }) =>
      (flags &
        (check.compiler.TypeFlags.Undefined | check.compiler.TypeFlags.Null | check.compiler.TypeFlags.Never)) ===
      0,
  );
}

function isObject(type: ts.Type, check: Check): boolean {
  if (type.isIntersection()) return type.types.every((one) => isObject(one, check));
  return (type.flags & check.compiler.TypeFlags.Object) !== 0;
}

function checkList(old: ts.Type, others: readonly ts.Type[], at: At, check: Check): boolean {
  const now = others.find((other) => check.checker.isArrayLikeType(other));
  if (now === undefined) return report(at, { type: print(old, check) }, check);
  const [items, laterItems] = [listItems(old, check), listItems(now, check)];
  const broken = items.map((item, index) => {
    const later = laterItems[index] ?? laterItems.at(-1);
    const step = items.length > 1 ? `[${index}]` : '[]';
    return later !== undefined && checkType(item, later, { ...at, field: `${at.field}${step}` }, check);
  });
  return broken.includes(true);
}

function listItems(type: ts.Type, check: Check): readonly ts.Type[] {
  return check.checker.getTypeArguments(type as ts.TypeReference); // an array or a tuple is one
}

type Others = { readonly others: readonly ts.Type[]; readonly isAlone: boolean };

function checkObject(old: ts.Type, { others, isAlone }: Others, at: At, check: Check): boolean {
  const objects = others.filter((other) => isObject(other, check) && !check.checker.isArrayLikeType(other));
  const alike = objects.filter((other) => haveSameTags(old, other, check));
  const now = pickClosest(old, alike, at.direction, check);
  if (now === undefined) {
    const tag = check.checker.getPropertiesOfType(old).find((one) => isTag(check.checker.getTypeOfSymbol(one), check));
    if (tag === undefined) return report(at, { type: print(old, check) }, check);
    return report(
      at,
      { type: print(check.checker.getTypeOfSymbol(tag), check), isCompared: true, tag: tag.name },
      check,
    );
  }
  const broken = check.checker.getPropertiesOfType(old).map((property) => {
    const type = check.checker.getTypeOfSymbol(property);
    // What an alternative has not is there to tell it from the others.
    if (!isAlone && listMembers(type, check).length === 0 && (type.flags & check.compiler.TypeFlags.Null) === 0)
      return false;
    const field = joinField(at.field, property.name);
    const later = readMember(now, property.name, check);
    if (later !== undefined) return checkType(type, later, { ...at, field }, check);
    const isElsewhere = objects.some((other) => readMember(other, property.name, check) !== undefined);
    return !isElsewhere && report({ ...at, field }, {}, check);
  });
  return [...broken, checkIndex(old, now, at, check)].includes(true);
}

function checkIndex(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const [index, later] = [old, now].map((type) =>
    check.checker.getIndexTypeOfType(type, check.compiler.IndexKind.String),
  );
  if (index === undefined) return false;
  const inner = { ...at, field: joinField(at.field, '*') };
  return later === undefined ? report(inner, {}, check) : checkType(index, later, inner, check);
}

function readMember(type: ts.Type, name: string, check: Check): ts.Type | undefined {
  const property = check.checker.getPropertyOfType(type, name);
  return property === undefined
    ? check.checker.getIndexTypeOfType(type, check.compiler.IndexKind.String)
    : check.checker.getTypeOfSymbol(property);
}

function isTag(type: ts.Type, check: Check): boolean {
  return listMembers(type, check).every(({ flags }) => (flags & check.compiler.TypeFlags.Unit) !== 0);
}

/** Whether no member with a fixed value tells the alternatives apart. */
function haveSameTags(old: ts.Type, now: ts.Type, check: Check): boolean {
  return check.checker.getPropertiesOfType(old).every((property) => {
    const [tag, other] = [check.checker.getTypeOfSymbol(property), readMember(now, property.name, check)];
    if (other === undefined || !isTag(tag, check) || !isTag(other, check)) return true;
    const values = listMembers(other, check);
    const tags = listMembers(tag, check);
    return (
      tags.length === 0 ||
      values.length === 0 ||
      tags.some((one) => values.some((value) => check.checker.isTypeAssignableTo(one, value)))
    );
  });
}

function pickClosest(
  old: ts.Type,
  others: readonly ts.Type[],
  direction: Direction,
  check: Check,
): ts.Type | undefined {
  const fits = (other: ts.Type): boolean =>
    direction === 'input' ? check.checker.isTypeAssignableTo(old, other) : check.checker.isTypeAssignableTo(other, old);
  const own = check.checker.getPropertiesOfType(old);
  const names = new Set(
    own
      .filter((property) => listMembers(check.checker.getTypeOfSymbol(property), check).length > 0)
      .map(({ name }) => name),
  );
  const countShared = (other: ts.Type): number =>
    check.checker
      .getPropertiesOfType(other)
      .filter(
        (property) =>
          names.has(property.name) && listMembers(check.checker.getTypeOfSymbol(property), check).length > 0,
      ).length;
  const ranked = others.toSorted(
    (left, right) => Number(fits(right)) - Number(fits(left)) || countShared(right) - countShared(left),
  );
  return ranked[0];
}

/** How code uses a member: as a type, or compared with a value, perhaps of a member inside it. */
type CodeUse = { readonly type?: string; readonly isCompared?: boolean; readonly tag?: string };

/** Notes code that breaks. */
function report({ direction, field, name }: At, { type, isCompared = false, tag }: CodeUse, check: Check): true {
  const path = (tag === undefined ? field : joinField(field, tag)).replaceAll('[]', '[0]').replaceAll('.*', '[name]');
  const owner = name ?? direction;
  const access = `${owner}${path === '' || path.startsWith('[') ? path : `.${path}`}`;
  const use = direction === 'input' ? `${access} = a (a: ${type})` : `const a: ${type} = ${access}`;
  const code = type === undefined ? access : isCompared ? `${access} === ${type}` : use;
  check.breaks.push({ direction, field, name, code: type === name ? (name ?? code) : code });
  return true;
}

function print(type: ts.Type, check: Check): string {
  const text = check.checker.typeToString(type, undefined, check.compiler.TypeFormatFlags.NoTruncation);
  return text.length <= textAtMost ? text : `${text.slice(0, textAtMost)}…`;
}
