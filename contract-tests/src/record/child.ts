import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { BrandMismatch, moduleUrl } from '../../../specs/src/index.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import { startTimer } from '../wire/system-clock.ts';
import type { Assignment } from './perform-check.ts';
import type { Message } from './supervise.ts';

// The process that checks, and its thread. The thread does the work, so that the process notices at any moment that its parent is gone.
// Memory that runs out may end the process and not only the thread: that is why it is a process.

const heapMb = 400;
const beatMs = 200;

if (isMainThread) {
  const send = (message: Message): boolean | undefined => process.send?.(message);
  process.once('message', (assignment: Assignment) => {
    const thread = new Worker(moduleUrl('contract-tests/src/record/child'), {
      workerData: assignment,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    thread.on('message', send);
    thread.on('error', (error) => send({ kind: 'broke', because: String(error) }));
  });
  process.once('disconnect', () => process.exit());
  // A terminal signals the whole group: the parent writes its report, and ends this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
} else {
  const send = (message: Message): void => parentPort?.postMessage(message);
  const beat = (): void => {
    send({ kind: 'alive' });
    startTimer(beatMs, beat);
  };
  // The process passes exactly this on; the data of a thread has no type of its own.
  const assignment = workerData as Assignment;
  // Only the thread loads the engine.
  const { importRules, performCheck } = await import('./perform-check.ts');
  const rules = await importRules(assignment);
  beat();
  try {
    await performCheck(assignment, rules, send);
    send({ kind: 'ended' });
  } catch (error) {
    if (error instanceof BrandMismatch) send({ kind: 'other-brand', brand: error.found });
    else if (error instanceof HarnessError)
      send({ kind: 'refused', because: error.message, isInput: error instanceof UsageError });
    else throw error;
  }
}
