import { createRequire } from 'node:module';
import type ts from 'typescript';
import { OutOfWork, spend, type Work } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { readTypes } from '../emit/emit-model.ts';
import { joinField } from './compare-schemas.ts';
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
  /** Undefined where the types are too large to compare. */
  readonly code: string | undefined;
};

/** What breaks in code that uses the older declarations, model by model; undefined ones are not asked about. */
export function checkTypes(pairs: readonly (DeclarationPair | undefined)[], isOver: IsOver = () => false): Break[][] {
  const files = pairs.flatMap((pair, index): [string, string][] =>
    pair === undefined
      ? []
      : [
          [`/${index}/before.d.ts`, readTypes(pair.before) ?? ''],
          [`/${index}/after.d.ts`, readTypes(pair.after) ?? ''],
        ],
  );
  if (files.length === 0) return [];
  // To read the declarations alone takes a while.
  if (isOver())
    return pairs.map((pair) => (pair === undefined ? [] : [{ direction: 'input', field: '', code: undefined }]));
  // Loaded here, since most comparisons find nothing to ask.
  const compiler = loadCompiler();
  const types = createTypeReader(compiler, createProgram(compiler, new Map(files)));
  return pairs.map((pair, index) => {
    const [before, after] = ['before', 'after'].map((name) => types.readExports(`/${index}/${name}.d.ts`));
    return pair && before && after
      ? checkExports(types, [before, after], pair.names, { left: stepsAtMost, isOver })
      : [];
  });
}

// The compiler may follow a hundred members at each.
const stepsAtMost = 5_000;
const nestedAtMost = 40;
const pairsPerStep = 4;
const literalsPerStep = 100;

/** Where two types are compared. */
type At = {
  readonly field: string;
  readonly depth: number;
  readonly name?: string;
  /** Whether the value as a whole fits, so that its parts do, in whichever alternatives they are found. */
  readonly isFit: boolean;
};
/** What is known while one side of a model is compared. */
type Check = {
  readonly types: TypeReader;
  readonly direction: Direction;
  readonly after: Exports;
  readonly breaks: Break[];
  /** Names that stand for another type, which is a break whatever else the type has. */
  readonly renamed: Set<string>;
  /** Whether code was found that breaks; false too while a pair is compared. */
  readonly seen: Map<ts.Type, Map<ts.Type, boolean>>;
  readonly work: Work;
};

function checkExports(
  types: TypeReader,
  [before, after]: readonly [Exports, Exports],
  names: DeclarationPair['names'],
  work: Work,
): Break[] {
  return (['input', 'output'] as const).flatMap((direction) => {
    const known = { breaks: [], renamed: new Set<string>(), seen: new Map() };
    const check: Check = { types, direction, after, ...known, work };
    try {
      checkNames(before, names[direction], check);
    } catch (error) {
      if (!(error instanceof OutOfWork)) throw error;
      check.breaks.push({ direction, field: '', code: undefined });
    }
    return check.breaks;
  });
}

/** Compares what is sent or read as a whole, then every name that leads into it. */
function checkNames(before: Exports, names: ReadonlySet<string>, check: Check): void {
  const root = check.direction === 'input' ? 'Input' : 'Output';
  for (const name of new Set([root, ...names])) {
    const [old, now] = [before.get(name), check.after.get(name)];
    const at = { field: '', depth: 0, isFit: false, ...(name === root ? {} : { name }) };
    if (old !== undefined && now !== undefined && !check.renamed.has(name)) checkType(old, now, at, check);
  }
}

/** Whether code is found that breaks. */
function checkType(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  if (old === now) return false;
  const known = check.seen.get(old) ?? new Map<ts.Type, boolean>();
  check.seen.set(old, known);
  const answer = known.get(now);
  if (answer !== undefined) return answer;
  known.set(now, false);
  spend(check.work);
  const isFit = at.isFit || fitsInto(old, now, check);
  const isBroken = at.depth <= nestedAtMost && checkInside(old, now, { ...at, isFit, depth: at.depth + 1 }, check);
  // Of what is sent, the part that is refused says most.
  const [part = old] =
    check.direction === 'input' && old.isUnion() ? old.types.filter((one) => !check.types.fits(one, now)) : [];
  const isFound = isBroken || (!isFit && report(at, { type: part }, check));
  known.set(now, isFound);
  return isFound;
}

/** Whether the older type can be sent where the newer one is asked, or the newer one be read as the older. */
function fitsInto(old: ts.Type, now: ts.Type, { types, direction }: Check): boolean {
  return direction === 'input' ? types.fits(old, now) : types.fits(now, old);
}

function checkInside(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const { types } = check;
  if (types.isAny(old) || types.isAny(now)) return false;
  const [members, others] = [types.listAlternatives(old), types.listAlternatives(now)];
  // Several alternatives may say together what one said.
  const whole = at.isFit && members.length === 1 && others.length > 1 ? types.removeNull(now) : undefined;
  const same = new Set(others);
  const broken = members.map((one) => {
    if (types.isLiteral(one) && same.has(one)) return false;
    if (types.listItems(one) !== undefined) return checkList(one, others, at, check);
    if (types.isObject(one)) {
      const isBroken = checkObject(one, others, { ...at, siblings: members, whole }, check);
      return isBroken || checkName(one, now, at, check);
    }
    spend(check.work, others.length / literalsPerStep);
    const isAlive = others.some((other) => types.fits(one, other) || types.fits(other, one));
    return !isAlive && report(at, { type: one, isPart: true }, check);
  });
  return broken.includes(true);
}

/** A name that stays may stand for another type than the one that is in its place now. */
function checkName(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const name = old.aliasSymbol?.name ?? '';
  const alias = at.name === undefined ? check.after.get(name) : undefined;
  const others = check.types.listAlternatives(now);
  if (alias === undefined || others.includes(alias)) return false;
  const isFit =
    check.direction === 'input' ? check.types.fits(alias, now) : others.some((one) => check.types.fits(one, alias));
  if (isFit) return false;
  check.renamed.add(name);
  return report(at, { type: old }, check);
}

function checkList(old: ts.Type, others: readonly ts.Type[], at: At, check: Check): boolean {
  const { countItems, listItems } = check.types;
  const lists = others.filter((other) => listItems(other) !== undefined);
  const [items = [], later] = [old, pickClosest(old, lists, check)].map((one) => one && listItems(one));
  if (later === undefined) return report(at, { type: old }, check);
  // The compiler refuses a place that no list has, and comparison with a length that none has.
  const most = Math.max(...lists.map(countItems));
  if (check.direction === 'output' && most < countItems(old))
    return report({ ...at, field: `${at.field}[${most}]` }, {}, check);
  const broken = items.map((item, index) => {
    const now = later[index] ?? later.at(-1);
    const inner = { ...at, field: `${at.field}${items.length > 1 ? `[${index}]` : '[]'}` };
    return now === undefined ? report(inner, {}, check) : checkType(item, now, inner, check);
  });
  return broken.includes(true);
}

/** The older alternatives, and the newer ones together where these may stand for one. */
type AtObject = At & { readonly siblings: readonly ts.Type[]; readonly whole: ts.Type | undefined };

function checkObject(old: ts.Type, others: readonly ts.Type[], place: AtObject, check: Check): boolean {
  const { siblings, whole, ...at } = place;
  const { types } = check;
  const members = types.listMembers(old);
  const objects = others.filter((other) => types.isObject(other) && types.listItems(other) === undefined);
  const alike = objects.filter((other) => haveSameTags(members, other, types));
  const now = pickClosest(old, alike, check);
  if (now === undefined) {
    const [tag, type = old] = [...members].find(([, one]) => types.isLiteral(one)) ?? [];
    return report(
      { ...at, field: tag === undefined ? at.field : joinField(at.field, tag) },
      { type, isPart: tag !== undefined },
      check,
    );
  }
  const together: Exports = whole && alike.length === others.length ? types.listMembers(whole) : new Map();
  const find = (one: ts.Type, tag: string): ts.Type | undefined => types.listMembers(one).get(tag);
  const isOutput = check.direction === 'output';
  const isDivided = [...together].some(([tag, all]) => types.isLiteral(all) && !types.fits(all, find(now, tag) ?? all));
  // What all alternatives have is read without telling them apart, and sent where a fixed value chooses one of them; what one has
  // tells it apart, by `in`.
  const isNew = (one: ts.Type, name: string, member: ts.Type): boolean =>
    siblings.every((sibling) => {
      const [tags, known] = [types.listMembers(sibling), readMember(sibling, name, types)];
      return !haveSameTags(tags, one, types) || known === undefined || !types.fits(member, known);
    });
  const isLostElsewhere = (name: string, type: ts.Type): boolean => {
    const lacks = (one: ts.Type): boolean => types.isObject(one) && readMember(one, name, types) === undefined;
    if (!siblings.some(lacks)) return (isOutput || isDivided) && objects.some(lacks);
    return isOutput && alike.some((one) => one !== now && isNew(one, name, find(one, name) ?? type));
  };
  const broken = [...members].map(([name, type]) => {
    // What an alternative has not is there to tell it from the others, and is not sent.
    if ((siblings.length > 1 || !isOutput) && types.isAbsent(type)) return false;
    const inner = { ...at, field: joinField(at.field, name) };
    if (isLostElsewhere(name, type)) return report(inner, {}, check);
    const later = together.get(name) ?? find(now, name);
    if (later !== undefined) return checkType(type, later, inner, check);
    // What comes under any name is not what the member was, even where the whole fits.
    const any = types.readOthers(now);
    if (any !== undefined) return checkType(type, any, { ...inner, isFit: false }, check);
    // A literal of one side is enough to choose an alternative, whose members alone can then be sent.
    const isSent = (other: ts.Type): boolean => isOutput || haveSameTags(members, other, types, true);
    return !alike.some((other) => isSent(other) && readMember(other, name, types)) && report(inner, {}, check);
  });
  // Any name can be read where all alternatives have members of any name.
  const lacksOthers = (one: ts.Type): boolean => types.isObject(one) && types.readOthers(one) === undefined;
  const lacking = isOutput && !siblings.some(lacksOthers) ? objects.find(lacksOthers) : undefined;
  return [...broken, checkOthers(old, lacking ?? now, at, check)].includes(true);
}

function checkOthers(old: ts.Type, now: ts.Type, at: At, check: Check): boolean {
  const [others, later] = [check.types.readOthers(old), check.types.readOthers(now)];
  if (others === undefined || check.types.isAbsent(others)) return false;
  const inner = { ...at, field: joinField(at.field, '*') };
  return later === undefined ? report(inner, {}, check) : checkType(others, later, inner, check);
}

function readMember(type: ts.Type, name: string, types: TypeReader): ts.Type | undefined {
  return types.listMembers(type).get(name) ?? types.readOthers(type);
}

/** Whether no member with a fixed value, on both sides or on one, tells the alternatives apart. */
function haveSameTags(members: Exports, now: ts.Type, types: TypeReader, isOneEnough = false): boolean {
  return [...members].every(([name, tag]) => {
    const other = readMember(now, name, types);
    const literals = [tag, other].filter((one) => one !== undefined && types.isLiteral(one));
    if (other === undefined || literals.length < (isOneEnough ? 1 : 2)) return true;
    const [tags, values] = [types.listAlternatives(tag), types.listAlternatives(other)];
    return (
      tags.length === 0 ||
      values.length === 0 ||
      tags.some((one) => values.some((value) => types.fits(one, value) || types.fits(value, one)))
    );
  });
}

/** One that fits and looks alike, else the one with the most members in common. */
function pickClosest(old: ts.Type, others: readonly ts.Type[], check: Check): ts.Type | undefined {
  const { types } = check;
  const listPresent = (type: ts.Type): string[] =>
    [...types.listMembers(type)].flatMap(([name, one]) => (types.listAlternatives(one).length > 0 ? [name] : []));
  const [names, text] = [new Set(listPresent(old)), types.print(old)];
  const rate = (other: ts.Type): number => {
    spend(check.work, 1 / pairsPerStep);
    const isOfName = old.aliasSymbol !== undefined && old.aliasSymbol.name === other.aliasSymbol?.name;
    const fits = [types.fits(old, other), types.fits(other, old), fitsInto(old, other, check)];
    const isAlike = !fits.includes(false) && types.print(other) === text;
    const signs = [...fits, isOfName, isOfName, isAlike].filter(Boolean).length;
    return signs * (names.size + 1) + listPresent(other).filter((name) => names.has(name)).length;
  };
  const rates = new Map(others.length > 1 ? others.map((other) => [other, rate(other)]) : []);
  return others.toSorted((left, right) => (rates.get(right) ?? 0) - (rates.get(left) ?? 0))[0];
}

/** How code uses a member: with its type, or one value or type of several. */
type CodeUse = { readonly type?: ts.Type; readonly isPart?: boolean };

/** Notes code that breaks. */
function report(at: At, use: CodeUse, { direction, breaks, types }: Check): true {
  const { field, name } = at;
  const path = field.replaceAll('[]', '[0]').replaceAll('.*', '[name]');
  const access = `${name ?? direction}${path === '' || path.startsWith('[') ? path : `.${path}`}`;
  breaks.push({ direction, field, name, code: access === name ? name : writeCode(access, use, direction, types) });
  return true;
}

function writeCode(access: string, { type, isPart }: CodeUse, direction: Direction, types: TypeReader): string {
  if (type === undefined) return access;
  const [first = type] = types.listAlternatives(type);
  const isValue = types.isLiteral(type);
  const text = types.print(isValue && (isPart || direction === 'input') ? first : type);
  if (direction === 'input') return `${access} = ${isValue ? text : `a as ${text}`}`;
  if (isPart) return `${access} ${isValue ? '===' : 'as'} ${text}`;
  return `const a: ${text} = ${access}`;
}

export type Compiler = typeof ts;

/** Loaded where it is needed, since it takes longer than most comparisons. */
export function loadCompiler(): Compiler {
  return createRequire(import.meta.url)('typescript');
}

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

/** A program of these files alone, in memory. */
export function createProgram(compiler: Compiler, files: ReadonlyMap<string, string>): ts.Program {
  const options: ts.CompilerOptions = { strict: true, noLib: true, types: [], noEmit: true };
  const target = compiler.ScriptTarget.ES2022;
  const all = new Map([...files, ['/library.d.ts', library]]);
  const sources = new Map([...all].map(([path, text]) => [path, compiler.createSourceFile(path, text, target)]));
  return compiler.createProgram([...all.keys()], options, {
    fileExists: (path) => all.has(path),
    readFile: (path) => all.get(path),
    getSourceFile: (path) => sources.get(path),
    getDefaultLibFileName: () => '/library.d.ts',
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  });
}

export type Exports = ReadonlyMap<string, ts.Type>;
/** What code can tell of types. */
type TypeReader = ReturnType<typeof createTypeReader>;

function createTypeReader(compiler: Compiler, program: ts.Program) {
  const checker = program.getTypeChecker();
  const members = new Map<ts.Type, Exports>();
  const { Any, Unknown, Undefined, Null, Never, Object: ofObject, Unit } = compiler.TypeFlags;
  const listAlternatives = (type: ts.Type): readonly ts.Type[] =>
    (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & (Undefined | Null | Never)) === 0);
  const isObject = (type: ts.Type): boolean =>
    type.isIntersection() ? type.types.every(isObject) : (type.flags & ofObject) !== 0;
  return {
    /** The types that a file exports, by name; undefined where it exports nothing. */
    readExports(path: string): Exports | undefined {
      const file = program.getSourceFile(path);
      const module = file && checker.getSymbolAtLocation(file);
      const symbols = module && checker.getExportsOfModule(module);
      return symbols && new Map(symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]));
    },
    fits: (from: ts.Type, to: ts.Type) => checker.isTypeAssignableTo(from, to),
    /** Those that remain once null and undefined are ruled out. */
    listAlternatives,
    isAny: ({ flags }: ts.Type) => (flags & (Any | Unknown)) !== 0,
    isObject,
    /** Whether no value is of the type, not even null. */
    isAbsent: (type: ts.Type) => listAlternatives(type).length === 0 && (type.flags & Null) === 0,
    /** Whether values of the type are compared with: literals alone. */
    isLiteral: (type: ts.Type) => listAlternatives(type).every(({ flags }) => (flags & Unit) !== 0),
    /** The types of items, of which a list has one; undefined for what is no array. */
    listItems: (type: ts.Type): readonly ts.Type[] | undefined =>
      checker.isArrayLikeType(type) ? checker.getTypeArguments(type as ts.TypeReference) : undefined, // it is one
    /** How many items there can be. */
    countItems(type: ts.Type): number {
      const { target } = type as ts.TupleTypeReference; // of a list, a target that has no flags of items
      const isOpen = !checker.isTupleType(type) || (target.combinedFlags & compiler.ElementFlags.Variable) !== 0;
      return isOpen ? Number.POSITIVE_INFINITY : target.fixedLength;
    },
    removeNull: (type: ts.Type) => checker.getNonNullableType(type),
    listMembers(type: ts.Type): Exports {
      const known = members.get(type);
      if (known !== undefined) return known;
      const found = new Map(checker.getPropertiesOfType(type).map((one) => [one.name, checker.getTypeOfSymbol(one)]));
      members.set(type, found);
      return found;
    },
    /** The type of members that have no own one. */
    readOthers: (type: ts.Type) => checker.getIndexTypeOfType(type, compiler.IndexKind.String),
    print(type: ts.Type): string {
      const text = checker.typeToString(type, undefined, compiler.TypeFormatFlags.NoTruncation);
      return text.length <= textAtMost ? text : `${text.slice(0, textAtMost)}…`;
    },
  };
}

const textAtMost = 80;
