import { appendFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { BrandMismatch } from '../../../specs/src/index.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import type { Found } from '../run/check.ts';
import { checkTarget, openCheck } from '../run/engine.ts';
import { httpPorts } from '../targets/ports.ts';
import { startTimer } from '../wire/system-clock.ts';
import type { Entry, Queued } from './record.ts';
import { openRecord } from './recorder.ts';
import { cancelQueued, settle } from './settle.ts';
import type { Assignment, Message, RulesModule } from './supervise.ts';

// The child process passes exactly this on; the data of a thread has no type of its own.
const { rules, input, startedAtMs, leftOut, notes, queued } = workerData as Assignment;
const { allRules }: RulesModule = await import(rules);
const say = (message: Message): void => parentPort?.postMessage(message);
const beatMs = 200;

function beat(): void {
  say({ kind: 'alive' });
  startTimer(beatMs, beat);
}

const ports = httpPorts(input.target, input.maxRps);

async function check(): Promise<void> {
  const onEntry = (entry: Entry): void => {
    // It is on disk before the request is sent.
    if (entry.kind === 'run' && notes !== undefined)
      appendFileSync(notes, `${JSON.stringify(entry.record)}\n`, { mode: 0o600, flush: true });
    say(entry);
  };
  const recorder = openRecord(input, { startedAtMs, leftOut, onEntry });
  const discovers = (found: Found): void => {
    if (found.otherBrand !== undefined) throw new BrandMismatch(input.specs.settings.brand, found.otherBrand);
    recorder.discovers(found);
  };
  await checkTarget(allRules, input, {
    ports,
    record: { ...recorder, discovers },
    settle: (check) => settle(recorder.record, check),
  });
}

async function cancel(left: readonly Queued[]): Promise<void> {
  const limits = { ...input.limits, runMs: Number.MAX_SAFE_INTEGER };
  await cancelQueued(left, openCheck({ ...input, limits }, ports, openRecord(input, { startedAtMs })));
}

beat();
try {
  await (queued === undefined ? check() : cancel(queued));
  say({ kind: 'ended' });
} catch (error) {
  if (error instanceof BrandMismatch) say({ kind: 'other-brand', brand: error.found });
  else if (error instanceof HarnessError)
    say({ kind: 'refused', because: error.message, isInput: error instanceof UsageError });
  else throw error;
}
