import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AttackClass, type AttackRun, type Defect, type Random, seedRandom } from './attack-class.ts';
import type { Flag } from './checkout.ts';
import { hostileText, terminalSigns } from './hostile-texts.ts';
import { digestFolder, findCrash, outputProblems, pathsIn } from './output-checks.ts';
import { honestRouter, serve } from './router.ts';
import type { Bounds } from './run-child.ts';
import { makeDocument } from './schema-documents.ts';

const bounds: Bounds = { wallMs: 120_000, cpuMs: 60_000, peakMb: 1_500 };
const env = { SWITCHYARD_API_KEY: 'sk-attack-caches' };
const names = ['one', 'two', 'three', 'four'];
const models = new Map(
  names.map((name) => {
    const id = `cached-provider/${name}`;
    return [
      id,
      JSON.stringify(makeDocument(id, { input: { type: 'object', properties: { [name]: { type: 'string' } } } })),
    ] as const;
  }),
);

/** Caches, lockfiles and outputs that something else has written to. */
export const cacheAttack: AttackClass = {
  name: 'caches',
  cases: 96,
  run: async (run) => {
    const router = await serve(honestRouter(models));
    const defects: Defect[] = [];
    try {
      const whole = join(run.folder, 'whole');
      const { code, err } = await run.checkout.run('generate', flagsFor(router.url), { cwd: whole, env, bounds });
      if (code !== 0) throw new Error(`a whole run failed: ${err}`);
      const digest = digestFolder(join(whole, 'out')) ?? '';
      for (const [at, index] of run.cases.entries()) {
        const problems = await attackOnce(index, { run, whole, digest, url: router.url });
        defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
        run.progress(at + 1);
      }
    } finally {
      await router.close();
    }
    return defects;
  },
};

const flagsFor = (url: string): Flag[] => [
  ['--router-url', url],
  ['--out', 'out'],
  ['--cache', 'cache'],
];
type Around = { run: AttackRun; whole: string; digest: string; url: string };

/** The generation repairs what it finds, or it says in a line what is wrong; it never keeps a wrong output and says that all is well. */
async function attackOnce(index: number, { run, whole, digest, url }: Around): Promise<[string, string][]> {
  const random = seedRandom(run, 'caches', index);
  const folder = join(run.folder, `case-${index}`);
  cpSync(whole, folder, { recursive: true });
  const damage = random.one(damages);
  const part = random.one(['cache', 'cache', 'out/switchyard.lock.json', 'out']);
  const victims = pathsIn(folder).filter((path) => path.startsWith(part));
  for (let count = random.size(1, 4); count > 0; count--) damage.act(join(folder, random.one(victims)), random, folder);
  const mode = random.one<readonly string[]>([
    [],
    [],
    [],
    ['--offline'],
    ['--frozen'],
    ['--frozen', '--offline'],
    ['--check'],
  ]);
  const ended = await run.checkout.run('generate', [...flagsFor(url), ...mode], { cwd: folder, env, bounds });
  const name = `${damage.name} in ${part} ${mode.join(' ')}`.trim();
  const found: [string, string][] = [];
  const crash = findCrash(ended, [0, 1, 2, 3]);
  if (crash !== undefined) found.push([`${name}: crash`, crash]);
  const message = ended.err.split('\n').filter((line) => line !== '' && !line.endsWith('…'));
  if (ended.code !== 0 && ended.code !== 1 && message.length !== 1)
    found.push([
      `${name}: message`,
      `exit ${ended.code} with ${message.length} lines: ${message.join(' | ').slice(0, 200)}`,
    ]);
  if (terminalSigns(ended.out + ended.err) !== undefined)
    found.push([`${name}: terminal`, 'a control sign is printed']);
  const isWritten = ended.code === 0 && !mode.includes('--check');
  if (
    isWritten &&
    readOutput(join(folder, 'out')) !== readOutput(join(whole, 'out')) &&
    digestFolder(join(folder, 'out')) !== digest
  ) {
    const [problem] = await outputProblems(join(folder, 'out'), { ...run, folder });
    const differing = pathsIn(join(whole, 'out')).filter(
      (path) => readText(join(folder, 'out', path)) !== readText(join(whole, 'out', path)),
    );
    found.push([
      `${name}: wrong output`,
      `exit 0 with ${differing.slice(0, 3).join(', ')} changed; ${problem?.what ?? 'it compiles'}`,
    ]);
  }
  rmSync(folder, { recursive: true, force: true });
  return found;
}

/** What the generator owns; files of others may stay beside it. */
function readOutput(out: string): string {
  return pathsIn(out)
    .filter((path) => !path.includes('foreign'))
    .map((path) => `${path}\n${readText(join(out, path))}`)
    .join('\n');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

type Damage = { name: string; act: (path: string, random: Random, folder: string) => void };
const rewrite = (name: string, change: (text: string, random: Random) => string): Damage => ({
  name,
  act: (path, random) => writeFileSync(path, change(readText(path), random)),
});

const damages: readonly Damage[] = [
  {
    name: 'bit flips',
    act: (path, random) => {
      const bytes = Buffer.from(readText(path));
      for (let count = random.size(1, 20); count > 0 && bytes.length > 0; count--) {
        const at = random.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      }
      writeFileSync(path, bytes);
    },
  },
  {
    name: 'truncation',
    act: (path, random) => truncateSync(path, random.below(Buffer.byteLength(readText(path)) + 1)),
  },
  { name: 'removal', act: (path) => rmSync(path, { force: true }) },
  rewrite('other JSON', (_text, random) =>
    random.one([
      'null',
      '[]',
      '{}',
      '7',
      '"x"',
      '{"models":null}',
      '{"version":99}',
      '[[[[',
      '{"__proto__":{"models":{}}}',
      '\ufeff{}',
      `${'['.repeat(50_000)}`,
    ]),
  ),
  rewrite('swapped values', (text, random) =>
    text.replace(/"[^"]*"/g, (found) =>
      random.chance(0.05)
        ? random.one(['null', '7', '{}', '"../../../../tmp/x"', JSON.stringify(hostileText(random))])
        : found,
    ),
  ),
  rewrite('foreign entries', (text, random) =>
    text.replace(
      '{',
      `{${JSON.stringify(random.one(['__proto__', '../../x', hostileText(random)]))}:{"digest":"sha256:${'0'.repeat(64)}","etag":"x","path":"../../../foreign"},`,
    ),
  ),
  rewrite('paths that lead out', (text) => text.replace(/"(models|cached-provider)\//g, '"../../../foreign/')),
  rewrite('other digests', (text, random) =>
    text.replace(/[0-9a-f]{32,64}/g, (found) =>
      random.chance(0.3) ? found.replace(/./g, () => random.one([...'0123456789abcdef'])) : found,
    ),
  ),
  rewrite('nothing', () => ''),
  rewrite('much', (text) => text + ' '.repeat(30_000_000)),
  {
    name: 'link away',
    act: (path, random, folder) => {
      const target = join(folder, '..', 'whole', 'cache', 'foreign');
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, 'kept');
      rmSync(path, { force: true });
      symlinkSync(random.one([target, '/dev/zero', '/proc/self/environ', path, '/nowhere/at/all']), path);
    },
  },
  {
    name: 'folder for file',
    act: (path) => {
      renameSync(path, `${path}.moved`);
      mkdirSync(path);
      renameSync(`${path}.moved`, join(path, 'foreign'));
    },
  },
];
