import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AttackRun } from './attack-class.ts';
import { type Bounds, type Ended, runChild } from './run-child.ts';

/** A problem that belongs to one file, one model or the whole generation. */
export type Problem = { readonly kind: string; readonly what: string; readonly path?: string };

const loader = join(import.meta.dirname, 'load-output.ts');
const loadBounds: Bounds = { wallMs: 180_000, cpuMs: 60_000, peakMb: 3_000 };

/** All paths below a folder; links are not followed. */
export function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** One digest over all paths and bytes of a folder; undefined where there is none. */
export function digestFolder(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const hash = createHash('sha256');
  for (const path of pathsIn(folder)) hash.update(`${path}\n`).update(readFileSync(join(folder, path)));
  return hash.digest('hex');
}

/** What a process says when it fell over in place of reporting: a stack, an unknown code, a signal. */
export function findCrash(ended: Ended, codes: readonly number[]): string | undefined {
  const { code, err, out, stopped } = ended;
  if (stopped !== undefined) return stopped;
  const stack = /^\s+at .+:\d+:\d+\)?$/m.exec(err + out)?.[0].trim();
  if (stack !== undefined) return `it printed a stack: ${err.slice(0, 200)}`;
  return code === null || !codes.includes(code) ? `it ended with ${code}: ${err.slice(-300)}` : undefined;
}

/** What is wrong with an output folder whatever it was made from: links, code that does not compile, load or stay by itself. */
export async function outputProblems(out: string, { checkout, folder }: AttackRun): Promise<Problem[]> {
  const paths = pathsIn(out);
  const links = paths.filter((path) => !lstatSync(join(out, path)).isFile());
  const data = paths.filter(
    (path) => path.endsWith('.json') && !path.endsWith('tsconfig.json') && !isJson(join(out, path)),
  );
  const compiled = await checkout.compile(join(out, 'tsconfig.json'));
  const errors = compiled.split('\n').filter((line) => /error TS|ended with|not ended|MB/.test(line));
  const loaded = await runChild([loader, out], { cwd: folder, bounds: loadBounds });
  const said = loaded.out.split('\n').filter((line) => line !== '');
  if (loaded.code !== 0) said.push(`the output cannot be loaded: ${loaded.stopped ?? loaded.err.slice(0, 300)}`);
  return [
    ...links.map((path) => ({ kind: 'no file', what: `${path} is no plain file`, path })),
    ...data.map((path) => ({ kind: 'malformed', what: `${path} holds no JSON`, path })),
    ...errors.map((line) => ({
      kind: 'does not compile',
      what: line.slice(0, 300),
      path: /^[^(\s]+/.exec(line)?.[0] ?? '',
    })),
    ...said.map((line) => ({ kind: 'does not load', what: line.slice(0, 300), path: line })),
  ];
}

function isJson(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
