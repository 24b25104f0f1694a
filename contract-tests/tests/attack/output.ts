import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createRedactor, packageRoot } from '../../../specs/src/index.ts';
import { type Ended, runChild } from './child.ts';

/** Lists the paths of all files below a folder, without following links. */
export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

type Expected = {
  readonly codes: readonly number[];
  /** Texts that must not be printed, and must not be in a file below `folder`. */
  readonly credentials?: readonly string[];
  readonly folder?: string;
};

/** Finds problems that no input may cause: a crash, a hang, a visible secret, or commands for a terminal or a build service. */
export function findProblems(ended: Ended, { codes, credentials = [], folder }: Expected): string[] {
  const { code, out, err, stopped, printedBytes } = ended;
  const text = out + err;
  const problems: string[] = [];
  const stack = /^\s+at .+:\d+:\d+\)?$/m.exec(text)?.[0].trim();
  if (stopped !== undefined) problems.push(stopped);
  else if (stack !== undefined) problems.push(`it printed a stack trace: ${err.slice(0, 300)}`);
  else if (code === null || !codes.includes(code)) problems.push(`it ended with ${code}: ${err.slice(-300)}`);
  const control = findControlCharacter(text);
  if (control !== undefined) problems.push(`it printed U+${control.codePointAt(0)?.toString(16)}`);
  const order = /^\s*::.*|##\w*\[.*/m.exec(text)?.[0];
  if (order !== undefined) problems.push(`it printed a command to a build service: ${order.slice(0, 80)}`);
  if (printedBytes > 2_000_000) problems.push(`it printed ${printedBytes} bytes`);
  const texts: [string, () => string][] = [['the console', () => text]];
  for (const path of folder === undefined ? [] : listFiles(folder))
    texts.push([path, () => `${path}\n${readFileSync(join(folder ?? '', path), 'utf8')}`]);
  for (const [place, read] of texts)
    for (const secret of credentials)
      if (shows(read(), secret)) problems.push(`${place} shows the credential ${secret}`);
  return problems;
}

/** Returns the first character that moves the cursor or changes the text direction in a terminal. */
export function findControlCharacter(text: string): string | undefined {
  return /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u.exec(text)?.[0];
}

/** True if a text shows most of a credential in plain, percent, JSON, hex or base64 notation, or all of it in two nested notations. */
function shows(text: string, secret: string): boolean {
  const length = Math.max(8, Math.ceil(secret.length * 0.6));
  const parts = Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length));
  const fromCode = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));
  const lower = [text, text.replace(/%([0-9a-f]{2})/gi, fromCode), text.replace(/\\+u([0-9a-f]{4})/gi, fromCode)];
  for (const reading of lower.map((one) => one.toLowerCase()))
    if (parts.some((part) => reading.includes(part.toLowerCase()))) return true;
  const hex = text.toLowerCase();
  if (parts.some((part) => hex.includes(Buffer.from(part).toString('hex')))) return true;
  if (parts.flatMap(inBase64).some((form) => text.includes(form))) return true;
  return createRedactor([secret])(text) !== text;
}

/** Returns the base64 of a text at each offset, without the characters that depend on the bytes next to it. */
function inBase64(part: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.from('x'.repeat(offset) + part);
    const form = whole.toString('base64').slice(Math.ceil((offset * 4) / 3), Math.floor((whole.length * 8) / 6));
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Finds problems of generated packages: links, malformed JSON, code that doesn't compile, or code with side effects. */
export async function checkOutput(out: string): Promise<string[]> {
  const problems: string[] = [];
  for (const path of listFiles(out)) {
    if (!lstatSync(join(out, path)).isFile()) problems.push(`${path} is not a plain file`);
    if (!path.endsWith('.json') || path.endsWith('tsconfig.json')) continue;
    try {
      JSON.parse(readFileSync(join(out, path), 'utf8'));
    } catch {
      problems.push(`${path} is not JSON`);
    }
  }
  const compiler = join(packageRoot(), 'node_modules/typescript-7/bin/tsc');
  const limits = { cpuMs: 120_000, peakMb: 4_000 };
  const compiled = await runChild([compiler, '-p', join(out, 'tsconfig.json')], { cwd: packageRoot(), limits });
  if (compiled.code !== 0)
    problems.push(compiled.stopped ?? `it does not compile: ${(compiled.out + compiled.err).slice(0, 500)}`);
  const loader = join(import.meta.dirname, 'load-output.ts');
  const loaded = await runChild([loader, out], { cwd: join(out, '..'), limits });
  if (loaded.code !== 0 || loaded.out !== '')
    problems.push(`loading it: ${loaded.stopped ?? (loaded.out + loaded.err).slice(0, 500)}`);
  return problems;
}
