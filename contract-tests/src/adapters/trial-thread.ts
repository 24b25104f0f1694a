import { parentPort, workerData } from 'node:worker_threads';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { type Deviation, type OpenSubject, tryOut } from '../self-check/trial.ts';
import type { ThreadAnswer, ThreadOrder } from './trial-threads.ts';

// The parent sends exactly this; a thread's data has no type of its own.
const { module, specs } = workerData as ThreadOrder;
const subject: { openSubject(specs: EffectiveSpecs): OpenSubject } = await import(module);
const open = subject.openSubject(specs);

parentPort?.on('message', (deviation: Deviation) => {
  void tryOut(specs, open, deviation)
    .then(
      (trial): ThreadAnswer => ({ trial }),
      (error: unknown): ThreadAnswer => ({
        trouble: error instanceof Error ? (error.stack ?? error.message) : `${error}`,
      }),
    )
    .then((answer) => parentPort?.postMessage(answer));
});
