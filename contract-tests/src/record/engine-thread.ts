import { parentPort, workerData } from 'node:worker_threads';
import { cancelLeftovers, checkTarget } from '../conform.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import { assembleReport, createRecorder } from '../report/assemble-report.ts';
import { createRedactor, redactTree } from '../report/redact.ts';
import { type Fact, type Journal, sameWork, type Work } from '../run/journal.ts';
import { httpPorts } from '../targets/http-ports.ts';
import { runNotes } from '../wire/run-notes.ts';
import { startTimer } from '../wire/system-clock.ts';
import type { Assignment, Message, RulesModule } from './messages.ts';

// The child process passes exactly this on; the data of a thread has no type of its own.
const { rules, input, earlier, notes, isOver } = workerData as Assignment;
const { allRules }: RulesModule = await import(rules);
const say = (message: Message): void => parentPort?.postMessage(message);
const record = createRecorder(input);
const beatMs = 200;

function beat(): void {
  say({ kind: 'alive' });
  startTimer(beatMs, beat);
}

let known: Work | undefined;

const journal: Journal = {
  earlier,
  startsOn: (work) => {
    // A rule says so before and after each of its requests.
    if (known !== undefined && sameWork(known, work)) return;
    known = work;
    say({ kind: 'starts-on', work });
  },
  learns: (fact) => {
    if (fact.kind === 'findings' && fact.otherBrand !== undefined) {
      say({ kind: 'other-brand', brand: fact.otherBrand });
      throw new HarnessError(`the target uses the brand ${fact.otherBrand}`);
    }
    say({ kind: 'fact', fact });
    if (fact.kind === 'findings') say({ kind: 'head', head: headOf(fact) });
  },
  decides: (outcome) => say({ kind: 'result', result: record(outcome) }),
};

function headOf(findings: Fact & { kind: 'findings' }) {
  return assembleReport({ ...findings, input, outcomes: [], transient: [], runs: [], durationMs: 0 });
}

const redact = createRedactor(input.target);
const note = notes === undefined ? undefined : runNotes(notes);
const ports = {
  ...httpPorts(input.target, undefined, input.maxRps),
  // A key is made from the id of a response, and that may be anything.
  ...(note === undefined ? {} : { notes: (record: unknown) => note(redactTree(record, redact)) }),
};

beat();
try {
  if (isOver) await cancelLeftovers(input, ports, journal);
  else {
    const parts = await checkTarget(allRules, input, ports, journal);
    say({ kind: 'head', head: assembleReport({ ...parts, outcomes: [] }) });
  }
  say({ kind: 'ended' });
} catch (error) {
  if (!(error instanceof HarnessError)) throw error;
  say({ kind: 'refused', because: error.message, isInput: error instanceof UsageError });
}
