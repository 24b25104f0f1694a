import { Worker } from 'node:worker_threads';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { HarnessError } from '../errors.ts';
import type { Deviation, Trial } from '../self-check/trial.ts';

export type TrialThreads = { tryOut(deviation: Deviation): Promise<Trial>; close(): Promise<void> };
/** What a thread is given, once, and what it answers to each deviation. */
export type ThreadOrder = { readonly module: string; readonly specs: EffectiveSpecs };
export type ThreadAnswer = { readonly trial: Trial } | { readonly trouble: string };

/** Threads that try subjects out, one at a time each. Throws `HarnessError` when a trial breaks. */
export function openTrialThreads(
  { module, threads }: { readonly module: string; readonly threads: number },
  specs: EffectiveSpecs,
): TrialThreads {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const order: ThreadOrder = { module, specs };
  const all = Array.from(
    { length: threads },
    () => new Worker(new URL(`./trial-thread.${ending}`, import.meta.url), { workerData: order }),
  );
  const idle = [...all];
  return {
    tryOut: async (deviation) => {
      const thread = idle.pop();
      if (thread === undefined) throw new HarnessError('more trials at once than threads');
      try {
        return await ask(thread, deviation);
      } finally {
        idle.push(thread);
      }
    },
    close: async () => {
      await Promise.all(all.map((thread) => thread.terminate()));
    },
  };
}

function ask(thread: Worker, deviation: Deviation): Promise<Trial> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => reject(new HarnessError(`a trial broke: ${cause}`, { cause }));
    thread.once('error', fail);
    thread.once('message', (answer: ThreadAnswer) => {
      thread.off('error', fail);
      if ('trial' in answer) resolve(answer.trial);
      else fail(answer.trouble);
    });
    thread.postMessage(deviation);
  });
}
