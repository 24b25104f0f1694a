import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { BrandMismatch, moduleUrl } from '../../../specs/src/index.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import { startTimer } from '../wire/system-clock.ts';
import type { Assignment, Message } from './supervise.ts';

// Entry point of the child process and its worker thread. The thread does the work, so that the process always notices
// when its parent exits. The check needs its own process, because running out of memory may end the whole process
// instead of just the thread.

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
    const sendUsage = (): void => {
      const { user, system } = process.cpuUsage();
      send({ kind: 'usage', cpuMs: (user + system) / 1000 });
      startTimer(beatMs, sendUsage);
    };
    sendUsage();
  });
  process.once('disconnect', () => process.exit());
  // Ignore signals that a terminal sends to the whole group: the parent writes its report and then ends this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
} else {
  const send = (message: Message): void => parentPort?.postMessage(message);
  const beat = (): void => {
    send({ kind: 'alive' });
    startTimer(beatMs, beat);
  };
  // The process passes this type on; `workerData` itself is untyped.
  const assignment = workerData as Assignment;
  // Only the thread loads the engine.
  const { prepareCheck } = await import('./supervise.ts');
  const { checkTarget, openCheck } = await import('../run/engine.ts');
  const { cancelQueuedRequests } = await import('../run/queued-requests.ts');
  const { input, queued } = assignment;
  const { rules, ports, record } = await prepareCheck(assignment, send);
  beat();
  try {
    if (queued === undefined) await checkTarget(rules, input, ports, record);
    else await cancelQueuedRequests(queued, openCheck(input, ports, record));
    send({ kind: 'ended' });
  } catch (error) {
    if (error instanceof BrandMismatch) send({ kind: 'other-brand', brand: error.found });
    else if (error instanceof HarnessError)
      send({ kind: 'refused', because: error.message, isInput: error instanceof UsageError });
    else throw error;
  }
}
