import { createRequire } from 'node:module';
import type ts from 'typescript';
import { typesMark } from '../emit/emit-model.ts';
import { joinField } from './compare-containers.ts';
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

type Compiler = typeof ts;

/** What the declarations need of the language: the rest of its library takes longer to read than all models. */
const library = `
interface Array<T> { length: number; [index: number]: T }
interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T }
interface Boolean { valueOf(): boolean }
interface Number { valueOf(): number }
interface String { readonly length: number }
interface CallableFunction {} interface Function {} interface IArguments {} interface NewableFunction {}
interface Object {} interface RegExp {}
interface Uint8Array { readonly bytes: true }
`;

/** What breaks in code that uses the older declarations, model by model. */
export function checkTypes(pairs: readonly DeclarationPair[]): Break[][] {
  if (pairs.length === 0) return [];
  // Loaded here, since most comparisons find nothing to ask.
  const compiler: Compiler = createRequire(import.meta.url)('typescript');
  const files = new Map([['/library.d.ts', library]]);
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

function readTypes(declarations: string): string {
  const start = declarations.indexOf(typesMark.start);
  return start < 0 ? '' : declarations.slice(start, declarations.indexOf(typesMark.end, start));
}

function createProgram(compiler: Compiler, files: ReadonlyMap<string, string>): ts.Program {
  const options: ts.CompilerOptions = { strict: true, noLib: true, types: [], noEmit: true };
  const target = compiler.ScriptTarget.ES2022;
  const sources = new Map([...files].map(([path, text]) => [path, compiler.createSourceFile(path, text, target)]));
  return compiler.createProgram([...files.keys()], options, {
    fileExists: (path) => files.has(path),
    readFile: (path) => files.get(path),
    getSourceFile: (path) => sources.get(path),
    getDefaultLibFileName: () => '/library.d.ts',
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  });
}

type Exports = ReadonlyMap<string, ts.Type>;

function readExports(program: ts.Program, path: string): Exports {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]));
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

function checkPair(compiler: Compiler, program: ts.Program, { before, after, pair }: Sides): Break[] {
  const checker = program.getTypeChecker();
  const { TypeFlags } = compiler;
  const breaks: Break[] = [];
  const seen = new Map<ts.Type, Map<ts.Type, Set<Direction>>>();
  let steps = stepsAtMost;
  let isCut = false;

  for (const [direction, root] of [
    ['input', 'Input'],
    ['output', 'Output'],
  ] as const) {
    const roots = [root, ...pair.names[direction]];
    for (const name of new Set(roots)) {
      const [old, now] = [before.get(name), after.get(name)];
      const at = { field: '', depth: 0, direction, isFit: false, ...(name === root ? {} : { name }) };
      if (old !== undefined && now !== undefined) check(old, now, at);
    }
  }
  return breaks;

  /** Whether code is found that breaks. */
  function check(old: ts.Type, now: ts.Type, at: At): boolean {
    if (old === now || isSeen(old, now, at.direction)) return false;
    steps -= 1;
    if (steps < 0 || at.depth > nestedAtMost) {
      isCut = true;
      return false;
    }
    const isInput = at.direction === 'input';
    const isFit = at.isFit || (isInput ? checker.isTypeAssignableTo(old, now) : checker.isTypeAssignableTo(now, old));
    const isBroken = checkInside(old, now, { ...at, isFit, depth: at.depth + 1 });
    if (isBroken || isCut || isFit) return isBroken;
    return report(at, print(old));
  }

  /** A name that stays may stand for another type than the one that is in its place now. */
  function checkName(old: ts.Type, now: ts.Type, at: At): boolean {
    const name = old.aliasSymbol?.name ?? '';
    const alias = at.name === undefined ? after.get(name) : undefined;
    if (alias === undefined || listMembers(now).includes(alias)) return false;
    const isInput = at.direction === 'input';
    const isFit = isInput
      ? checker.isTypeAssignableTo(alias, now)
      : listMembers(now).some((one) => checker.isTypeAssignableTo(one, alias));
    return !isFit && report(at, name);
  }

  function isSeen(old: ts.Type, now: ts.Type, direction: Direction): boolean {
    const known = seen.get(old) ?? new Map<ts.Type, Set<Direction>>();
    seen.set(old, known);
    const directions = known.get(now) ?? new Set();
    known.set(now, directions);
    return directions.size === directions.add(direction).size;
  }

  function checkInside(old: ts.Type, now: ts.Type, at: At): boolean {
    const isAny = ({ flags }: ts.Type): boolean => (flags & (TypeFlags.Any | TypeFlags.Unknown)) !== 0;
    if (isAny(old) || isAny(now)) return false;
    const others = listMembers(now);
    const members = listMembers(old);
    const broken = members.map((one) => {
      if (checker.isArrayLikeType(one)) return checkList(one, others, at);
      if (isObject(one)) {
        const isBroken = checkObject(one, { others, isAlone: members.length === 1 }, at);
        return isBroken || checkName(one, now, at);
      }
      const isAlive = others.some(
        (other) => checker.isTypeAssignableTo(one, other) || checker.isTypeAssignableTo(other, one),
      );
      if (isAlive) return false;
      return report(at, print(one), at.direction === 'output');
    });
    return broken.includes(true);
  }

  function listMembers(type: ts.Type): readonly ts.Type[] {
    const members = type.isUnion() ? type.types : [type];
    return members.filter(({ flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Never)) === 0);
  }

  function isObject(type: ts.Type): boolean {
    if (type.isIntersection()) return type.types.every(isObject);
    return (type.flags & TypeFlags.Object) !== 0;
  }

  function checkList(old: ts.Type, others: readonly ts.Type[], at: At): boolean {
    const now = others.find((other) => checker.isArrayLikeType(other));
    if (now === undefined) return report(at, print(old));
    const [items, laterItems] = [listItems(old), listItems(now)];
    const broken = items.map((item, index) => {
      const later = laterItems[index] ?? laterItems.at(-1);
      const step = items.length > 1 ? `[${index}]` : '[]';
      return later !== undefined && check(item, later, { ...at, field: `${at.field}${step}` });
    });
    return broken.includes(true);
  }

  function listItems(type: ts.Type): readonly ts.Type[] {
    return checker.getTypeArguments(type as ts.TypeReference); // an array or a tuple is one
  }

  type Others = { readonly others: readonly ts.Type[]; readonly isAlone: boolean };

  function checkObject(old: ts.Type, { others, isAlone }: Others, at: At): boolean {
    const objects = others.filter((other) => isObject(other) && !checker.isArrayLikeType(other));
    const alike = objects.filter((other) => haveSameTags(old, other));
    const now = pickClosest(old, alike, at.direction);
    if (now === undefined) {
      const tag = checker.getPropertiesOfType(old).find((one) => isTag(checker.getTypeOfSymbol(one)));
      if (tag === undefined) return report(at, print(old));
      return report(at, print(checker.getTypeOfSymbol(tag)), true, tag.name);
    }
    const broken = checker.getPropertiesOfType(old).map((property) => {
      const type = checker.getTypeOfSymbol(property);
      // What an alternative has not is there to tell it from the others.
      if (!isAlone && listMembers(type).length === 0 && (type.flags & TypeFlags.Null) === 0) return false;
      const field = joinField(at.field, property.name);
      const later = readMember(now, property.name);
      if (later !== undefined) return check(type, later, { ...at, field });
      const isElsewhere = objects.some((other) => readMember(other, property.name) !== undefined);
      return !isElsewhere && report({ ...at, field });
    });
    return [...broken, checkIndex(old, now, at)].includes(true);
  }

  function checkIndex(old: ts.Type, now: ts.Type, at: At): boolean {
    const [index, later] = [old, now].map((type) => checker.getIndexTypeOfType(type, compiler.IndexKind.String));
    if (index === undefined) return false;
    const inner = { ...at, field: joinField(at.field, '*') };
    return later === undefined ? report(inner) : check(index, later, inner);
  }

  function readMember(type: ts.Type, name: string): ts.Type | undefined {
    const property = checker.getPropertyOfType(type, name);
    return property === undefined
      ? checker.getIndexTypeOfType(type, compiler.IndexKind.String)
      : checker.getTypeOfSymbol(property);
  }

  function isTag(type: ts.Type): boolean {
    return listMembers(type).every(({ flags }) => (flags & TypeFlags.Unit) !== 0);
  }

  /** Whether no member with a fixed value tells the alternatives apart. */
  function haveSameTags(old: ts.Type, now: ts.Type): boolean {
    return checker.getPropertiesOfType(old).every((property) => {
      const [tag, other] = [checker.getTypeOfSymbol(property), readMember(now, property.name)];
      if (other === undefined || !isTag(tag) || !isTag(other)) return true;
      const values = listMembers(other);
      const tags = listMembers(tag);
      return (
        tags.length === 0 ||
        values.length === 0 ||
        tags.some((one) => values.some((value) => checker.isTypeAssignableTo(one, value)))
      );
    });
  }

  function pickClosest(old: ts.Type, others: readonly ts.Type[], direction: Direction): ts.Type | undefined {
    const fits = (other: ts.Type): boolean =>
      direction === 'input' ? checker.isTypeAssignableTo(old, other) : checker.isTypeAssignableTo(other, old);
    const own = checker.getPropertiesOfType(old);
    const names = new Set(
      own.filter((property) => listMembers(checker.getTypeOfSymbol(property)).length > 0).map(({ name }) => name),
    );
    const countShared = (other: ts.Type): number =>
      checker
        .getPropertiesOfType(other)
        .filter((property) => names.has(property.name) && listMembers(checker.getTypeOfSymbol(property)).length > 0)
        .length;
    const ranked = others.toSorted(
      (left, right) => Number(fits(right)) - Number(fits(left)) || countShared(right) - countShared(left),
    );
    return ranked[0];
  }

  /** Notes code that breaks: the use of a member, its comparison with a value, or its use as a type. */
  function report({ direction, field, name }: At, type = '', isCompared = false, tag?: string): true {
    const path = (tag === undefined ? field : joinField(field, tag)).replaceAll('[]', '[0]').replaceAll('.*', '[name]');
    const owner = name ?? direction;
    const access = `${owner}${path === '' || path.startsWith('[') ? path : `.${path}`}`;
    const use = direction === 'input' ? `${access} = a (a: ${type})` : `const a: ${type} = ${access}`;
    const code = type === '' ? access : isCompared ? `${access} === ${type}` : use;
    breaks.push({ direction, field, name, code: type === name ? type : code });
    return true;
  }

  function print(type: ts.Type): string {
    const text = checker.typeToString(type, undefined, compiler.TypeFormatFlags.NoTruncation);
    return text.length <= textAtMost ? text : `${text.slice(0, textAtMost)}…`;
  }
}
