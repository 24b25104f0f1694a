import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Deviation, MutationRun } from './mutation-run.ts';

export type Workers = { run(deviation: Deviation): Promise<MutationRun>; close(): Promise<void> };
export type WorkerData = { readonly module: string; readonly specs: EffectiveSpecs };
export type WorkerReply = { readonly run: MutationRun } | { readonly problem: string };

/** Threads that share mutation runs. Throws `HarnessError` when a run breaks. */
export function startWorkers(workerData: WorkerData, threads: number): Workers {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(new URL(`./worker.${ending}`, import.meta.url), { workerData });
    return { worker, crash: once(worker, 'error').then(([error]): WorkerReply => ({ problem: String(error) })) };
  });
  let started = 0;
  return {
    run: async (deviation) => {
      const chosen = workers[started++ % threads];
      if (chosen === undefined) throw new HarnessError('no worker thread');
      const { port1, port2 } = new MessageChannel();
      const reply = once(port1, 'message').then(([message]: WorkerReply[]) => message);
      chosen.worker.postMessage({ deviation, port: port2 }, [port2]);
      const result = await Promise.race([reply, chosen.crash]);
      port1.close();
      if (result !== undefined && 'run' in result) return result.run;
      throw new HarnessError(`a mutation run broke: ${result?.problem}`);
    },
    close: async () => {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}
