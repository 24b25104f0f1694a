import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, type JsonValue, packageRoot } from '../../specs/src/index.ts';
import { nodeFiles } from '../src/adapters/node-files.ts';
import { createDice } from './random-documents/dice.ts';

/** `npm run test:long` sets the number of kills, and also repeats the other tests more often. */
const isLong = process.env['SWITCHYARD_KILLS'] !== undefined;
const killCount = Number(process.env['SWITCHYARD_KILLS'] ?? 6);

let folder = '';
let script = '';
/** States of the output after complete runs of the two catalogs. */
let states: readonly (string | undefined)[] = [];

beforeAll(async () => {
  // The folder must be inside the package, because the bundled generator reads the templates of its package.
  const parent = join(packageRoot(), '.switchyard');
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, 'killed-runs-'));
  script = join(folder, 'child.mjs');
  const build = await rolldown({
    input: join(import.meta.dirname, 'fixtures/generating-child.ts'),
    platform: 'node',
    external: ['typescript', 'openapi-typescript', 'handlebars', 'ajv', 'yaml'],
  });
  await build.write({ file: script, format: 'esm', codeSplitting: false });
  states = [await stateAfter('undisturbed', 0), await stateAfter('undisturbed', 1)];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(name: string, turns: { first: number; count: number }, cache = `${name}/cache`): ChildProcess {
  const places = [join(folder, name, 'out'), join(folder, cache), String(turns.first), String(turns.count)];
  return spawn(process.execPath, [script, ...places], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('exit', (code) => done(code)));
}

/** Returns a digest of all paths and bytes in an output folder; undefined if the folder doesn't exist. */
function readState(name: string): string | undefined {
  const root = join(folder, name, 'out');
  if (!existsSync(root)) return undefined;
  const hash = createHash('sha256');
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (statSync(join(root, path)).isFile()) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

/** Lists documents in the index of a cache folder that are missing or damaged. */
function cacheProblems(cache: string): string[] {
  const root = join(folder, cache, 'v2');
  return readdirSync(root).flatMap((source) => {
    const path = join(root, source, 'index.json');
    if (!existsSync(path)) return [];
    const index: JsonValue = JSON.parse(readFileSync(path, 'utf8'));
    const models = isJsonObject(index) && isJsonObject(index['models']) ? Object.values(index['models']) : [];
    return models.flatMap((entry) => {
      const digest = isJsonObject(entry) ? String(entry['digest']).slice('sha256:'.length) : '';
      const object = join(root, source, 'objects', `${digest}.json`);
      const isWhole = existsSync(object) && createHash('sha256').update(readFileSync(object)).digest('hex') === digest;
      return isWhole ? [] : [digest];
    });
  });
}

/** Sets the heartbeats of all locks in a folder to an old time, so that the locks are stale. */
function letLocksExpire(below: string): void {
  for (const path of readdirSync(below, { recursive: true, encoding: 'utf8' }))
    if (/owner\.claim-\d+$/.test(path)) utimesSync(join(below, path), 0, 0);
}

/** Counts of kills after which the output was missing, mixed, had temporary files next to it, or had changed. */
type KillCounts = { between: number; mixed: number; leftovers: number; changed: number };

/** Kills runs that alternate between two outputs. After each kill, opening the folder must restore a complete output. */
async function killGenerations(
  name: string,
  how: { kills: number; random: () => number; label: string },
): Promise<KillCounts> {
  const seen: KillCounts = { between: 0, mixed: 0, leftovers: 0, changed: 0 };
  await stateAfter(name, 1);
  for (let kill = 0; kill < how.kills; kill++) {
    const label = `${name}, kill ${kill} of ${how.label}`;
    const before = readState(name);
    const child = start(name, { first: kill % 2, count: 1_000 });
    await new Promise((ready) => child.stdout?.once('data', ready));
    await new Promise((later) => setTimeout(later, how.random() * 40));
    const exit = ended(child);
    child.kill('SIGKILL');
    await exit;
    const found = readState(name);
    if (found === undefined) seen.between++;
    else if (!states.includes(found)) seen.mixed++;
    if (found !== before) seen.changed++;
    if (listNames(name).length > 2) seen.leftovers++;
    letLocksExpire(join(folder, name));
    (await nodeFiles.openStaging(join(folder, name, 'out'))).close();
    expect(states, label).toContain(readState(name));
    expect(listNames(name), label).toEqual(['cache', 'out']);
    expect(cacheProblems(`${name}/cache`), label).toEqual([]);
  }
  expect(await stateAfter(name, how.kills % 2)).toBe(states[how.kills % 2]);
  const [ignored, source = ''] = listNames(`${name}/cache/v2`);
  expect(ignored).toBe('.gitignore');
  expect(listNames(`${name}/cache/v2/${source}`)).toEqual(['index.json', 'objects']);
  return seen;
}

async function stateAfter(name: string, first: number): Promise<string | undefined> {
  await ended(start(name, { first, count: 1 }));
  return readState(name);
}

function listNames(place: string): string[] {
  return readdirSync(join(folder, place)).sort();
}

test('the output is complete, either old or new, after runs were killed at random points and the folder is opened again', {
  timeout: 100_000 + killCount * 5_000,
}, async () => {
  const kills = killCount / 2;
  const seed = Number(process.env['SWITCHYARD_SEED'] ?? 1);
  const how = { kills, random: createDice(seed).next, label: `seed ${seed}` };
  mkdirSync(join(folder, 'unmovable/out/node_modules/x'), { recursive: true });
  const [moved, replaced] = await Promise.all([killGenerations('movable', how), killGenerations('unmovable', how)]);
  const facts = JSON.stringify({ moved, replaced });
  process.stdout.write(`${kills * 2} kills, seed ${seed}: ${facts}\n`);
  // If the output folder can be renamed as a whole, it is never mixed, even before the next run repairs it.
  expect(moved.mixed).toBe(0);
  const changed = isLong ? Math.min(moved.changed, replaced.changed) : moved.changed + replaced.changed;
  expect(changed).toBeGreaterThan(0);
});

test('concurrent processes that share a cache and an output folder produce a complete output', {
  timeout: 120_000,
}, async () => {
  const turns = { first: 0, count: isLong ? 7 : 3 };
  const names = ['one', 'one', 'one', 'two'];
  const codes = await Promise.all(names.map((name) => ended(start(name, turns, 'shared/cache'))));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect([readState('one'), readState('two')]).toEqual([states[0], states[0]]);
  expect(cacheProblems('shared/cache')).toEqual([]);
  expect(readdirSync(join(folder, 'one'))).toEqual(['out']);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'runs that are ended by %s leave no temporary files next to the output',
  async (signal) => {
    for (let kill = 0; kill < (isLong ? 4 : 1); kill++) {
      const child = start(signal, { first: kill % 2, count: 1_000 });
      await new Promise((ready) => child.stdout?.once('data', ready));
      await new Promise((later) => setTimeout(later, kill * 7));
      const exit = ended(child);
      child.kill(signal);
      expect([await exit, child.signalCode]).toEqual([null, signal]);
      expect(listNames(signal)).toEqual(['cache', 'out']);
      expect(states).toContain(readState(signal));
    }
  },
);
