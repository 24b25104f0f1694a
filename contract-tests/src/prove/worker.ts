import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { type Deviation, runMutation, type StartSystem } from './mutation-run.ts';
import type { WorkerData, WorkerReply } from './self-check.ts';

// The parent sends exactly this; the data of a thread has no type of its own.
const { module, specs } = workerData as WorkerData;
const { systemsUnderTest }: { systemsUnderTest(specs: EffectiveSpecs): StartSystem } = await import(module);
const start = systemsUnderTest(specs);

parentPort?.on('message', ({ deviation, port }: { deviation: Deviation; port: MessagePort }) => {
  void runMutation(specs, start, deviation)
    .then(
      (run): WorkerReply => ({ run }),
      (error: unknown): WorkerReply => ({
        problem: error instanceof Error ? (error.stack ?? error.message) : `${error}`,
      }),
    )
    .then((reply) => port.postMessage(reply));
});
