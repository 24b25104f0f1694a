import type { Table } from '../report/table.ts';
import { bareFetch, callersAt } from './callers.ts';

const barMs = 0.1;
const warmUp = 300;
const calls = 2000;

/**
 * Medians of calls that take turns, so that a busy moment of the machine meets all clients alike; in another order each time, since what
 * ran before leaves its garbage to the next one.
 */
export async function measureOverhead(url: string, runs: number): Promise<Table> {
  const callers = [bareFetch(url), ...callersAt(url)];
  const overheads = new Map<string, number[]>(callers.map(({ name }) => [name, []]));
  let floor: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const times = callers.map((): number[] => []);
    for (let call = 0; call < warmUp + calls; call += 1) {
      for (const [index, caller] of shuffle([...callers.entries()])) {
        const started = performance.now();
        await caller.call();
        if (call >= warmUp) times[index]?.push(performance.now() - started);
      }
    }
    const medians = times.map(findMedian);
    const [bare = 0] = medians;
    floor = [...floor, bare];
    for (const [index, { name }] of callers.entries()) overheads.get(name)?.push((medians[index] ?? 0) - bare);
  }
  const rows = [...overheads].map(([name, values], index): [string, string, string] => {
    const median = findMedian(values);
    if (index === 0) return [name, `${findMedian(floor).toFixed(3)} (a call)`, ''];
    return [name, median.toFixed(3), index === 1 ? `≤ ${barMs}: ${median <= barMs ? 'met' : 'MISSED'}` : ''];
  });
  return {
    title: `Overhead per call over fetch, median of ${calls} calls, of ${runs} runs`,
    head: ['', 'ms', 'bar'],
    rows,
  };
}

function shuffle<Of>(list: Of[]): Of[] {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [list[last], list[other]] = [list[other] as Of, list[last] as Of]; // both are in the list
  }
  return list;
}

function findMedian(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
