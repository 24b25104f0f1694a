import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AttackClass, type AttackRun, type Random, seedRandom } from './attack-class.ts';
import type { Flag } from './checkout.ts';
import { openSandbox, type RunningSandbox } from './running-sandbox.ts';

/** A sandbox with a database that is killed at a random moment, with calls under way. */
export const killAttack: AttackClass = {
  name: 'kills',
  cases: 56,
  run: async (run) => {
    const defects = [];
    for (const [at, index] of run.cases.entries()) {
      const problems = await killSandbox(index, run, seedRandom(run, 'kills', index));
      defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
      run.progress(at + 1);
    }
    return defects;
  },
};

type Problem = [kind: string, what: string];
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
