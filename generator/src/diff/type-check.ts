import { createRequire } from 'node:module';
import type ts from 'typescript';
import { OutOfWork } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { readTypes } from '../emit/emit-model.ts';
import { type Change, changeRules, type Direction, makeChange, markAsBreakingCode } from './change.ts';
import { type CodeLine, createTypeReader, helperDeclarations, type ValueCode, writeOlderCode } from './older-code.ts';
import { isPathWithin, quote, splitField } from './words.ts';

export type Compiler = typeof ts;

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
/** Code for one exported type. `isRoot`: the type is the whole input or output. */
type OlderCode = {
  readonly direction: Direction;
  readonly name: string;
  readonly isRoot: boolean;
  readonly valueCode: ValueCode;
};
type BrokenLines = ReadonlySet<CodeLine | undefined>;
/** A member for which code for the older types doesn't compile with the newer ones. */
type Break = { readonly field: string; readonly code: string | undefined };

const maxSteps = 10_000;
const maxCode = 110;
const versions = ['before', 'after'] as const;

/**
 * Returns the changes of each model, and marks those that break code. Code that uses each member of the older types is
 * compiled with the older and with the newer types. A break that no change explains becomes a change of its own.
 */
export function checkTypes(models: readonly CheckedModel[], isOver: IsOver = () => false): Change[][] {
  const files = models.flatMap(({ declarations }, index) =>
    versions.flatMap((version): [string, string][] =>
      declarations === undefined ? [] : [[`/${index}/${version}.d.ts`, readTypes(declarations[version]) ?? '']],
    ),
  );
  if (files.length === 0) return models.map(({ changes }) => [...changes]);
  const compiler = loadCompiler();
  const declared = createProgram(compiler, new Map(files));
  const reader = createTypeReader(compiler, declared);
  /** Returns undefined for a model whose types are too large. */
  const written = models.map(({ declarations }, index): OlderCode[] | undefined => {
    if (declarations === undefined) return [];
    const [before, after] = versions.map((version) => reader.readExports(`/${index}/${version}.d.ts`));
    const work = { left: maxSteps, isOver };
    const write = (direction: Direction, root: 'Input' | 'Output'): OlderCode[] =>
      [...new Set([root, ...declarations.names[direction]])].flatMap((name) => {
        const type = before?.get(name);
        if (type === undefined || after?.has(name) !== true) return [];
        const valueCode = writeOlderCode(name, type, direction, { reader, work });
        return [{ direction, name, isRoot: name === root, valueCode }];
      });
    try {
      return [...write('input', 'Input'), ...write('output', 'Output')];
    } catch (error) {
      if (error instanceof OutOfWork) return undefined;
      throw error;
    }
  });
  const lines = written.map((codes = []) => codes.flatMap(({ valueCode }) => listLines(valueCode)));
  const uses = lines.flatMap((found, index) => {
    const names = [...reader.readExports(`/${index}/before.d.ts`).keys()].join();
    return (found.length === 0 ? [] : versions).map((version): [string, string] => {
      const imports = `import type * as Before from './before'; import type * as Api from './${version}'; import type { ${names} } from './${version}';`;
      return [
        `/${index}/${version}-uses.ts`,
        [...found.map(({ text }) => text), imports, helperDeclarations].join('\n'),
      ];
    });
  });
  const program = createProgram(compiler, new Map(uses), declared);
  return models.map(({ changes }, index) => {
    const codes = written[index];
    if (codes?.length === 0) return [...changes];
    if (codes === undefined || isOver())
      return [...changes, makeChange('schema-uncompared', 'input', { pointer: '', field: '' })];
    const findBrokenLines = (version: (typeof versions)[number]): BrokenLines => {
      const file = program.getSourceFile(`/${index}/${version}-uses.ts`);
      const found = file ? [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)] : [];
      const readLine = (start: number): number => file?.getLineAndCharacterOfPosition(start).line ?? -1;
      return new Set(found.map(({ start = 0 }) => lines[index]?.[readLine(start)]));
    };
    const after = findBrokenLines('after');
    const earlier = after.size === 0 ? after : findBrokenLines('before');
    return explainBreaks(codes, new Set([...after].filter((line) => !earlier.has(line))), changes);
  });
}

function listLines({ reads, uses, wholeTypeUses, parts }: ValueCode): CodeLine[] {
  return [...reads, ...uses, ...wholeTypeUses, ...parts.flatMap(listLines)];
}

/** Marks the changes that explain broken lines, adds changes for the others, and gives each change an example. */
function explainBreaks(codes: readonly OlderCode[], broken: BrokenLines, changes: readonly Change[]): Change[] {
  const found = [...changes];
  const examples = new Map<string, string>();
  for (const { direction, name, isRoot, valueCode } of codes) {
    // The last line assigns a value of the older type. If an input passes it, the newer type accepts every older input, so
    // breaks of other whole-type lines don't count.
    const isWhole = direction === 'output' || broken.has(valueCode.wholeTypeUses.at(-1));
    for (const one of findBreaks(valueCode, isWhole, broken))
      explainBreak(isRoot ? one : { field: one.field, code: undefined }, direction, isRoot ? undefined : name, found);
    for (let parts = isRoot ? [valueCode] : []; parts.length > 0; parts = parts.flatMap((part) => part.parts))
      for (const { field, reads, uses, wholeTypeUses } of parts) {
        const code = findExample([...reads, ...uses, ...wholeTypeUses], broken);
        if (code !== undefined) examples.set(`${direction} ${field}`, code);
      }
  }
  return found.map((change): Change => {
    const { code, breaks, direction, field, places = [] } = change;
    if (code !== undefined || field === undefined || !breaks.includes('code')) return change;
    return { ...change, code: [field, ...places].map((one) => examples.get(`${direction} ${one}`)).find(Boolean) };
  });
}

function findExample(lines: readonly CodeLine[], broken: BrokenLines): string | undefined {
  const codes = lines.filter((line) => broken.has(line)).map(({ code }) => code);
  return codes.find(({ length }) => length > 0 && length <= maxCode);
}

/** Returns the innermost values whose code is broken. `isWhole`: code that needs whole types counts as well. */
function findBreaks(valueCode: ValueCode, isWhole: boolean, broken: BrokenLines): Break[] {
  const { field, reads, uses, wholeTypeUses, parts } = valueCode;
  const asBreaks = (lines: readonly CodeLine[]): Break[] =>
    lines.some((line) => broken.has(line)) ? [{ field, code: findExample(lines, broken) }] : [];
  const lost = asBreaks(reads);
  if (lost.length > 0) return lost;
  const inner = parts.flatMap((part) => findBreaks(part, isWhole, broken));
  const own = asBreaks(uses);
  return own.length > 0 || inner.length > 0 || !isWhole ? [...own, ...inner] : asBreaks(wholeTypeUses);
}

/** Marks the change that most probably explains a break, or adds a change if none does. `name`: of a type that isn't a root. */
function explainBreak({ field, code }: Break, direction: Direction, name: string | undefined, changes: Change[]): void {
  const rate = ({ rule, verdict, direction: own, field: first, places = [], pointer }: Change): number => {
    const keepsCode = verdict === 'cosmetic' || (verdict !== 'breaking' && changeRules[rule].keepsCode);
    if (own !== direction || first === undefined || keepsCode) return 0;
    // If several changes of a member could explain the break, prefer one whose rule says that it breaks code in this direction,
    // then any breaking one.
    const more = changeRules[rule].breaksCodeIn?.includes(direction) ? 0.5 : verdict === 'breaking' ? 0.25 : 0;
    const all = [first, ...places];
    const isSameStep = all.some((one) => splitField(one).name === splitField(field).name);
    if (name !== undefined) return isPathWithin(pointer, `/$defs/${name}`) ? more + (isSameStep ? 4 : 3) : 0;
    if (all.includes(field)) return more + 5;
    if (field === '') return verdict === 'breaking' ? 1 : 0;
    if (all.some((one) => isPathWithin(one, field))) return more + 4;
    if (all.some((one) => isPathWithin(field, one))) return more + 3;
    return isSameStep ? more + 1 : 0;
  };
  const [cause] = changes.filter((one) => rate(one) > 0).sort((one, other) => rate(other) - rate(one));
  // A name that isn't assignable breaks for the same reason as the members that are already explained.
  const isExplained =
    name !== undefined && changes.some((one) => one.direction === direction && one.breaks.includes('code'));
  const message = `the TypeScript type${name === undefined ? '' : ` ${quote(name)}`} changed`;
  const facts = { pointer: '', field: name === undefined ? field : '', code, message };
  if (cause !== undefined) changes[changes.indexOf(cause)] = markAsBreakingCode(cause, cause.code ?? code);
  else if (!isExplained) changes.push(makeChange('code-broken', direction, facts));
}
