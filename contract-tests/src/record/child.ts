import { Worker } from 'node:worker_threads';
import { moduleUrl } from '../../../specs/src/index.ts';
import type { Assignment } from './perform-check.ts';
import type { Message } from './supervise.ts';

// A thread does the work, so that this process hears at any moment that its parent is gone. Memory that runs out may end
// the process and not only the thread: that is why it is a process.
const heapMb = 400;
const say = (message: Message): boolean | undefined => process.send?.(message);

process.once('message', (assignment: Assignment) => {
  const thread = new Worker(moduleUrl('contract-tests/src/record/engine-thread'), {
    workerData: assignment,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  thread.on('message', say);
  thread.on('error', (error) => say({ kind: 'broke', because: String(error) }));
});
process.once('disconnect', () => process.exit());
// A terminal signals the whole group: the parent writes its report, and ends this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
