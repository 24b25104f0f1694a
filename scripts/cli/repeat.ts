import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type Repeated = {
  /** The files that the next run reads. */
  readonly inputs: () => Promise<readonly string[]>;
  /** Returns after how many milliseconds the next run is due though no file has changed; undefined for never. */
  readonly run: () => Promise<number | undefined>;
};
export type RepeatOptions = {
  readonly signal: AbortSignal;
  /** Whether waiting keeps the process alive. */
  readonly keepsAlive: boolean;
};

/** By polling: it works on every file system, and with editors that replace a file. */
const lookMs = 300;

/** Runs at once, and again when an input has changed or the time is over, until the signal aborts. Changes during a run count. */
export async function repeat({ inputs, run }: Repeated, { signal, keepsAlive }: RepeatOptions): Promise<void> {
  while (!signal.aborted) {
    const before = (await inputs()).map((file) => ({ file, stamp: stampOf(file) }));
    const due = performance.now() + ((await run()) ?? Number.POSITIVE_INFINITY);
    const isOver = (): boolean => performance.now() >= due || before.some(({ file, stamp }) => stampOf(file) !== stamp);
    while (!signal.aborted && !isOver())
      await sleep(Math.min(lookMs, due - performance.now()), undefined, { signal, ref: keepsAlive }).catch(() => {});
  }
}

/** Changes when the file is written, replaced, removed or made. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
