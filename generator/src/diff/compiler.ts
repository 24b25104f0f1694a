import { createRequire } from 'node:module';
import type ts from 'typescript';

export type Compiler = typeof ts;
type Exports = ReadonlyMap<string, ts.Type>;

/** Loads TypeScript on demand, because this takes longer than most comparisons. */
export function loadCompiler(): Compiler {
  return createRequire(import.meta.url)('typescript');
}

/**
 * The part of the standard library that declarations use. Parsing the whole library would take longer than all models.
 */
const library = `
interface Array<T> { length: number; [index: number]: T; join(): string }
interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T; join(): string }
interface Boolean { valueOf(): boolean }
interface Number { toFixed(): string }
interface String { readonly length: number; readonly [index: number]: string; trim(): string }
interface CallableFunction {} interface Function {} interface IArguments {} interface NewableFunction {}
interface Object {} interface RegExp {}
interface Uint8Array { readonly bytes: true }
type Record<K extends string, T> = { [P in K]: T };
`;

/** Creates an in-memory program from these files and the source files of an earlier program. */
export function createProgram(
  compiler: Compiler,
  files: ReadonlyMap<string, string>,
  earlier?: ts.Program,
): ts.Program {
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

/** Reads facts about the types of a program. */
export type TypeReader = ReturnType<typeof createTypeReader>;

export function createTypeReader(compiler: Compiler, program: ts.Program) {
  const checker = program.getTypeChecker();
  const texts = new Map<ts.Type, string>();
  const { Undefined, Null, Never, Object: ofObject, String: ofText, Intersection, Unit } = compiler.TypeFlags;
  const has = ({ flags }: ts.Type, wanted: ts.TypeFlags): boolean => (flags & wanted) !== 0;
  const listAll = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
  /** Returns the alternatives without null and undefined. */
  const listAlternatives = (type: ts.Type) => listAll(type).filter((one) => !has(one, Undefined | Null | Never));
  const members = new Map<ts.Type, Exports>();
  const listMembers = (type: ts.Type): Exports => {
    const read = () =>
      new Map(checker.getPropertiesOfType(type).map((one) => [one.name, checker.getTypeOfSymbol(one)]));
    const found = members.get(type) ?? read();
    members.set(type, found);
    return found;
  };
  const readOthers = (type: ts.Type) => checker.getIndexTypeOfType(type, compiler.IndexKind.String);
  const isObject = (type: ts.Type): boolean =>
    type.isIntersection() ? type.types.every(isObject) : has(type, ofObject);
  return {
    /** Returns the types that a file exports, by name. */
    readExports(path: string): Exports {
      const file = program.getSourceFile(path);
      const module = file && checker.getSymbolAtLocation(file);
      const symbols = module ? checker.getExportsOfModule(module) : [];
      return new Map(symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]));
    },
    listAlternatives,
    mayBeMissing: (type: ts.Type): boolean => listAll(type).some((one) => has(one, Undefined | Null)),
    /** Returns `undefined` and `null`, if one of the types has them. */
    listMissing(types: readonly ts.Type[]): string[] {
      const all = types.flatMap(listAll);
      const isIn = (flag: ts.TypeFlags): boolean => all.some((one) => has(one, flag));
      return [...(isIn(Undefined) ? ['undefined'] : []), ...(isIn(Null) ? ['null'] : [])];
    },
    isObject,
    isExported: (type: ts.Type): boolean => type.aliasSymbol !== undefined,
    /** True if no value is assignable to the type, not even null; `undefined` doesn't count. */
    isAbsent: (type: ts.Type): boolean => listAll(type).every((one) => has(one, Undefined | Never)),
    /** True if the type only consists of literals, so that code may compare values with them. */
    isLiteral: (type: ts.Type): boolean => listAlternatives(type).every((one) => has(one, Unit)),
    /** True for `string`, and for `string & {}`, which is printed in unions with listed values. */
    isText: (type: ts.Type): boolean =>
      has(type, ofText | Intersection) && checker.isTypeAssignableTo(type, checker.getStringType()),
    /** Returns the types of items (one for a list); undefined for a type that is not an array. */
    listItems: (type: ts.Type): readonly ts.Type[] | undefined =>
      checker.isArrayLikeType(type) ? checker.getTypeArguments(type as ts.TypeReference) : undefined,
    isOpenList: (type: ts.Type): boolean => checker.isArrayType(type),
    listMembers,
    /** Returns the type of the index signature. */
    readOthers,
    /** Returns the type of a member, or of the index signature. */
    readMember: (type: ts.Type, name: string) => listMembers(type).get(name) ?? readOthers(type),
    print(type: ts.Type): string {
      const text = texts.get(type) ?? checker.typeToString(type);
      texts.set(type, text);
      return text;
    },
  };
}
