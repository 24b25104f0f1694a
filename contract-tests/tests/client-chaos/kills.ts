import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, listen, sandboxCredentials } from '../../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { seededRandom } from '../soak/seeded-random.ts';
import { startFaultyProxy } from './faulty-proxy.ts';

export type KillReport = { readonly kills: number; readonly resumed: number; readonly problems: readonly string[] };

/** Kills a client between and within attempts, and starts it again with the same keys until nothing is pending. */
export async function runKills({ seed, calls }: { seed: number; calls: number }): Promise<KillReport> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'client-kills-'));
  writeFileSync(join(folder, 'log'), '');
  const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings), timings: { providerMs: 30 } });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const proxy = await startFaultyProxy(server.url, random);
  const lines = (): string[] => readFileSync(join(folder, 'log'), 'utf8').split('\n');
  let kills = 0;
  try {
    for (let round = 0; round < 200 && !lines().includes('settled'); round += 1) {
      const started = lines().length;
      // Each of the first rounds ends within its calls; the rest come to their end.
      const enough = kills < calls / 8 ? 1 + random.below(6) : Number.POSITIVE_INFINITY;
      const args = [proxy.url, sandboxCredentials.router.main, folder, String(calls)];
      const isTime = (): boolean => lines().length - started >= enough;
      if (await runOnce(args, { isTime, laterMs: random.below(60) })) kills += 1;
    }
    const problems = lines().filter((line) => line.includes('untyped'));
    if (!lines().includes('settled')) problems.push('calls are still pending');
    const billed = new Map<string | undefined, number>();
    for (const { billed: isBilled, received } of sandbox.ledger().runs) {
      const logical = received[0]?.sha256;
      if (isBilled) billed.set(logical, (billed.get(logical) ?? 0) + 1);
    }
    for (const [logical, times] of billed) if (times > 1) problems.push(`${logical} was billed ${times} times`);
    return { kills, resumed: lines().filter((line) => line.startsWith('resumed ')).length, problems };
  } finally {
    await proxy.close();
    await server.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the client was killed: `laterMs` after `isTime`, within or between attempts, unless it ended before. */
function runOnce(args: readonly string[], when: { isTime: () => boolean; laterMs: number }): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'killed-client.ts'), ...args], { stdio: 'inherit' });
  const timer = setInterval(() => {
    if (!when.isTime()) return;
    clearInterval(timer);
    setTimeout(() => child.kill('SIGKILL'), when.laterMs);
  }, 5);
  return new Promise((ended) => {
    child.once('exit', (_, signal) => {
      clearInterval(timer);
      ended(signal === 'SIGKILL');
    });
  });
}
