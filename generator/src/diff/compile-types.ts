import { createRequire } from 'node:module';
import type ts from 'typescript';
import { typesMark } from '../emit/emit-model.ts';

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

/** The types among declarations of a model. */
export function readTypes(declarations: string): string {
  const start = declarations.indexOf(typesMark.start);
  return start < 0 ? '' : declarations.slice(start, declarations.indexOf(typesMark.end, start));
}

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

/** The types that a file exports, by name. */
export function readExports(program: ts.Program, path: string): Exports {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]));
}
