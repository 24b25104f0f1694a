import { createRequire } from 'node:module';
import type ts from 'typescript';
import { OutOfWork, spend, type Work } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { readTypes } from '../emit/emit-model.ts';
import type { Direction } from './change.ts';
import { joinField } from './words.ts';

/** Declarations of a model in both outputs, and the names of the older one that inputs and outputs use. */
export type DeclarationPair = {
  readonly before: string;
  readonly after: string;
  readonly names: Readonly<Record<Direction, ReadonlySet<string>>>;
};
/** A use of the older types that doesn't compile with the newer ones. */
export type Break = {
  readonly direction: Direction;
  readonly field: string;
  /** The exported type with the member, if it was not found through `Input` or `Output`. */
  readonly name?: string | undefined;
  /** True if the types are too large to compare. */
  readonly isUncompared?: true;
  /** Examples of code, until the compiler has chosen one that compiles with the older types and not with the newer ones. */
  readonly codes: readonly string[];
};

// The compiler may process a hundred members in each step.
const stepsAtMost = 5_000;
const nestedAtMost = 40;
const pairsPerStep = 4;
const literalsPerStep = 100;
const codeAtMost = 110;

/** Returns the breaks in code for the older declarations, model by model; none for an undefined model. */
export function checkTypes(pairs: readonly (DeclarationPair | undefined)[], isOver: IsOver = () => false): Break[][] {
  const files = pairs.flatMap((pair, index): [string, string][] =>
    (['before', 'after'] as const).flatMap((side) =>
      pair === undefined ? [] : [[`/${index}/${side}.d.ts`, readTypes(pair[side]) ?? '']],
    ),
  );
  if (files.length === 0) return [];
  // Reading the declarations already takes a while.
  if (isOver())
    return pairs.map((pair) => (pair ? [{ direction: 'input', field: '', isUncompared: true, codes: [] }] : []));
  const compiler = loadCompiler();
  const program = createProgram(compiler, new Map(files));
  const types = createTypeReader(compiler, program);
  const breaks = pairs.map((pair, index) => {
    const [before, after] = ['before', 'after'].map((name) => types.readExports(`/${index}/${name}.d.ts`));
    if (!pair || !before || !after) return [];
    const work = { left: stepsAtMost, isOver };
    return (['input', 'output'] as const).flatMap((direction) => {
      const check: Check = { types, direction, after, breaks: [], renamed: new Set(), seen: new Map(), work };
      try {
        // First the root type, then each name that it uses.
        const root = direction === 'input' ? 'Input' : 'Output';
        for (const name of new Set([root, ...pair.names[direction]])) {
          const [old, now] = [before.get(name), after.get(name)];
          const at = { field: '', depth: 0, isFit: false, ...(name === root ? {} : { name }) };
          if (old !== undefined && now !== undefined && !check.renamed.has(name)) checkType(old, now, at, check);
        }
      } catch (error) {
        if (!(error instanceof OutOfWork)) throw error;
        check.breaks.push({ direction, field: '', isUncompared: true, codes: [] });
      }
      return check.breaks;
    });
  });
  return isOver() ? breaks : chooseExamples(breaks, compiler, program, types);
}

/** Compiles the examples of all models, and keeps the first of each break that proves it. */
function chooseExamples(
  all: readonly Break[][],
  compiler: Compiler,
  program: ts.Program,
  types: TypeReader,
): Break[][] {
  const files = all.flatMap((breaks, index) =>
    ['before', 'after'].map((side): [string, string] => {
      const names = [...(types.readExports(`/${index}/before.d.ts`)?.keys() ?? [])].join();
      const values = 'declare let input: Input, output: Output, a: any, name: string;';
      const lines = breaks.flatMap(({ codes }) => codes.map((code) => `(() => { ${code} });`));
      return [
        `/${index}/${side}-uses.ts`,
        [`import type { ${names} } from './${side}'; ${values}`, ...lines].join('\n'),
      ];
    }),
  );
  const uses = createProgram(compiler, new Map(files), program);
  const listRefused = (path: string): Set<number | undefined> => {
    const file = uses.getSourceFile(path);
    const found = [...uses.getSyntacticDiagnostics(file), ...uses.getSemanticDiagnostics(file)];
    return new Set(found.map(({ start = 0 }) => file?.getLineAndCharacterOfPosition(start).line));
  };
  return all.map((breaks, index) => {
    if (breaks.length === 0) return [];
    const [before, after] = ['before', 'after'].map((side) => listRefused(`/${index}/${side}-uses.ts`));
    let line = 0;
    return breaks.map((one) => ({ ...one, codes: one.codes.filter(() => !before?.has(++line) && after?.has(line)) }));
  });
}

type Exports = ReadonlyMap<string, ts.Type>;
/** Place of the member whose types are compared. */
type At = {
  readonly field: string;
  readonly depth: number;
  readonly name?: string;
  /** True if the enclosing value, and each of its members, is assignable to at least one alternative. */
  readonly isFit: boolean;
};
/** State of the comparison of one direction of a model. */
type Check = {
  readonly types: TypeReader;
  readonly direction: Direction;
  readonly after: Exports;
  readonly breaks: Break[];
  /** Names of other types than before, which always break code. */
  readonly renamed: Set<string>;
  /** True for pairs of types in which code breaks; false while a pair is still being compared. */
  readonly seen: Map<ts.Type, Map<ts.Type, boolean>>;
  readonly work: Work;
};

/** True if code that uses a type or a part of it breaks. */
function checkType(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const { types, direction, seen, work } = check;
  if (old === now) return false;
  const known = seen.get(old) ?? new Map<ts.Type, boolean>();
  seen.set(old, known);
  const answer = known.get(now);
  if (answer !== undefined) return answer;
  known.set(now, false);
  spend(work);
  const isFit = at.isFit || (direction === 'input' ? types.fits(old, now) : types.fits(now, old));
  const inner = { ...at, isFit, depth: at.depth + 1 };
  const isBroken = at.depth <= nestedAtMost && checkAlternatives(old, now, inner, check);
  // The rejected alternative of an input is the clearest example.
  const rejected = direction === 'input' && old.isUnion() ? old.types.find((one) => !types.fits(one, now)) : undefined;
  const isFound = isBroken || (!isFit && report(at, rejected ?? old, check));
  known.set(now, isFound);
  return isFound;
}

function checkAlternatives(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const { types, work, direction } = check;
  if (types.isAny(old) || types.isAny(now)) return false;
  const [members, others] = [types.listAlternatives(old), types.listAlternatives(now)];
  // Several alternatives together may equal a single one.
  const whole = at.isFit && members.length === 1 && others.length > 1 ? types.removeNull(now) : undefined;
  const same = new Set(others);
  const broken = members.map((one) => {
    if (types.isLiteral(one) && same.has(one)) return false;
    if (types.listItems(one) !== undefined) return checkList(one, others, at, check);
    if (types.isObject(one))
      return checkObject(one, { others, siblings: members, whole }, at, check) || checkName(one, now, at, check);
    spend(work, others.length / literalsPerStep);
    if (others.some((other) => types.fits(one, other))) return false;
    const isAlive = others.some((other) => types.fits(other, one));
    // Code may compare a text with a value that is not listed.
    return (!isAlive || (direction === 'output' && types.isText(one))) && report(at, one, check);
  });
  return broken.includes(true);
}

/** Detects an exported name that now stands for another type. */
function checkName(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const { types, direction, after, renamed } = check;
  const name = old.aliasSymbol?.name ?? '';
  const alias = at.name === undefined ? after.get(name) : undefined;
  const others = types.listAlternatives(now);
  if (alias === undefined || others.includes(alias)) return false;
  const isFit = direction === 'input' ? types.fits(alias, now) : others.some((one) => types.fits(one, alias));
  if (isFit) return false;
  renamed.add(name);
  return report(at, old, check);
}

function checkList(old: ts.Type, others: readonly ts.Type[], at: At, check: Check): boolean {
  const { countItems, listItems } = check.types;
  const lists = others.filter((other) => listItems(other) !== undefined);
  const [items = [], later] = [old, pickClosest(old, lists, check)].map((one) => one && listItems(one));
  if (later === undefined) return report(at, old, check);
  // The compiler rejects an index that no list has, and a comparison with an impossible length.
  const most = Math.max(...lists.map(countItems));
  if (check.direction === 'output' && most < countItems(old))
    return report({ ...at, field: `${at.field}[${most}]` }, undefined, check);
  const broken = items.map((item, index) => {
    const now = later[index] ?? later.at(-1);
    const inner = { ...at, field: `${at.field}${items.length > 1 ? `[${index}]` : '[]'}` };
    return now === undefined ? report(inner, undefined, check) : checkType(item, now, inner, check);
  });
  return broken.includes(true);
}

/** The newer alternatives, the older ones, and one type for all newer ones that may replace a single older one. */
type Alternatives = Record<'others' | 'siblings', readonly ts.Type[]> & { readonly whole: ts.Type | undefined };

function checkObject(old: ts.Type, { others, siblings, whole }: Alternatives, at: At, check: Check): boolean {
  const { types, direction } = check;
  const isOutput = direction === 'output';
  const members = types.listMembers(old);
  const objects = others.filter((other) => types.isObject(other) && types.listItems(other) === undefined);
  const alike = objects.filter((other) => haveSameConstants(members, other, types));
  const now = pickClosest(old, alike, check);
  if (now === undefined) {
    const [name, type] = [...members].find(([, one]) => types.isLiteral(one)) ?? [];
    if (name === undefined) return report(at, old, check);
    return report({ ...at, field: joinField(at.field, name) }, type, check);
  }
  const find = (one: ts.Type, name: string): ts.Type | undefined => types.listMembers(one).get(name);
  const lacks = (one: ts.Type, name: string): boolean => types.isObject(one) && !types.readMember(one, name);
  const together: Exports = whole && alike.length === others.length ? types.listMembers(whole) : new Map();
  // A member of all alternatives can be set and read without narrowing. A member of a single alternative selects it
  // with `in`.
  const isLost = (name: string, type: ts.Type): boolean => {
    if (!siblings.some((one) => lacks(one, name))) return objects.some((one) => lacks(one, name));
    const isNew = (one: ts.Type): boolean =>
      siblings.every((sibling) => {
        const known = types.readMember(sibling, name);
        const isOther = known === undefined || !types.fits(find(one, name) ?? type, known);
        return isOther || !haveSameConstants(types.listMembers(sibling), one, types);
      });
    return isOutput && alike.some((one) => one !== now && isNew(one));
  };
  // A constant on one side is sufficient to select an alternative, whose members can then be sent.
  const hasMember = (one: ts.Type, name: string): boolean =>
    !lacks(one, name) && (isOutput || haveSameConstants(members, one, types, true));
  const broken = [...members].map(([name, type]) => {
    // A member of type `never` distinguishes alternatives, and is not sent.
    if ((siblings.length > 1 || !isOutput) && types.isAbsent(type)) return false;
    const inner = { ...at, field: joinField(at.field, name) };
    const isGone = objects.every((one) => lacks(one, name));
    const isReported = isLost(name, type) && report(inner, undefined, check, isGone ? inner.field : at.field);
    const later = together.get(name) ?? find(now, name);
    if (later !== undefined) return checkType(type, later, inner, check) || isReported;
    if (isReported) return true;
    // An index signature doesn't replace the member, even if the whole value is assignable.
    const rest = types.readOthers(now);
    if (rest !== undefined) return checkType(type, rest, { ...inner, isFit: false }, check);
    return !alike.some((one) => hasMember(one, name)) && report(inner, undefined, check);
  });
  // If all alternatives have members of any name, any name can be read.
  const isClosed = (one: ts.Type): boolean => types.isObject(one) && types.readOthers(one) === undefined;
  const closed = isOutput && !siblings.some(isClosed) ? objects.find(isClosed) : undefined;
  const [rest, restNow] = [types.readOthers(old), types.readOthers(closed ?? now)];
  if (rest === undefined || types.isAbsent(rest)) return broken.includes(true);
  const inner = { ...at, field: joinField(at.field, '*') };
  const isBroken = restNow === undefined ? report(inner, undefined, check) : checkType(rest, restNow, inner, check);
  return isBroken || broken.includes(true);
}

/** False if a constant member, on both sides or on one, distinguishes the alternatives. */
function haveSameConstants(members: Exports, now: ts.Type, types: TypeReader, isOneEnough = false): boolean {
  return [...members].every(([name, type]) => {
    const other = types.readMember(now, name);
    const literals = [type, other].filter((one) => one !== undefined && types.isLiteral(one));
    if (other === undefined || literals.length < (isOneEnough ? 1 : 2)) return true;
    const [values, others] = [types.listAlternatives(type), types.listAlternatives(other)];
    const isShared = values.some((one) => others.some((value) => types.fits(one, value) || types.fits(value, one)));
    return isShared || values.length === 0 || others.length === 0;
  });
}

/** Returns an assignable type with the same text, or else the one with the most members in common. */
function pickClosest(old: ts.Type, others: readonly ts.Type[], { types, direction, work }: Check): ts.Type | undefined {
  if (others.length < 2) return others[0];
  const listPresent = (type: ts.Type): string[] =>
    [...types.listMembers(type)].flatMap(([name, one]) => (types.listAlternatives(one).length > 0 ? [name] : []));
  const names = new Set(listPresent(old));
  const rate = (other: ts.Type): number => {
    spend(work, 1 / pairsPerStep);
    const isOfName = old.aliasSymbol !== undefined && old.aliasSymbol.name === other.aliasSymbol?.name;
    const [sent, read] = [types.fits(old, other), types.fits(other, old)];
    const isAlike = sent && read && types.print(other) === types.print(old);
    const signs = [sent, read, direction === 'input' ? sent : read, isOfName, isOfName, isAlike].filter(Boolean).length;
    return signs * (names.size + 1) + listPresent(other).filter((name) => names.has(name)).length;
  };
  const rates = new Map(others.map((other) => [other, rate(other)]));
  return others.toSorted((left, right) => (rates.get(right) ?? 0) - (rates.get(left) ?? 0))[0];
}

/** Adds a break, with examples of code that uses the type. `reason`: the member whose change is the reason. */
function report(at: At, type: ts.Type | undefined, { direction, breaks, types }: Check, reason = at.field): true {
  const path = at.field.replaceAll('[]', '[0]').replaceAll('.*', '[name]');
  const access = `${direction}${path === '' || path.startsWith('[') ? path : `.${path}`}`;
  const write = (target: string): string[] => {
    if (type === undefined) return [target];
    const text = types.print(type);
    const value = types.isLiteral(type) ? types.print(types.listAlternatives(type)[0] ?? type) : undefined;
    const sample = value ?? (path === '' ? `a as ${text}` : ({ string: '"text"', number: '1' }[text] ?? '{}'));
    if (direction === 'input') return [`${target} = ${sample}`, `${target} = a as ${text}`];
    const assigned = `const a: ${text} = ${target}`;
    if (path === '' && value === undefined) return [assigned, `${target} as ${text}`];
    const uses = [`${target} ${value === undefined ? `as ${text}` : `=== ${value}`}`, assigned];
    return types.isText(type) && path !== '' ? [...uses, `${target} === "other"`] : uses;
  };
  // Members on the way may be optional.
  const isSent = direction === 'input' && type !== undefined;
  const loose = isSent ? access.replace(/(?<!^\w+)(?=[.[])/g, '!') : access.replace(/(?<!^\w+)(?:\.|(?=\[))/g, '?.');
  const codes = at.name === undefined ? [...write(access), ...write(loose)] : [];
  breaks.push({ direction, field: reason, name: at.name, codes: codes.filter(({ length }) => length <= codeAtMost) });
  return true;
}

export type Compiler = typeof ts;

/** Loads TypeScript on demand, because this takes longer than most comparisons. */
export function loadCompiler(): Compiler {
  return createRequire(import.meta.url)('typescript');
}

/**
 * The part of the standard library that declarations use. Reading all of it would take longer than reading all models.
 */
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

/** Creates a program of only these files, in memory. */
function createProgram(compiler: Compiler, files: ReadonlyMap<string, string>, earlier?: ts.Program): ts.Program {
  const { ESNext: module } = compiler.ModuleKind;
  const { Bundler: moduleResolution } = compiler.ModuleResolutionKind;
  const options: ts.CompilerOptions = { strict: true, noLib: true, types: [], noEmit: true, module, moduleResolution };
  const target = compiler.ScriptTarget.ES2022;
  const all = new Map([...files, ['/library.d.ts', library]]);
  const sources = new Map([...all].map(([path, text]) => [path, compiler.createSourceFile(path, text, target)]));
  for (const source of earlier?.getSourceFiles() ?? []) sources.set(source.fileName, source);
  return compiler.createProgram([...all.keys()], options, {
    fileExists: (path) => sources.has(path),
    readFile: (path) => sources.get(path)?.text,
    getSourceFile: (path) => sources.get(path),
    getDefaultLibFileName: () => '/library.d.ts',
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  });
}

type TypeReader = ReturnType<typeof createTypeReader>;

/** Reads facts about types for the comparison. */
function createTypeReader(compiler: Compiler, program: ts.Program) {
  const checker = program.getTypeChecker();
  const members = new Map<ts.Type, Exports>();
  const { Any, Unknown, Undefined, Null, Never, Object: ofObject, Unit } = compiler.TypeFlags;
  /** Returns the alternatives without null and undefined. */
  const listAlternatives = (type: ts.Type): readonly ts.Type[] =>
    (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & (Undefined | Null | Never)) === 0);
  const isObject = (type: ts.Type): boolean =>
    type.isIntersection() ? type.types.every(isObject) : (type.flags & ofObject) !== 0;
  const listMembers = (type: ts.Type): Exports => {
    const read = () =>
      new Map(checker.getPropertiesOfType(type).map((one) => [one.name, checker.getTypeOfSymbol(one)]));
    const found = members.get(type) ?? read();
    members.set(type, found);
    return found;
  };
  /** Returns the types of items (one for a list); undefined for a type that is not an array. */
  const listItems = (type: ts.Type): readonly ts.Type[] | undefined =>
    // The condition checks it.
    checker.isArrayLikeType(type) ? checker.getTypeArguments(type as ts.TypeReference) : undefined;
  /** Returns the type of the index signature. */
  const readOthers = (type: ts.Type) => checker.getIndexTypeOfType(type, compiler.IndexKind.String);
  return {
    /** Returns the types that a file exports, by name; undefined if it has no exports. */
    readExports(path: string): Exports | undefined {
      const file = program.getSourceFile(path);
      const module = file && checker.getSymbolAtLocation(file);
      const symbols = module && checker.getExportsOfModule(module);
      return symbols && new Map(symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]));
    },
    /** True if values of one type are assignable to another. */
    fits: (from: ts.Type, to: ts.Type) => checker.isTypeAssignableTo(from, to),
    listAlternatives,
    isAny: ({ flags }: ts.Type) => (flags & (Any | Unknown)) !== 0,
    isObject,
    /** True if the type has no value, not even null. */
    isAbsent: (type: ts.Type) => listAlternatives(type).length === 0 && (type.flags & Null) === 0,
    /** True if the type only consists of literals, which code compares with. */
    isLiteral: (type: ts.Type) => listAlternatives(type).every(({ flags }) => (flags & Unit) !== 0),
    listItems,
    /** Returns the maximum number of items. */
    countItems(type: ts.Type): number {
      const { target } = type as ts.TupleTypeReference; // For a list, the target has no `combinedFlags`.
      const isOpen = !checker.isTupleType(type) || (target.combinedFlags & compiler.ElementFlags.Variable) !== 0;
      return isOpen ? Infinity : target.fixedLength;
    },
    /** Also true for an open list of texts. */
    isText: (type: ts.Type) =>
      (type.flags & (compiler.TypeFlags.String | compiler.TypeFlags.Intersection)) !== 0 &&
      checker.isTypeAssignableTo(type, checker.getStringType()),
    removeNull: (type: ts.Type) => checker.getNonNullableType(type),
    listMembers,
    readOthers,
    /** Returns the type of a member, or of the index signature. */
    readMember: (type: ts.Type, name: string) => listMembers(type).get(name) ?? readOthers(type),
    print: (type: ts.Type): string => checker.typeToString(type, undefined, compiler.TypeFormatFlags.NoTruncation),
  };
}
