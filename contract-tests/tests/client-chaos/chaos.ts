import { createHash } from 'node:crypto';
import { createModelRouter, RouterError } from '../../../generated/model-router/index.js';
import { subscribe } from '../../../generated/model-router/queue.js';
import { createDice } from '../../../generator/tests/random-documents/dice.ts';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { serveSandbox } from '../local-servers.ts';
import { type Disturbance, disturbances, startFaultyProxy } from './faulty-proxy.ts';

export type ChaosReport = {
  readonly calls: number;
  readonly disturbed: Readonly<Record<Disturbance, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly replays: number;
  /** Empty when every call ended in a result or a typed error, and no logical run was billed twice. */
  readonly problems: readonly string[];
};

const model = 'image-provider/still-2.1';
const parallel = 40;
/** Waits of the client pass this many times faster. */
const speed = 100;

/**
 * Calls a sandbox through a proxy that breaks one request in five. Two calls each have equal inputs: with one key for both they are one
 * run, and without keys each is a run of its own.
 */
export async function runChaos({ seed, calls }: { seed: number; calls: number }): Promise<ChaosReport> {
  const timings = { providerMs: 5, waitingMs: 5, runningMs: 5 };
  const limits = { inFlight: undefined, callsPerWindow: undefined };
  const { sandbox, ...server } = await serveSandbox({ timings, limits });
  const proxy = await startFaultyProxy(server.url, createDice(seed));
  const router = createModelRouter({
    baseUrl: proxy.url,
    apiKey: sandboxCredentials.router.main,
    trustedOrigins: [server.url],
    maxAttempts: 8,
    runTimeoutMs: 1000,
    clock: {
      now: Date.now,
      random: createDice(seed).next,
      sleep: (ms) => new Promise((later) => setTimeout(later, ms / speed)),
    },
  });
  const outcomes: Record<string, number> = {};
  const problems: string[] = [];
  const calledWith = new Map<string, { calls: number; results: number; isOneRun: boolean }>();
  const hasKey = (pair: number): boolean => pair % 2 === 0;
  const one = async (index: number): Promise<void> => {
    const pair = Math.floor(index / 2);
    const input = { prompt: `chaos ${seed} ${pair}` };
    const options = hasKey(pair) ? { idempotencyKey: `key-${seed}-${pair}` } : {};
    const [method, call] =
      pair % 4 === 0
        ? (['subscribe', subscribe(router, { id: model }, input, options)] as const)
        : (['run', router.run({ id: model }, input, options)] as const);
    const outcome = await call.then(({ replayed }) => (replayed ? 'replayed' : 'fresh'), describeError);
    const body = createHash('sha256').update(JSON.stringify(input)).digest('hex');
    const made = calledWith.get(body) ?? { calls: 0, results: 0, isOneRun: hasKey(pair) };
    const isResult = outcome === 'replayed' || outcome === 'fresh';
    calledWith.set(body, { ...made, calls: made.calls + 1, results: made.results + (isResult ? 1 : 0) });
    outcomes[`${method} ${outcome}`] = (outcomes[`${method} ${outcome}`] ?? 0) + 1;
    if (outcome.startsWith('untyped')) problems.push(`call ${index} ended in ${outcome}`);
  };
  try {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < calls; index = next++) await one(index);
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    const ledger = sandbox.ledger();
    for (const [body, { calls: made, results, isOneRun }] of calledWith) {
      const billed = ledger.runs.filter((run) => run.billed && run.received[0]?.sha256 === body).length;
      const most = isOneRun ? 1 : made;
      const least = isOneRun ? Math.min(1, results) : results;
      if (billed > most || billed < least)
        problems.push(`${made} calls with ${results} results and the input ${body} were billed ${billed} times`);
    }
    for (const kind of disturbances)
      if (proxy.counts[kind] < calls / 50) problems.push(`${kind} happened ${proxy.counts[kind]} times only`);
    if (ledger.replays === 0) problems.push('nothing was replayed');
    return { calls, disturbed: proxy.counts, outcomes, replays: ledger.replays, problems };
  } finally {
    await proxy.close();
    await server.close();
  }
}

function describeError(error: unknown): string {
  return error instanceof RouterError ? error.kind : `untyped ${String(error)}`;
}
