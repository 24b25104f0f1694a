import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { type Client, createClient } from '../measure/client.ts';
import type { Figure, SandboxSetting } from './sandbox.ts';
import { startSandbox } from './sandbox-child.ts';

const requests = 1000;
const pollers = 50;
const pauseMs = 100;

type Handle = { status_url: string; response_url: string };
type Seen = { latencies: number[]; errors: string[] };

/** A crowd of callers that submit, poll and collect at once. */
export async function measureQueue({ product }: SandboxSetting): Promise<Figure[]> {
  const sandbox = await startSandbox({ product });
  const client = createClient({ 'x-api-key': sandboxCredentials.router.main }, pollers);
  const seen: Seen = { latencies: [], errors: [] };
  try {
    const handles = await inParallel(
      Array.from({ length: requests }, (_, index) => index),
      (index) => submit(client, sandbox.url, index, seen),
    );
    await inParallel(
      handles.flatMap((handle) => handle ?? []),
      (handle) => follow(client, handle, seen),
    );
  } finally {
    client.close();
    await sandbox.stop();
  }
  const sorted = seen.latencies.sort((left, right) => left - right);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return [
    {
      what: `${requests} queued requests, ${pollers} pollers: errors`,
      value: seen.errors.length,
      beside: seen.errors[0]?.slice(0, 120) ?? `${sorted.length} calls`,
      target: '0',
    },
    { what: 'the same: p99, ms', value: at(0.99), beside: `p50 ${at(0.5)}, longest ${at(0.99999)}`, target: '< 50' },
  ];
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results.push(await work(item));
    }
  };
  await Promise.all(Array.from({ length: pollers }, worker));
  return results;
}

async function submit(client: Client, url: string, index: number, seen: Seen): Promise<Handle | undefined> {
  const body = { outcome: 'echo', prompt: `picture ${index}` };
  const answer = await client.ask('POST', `${url}/v2/models/sandbox/outcomes/requests`, body);
  note(seen, answer, 201);
  return answer.status === 201 ? JSON.parse(answer.body) : undefined;
}

async function follow(client: Client, { status_url, response_url }: Handle, seen: Seen): Promise<void> {
  for (let polls = 0; polls < 600; polls++) {
    const answer = await client.ask('GET', status_url);
    note(seen, answer, 200);
    if (answer.status !== 200 || JSON.parse(answer.body).status === 'COMPLETED') break;
    await sleep(pauseMs);
  }
  note(seen, await client.ask('GET', response_url), 200);
}

function note(seen: Seen, answer: { status: number; body: string; ms: number }, wanted: number): void {
  seen.latencies.push(answer.ms);
  if (answer.status !== wanted) seen.errors.push(`${answer.status} in place of ${wanted}: ${answer.body}`);
}
