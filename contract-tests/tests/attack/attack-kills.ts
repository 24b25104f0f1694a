import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AttackClass, type AttackRun, type Defect, type Random, seedRandom } from './attack-class.ts';
import type { Flag } from './checkout.ts';
import { digestFolder, findCrash } from './output-checks.ts';
import { honestRouter, type Listening, type Models, serve } from './router.ts';
import { type Bounds, killGroup } from './run-child.ts';
import { openSandbox, type RunningSandbox } from './running-sandbox.ts';
import { makeDocument } from './schema-documents.ts';

const bounds: Bounds = { wallMs: 120_000, cpuMs: 60_000, peakMb: 2_000 };
const env = { SWITCHYARD_API_KEY: 'sk-attack-kills' };

/** Runs that are killed at a random moment: two thirds of generate, one third of a sandbox with a database. */
export const killAttack: AttackClass = {
  name: 'kills',
  cases: 168,
  run: async (run) => {
    const defects: Defect[] = [];
    const states = await openStates(run);
    let done = 0;
    try {
      for (const index of run.cases) {
        const random = seedRandom(run, 'kills', index);
        const problems =
          index % 3 === 2 ? await killSandbox(index, run, random) : await killGenerate(index, { run, random, states });
        defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
        run.progress(++done);
      }
    } finally {
      await Promise.all(states.routers.map((router) => router.close()));
    }
    return defects;
  },
};

type Problem = [kind: string, what: string];
/** Two catalogs with the folders that whole generations from them leave. */
type States = {
  routers: readonly [Listening, Listening];
  digests: readonly [string, string];
  folders: readonly [string, string];
};

function makeCatalog(variant: number): Models {
  const names = ['same', 'changed', ...(variant === 0 ? ['removed'] : ['added', 'another'])];
  const input = { type: 'object', properties: { prompt: { type: 'string', description: `variant ${variant}` } } };
  return new Map(
    names.map((name) => [
      `killed-provider/${name}`,
      JSON.stringify(makeDocument(`killed-provider/${name}`, name === 'same' ? {} : { input })),
    ]),
  );
}

async function openStates(run: AttackRun): Promise<States> {
  const routers = [await serve(honestRouter(makeCatalog(0))), await serve(honestRouter(makeCatalog(1)))] as const;
  const folders = ['state-0', 'state-1'].map((name) => join(run.folder, name)) as [string, string];
  const digests: string[] = [];
  for (const [at, folder] of folders.entries()) {
    const ended = await run.checkout.run('generate', flagsFor(routers[at === 0 ? 0 : 1]), { cwd: folder, env, bounds });
    const digest = digestFolder(join(folder, 'out'));
    if (ended.code !== 0 || digest === undefined) throw new Error(`a whole run failed: ${ended.err}`);
    digests.push(digest);
  }
  return { routers, folders, digests: [digests[0] ?? '', digests[1] ?? ''] };
}

const flagsFor = ({ url }: Listening): Flag[] => [
  ['--router-url', url],
  ['--out', 'out'],
  ['--cache', 'cache'],
];

async function killGenerate(
  index: number,
  { run, random, states }: { run: AttackRun; random: Random; states: States },
): Promise<Problem[]> {
  const to = random.one([0, 1] as const);
  const folder = join(run.folder, `case-${index}`);
  if (random.chance(0.2)) mkdirSync(folder, { recursive: true });
  else cpSync(states.folders[to === 0 ? 1 : 0], folder, { recursive: true });
  const router = states.routers[to];
  const out = join(folder, 'out');
  const before = digestFolder(out);
  await startAndKill({ run, folder, router, random, documents: makeCatalog(to).size });
  const problems: Problem[] = [];
  const after = digestFolder(out);
  const isWhole = after === undefined || after === before || after === states.digests[to];
  if (!isWhole) problems.push(['torn output', 'the killed run left neither the old state nor the new one']);
  // As two minutes later.
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/owner\.claim-\d+$/.test(path)) utimesSync(join(folder, path), 0, 0);
  const mended = await run.checkout.run('generate', flagsFor(router), { cwd: folder, env, bounds });
  const crash = findCrash(mended, [0]);
  if (crash !== undefined) problems.push(['not mended', crash]);
  else if (digestFolder(out) !== states.digests[to])
    problems.push(['not mended', 'the next run did not make the new state']);
  const left = readdirSync(folder).filter((name) => !['out', 'cache'].includes(name));
  if (left.length > 0) problems.push(['leftovers', left.join(', ')]);
  rmSync(folder, { recursive: true, force: true });
  return problems;
}

type Victim = { run: AttackRun; folder: string; router: Listening; random: Random; documents: number };

async function startAndKill({ run, folder, router, random, documents }: Victim): Promise<void> {
  const child = spawn(process.execPath, run.checkout.args('generate', flagsFor(router)), {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const ended = new Promise((done) => child.once('exit', done));
  // Most of what can tear is after the last document.
  if (random.chance(0.65)) await lastDocument(router, documents);
  await pause(random.below(random.chance(0.5) ? 150 : 1_500));
  if (random.chance(0.8)) killGroup(child);
  else child.kill(random.one(['SIGTERM', 'SIGINT'] as const));
  await Promise.race([ended, pause(20_000, undefined, { ref: false })]);
  killGroup(child);
  await ended;
}

/** Settles when a router was asked for that many more documents, or after two seconds. */
async function lastDocument(router: Listening, count: number): Promise<void> {
  const target = router.asked.length + count + 1;
  const until = performance.now() + 2_000;
  while (router.asked.length < target && performance.now() < until) await pause(5);
}

type Sent = { key: string; path: string; body: string; answer: string | undefined; status: number };

async function killSandbox(index: number, run: AttackRun, random: Random): Promise<Problem[]> {
  const folder = join(run.folder, `case-${index}`);
  const flags: Flag[] = [['--db', 'state.db']];
  const first = await openSandbox(run.checkout, folder, flags);
  const sent: Sent[] = [];
  const clients = Array.from({ length: 4 }, (_, client) => callUntilDown(first, `${index}-${client}`, sent, random));
  await pause(50 + random.below(600));
  await first.close();
  await Promise.all(clients);
  const problems: Problem[] = readableByOthers(folder).map((name) => ['permissions', `${name} can be read by others`]);
  const second = await openSandbox(run.checkout, folder, flags).catch((error: unknown) => String(error));
  if (typeof second === 'string') return [...problems, ['not mended', second.slice(0, 300)]];
  for (const one of sent) {
    const again = await post(second, one).catch(() => ({ answer: undefined, status: 0 }));
    const isLost = one.answer === undefined ? again.status === 500 : again.answer !== one.answer;
    if (isLost)
      problems.push(['answer lost', `${one.key} was answered ${one.status}, and ${again.status} after the restart`]);
  }
  const ledger = await fetch(`${second.url}/__sandbox/ledger?runs=100000`);
  const { keys }: { keys: { key: string; dispatches: number; billed: number }[] } = await ledger.json();
  for (const { key, dispatches, billed } of keys)
    if (dispatches > 1 || billed > 1)
      problems.push(['billed twice', `${key}: ${dispatches} dispatches, billed ${billed} times`]);
  await second.close();
  rmSync(folder, { recursive: true, force: true });
  return problems;
}

function readableByOthers(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter(
    (name) => name.startsWith('state.db') && (statSync(join(folder, name)).mode & 0o077) !== 0,
  );
}

async function callUntilDown(sandbox: RunningSandbox, name: string, sent: Sent[], random: Random): Promise<void> {
  for (let turn = 0; sandbox.isUp(); turn++) {
    const input = {
      outcome: random.one(['succeed', 'succeed', 'provider_error']),
      delay_ms: 1 + random.below(80),
      size_bytes: random.below(300),
    };
    const path = random.chance(0.5) ? '/v2/models/sandbox/outcomes' : '/v2/models/sandbox/outcomes/requests';
    const one: Sent = { key: `${name}-${turn}`, path, body: JSON.stringify(input), answer: undefined, status: 0 };
    sent.push(one);
    try {
      Object.assign(one, await post(sandbox, one));
    } catch {
      return;
    }
  }
}

async function post(
  { url, key: credential }: RunningSandbox,
  { key, path, body }: Sent,
): Promise<{ answer: string; status: number }> {
  const response = await fetch(url + path, {
    method: 'POST',
    body,
    headers: { 'X-API-Key': credential, 'Idempotency-Key': key, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(10_000),
  });
  return { answer: await response.text(), status: response.status };
}
