import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDice, type Dice } from '../../../generator/tests/random-documents/dice.ts';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { startFaultyProxy } from './faulty-proxy.ts';

/** Situations in which client processes are killed. */
export type KillScene =
  | 'host'
  /** Two programs share the folder of keys. */
  | 'shared-folder'
  /** The client is killed before each of its file operations; with fewer than 90 calls, before some of them. */
  | 'file-operations'
  /** Every thirteenth write fails because the disk is full. */
  | 'full-disk';
export const killScenes: readonly KillScene[] = ['host', 'shared-folder', 'file-operations', 'full-disk'];

export type KillReport = {
  readonly scene: KillScene;
  readonly kills: number;
  /** Results that a later process collected. */
  readonly collected: number;
  readonly billed: number;
  readonly problems: readonly string[];
};

/** Kills a client between and within attempts, and starts it again with the same keys until nothing is pending. */
export async function runKills(
  scene: KillScene,
  { seed, calls }: { seed: number; calls: number },
): Promise<KillReport> {
  const random = createDice(seed);
  const folder = mkdtempSync(join(tmpdir(), 'client-kills-'));
  const names = scene === 'shared-folder' ? ['one', 'two'] : ['one'];
  for (const name of [...names, 'last']) writeFileSync(join(folder, `log-${name}`), '');
  const limits = { inFlight: undefined, callsPerWindow: undefined };
  const { sandbox, ...server } = await serveSandbox({ timings: { providerMs: 30 }, limits });
  const proxy = await startFaultyProxy(server.url, random);
  const read = (name: string): string[] => readFileSync(join(folder, `log-${name}`), 'utf8').split('\n');
  const client = (name: string, more: { keys?: string; calls: number; workers: number }): string[] => [
    ...[proxy.url, sandboxCredentials.router.main, folder, more.keys ?? 'keys', name],
    ...[String(more.calls), String(more.workers)],
  ];
  let kills = 0;
  const killRepeatedly = async (name: string): Promise<void> => {
    for (let round = 0; round < 400 && !read(name).includes('done'); round += 1) {
      const started = read(name).length;
      // The first rounds are killed during their calls; later rounds run to their end.
      const killAfterLines = kills < calls / 8 ? 1 + random.below(6) : Number.POSITIVE_INFINITY;
      const args = client(name, { calls: calls / names.length, workers: 8 });
      const isTime = (): boolean => read(name).length - started >= killAfterLines;
      if (await runOnce({ args, env: scene === 'full-disk' ? { FULL_EVERY: '13' } : {} }, { isTime, random }))
        kills += 1;
    }
  };
  /** Kills a first process at a file operation of a new call, and a second process while it resumes the call. */
  const killAtOperations = async (): Promise<void> => {
    const step = Math.max(1, Math.round(90 / calls));
    let wasKilled = true;
    for (let round = 0; wasKilled; round += 1) {
      const env = { KILL_AT: String(1 + random.below(step) + round * step) };
      const args = client('one', { keys: `keys-${round}`, calls: round + 1, workers: 1 });
      const run = (env: Env): Promise<boolean> => runOnce({ args, env }, { isTime: () => false, random });
      wasKilled = await run(env);
      if (wasKilled) kills += 1;
      if (wasKilled && (await run(env))) kills += 1;
      await run({});
    }
  };
  try {
    if (scene === 'file-operations') await killAtOperations();
    else await Promise.all(names.map(killRepeatedly));
    const args = client('last', { calls: 0, workers: 1 });
    for (let round = 0; round < 20 && !read('last').includes('settled'); round += 1)
      await runOnce({ args, env: {} }, { isTime: () => false, random });
    const lines = [...names, 'last'].flatMap(read);
    const runs = sandbox.ledger().runs.filter(({ billed }) => billed);
    const problems = findProblems(
      lines,
      runs.map(({ received }) => received[0]?.sha256 ?? ''),
    );
    const collected = lines.filter((line) => line.startsWith('got again ')).length;
    return { scene, kills, collected, billed: runs.length, problems };
  } finally {
    await proxy.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `billed` has the hash of the input of each billed run. */
function findProblems(lines: readonly string[], billed: readonly string[]): string[] {
  const got = lines.flatMap((line) => /^got \w+ (.*)$/.exec(line)?.[1] ?? []);
  const known = new Set(got.map((body) => createHash('sha256').update(body).digest('hex')));
  const isSettled = lines.includes('settled');
  return [
    ...lines.filter((line) => line.includes('untyped') || line.startsWith('damaged')),
    ...(isSettled ? [] : ['calls are still pending']),
    ...billed.filter((run, index) => billed.indexOf(run) !== index).map((run) => `${run} was billed twice`),
    ...billed.filter((run) => !known.has(run)).map((run) => `the result of ${run} is lost`),
  ];
}

type Env = Readonly<Record<string, string>>;

/** Runs a client, and kills it up to 150 ms after `isTime` returns true. Returns false if the client ended before. */
function runOnce(
  { env, args }: { readonly env: Env; readonly args: readonly string[] },
  { isTime, random }: { isTime: () => boolean; random: Dice },
): Promise<boolean> {
  const preload =
    Object.keys(env).length === 0 ? [] : ['--import', join(import.meta.dirname, 'fail-file-operations.ts')];
  const program = [...preload, join(import.meta.dirname, 'killed-client.ts'), ...args];
  const child = spawn(process.execPath, program, { stdio: 'inherit', env: { ...process.env, ...env } });
  const laterMs = random.below(150);
  const timer = setInterval(() => {
    if (!isTime()) return;
    clearInterval(timer);
    setTimeout(() => child.kill('SIGKILL'), laterMs);
  }, 5);
  return new Promise((ended) => {
    child.once('exit', (_, signal) => {
      clearInterval(timer);
      ended(signal === 'SIGKILL');
    });
  });
}
