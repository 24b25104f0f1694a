import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { JsonValue } from '../../specs/src/index.ts';
import type { Case } from './cases/collection.ts';

const { resolve: find } = createRequire(import.meta.url);
/** Both generations of the compiler must agree with the oracle; the native one is faster. */
export const compilers = {
  '5.9': find('typescript/bin/tsc'),
  '7': join(dirname(find('typescript-7/package.json')), 'bin', 'tsc'),
} as const;
export type Compiler = keyof typeof compilers;

type Diagnostic = { file: string; line: number; message: string; reason: string };

/** All diagnostics of one program. */
export async function typeCheck(
  folder: string,
  { compiler, paths }: { compiler: Compiler; paths: Record<string, string[]> | undefined },
): Promise<Diagnostic[]> {
  const config = {
    compilerOptions: {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom'],
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      ...(paths === undefined ? {} : { paths }),
    },
    include: ['cases/*.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const output = await run([compilers[compiler], '-p', join(folder, 'tsconfig.json'), '--pretty', 'false'], folder);
  return readDiagnostics(output, folder);
}

/** The last indented line below a diagnostic is its reason. */
function readDiagnostics(output: string, folder: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const text of output.split('\n')) {
    const [, file, line, message = ''] = /^(\S.*?)\((\d+),\d+\): error (TS\d+: .*)$/.exec(text) ?? [];
    const last = found.at(-1);
    if (file !== undefined) found.push({ file: resolve(folder, file), line: Number(line), message, reason: '' });
    else if (last !== undefined && text.startsWith(' ')) last.reason = text.trim();
  }
  return found;
}

function run(args: string[], cwd: string): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--max-old-space-size=8192', ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', fail);
    // 0 and 2 are the compiler's exit codes; any other one is a crash.
    child.on('close', (code) =>
      code === 0 || code === 1 || code === 2
        ? done(Buffer.concat(parts).toString())
        : fail(new Error(`tsc ended with ${code}`)),
    );
  });
}

/** One file per side of a model, the case on line `index + 2`. */
export async function writeCases(
  path: string,
  declaration: string,
  cases: readonly Pick<Case, 'form' | 'value'>[],
): Promise<void> {
  const lines = cases.map(({ form, value }, index) =>
    form === 'literal'
      ? `export const c${index}: Subject = ${printLiteral(value)};`
      : `declare const v${index}: ${printLiteralType(value)}; export const c${index}: Subject = v${index};`,
  );
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${[declaration, ...lines].join('\n')}\n`);
}

export const firstCaseLine = 2;

/** The type of exactly this value, neither widened nor fresh. */
function printLiteralType(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printLiteralType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return printScalar(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${printText(name)}: ${printLiteralType(member)}`)
    .join('; ')} }`;
}

function printLiteral(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return printScalar(value);
  // As a plain key this name would set the prototype.
  const key = (name: string): string => (name === '__proto__' ? '["__proto__"]' : printText(name));
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${key(name)}: ${printLiteral(member)}`)
    .join(', ')} }`;
}

function printScalar(value: string | number | boolean | null): string {
  return typeof value === 'string' ? printText(value) : String(value);
}

// The compiler counts these as line ends.
function printText(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
