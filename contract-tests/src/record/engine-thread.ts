import { parentPort, workerData } from 'node:worker_threads';
import { BrandMismatch } from '../../../specs/src/index.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import { startTimer } from '../wire/system-clock.ts';
import { type Assignment, importRules, performCheck } from './perform-check.ts';
import type { Message } from './supervise.ts';

// The child process passes exactly this on; the data of a thread has no type of its own.
const assignment = workerData as Assignment;
const rules = await importRules(assignment);
const say = (message: Message): void => parentPort?.postMessage(message);
const beatMs = 200;

function beat(): void {
  say({ kind: 'alive' });
  startTimer(beatMs, beat);
}

beat();
try {
  await performCheck(assignment, rules, say);
  say({ kind: 'ended' });
} catch (error) {
  if (error instanceof BrandMismatch) say({ kind: 'other-brand', brand: error.found });
  else if (error instanceof HarnessError)
    say({ kind: 'refused', because: error.message, isInput: error instanceof UsageError });
  else throw error;
}
