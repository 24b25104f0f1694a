import { createRequire } from 'node:module';
import type ts from 'typescript';
import { OutOfWork, spend, type Work } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { readTypes } from '../emit/emit-model.ts';
import { breakCode, type Change, changeRules, type Direction, makeChange } from './change.ts';
import { isPathWithin, joinField, quote, splitField } from './words.ts';

/** Declarations of a model in both outputs, and the names in the older declarations that inputs and outputs use. */
export type DeclarationPair = {
  readonly before: string;
  readonly after: string;
  readonly names: Readonly<Record<Direction, ReadonlySet<string>>>;
};
/** The changes found in a model's schemas, and its declarations if the compiler has to compare them. */
export type CheckedModel = {
  readonly changes: readonly Change[];
  readonly declarations: DeclarationPair | undefined;
};
/** A place where code for the older types doesn't compile with the newer ones. */
type Break = {
  readonly direction: Direction;
  readonly field: string;
  /** The exported type that is no longer assignable. */
  readonly name?: string;
  /** Examples of code, until the compiler has chosen one that compiles with the older types and not with the newer ones. */
  readonly codes: readonly string[];
};

const maxSteps = 5_000;
const maxNested = 40;
const literalsPerStep = 100;
const maxCode = 110;

/**
 * Returns the changes of each model, and marks those that break code. The compiler compares the older and the newer
 * types as a whole and member by member. A break that no change explains becomes a change of its own.
 */
export function checkTypes(models: readonly CheckedModel[], isOver: IsOver = () => false): Change[][] {
  const files = models.flatMap(({ declarations }, index) =>
    (['before', 'after'] as const).flatMap((side): [string, string][] =>
      declarations === undefined ? [] : [[`/${index}/${side}.d.ts`, readTypes(declarations[side]) ?? '']],
    ),
  );
  if (files.length === 0) return models.map(({ changes }) => [...changes]);
  const uncompared = (direction: Direction): Change =>
    makeChange('schema-uncompared', direction, { pointer: '', field: '' });
  // Reading the declarations already takes a while.
  if (isOver())
    return models.map(({ changes, declarations }) => [...changes, ...(declarations ? [uncompared('input')] : [])]);
  const compiler = loadCompiler();
  const program = createProgram(compiler, new Map(files));
  const types = createTypeReader(compiler, program);
  const all = models.map(({ changes, declarations }, index) => {
    const [before, after] = ['before', 'after'].map((side) => types.readExports(`/${index}/${side}.d.ts`));
    const found = [...changes];
    if (declarations === undefined || before === undefined || after === undefined)
      return { changes: found, breaks: [] };
    const work = { left: maxSteps, isOver };
    const breaks = (['input', 'output'] as const).flatMap((direction) => {
      const breaks: Break[] = [];
      const [root, seen] = [direction === 'input' ? 'Input' : 'Output', new Set<string>()];
      try {
        // First the root type, then each name that it uses.
        for (const name of new Set([root, ...declarations.names[direction]])) {
          const [old, now] = [before.get(name), after.get(name)];
          if (old === undefined || now === undefined) continue;
          const isWhole = direction === 'input' ? types.fits(old, now) : types.fits(now, old);
          const walk = { direction, after, types, work, breaks, seen, isWhole, ...(name !== root && { name }) };
          checkMember({ field: '', old: [old], now: [now], depth: 0 }, walk);
        }
      } catch (error) {
        if (!(error instanceof OutOfWork)) throw error;
        found.push(uncompared(direction));
      }
      return breaks;
    });
    return { changes: found, breaks };
  });
  const breaks = all.map((one) => one.breaks);
  const chosen = isOver() ? breaks : chooseExamples(breaks, compiler, program, types);
  return all.map(({ changes }, index) => {
    // Breaks of changed members come first, because their examples are clearer than those of parts.
    const fields = new Set(
      changes.flatMap(({ field, places = [] }) => (field === undefined ? [] : [field, ...places])),
    );
    const isOfChange = ({ field, name }: Break): boolean => name === undefined && fields.has(field);
    const found = chosen[index] ?? [];
    for (const one of found.filter(isOfChange)) explainBreak(one, changes);
    for (const one of found.filter((one) => !isOfChange(one))) explainBreak(one, changes);
    return changes;
  });
}

/** Marks the change that most probably explains a break, or adds a change if none does. */
function explainBreak({ direction, field, name, codes }: Break, changes: Change[]): void {
  const rate = ({ rule, verdict, direction: own, field: first, places = [], pointer }: Change): number => {
    const compiles = verdict !== 'breaking' && changeRules[rule].compilesIn?.includes(direction) === true;
    if (own !== direction || first === undefined || verdict === 'cosmetic' || compiles) return 0;
    // If several changes of a member may be the reason, prefer one that removes what code uses.
    const more = changeRules[rule].breaksCodeIn?.includes(direction) ? 0.5 : verdict === 'breaking' ? 0.25 : 0;
    const all = [first, ...places];
    const isSameStep = all.some((place) => splitField(place).name === splitField(field).name);
    if (name !== undefined && isPathWithin(pointer, `/$defs/${name}`)) return more + (isSameStep ? 4 : 3);
    if (all.includes(field) && name === undefined) return more + 5;
    if (field === '') return verdict === 'breaking' ? 1 : 0;
    if (all.some((place) => isPathWithin(place, field))) return more + 4;
    if (all.some((place) => isPathWithin(field, place))) return more + 3;
    return isSameStep ? more + 1 : 0;
  };
  const [cause] = changes.filter((one) => rate(one) > 0).sort((one, other) => rate(other) - rate(one));
  if (cause !== undefined) {
    changes[changes.indexOf(cause)] = breakCode(cause, cause.code ?? codes[0]);
    return;
  }
  // A name that isn't assignable breaks for the same reason as the members that are already explained.
  if (name !== undefined && changes.some((one) => one.direction === direction && one.breaks.includes('code'))) return;
  const message = `the TypeScript type${name === undefined ? '' : ` ${quote(name)}`} changed`;
  changes.push(makeChange('code-broken', direction, { pointer: '', field, code: codes[0], message }));
}

/** Compiles the examples of all models. Keeps those that compile with the older types and not with the newer ones. */
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
/** A member, with the types that it has in all alternatives of its object. */
type Member = {
  readonly field: string;
  readonly old: readonly ts.Type[];
  readonly now: readonly ts.Type[];
  readonly depth: number;
};
/** Settings and results that the checks of all members of one exported type share. */
type Walk = {
  readonly direction: Direction;
  /** The exported type that is checked, if it isn't the root. */
  readonly name?: string;
  /** True if the whole value is assignable, so that only lost members and values break code. */
  readonly isWhole: boolean;
  /** The newer exported types. */
  readonly after: Exports;
  readonly types: TypeReader;
  readonly work: Work;
  readonly breaks: Break[];
  /** Pairs of types that were compared before. */
  readonly seen: Set<string>;
};

/** Adds the breaks of a member to `walk.breaks`: those of its parts, or one of the member itself if no part breaks. */
function checkMember({ field, old, now, depth }: Member, walk: Walk): void {
  const { direction, types, work, breaks, isWhole, seen, name, after } = walk;
  const { countItems, fits, listAlternatives, listItems, listMembers, readMember, readOthers } = types;
  const isOutput = direction === 'output';
  const all = [old, now].map((some) => some.flatMap(listAlternatives));
  // The members of `any` and `unknown` can't be compared.
  const [olds = [], news = []] = all.flat().some(types.isAny) ? [] : all;
  const key = `${[old, now].map((all) => all.map(types.identify).sort().join()).join(' to ')} ${isWhole}`;
  if (now.length > 0 && seen.has(key)) return;
  seen.add(key);
  spend(work, 1 + (olds.length * news.length) / literalsPerStep);
  const start = breaks.length;
  const report = (place: string, used: ts.Type | readonly ts.Type[] = [], reason = place): void => {
    const codes = name === undefined ? writeUses(direction, place, [used].flat(), types) : [];
    breaks.push({ direction, field: reason, codes, ...(name !== undefined && { name }) });
  };
  if (now.length === 0) report(field);
  if (now.length === 0 || depth > maxNested) return;
  const isList = (one: ts.Type): boolean => listItems(one) !== undefined;
  const isRecord = (one: ts.Type): boolean => types.isObject(one) && !isList(one);
  const [records, recordsNow] = [olds.filter(isRecord), news.filter(isRecord)];
  const [lists, listsNow] = [olds.filter(isList), news.filter(isList)];
  const visit = (place: string, was: readonly ts.Type[], is: readonly ts.Type[], isInWhole = isWhole): void => {
    const next = { field: place, old: [...new Set(was)], now: [...new Set(is)], depth: depth + 1 };
    if (!was.every(types.isAbsent)) checkMember(next, { ...walk, isWhole: isInWhole });
  };
  const readAll = (all: readonly ts.Type[], read: (one: ts.Type) => ts.Type | undefined): ts.Type[] =>
    all.flatMap((one) => read(one) ?? []);
  if (recordsNow.length > 0) {
    // Code may select alternatives by a constant. A member that all of these had may be missing from some of them now.
    const selected = records.map((one) => {
      const isSelected = (other: ts.Type): boolean => areAlike(one, other, types);
      return { all: records.filter(isSelected), later: recordsNow.filter(isSelected) };
    });
    for (const name of new Set(records.flatMap((one) => [...listMembers(one).keys()]))) {
      const read = (one: ts.Type): ts.Type | undefined => readMember(one, name);
      const lacks = (one: ts.Type): boolean => read(one) === undefined;
      const isLost = [{ all: records, later: recordsNow }, ...selected].some(
        ({ all, later }) => !all.some(lacks) && later.some(lacks),
      );
      const [was, is] = [readAll(records, read), readAll(recordsNow, read)];
      // An index signature doesn't replace a member, and `in` may select further alternatives.
      const isNamed = recordsNow.some((one) => listMembers(one).has(name)) && !(isOutput && records.some(lacks));
      const place = joinField(field, name);
      if (!isLost || was.every(types.isAbsent)) visit(place, was, is, isWhole && isNamed);
      else report(place, [], recordsNow.every(lacks) ? place : field);
    }
    const [others, othersNow] = [readAll(records, readOthers), readAll(recordsNow, readOthers)];
    const isMap = others.length === records.length && !others.every(types.isAbsent);
    if (isOutput && isMap && othersNow.length < recordsNow.length) report(joinField(field, '*'));
    else visit(joinField(field, '*'), others, othersNow);
  }
  if (listsNow.length > 0) {
    const [most, mostNow] = [countItems(lists), countItems(listsNow)];
    // The compiler rejects an index that no list has.
    if (isOutput && mostNow < most) report(`${field}[${mostNow}]`);
    const count = Math.max(1, ...lists.map((one) => listItems(one)?.length ?? 1));
    for (let at = 0; at < Math.min(count, mostNow); at++) {
      const read = (one: ts.Type): ts.Type | undefined => listItems(one)?.[at] ?? listItems(one)?.at(-1);
      const place = `${field}[${count > 1 ? at : ''}]`;
      const isLost = isOutput ? listsNow.some((one) => !read(one)) : listsNow.every((one) => !read(one));
      if (isLost && lists.every(read)) report(place);
      else visit(place, readAll(lists, read), readAll(listsNow, read));
    }
  }
  for (const one of records) {
    // The exported name may stand for another type now.
    const alias = name === undefined ? after.get(one.aliasSymbol?.name ?? '') : undefined;
    const isKept = isOutput
      ? news.some((other) => alias && fits(other, alias))
      : now.some((other) => alias && fits(alias, other));
    if (alias !== undefined && !isKept) report(field, one);
  }
  for (const one of olds) {
    const same = isRecord(one) ? recordsNow : isList(one) ? listsNow : undefined;
    if (same ? same.length > 0 : news.some((other) => fits(one, other))) continue;
    const isAlive = same === undefined && news.some((other) => fits(other, one));
    // Code may compare a text with a value that is not listed.
    if ((!isOutput && isWhole) || (isAlive && !(isOutput && types.isText(one)))) continue;
    const [member] = isRecord(one) ? listMembers(one).keys() : [];
    if (member !== undefined) report(joinField(field, member), [], field);
    report(field, one);
  }
  if (breaks.length > start || isWhole) return;
  const [sources, targets] = isOutput ? [now, old] : [old, now];
  const isAssignable = (one: ts.Type): boolean => targets.some((other) => fits(one, other));
  const parts = (one: ts.Type): readonly ts.Type[] => (one.isUnion() ? one.types : [one]);
  const refused = sources.find(
    (one) => !isAssignable(one) && (sources.length + targets.length === 2 || !parts(one).every(isAssignable)),
  );
  // The rejected alternative of an input is the clearest example.
  if (refused !== undefined)
    report(field, isOutput ? old : (parts(refused).find((one) => !isAssignable(one)) ?? refused));
}

/** False if a constant distinguishes the two alternatives, such as a `kind` with different values. */
function areAlike(one: ts.Type, other: ts.Type, types: TypeReader): boolean {
  return [...types.listMembers(one)].every(([name, type]) => {
    const found = types.readMember(other, name);
    if (found === undefined || !types.isLiteral(type)) return true;
    const [values, others] = [types.listAlternatives(type), types.listAlternatives(found)];
    const isShared = values.some((value) => others.some((own) => types.fits(value, own) || types.fits(own, value)));
    return isShared || values.length === 0 || others.length === 0;
  });
}

/** Returns examples of code that uses a member as a value of these types. Without types, the code only reads the member. */
function writeUses(direction: Direction, field: string, used: readonly ts.Type[], types: TypeReader): string[] {
  const path = field.replaceAll('[]', '[0]').replaceAll('.*', '[name]');
  const access = `${direction}${path === '' || path.startsWith('[') ? path : `.${path}`}`;
  const write = (target: string): string[] => {
    const [type, ...others] = used;
    if (type === undefined) return [target];
    const text = [...new Set(used.map(types.print))].join(' | ');
    const value =
      others.length === 0 && types.isLiteral(type) ? types.print(types.listAlternatives(type)[0] ?? type) : undefined;
    const sample = value ?? (path === '' ? `a as ${text}` : ({ string: '"text"', number: '1' }[text] ?? '{}'));
    if (direction === 'input' && path === '' && text.startsWith('{')) return [];
    if (direction === 'input') return [`${target} = ${sample}`, `${target} = a as ${text}`];
    const assigned = `const a: ${text} = ${target}`;
    if (path === '' && value === undefined) return [assigned, `${target} as ${text}`];
    const uses = [`${target} ${value === undefined ? `as ${text}` : `=== ${value}`}`, assigned];
    return types.isText(type) && path !== '' ? [...uses, `${target} === "other"`] : uses;
  };
  // Members along the path may be optional.
  const isSent = direction === 'input' && used.length > 0;
  const loose = isSent ? access.replace(/(?<!^\w+)(?=[.[])/g, '!') : access.replace(/(?<!^\w+)(?:\.|(?=\[))/g, '?.');
  return [...write(access), ...write(loose)].filter(({ length }) => length <= maxCode);
}

export type Compiler = typeof ts;

/** Loads TypeScript on demand, because this takes longer than most comparisons. */
export function loadCompiler(): Compiler {
  return createRequire(import.meta.url)('typescript');
}

/**
 * The part of the standard library that declarations use. Parsing the whole library would take longer than all models.
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

/** Creates an in-memory program from these files and the source files of an earlier program. */
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
  const numbers = new Map<ts.Type, number>();
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
    /** Returns a number that only this type has. */
    identify(type: ts.Type): number {
      const number = numbers.get(type) ?? numbers.size;
      numbers.set(type, number);
      return number;
    },
    isAny: ({ flags }: ts.Type) => (flags & (Any | Unknown)) !== 0,
    isObject,
    /** True if no value is assignable to the type, not even null; `undefined` doesn't count. */
    isAbsent: (type: ts.Type) => listAlternatives(type).length === 0 && (type.flags & Null) === 0,
    /** True if the type only consists of literals, so that code may compare values with them. */
    isLiteral: (type: ts.Type) => listAlternatives(type).every(({ flags }) => (flags & Unit) !== 0),
    listItems,
    /** Returns the maximum number of items of all lists. */
    countItems(lists: readonly ts.Type[]): number {
      const counts = lists.map((type) => {
        const { target } = type as ts.TupleTypeReference; // For a list, the target has no `combinedFlags`.
        const isOpen = !checker.isTupleType(type) || (target.combinedFlags & compiler.ElementFlags.Variable) !== 0;
        return isOpen ? Infinity : target.fixedLength;
      });
      return Math.max(0, ...counts);
    },
    /** True for `string`, and for `string & {}`, which is printed in unions with listed values. */
    isText: (type: ts.Type) =>
      (type.flags & (compiler.TypeFlags.String | compiler.TypeFlags.Intersection)) !== 0 &&
      checker.isTypeAssignableTo(type, checker.getStringType()),
    listMembers,
    readOthers,
    /** Returns the type of a member, or of the index signature. */
    readMember: (type: ts.Type, name: string) => listMembers(type).get(name) ?? readOthers(type),
    print: (type: ts.Type): string => checker.typeToString(type, undefined, compiler.TypeFormatFlags.NoTruncation),
  };
}
