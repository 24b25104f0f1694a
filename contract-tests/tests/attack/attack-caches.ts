import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { generateFlags, runCommand } from './child.ts';
import { makeDocument, object } from './documents.ts';
import { findProblems, listFiles } from './output.ts';
import { honestRouter, serve } from './router.ts';
import { hostileText, oddJson } from './texts.ts';
import { type AttackTime, tryCases } from './try-cases.ts';

/** Damages a file; `at` is a share of its length, `text` a hostile text. */
type Damage = (path: string, given: { at: number; text: string }) => void;
const rewrite =
  (change: (content: string, given: { at: number; text: string }) => string | Buffer): Damage =>
  (path, given) =>
    writeFileSync(path, change(readFileSync(path, 'utf8'), given));
const linkTo =
  (target: string): Damage =>
  (path) => {
    rmSync(path);
    symlinkSync(target, path);
  };

const damages: Readonly<Record<string, Damage>> = {
  'flipped bit': rewrite((content, { at }) => {
    const bytes = Buffer.from(content);
    const index = Math.floor(at * bytes.length);
    if (bytes[index] !== undefined) bytes[index] ^= 1 << (Math.floor(at * 1_000) % 8);
    return bytes;
  }),
  truncated: rewrite((content, { at }) => content.slice(0, at * content.length)),
  empty: rewrite(() => ''),
  removed: (path) => rmSync(path),
  'other JSON': rewrite((_, { at }) => oddJson[Math.floor(at * oddJson.length)] ?? ''),
  'other version': rewrite(() => '{"version":99}'),
  'deep JSON': rewrite(() => '['.repeat(50_000)),
  'replaced value': rewrite((content, { at, text }) => {
    const index = Math.floor(at * (content.match(/"[^"]*"/g)?.length ?? 0));
    let seen = 0;
    return content.replace(/"[^"]*"/g, (found) => (seen++ === index ? JSON.stringify(text) : found));
  }),
  'foreign entry': rewrite((content, { text }) =>
    content.replace(
      '{',
      () => `{${JSON.stringify(text)}:{"digest":"sha256:${'0'.repeat(64)}","etag":"x","path":"../../../foreign"},`,
    ),
  ),
  'paths that lead out': rewrite((content) => content.replace(/"(models|cached-provider)\//g, '"../../../foreign/')),
  'other digests': rewrite((content) => content.replace(/[0-9a-f]{32,64}/g, (found) => found.replace(/[0-4]/g, '5'))),
  'many megabytes': rewrite((content) => content + ' '.repeat(30_000_000)),
  'link to a secret': linkTo('/proc/self/environ'),
  'link to endless bytes': linkTo('/dev/zero'),
  'link to nothing': linkTo('/nowhere/at/all'),
  'a folder': (path) => {
    renameSync(path, `${path}.moved`);
    mkdirSync(path);
    renameSync(`${path}.moved`, join(path, 'foreign'));
  },
};

type Case = {
  readonly damage: string;
  /** The damaged file is below it, at this share of the list of files. */
  readonly below: string;
  readonly file: number;
  readonly at: number;
  readonly text: string;
  readonly mode: readonly string[];
};
const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const lockfile = { below: 'out/switchyard.lock.json', file: 0, at: 0.5, text: '__proto__', mode: [] };
const cached = { ...lockfile, below: 'cache' };
const named: readonly Case[] = [
  { ...lockfile, damage: 'truncated' },
  { ...lockfile, damage: 'foreign entry' },
  { ...lockfile, damage: 'paths that lead out' },
  { ...lockfile, damage: 'link to endless bytes' },
  { ...cached, damage: 'other digests' },
  { ...cached, damage: 'link to a secret', mode: ['--offline'] },
  { ...cached, damage: 'many megabytes' },
  { ...cached, damage: 'removed', mode: ['--frozen', '--offline'] },
];

/** Caches, lockfiles and outputs that another program has damaged: `generate` repairs them, or reports in a line what is wrong. */
export async function attackCaches(parent: string, time: AttackTime) {
  const models = ['one', 'two', 'three'].map((name): [string, string] => {
    const id = `cached-provider/${name}`;
    return [id, JSON.stringify(makeDocument(id, { input: object({ [name]: { type: 'string' } }) }))];
  });
  const router = await serve(honestRouter(new Map(models)));
  const generate = (cwd: string, mode: readonly string[]) =>
    runCommand('generate', [...generateFlags(router.url), ...mode], {
      cwd,
      env: { SWITCHYARD_API_KEY: 'sk-attack-caches' },
    });
  const whole = join(parent, 'whole');
  const { code, err } = await generate(whole, []);
  if (code !== 0) throw new Error(`the healthy models are not generated: ${err}`);
  const run = await tryCases<Case>(time, {
    cases: fc.record({
      damage: fc.constantFrom(...Object.keys(damages)),
      below: fc.constantFrom('cache', 'out/switchyard.lock.json', 'out'),
      file: share,
      at: share,
      text: fc.oneof(fc.constantFrom('__proto__', '../../x', '../../../../tmp/x'), hostileText),
      mode: fc.constantFrom([], ['--offline'], ['--frozen'], ['--frozen', '--offline'], ['--check']),
    }),
    named,
    check: async ({ damage, below, file, mode, ...given }) => {
      const folder = mkdtempSync(join(parent, 'case-'));
      cpSync(whole, folder, { recursive: true });
      const files = listFiles(folder).filter((path) => path.startsWith(below));
      damages[damage]?.(join(folder, files[Math.floor(file * files.length)] ?? ''), given);
      const ended = await generate(folder, mode);
      const problems = findProblems(ended, { codes: [0, 1, 2, 3] });
      const message = ended.err.split('\n').filter((line) => line !== '' && !line.endsWith('…'));
      if (ended.code !== 0 && ended.code !== 1 && message.length !== 1)
        problems.push(`exit code ${ended.code} with ${message.length} lines: ${message.join(' | ').slice(0, 300)}`);
      if (ended.code === 0 && !mode.includes('--check') && readOutput(folder) !== readOutput(whole))
        problems.push('exit code 0, and the output is not what the models give');
      rmSync(folder, { recursive: true });
      return problems;
    },
  });
  await router.close();
  return run;
}

/** Paths and contents of generated files; what the attack moved there is left out. */
function readOutput(folder: string): string {
  return listFiles(join(folder, 'out'))
    .filter((path) => !path.endsWith('foreign'))
    .map((path) => `${path}\n${readFileSync(join(folder, 'out', path), 'utf8')}`)
    .join('\n');
}
