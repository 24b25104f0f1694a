import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { openSandbox, type RunningSandbox } from './child.ts';
import { type AttackOptions, type AttackResult, checkProperty } from './property.ts';

type Call = {
  readonly isQueued: boolean;
  readonly outcome: string;
  readonly delay_ms: number;
  readonly size_bytes: number;
};
type Kill = { readonly afterMs: number; readonly calls: readonly Call[] };
type Sent = { readonly key: string; readonly path: string; readonly body: string; answer?: string };

const cases: fc.Arbitrary<Kill> = fc.record({
  afterMs: fc.integer({ min: 50, max: 650 }),
  // Each of four clients repeats them until the sandbox is down.
  calls: fc.array(
    fc.record({
      isQueued: fc.boolean(),
      outcome: fc.constantFrom('succeed', 'succeed', 'provider_error'),
      delay_ms: fc.integer({ min: 1, max: 80 }),
      size_bytes: fc.integer({ min: 0, max: 300 }),
    }),
    { minLength: 1, maxLength: 20 },
  ),
});

/** A sandbox with a database that is killed at a random moment, while it answers calls. */
export function attackKills(options: AttackOptions): Promise<AttackResult> {
  return checkProperty(options, {
    runs: 10,
    cases,
    describe: (one) => JSON.stringify(one),
    check: (one) => killOnce(one, mkdtempSync(join(options.folder, 'case-'))),
  });
}

async function killOnce({ afterMs, calls }: Kill, folder: string): Promise<string[]> {
  const first = await openSandbox(folder, ['--db', 'state.db']);
  const sent: Sent[] = [];
  const client = async (name: number): Promise<void> => {
    for (let turn = 0; first.isUp(); turn += 1) {
      const { isQueued, ...input } = calls[turn % calls.length] ?? { isQueued: false };
      const path = `/v2/models/sandbox/outcomes${isQueued ? '/requests' : ''}`;
      const one: Sent = { key: `client-${name}-${turn}`, path, body: JSON.stringify(input) };
      sent.push(one);
      const answer = await post(first, one).catch(() => undefined);
      if (answer === undefined) return;
      one.answer = answer.text;
    }
  };
  const clients = [1, 2, 3, 4].map(client);
  await pause(afterMs);
  await first.kill();
  await Promise.all(clients);

  const problems = readdirSync(folder)
    .filter((name) => name.startsWith('state.db') && (statSync(join(folder, name)).mode & 0o077) !== 0)
    .map((name) => `other users can read ${name}`);
  const second = await openSandbox(folder, ['--db', 'state.db']);
  for (const one of sent) {
    const { status, text } = await post(second, one).catch(() => ({ status: 0, text: '' }));
    const isKept = one.answer === undefined ? status !== 0 && status !== 500 : text === one.answer;
    if (!isKept) problems.push(`${one.key} was answered ${one.answer}, and after the restart ${status} ${text}`);
  }
  const ledger = await fetch(`${second.url}/__sandbox/ledger?runs=100000`);
  const { keys }: { keys: { key: string; dispatches: number; billed: number }[] } = await ledger.json();
  for (const { key, dispatches, billed } of keys)
    if (dispatches > 1 || billed > 1)
      problems.push(`${key} was dispatched ${dispatches} times and billed ${billed} times`);
  await second.kill();
  return problems;
}

async function post(sandbox: RunningSandbox, { key, path, body }: Sent): Promise<{ status: number; text: string }> {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    body,
    headers: { 'X-API-Key': sandbox.key, 'Idempotency-Key': key, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, text: await response.text() };
}
