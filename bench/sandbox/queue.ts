import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { openConnection, requestBytes } from '../measure/connection.ts';
import { median } from '../measure/process.ts';
import type { Figure } from '../report/figures.ts';
import { startSandbox } from './sandbox-child.ts';
import type { SandboxSetting } from './setting.ts';

const requests = 1000;
const pollers = 50;
const pauseMs = 100;
const headers = { 'x-api-key': sandboxCredentials.router.main, 'content-type': 'application/json' };

type Handle = { status_url: string; response_url: string };
type Seen = { latencies: number[]; errors: string[] };

/** Callers that submit, poll and collect at once, each round against a sandbox that has just started. */
export async function measureQueue({ options, product }: SandboxSetting): Promise<Figure[]> {
  const rounds: Seen[] = [];
  for (let round = 0; round < options.runs; round++) rounds.push(await callTogether(product));
  const errors = rounds.flatMap((seen) => seen.errors);
  const calls = rounds.reduce((sum, { latencies }) => sum + latencies.length, 0);
  const at = (share: number): string => median(rounds.map((seen) => quantile(seen, share))).toFixed(1);
  return [
    {
      what: `${requests} queued requests, ${pollers} pollers: errors`,
      value: errors.length,
      beside: errors[0]?.slice(0, 120) ?? `${calls} calls in ${options.runs} runs`,
      target: '0',
    },
    { what: 'the same: p99, ms', value: at(0.99), beside: `p50 ${at(0.5)}, longest ${at(1)}`, target: '≤ 150' },
  ];
}

async function callTogether(product: string): Promise<Seen> {
  const sandbox = await startSandbox({ product });
  const callers = Array.from({ length: pollers }, () => createCaller(sandbox.url));
  const seen: Seen = { latencies: [], errors: [] };
  try {
    const handles = await shareOut(
      Array.from({ length: requests }, (_, index) => index),
      callers,
      (index, caller) => submit(caller, sandbox.url, index, seen),
    );
    await shareOut(
      handles.flatMap((handle) => handle ?? []),
      callers,
      (handle, caller) => follow(caller, handle, seen),
    );
  } finally {
    for (const caller of callers) caller.close();
    await sandbox.stop();
  }
  return seen;
}

type Answer = { status: number; body: string; ms: number };
type Caller = { ask(method: string, url: string, body?: object): Promise<Answer>; close(): void };

/** One caller, on its own connection. */
function createCaller(url: string): Caller {
  let waiting: { done(answer: Answer): void; fail(error: Error): void; since: number } | undefined;
  const connection = openConnection(url, {
    answer: ({ status, body }) =>
      waiting?.done({ status, body: body.toString(), ms: performance.now() - waiting.since }),
    failed: (error) => waiting?.fail(error),
    closed: () => waiting?.fail(new Error('the connection was closed')),
  });
  return {
    ask: (method, target, body) =>
      new Promise((done, fail) => {
        waiting = { done, fail, since: performance.now() };
        connection.send(requestBytes(method, target, headers, body === undefined ? '' : JSON.stringify(body)));
      }),
    close: connection.close,
  };
}

function quantile({ latencies }: Seen, share: number): number {
  const sorted = latencies.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function shareOut<T, R>(
  items: readonly T[],
  callers: readonly Caller[],
  work: (item: T, caller: Caller) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.values(); // a free caller takes the next
  await Promise.all(
    callers.map(async (caller) => {
      for (const item of left) results.push(await work(item, caller));
    }),
  );
  return results;
}

async function submit(caller: Caller, url: string, index: number, seen: Seen): Promise<Handle | undefined> {
  const body = { outcome: 'echo', prompt: `picture ${index}` };
  const answer = await caller.ask('POST', `${url}/v2/models/sandbox/outcomes/requests`, body);
  note(seen, answer, 201);
  return answer.status === 201 ? JSON.parse(answer.body) : undefined;
}

async function follow(caller: Caller, { status_url, response_url }: Handle, seen: Seen): Promise<void> {
  for (let polls = 0; polls < 600; polls++) {
    const answer = await caller.ask('GET', status_url);
    note(seen, answer, 200);
    if (answer.status !== 200 || JSON.parse(answer.body).status === 'COMPLETED') break;
    await sleep(pauseMs);
  }
  note(seen, await caller.ask('GET', response_url), 200);
}

function note(seen: Seen, answer: { status: number; body: string; ms: number }, wanted: number): void {
  seen.latencies.push(answer.ms);
  if (answer.status !== wanted) seen.errors.push(`${answer.status} in place of ${wanted}: ${answer.body}`);
}
