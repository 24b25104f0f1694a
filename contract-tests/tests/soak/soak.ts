import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ledger, sandboxCredentials } from '../../../sandbox/src/index.ts';
import { startVictim, type Victim } from './child-process.ts';
import { type Belief, createClient, model } from './client-model.ts';
import { callUntilSettled, type Patience } from './patient-call.ts';
import { type Dice, rollDice } from './seeded-random.ts';

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

/** Callers at work on a sandbox that is killed and restarted under them; in the end its ledger is held against their records. */
export async function soak({ seed, seconds, clients: count }: SoakPlan): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-soak-'));
  const victim = await startVictim(join(folder, 'state.db'));
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt > seconds * 1000;
  const patience: Patience = { url: victim.url, calls: { count: 0, unanswered: 0 } };
  const dice = rollDice(seed);
  const clients = Array.from({ length: count }, (_, index) =>
    createClient(`client-${index}`, rollDice(seed * 1000 + index), patience),
  );
  try {
    const work = Promise.all(clients.map((client) => client.work(isOver)));
    const [kills] = await Promise.all([killNowAndThen(victim, dice, isOver), work]);
    const beliefs = clients.flatMap((client) => client.beliefs);
    const replayed = await replayAll(beliefs, patience);
    const ledger = await readLedger(victim);
    const problems = [
      ...clients.flatMap((client) => client.problems),
      ...replayed,
      ...compare(beliefs, ledger, await isPolicyCharged(patience)),
    ];
    const { count: calls, unanswered } = patience.calls;
    const { billed, replays } = ledger;
    return { seed, seconds, kills, calls, unanswered, keys: beliefs.length, billed, replays, problems };
  } finally {
    await victim.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function killNowAndThen(victim: Victim, dice: Dice, isOver: () => boolean): Promise<number> {
  let kills = 0;
  while (!isOver()) {
    await pause(400 + dice.below(1600));
    if (isOver()) return kills;
    await victim.restart();
    kills += 1;
  }
  return kills;
}

/** Nothing of what was answered may be lost: each key gives the same bytes again. */
async function replayAll(beliefs: readonly Belief[], patience: Patience): Promise<string[]> {
  const problems: string[] = [];
  for (const { key, call, digest } of beliefs) {
    const reply = await callUntilSettled(call, patience);
    if (!reply.replayed || reply.digest !== digest)
      problems.push(`${key} was answered anew: ${reply.status} ${reply.text.slice(0, 120)}`);
  }
  return problems;
}

async function readLedger(victim: Victim): Promise<Ledger> {
  const response = await fetch(`${victim.url}/__sandbox/ledger?runs=1000000`);
  const ledger: Ledger = await response.json();
  return ledger;
}

/** A rejection on policy grounds costs what the catalog says (MR-CAT-36). */
async function isPolicyCharged(patience: Patience): Promise<boolean> {
  const { text } = await callUntilSettled(
    { method: 'GET', path: model, credential: sandboxCredentials.router.main },
    patience,
  );
  return /"charges_on_policy_rejection":\s*"yes"/.test(text);
}

/** One line for each place where the ledger and what the clients saw are not the same. */
function compare(beliefs: readonly Belief[], ledger: Ledger, policyIsCharged: boolean): string[] {
  const isBilled = ({ category }: Belief): boolean =>
    category === undefined || (category === 'content_policy_violation' && policyIsCharged);

  const believed = new Map(beliefs.map((belief) => [`${belief.scope} ${belief.key}`, belief]));
  const problems = ledger.keys.flatMap(({ scope, key, dispatches, billed }): string[] => {
    const belief = believed.get(`${scope} ${key}`);
    if (belief === undefined) return [`${key} is in the ledger and with no client`];
    if (billed !== (isBilled(belief) ? 1 : 0))
      return [`${key} was billed ${billed} times, its client saw ${belief.category ?? 'a result'}`];
    return dispatches > 1 ? [`${key} was dispatched ${dispatches} times`] : [];
  });
  const told = new Set(ledger.keys.map(({ scope, key }) => `${scope} ${key}`));
  const lost = [...believed.keys()]
    .filter((slot) => !told.has(slot))
    .map((slot) => `${slot} is with a client and not in the ledger`);
  const ids = new Set(ledger.runs.map(({ id }) => id));
  const lostRequests = beliefs.flatMap(({ requestId }) =>
    requestId === undefined || ids.has(requestId) ? [] : [`request ${requestId} was admitted and is lost`],
  );
  return [...problems, ...lost, ...lostRequests];
}
