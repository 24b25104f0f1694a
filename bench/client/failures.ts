import type { Table } from '../report/table.ts';
import { callersAt } from './callers.ts';

const failures = ['429', '503', '504', 'reset', 'HTML', 'truncated 200'] as const;
const patienceMs = 60_000;

/** What each client does when the first call fails and every other one succeeds: calls sent, their keys, and the outcome. */
export async function compareFailures(url: string): Promise<Table> {
  const callers = callersAt(url);
  const rows: string[][] = [];
  for (const failure of failures) {
    const row: string[] = [failure];
    for (const { call } of callers) {
      await fetch(`${url}/script`, { method: 'PUT', body: failure });
      const outcome = await describeOutcome(call);
      const keys = (await (await fetch(`${url}/script`)).json()) as (string | null)[]; // as the server writes it
      row.push(`${sent(keys)}: ${outcome}`);
    }
    rows.push(row);
  }
  return { title: 'The first call fails', head: ['', ...callers.map(({ name }) => name)], rows };
}

function sent(keys: readonly (string | null)[]): string {
  if (keys.length === 1) return '1 call';
  const kinds = new Set(keys);
  if (kinds.has(null)) return `${keys.length} calls, no key`;
  return `${keys.length} calls, ${kinds.size === 1 ? 'one key' : `${kinds.size} keys`}`;
}

async function describeOutcome(call: () => Promise<unknown>): Promise<string> {
  const patience = new Promise<string>((done) => setTimeout(done, patienceMs, 'still waiting').unref());
  const called = call().then(
    (result) => (result === undefined ? 'undefined' : 'result'),
    (error: unknown) => (error instanceof Error ? `${error.constructor.name}` : String(error)),
  );
  return Promise.race([called, patience]);
}
