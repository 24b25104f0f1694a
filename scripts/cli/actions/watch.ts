import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, isUsageError, reportError } from '../errors.ts';
import type { GenerateFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { configFiles, loadConfig } from '../load-settings.ts';
import { type Generated, generateOnce, renderGenerated } from './generate.ts';

/** `generate --watch`: ends at Ctrl-C, or when the first generation is wrong usage. */
export async function runWatch(flags: GenerateFlags, io: CommandIo): Promise<number> {
  const stop = new AbortController();
  void io.stopRequested().then(() => {
    io.err('stopping; Ctrl-C again ends a generation that is under way\n');
    stop.abort();
  });
  const first = generateOnce(flags, io);
  try {
    await first;
  } catch (error) {
    if (isUsageError(error)) throw error;
  }
  await watch(flags, io, { first, signal: stop.signal, keepsAlive: true });
  return 0;
}

export type WatchOptions = {
  /** The first generation, already begun. */
  readonly first: Promise<Generated>;
  readonly signal: AbortSignal;
  /** Whether waiting keeps the process alive. */
  readonly keepsAlive: boolean;
};

const longestPauseMs = 600_000;
/** Files are polled: that works on every file system, and with editors that replace a file. */
const lookMs = 300;

/**
 * Generates again when the configuration or an overlay changes, also during a generation, and, after each pause, when the router
 * does, until the signal aborts. Writes what changed, and each failure once; failures in a row lengthen the pause.
 */
export async function watch(flags: GenerateFlags, io: CommandIo, options: WatchOptions): Promise<void> {
  const { signal, keepsAlive } = options;
  const pauseMs = (flags.watch ?? 60) * 1000;
  // Later generations ask nothing, and their progress would say nothing new.
  const { ask: _, ...others } = io;
  const quiet: CommandIo = { ...others, isTerminal: false, err: () => {} };
  const show = createShow(flags, io);
  let files = configFiles(flags, io);
  let failures = 0;
  for (let next: Promise<Generated> | undefined = options.first; !signal.aborted; next = undefined) {
    // Beside the cache; those of before when the configuration cannot be read.
    files = await loadConfig(flags, io).then(
      ({ get }) => [...configFiles(flags, io), ...get('overlays')],
      () => files,
    );
    const stamps = files.map(readStamp);
    const start = performance.now();
    failures = (await show(next ?? generateOnce(flags, quiet))) ? 0 : failures + 1;
    const pause = Math.min(pauseMs * 2 ** failures, Math.max(pauseMs, longestPauseMs));
    const due = flags.offline ? Number.POSITIVE_INFINITY : start + pause;
    while (!signal.aborted && performance.now() < due && files.every((file, at) => readStamp(file) === stamps[at]))
      await sleep(Math.min(lookMs, due - performance.now()), undefined, { signal, ref: keepsAlive }).catch(() => {});
  }
}

/** Changes when the file is written, replaced, removed or made. */
function readStamp(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

/** Writes a generation's result unless it says nothing new; false when it failed. */
function createShow(flags: GenerateFlags, io: CommandIo): (generated: Promise<Generated>) => Promise<boolean> {
  let shown: { problems?: string; failure?: string } = {};
  return async (generating) => {
    try {
      const generated = await generating;
      const { report } = generated;
      const problems = JSON.stringify(report.diagnostics);
      const isNew = problems !== shown.problems && (shown.problems !== undefined || report.diagnostics.length > 0);
      if (flags.json) io.out(`${JSON.stringify(report)}\n`);
      else if (isNew) io.out(renderGenerated(generated));
      else if (report.changed || shown.problems === undefined || shown.failure !== undefined)
        io.out(summariseGenerated(generated));
      shown = { problems };
      return generated.failure === undefined;
    } catch (error) {
      const failure = describeError(error);
      if (failure !== shown.failure) reportError(error, io, false);
      shown = { ...shown, failure };
      return false;
    }
  };
}

export function summariseGenerated({ report: { models, files, changed } }: Generated): string {
  const counts = `${files.created} created, ${files.replaced} replaced, ${files.removed} removed`;
  const time = new Date().toTimeString().slice(0, 8);
  return `${time} models: ${models.generated}; files: ${changed ? counts : 'up to date'}\n`;
}
