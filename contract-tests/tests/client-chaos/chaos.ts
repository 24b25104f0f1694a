import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { createModelRouter, type ModelRouterOptions, RouterError } from '../../../generated/model-router/index.js';
import { subscribe } from '../../../generated/model-router/queue.js';
import { createDice } from '../../../generator/tests/random-documents/dice.ts';
import { createSandbox, type Ledger, listen, sandboxCredentials } from '../../../sandbox/src/index.ts';
import { serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { disturbances, startFaultyProxy } from './faulty-proxy.ts';

type Plan = { readonly seed: number; readonly calls: number };
export type ChaosReport = {
  /** Number of times that each disturbance happened. */
  readonly disturbed: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly replays: number;
  /** Empty when every call ended in a result or a typed error, no run was billed twice, and no result was lost. */
  readonly problems: readonly string[];
};

const model = { id: 'image-provider/still-2.1' };
const limits = { inFlight: undefined, callsPerWindow: undefined };

/** Calls a sandbox through a proxy that breaks one request in five. */
export async function runOnBrokenNetwork({ seed, calls }: Plan): Promise<ChaosReport> {
  const server = await serveSandbox({ timings: { providerMs: 5, waitingMs: 5, runningMs: 5 }, limits });
  const proxy = await startFaultyProxy(server.url, createDice(seed));
  try {
    const random = createDice(seed).next;
    const clock = { now: Date.now, random, sleep: (ms: number) => pause(Math.max(0, ms / 100)) };
    const options = { baseUrl: proxy.url, trustedOrigins: [server.url], maxAttempts: 8, runTimeoutMs: 1000, clock };
    const report = await callInPairs({ seed, calls }, options, server.url);
    const rare = disturbances.filter((kind) => proxy.counts[kind] < calls / 50);
    return {
      ...report,
      disturbed: proxy.counts,
      problems: [...report.problems, ...rare.map((kind) => `rare: ${kind}`)],
    };
  } finally {
    await proxy.close();
    await server.close();
  }
}

/** Calls a sandbox whose socket is repeatedly closed, with all its connections, and opened again. The sandbox keeps its state. */
export async function runWithRestarts({ seed, calls }: Plan): Promise<ChaosReport> {
  const timings = { providerMs: 100, holdMs: 150, waitingMs: 120, runningMs: 120 };
  const sandbox = createSandbox({ timings, limits });
  let server = await listen(sandbox);
  const { url } = server;
  const dice = createDice(seed);
  let restarts = 0;
  let isOver = false;
  const restart = async (): Promise<void> => {
    while (!isOver) {
      await pause(200 + dice.below(800));
      await server.close();
      await pause(dice.below(200));
      server = await listen(sandbox, { port: Number(new URL(url).port) });
      restarts += 1;
    }
  };
  const restarting = restart();
  const endRestarts = async (): Promise<void> => {
    isOver = true;
    await restarting;
  };
  try {
    // The client retries until the server accepts connections again.
    const clock = { now: Date.now, random: Math.random, sleep: (ms: number) => pause(Math.max(0, Math.min(ms, 100))) };
    const options = { baseUrl: url, maxAttempts: 200, clock };
    const report = await callInPairs({ seed, calls }, options, url, endRestarts);
    return { ...report, disturbed: { restarts } };
  } finally {
    await endRestarts();
    await server.close();
    sandbox.close();
  }
}

/**
 * Sends pairs of calls with equal inputs. The two calls of a pair either share a key and are one run, or have no keys and are two
 * runs. After the disturbance has ended, each key must return its result again.
 */
async function callInPairs(
  { seed, calls }: Plan,
  options: ModelRouterOptions,
  sandboxUrl: string,
  endDisturbance?: () => Promise<void>,
): Promise<Omit<ChaosReport, 'disturbed'>> {
  const router = createModelRouter({ ...options, apiKey: sandboxCredentials.router.main });
  const outcomes: Record<string, number> = {};
  const problems: string[] = [];
  const pairs = Array.from({ length: Math.ceil(calls / 2) }, (_, pair) => {
    const input = { prompt: `chaos ${seed} ${pair}` };
    const key = pair % 2 === 0 ? { idempotencyKey: `key-${seed}-${pair}` } : undefined;
    const isQueued = pair % 4 === 0;
    const call = () => (isQueued ? subscribe(router, model, input, key ?? {}) : router.run(model, input, key ?? {}));
    return { input, key, isQueued, call, results: [] as unknown[] };
  });
  const callOnce = async ({ isQueued, call, results }: (typeof pairs)[number]): Promise<void> => {
    const outcome = await call().then(
      ({ replayed, data }) => {
        results.push(data);
        return replayed ? 'replayed' : 'fresh';
      },
      (error: unknown) => (error instanceof RouterError ? error.kind : `untyped ${String(error)}`),
    );
    const line = `${isQueued ? 'subscribe' : 'run'} ${outcome}`;
    outcomes[line] = (outcomes[line] ?? 0) + 1;
    if (outcome.startsWith('untyped')) problems.push(line);
  };
  await pMap(
    pairs.flatMap((pair) => [pair, pair]),
    callOnce,
    { concurrency: 40 },
  );
  await endDisturbance?.();
  for (const { input, key, isQueued, call, results } of endDisturbance === undefined ? [] : pairs) {
    if (key === undefined || results.length === 0 || isQueued) continue;
    const again = await call();
    if (!again.replayed || !isDeepStrictEqual(again.data, results[0]))
      problems.push(`the result of ${input.prompt} is lost`);
  }
  const ledger: Ledger = await (await fetch(`${sandboxUrl}/__sandbox/ledger?runs=1000000`)).json();
  for (const { input, key, results } of pairs) {
    const body = createHash('sha256').update(JSON.stringify(input)).digest('hex');
    const billed = ledger.runs.filter((run) => run.billed && run.received[0]?.sha256 === body).length;
    const [least, most] = key === undefined ? [results.length, 2] : [Math.min(1, results.length), 1];
    if (billed < least || billed > most)
      problems.push(`${input.prompt}: ${results.length} results, billed ${billed} times`);
  }
  if (ledger.replays === 0) problems.push('no response was a replay');
  return { outcomes, replays: ledger.replays, problems };
}
