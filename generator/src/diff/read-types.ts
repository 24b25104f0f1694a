import { createRequire } from 'node:module';
import type ts from 'typescript';

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
export type TypeReader = ReturnType<typeof createTypeReader>;

export function createTypeReader(compiler: Compiler, program: ts.Program) {
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
