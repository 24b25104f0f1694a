import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDice, type Dice } from '../../../generator/tests/random-documents/dice.ts';
import { type Ledger, sandboxCredentials } from '../../../sandbox/src/index.ts';
import { type ClientRecord, createClient, model } from './client.ts';
import { callUntilSettled, type RetryTarget } from './retried-call.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

export type SoakPlan = { seed: number; seconds: number; clients: number };
export type SoakReport = {
  seed: number;
  seconds: number;
  kills: number;
  calls: number;
  unanswered: number;
  keys: number;
  billed: number;
  replays: number;
  /** Empty when the ledger and the clients agree. */
  problems: readonly string[];
};

/** Clients call a sandbox that is killed and restarted meanwhile; in the end its ledger is compared with their records. */
export async function soak({ seed, seconds, clients: count }: SoakPlan): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-soak-'));
  const sandbox = await startSandboxProcess(join(folder, 'state.db'));
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt > seconds * 1000;
  const retryTarget: RetryTarget = { url: sandbox.url, calls: { count: 0, unanswered: 0 } };
  const random = createDice(seed);
  const clients = Array.from({ length: count }, (_, index) =>
    createClient(`client-${index}`, createDice(seed * 1000 + index), retryTarget),
  );
  try {
    const work = Promise.all(clients.map((client) => client.work(isOver)));
    const [kills] = await Promise.all([killAtRandom(sandbox, random, isOver), work]);
    const records = clients.flatMap((client) => client.records);
    const replayed = await replayAll(records, retryTarget);
    const ledger = await readLedger(sandbox);
    const problems = [
      ...clients.flatMap((client) => client.problems),
      ...replayed,
      ...compare(records, ledger, await chargesForPolicy(retryTarget)),
    ];
    const { count: calls, unanswered } = retryTarget.calls;
    const { billed, replays } = ledger;
    return { seed, seconds, kills, calls, unanswered, keys: records.length, billed, replays, problems };
  } finally {
    await sandbox.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function killAtRandom(sandbox: SandboxProcess, random: Dice, isOver: () => boolean): Promise<number> {
  let kills = 0;
  while (!isOver()) {
    await pause(400 + random.below(1600));
    if (isOver()) return kills;
    await sandbox.restart();
    kills += 1;
  }
  return kills;
}

/** No response may be lost: each key gives the same bytes again. */
async function replayAll(records: readonly ClientRecord[], retryTarget: RetryTarget): Promise<string[]> {
  const problems: string[] = [];
  for (const { key, call, digest } of records) {
    const reply = await callUntilSettled(call, retryTarget);
    if (!reply.replayed || reply.digest !== digest)
      problems.push(`${key} was answered as a new call: ${reply.status} ${reply.text.slice(0, 120)}`);
  }
  return problems;
}

async function readLedger(sandbox: SandboxProcess): Promise<Ledger> {
  const response = await fetch(`${sandbox.url}/__sandbox/ledger?runs=1000000`);
  const ledger: Ledger = await response.json();
  return ledger;
}

/** A rejection on policy grounds costs what the catalog says (MR-CAT-36). */
async function chargesForPolicy(retryTarget: RetryTarget): Promise<boolean> {
  const { text } = await callUntilSettled(
    { method: 'GET', path: model, credential: sandboxCredentials.router.main },
    retryTarget,
  );
  return /"charges_on_policy_rejection":\s*"yes"/.test(text);
}

/** One line for each place where the ledger and what the clients saw are not the same. */
function compare(records: readonly ClientRecord[], ledger: Ledger, policyIsCharged: boolean): string[] {
  const isBilled = ({ category }: ClientRecord): boolean =>
    category === undefined || (category === 'content_policy_violation' && policyIsCharged);

  const recorded = new Map(records.map((record) => [`${record.scope} ${record.key}`, record]));
  const problems = ledger.keys.flatMap(({ scope, key, dispatches, billed }): string[] => {
    const record = recorded.get(`${scope} ${key}`);
    if (record === undefined) return [`${key} is in the ledger and with no client`];
    if (billed !== (isBilled(record) ? 1 : 0))
      return [`${key} was billed ${billed} times, its client saw ${record.category ?? 'a result'}`];
    return dispatches > 1 ? [`${key} was dispatched ${dispatches} times`] : [];
  });
  const listed = new Set(ledger.keys.map(({ scope, key }) => `${scope} ${key}`));
  const lost = [...recorded.keys()]
    .filter((slot) => !listed.has(slot))
    .map((slot) => `${slot} is with a client and not in the ledger`);
  const ids = new Set(ledger.runs.map(({ id }) => id));
  const lostRequests = records.flatMap(({ requestId }) =>
    requestId === undefined || ids.has(requestId) ? [] : [`request ${requestId} was admitted and is lost`],
  );
  return [...problems, ...lost, ...lostRequests];
}
