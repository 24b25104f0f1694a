import { readFileSync } from 'node:fs';
import ts from 'typescript';
import type { JsonValue, Side } from '../../../specs/src/index.ts';
import { readTypes } from '../../src/emit/emit-model.ts';

/** Code that uses a model's types. It was written for the older types and is compiled with the newer ones. */
export type Consumer = {
  /** The declarations of the older and the newer package. */
  readonly before: string;
  readonly after: string;
  /** Types exported by both packages that inputs (`sent`) and outputs (`read`) refer to. */
  readonly sent: readonly string[];
  readonly read: readonly string[];
  /** Paths of members of outputs that the code reads, such as `.a!.b![0]`. */
  readonly reads: readonly string[];
  /** Expressions that use members of `output` by their types. */
  readonly uses: readonly string[];
  /** Functions that read a member of an exported type of `Api`. */
  readonly members: readonly { readonly side: Side; readonly code: string }[];
  /** Inputs that the code sends, as literals. */
  readonly inputs: readonly JsonValue[];
};
/** The first line about inputs, and the first about outputs, that compiled with the older types and no longer compiles. */
export type Complaints = { readonly input: string | undefined; readonly output: string | undefined };

/** Compiles all consumers in one program. Throws an Error if the declarations themselves do not compile. */
export function compileConsumers(consumers: readonly Consumer[]): Complaints[] {
  const files = new Map<string, string>();
  const lines = consumers.map((consumer, index) => {
    files.set(`/${index}/before.d.ts`, readTypes(consumer.before) ?? '');
    files.set(`/${index}/after.d.ts`, readTypes(consumer.after) ?? '');
    const written = writeConsumer(consumer);
    files.set(`/${index}/consumer.ts`, written.join('\n'));
    return written;
  });
  const refused = refusedLines(files);
  return lines.map((written, index) => {
    const at = refused.get(`/${index}/consumer.ts`) ?? new Map<number, string>();
    for (const name of ['before', 'after']) {
      const [problem] = refused.get(`/${index}/${name}.d.ts`)?.values() ?? [];
      if (problem !== undefined) throw new Error(`${name}: ${problem}\n${files.get(`/${index}/${name}.d.ts`)}`);
    }
    const first = (side: string): string | undefined => {
      const line = written.findIndex((text, number) => {
        // Ignore a line if the older types already reject the same code, which is in the line before.
        return text.startsWith(`/* ${side} */`) && at.has(number) && !at.has(number - 1);
      });
      return line < 0 ? undefined : `${written[line]} ${at.get(line)}`;
    };
    return { input: first('input'), output: first('output') };
  });
}

function writeConsumer({ sent, read, reads, uses, members, inputs }: Consumer): string[] {
  return [
    "import type * as Before from './before'; import type * as After from './after';",
    ...['Output', ...read].flatMap((name, index) => [
      '',
      `/* output */ declare const r${index}: After.${name}; export const o${index}: Before.${name} = r${index};`,
    ]),
    ...['Input', ...sent].flatMap((name, index) => [
      '',
      `/* input */ declare const s${index}: Before.${name}; export const i${index}: After.${name} = s${index};`,
    ]),
    ...reads.flatMap((path, index) => [
      `export const f${index} = (output: Before.Output) => output${path};`,
      `/* output */ export const g${index} = (output: After.Output): ReturnType<typeof f${index}> => output${path};`,
    ]),
    ...uses.flatMap((code, index) => [
      `export const c${index} = (output: Before.Output) => ${code};`,
      `/* output */ export const d${index} = (output: After.Output) => ${code};`,
    ]),
    ...members.flatMap(({ side, code }, index) => [
      `export const m${index} = ${code.replaceAll('Api.', 'Before.')};`,
      `/* ${side} */ export const n${index} = ${code.replaceAll('Api.', 'After.')};`,
    ]),
    ...inputs.flatMap((value, index) => [
      `export const b${index}: Before.Input = ${printLiteral(value)};`,
      `/* input */ export const a${index}: After.Input = ${printLiteral(value)};`,
    ]),
  ];
}

// The plain key `__proto__` would set the prototype, and the compiler treats U+2028 and U+2029 as line ends.
function printLiteral(value: JsonValue): string {
  const text = JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  noEmit: true,
};
const libraries = new Map<string, ts.SourceFile>();

function refusedLines(files: ReadonlyMap<string, string>): Map<string, Map<number, string>> {
  const read = (path: string): string | undefined =>
    files.get(path) ?? (ts.sys.fileExists(path) ? readFileSync(path, 'utf8') : undefined);
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
    directoryExists: () => true,
    readFile: read,
    getCurrentDirectory: () => '/',
    getSourceFile(path, version) {
      const library = libraries.get(path);
      const text = library === undefined ? read(path) : undefined;
      const source = library ?? (text === undefined ? undefined : ts.createSourceFile(path, text, version));
      if (source !== undefined && !files.has(path)) libraries.set(path, source);
      return source;
    },
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const refused = new Map<string, Map<number, string>>();
  for (const { file, start, messageText } of [
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ]) {
    if (file === undefined || start === undefined) continue;
    const { line } = file.getLineAndCharacterOfPosition(start);
    const known = refused.get(file.fileName) ?? new Map<number, string>();
    refused.set(file.fileName, known.set(line, ts.flattenDiagnosticMessageText(messageText, ' ')));
  }
  return refused;
}
