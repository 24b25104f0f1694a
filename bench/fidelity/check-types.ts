import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { JsonValue } from '../../specs/src/index.ts';
import type { Case } from './cases.ts';

const { resolve: find } = createRequire(import.meta.url);
/** TypeScript 5.9 (written in JavaScript), and TypeScript 7 (native), which is faster. */
export const compilers = {
  '5.9': find('typescript/bin/tsc'),
  '7': join(dirname(find('typescript-7/package.json')), 'bin', 'tsc'),
} as const;

/** The cases for the input or output of a model, and the statement that declares its type. */
export type CaseFile = { declaration: string; cases: readonly Case[] };
/** Messages of the compiler by index of the rejected case; -1 if the type itself doesn't compile. */
export type Rejections = ReadonlyMap<number, string>;

/** Compiles all cases in one program. Returns the rejections of each file. */
export async function checkTypes(
  files: readonly CaseFile[],
  folder: string,
  paths: Record<string, string[]> = {},
): Promise<Rejections[]> {
  await mkdir(join(folder, 'cases'), { recursive: true });
  const names = files.map((_, index) => join(folder, 'cases', `s${index}.ts`));
  for (const [index, { declaration, cases }] of files.entries()) {
    const lines = cases.map(({ form, value }, at) =>
      form === 'literal'
        ? `export const c${at}: Subject = ${printLiteral(value)};`
        : `declare const v${at}: ${printType(value)}; export const c${at}: Subject = v${at};`,
    );
    await writeFile(names[index] ?? '', `${[declaration, ...lines].join('\n')}\n`);
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['cases/*.ts'] }));
  const rejections = new Map(names.map((name) => [name, new Map<number, string>()]));
  let last: { add(text: string): void } | undefined;
  for (const text of (await runCompiler(folder)).split('\n')) {
    const [, file, line, message = ''] = /^(\S.*?)\((\d+),\d+\): error (TS\d+: .*)$/.exec(text) ?? [];
    if (file === undefined) {
      if (text.startsWith(' ')) last?.add(text.trim());
      continue;
    }
    const ofFile = rejections.get(resolve(folder, file));
    const index = Number(line) - 2; // the declaration is on the first line
    const isFirst = ofFile?.has(index) === false;
    if (isFirst) ofFile?.set(index, message);
    last = isFirst ? { add: (more) => ofFile?.set(index, `${message} ${more}`) } : undefined;
  }
  return names.map((name) => rejections.get(name) ?? new Map());
}

function runCompiler(folder: string): Promise<string> {
  return new Promise((done, fail) => {
    const args = ['--max-old-space-size=8192', compilers['7'], '-p', folder, '--pretty', 'false'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', fail);
    // The compiler exits with 0, 1 or 2; any other code is a crash.
    child.on('close', (code) => {
      if (code === 0 || code === 1 || code === 2) done(Buffer.concat(parts).toString());
      else fail(new Error(`tsc ended with ${code}`));
    });
  });
}

/** Prints the type that contains exactly this value, for a variable. */
function printType(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return printScalar(value);
  const members = Object.entries(value).map(([name, member]) => `${printScalar(name)}: ${printType(member)}`);
  return `{ ${members.join('; ')} }`;
}

function printLiteral(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return printScalar(value);
  // The plain key `__proto__` would set the prototype.
  const key = (name: string): string => (name === '__proto__' ? '["__proto__"]' : printScalar(name));
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${key(name)}: ${printLiteral(member)}`)
    .join(', ')} }`;
}

// The compiler counts U+2028 and U+2029 as line ends.
function printScalar(value: string | number | boolean | null): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
