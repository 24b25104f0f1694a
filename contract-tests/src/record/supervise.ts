import { fork } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { BrandMismatch, moduleUrl } from '../../../specs/src/index.ts';
import { loadRules } from '../conform.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import type { Rule } from '../contract/rule.ts';
import { createReportRedactor } from '../report/redact.ts';
import { type ConformanceInput, type Deadlines, defaultLimits } from '../run/check.ts';
import { checkTarget } from '../run/engine.ts';
import type { QueuedRequest } from '../run/queued-requests.ts';
import { httpPorts } from '../targets/ports.ts';
import { startTimer, systemClock } from '../wire/system-clock.ts';
import { type CheckRecord, type Entry, listQueuedRequests, openRecord, type Stopped, select } from './record.ts';

export type Assignment = {
  readonly rules: string;
  readonly input: ConformanceInput;
  readonly startedAtMs: number;
  readonly skipped: readonly Stopped[];
  /** Path of a file that receives each call that may be billed, before it is sent. */
  readonly notes?: string | undefined;
  /** If set, the check has ended and the process only cancels these requests. */
  readonly queued?: readonly QueuedRequest[];
};

/** Messages of the child process. While its thread computes, it only sends `usage`. */
export type Message =
  | Entry
  | { readonly kind: 'alive' }
  /** CPU time that the process has used so far. Also sent while its thread computes. */
  | { readonly kind: 'usage'; readonly cpuMs: number }
  | { readonly kind: 'ended' }
  /** The engine rejected the assignment. `isInput`: because of the caller's input. */
  | { readonly kind: 'refused'; readonly because: string; readonly isInput: boolean }
  | { readonly kind: 'broke'; readonly because: string }
  | { readonly kind: 'other-brand'; readonly brand: string };

export type Supervision = {
  /** Path of a file that receives each call that may be billed, before it is sent. */
  readonly notes?: string | undefined;
  readonly onEntry?: ((entry: Entry) => void) | undefined;
  /** Settles when the caller wants to stop; the record then ends immediately. */
  readonly stopRequested?: Promise<void> | undefined;
  /** Runs the check in this process, for debugging. Then a rule that never ends is not stopped. */
  readonly inThisProcess?: boolean | undefined;
};
type ProcessEnd = 'ended' | { readonly because: string; readonly isOver: boolean };

/** The process may be silent for the deadline of a rule, within these bounds. Usually it sends five messages a second. */
const shortestSilenceMs = 1_000;
const longestSilenceMs = 10_000;
const startWithinMs = 30_000; // Includes the time to load the modules of the process.
/**
 * On a busy machine, the process may be silent because it gets little CPU time. Silence only counts as computing if the
 * process used the CPU for this fraction of the time. Otherwise only the deadline of the check ends it.
 */
const busyCpuShare = 0.25;
const graceMs = 3_000; // Time for the last rules after the check has noticed its deadline.
const cancelWithinMs = 10_000;
/** CI systems kill a cancelled job after about ten seconds. */
const cancelWhenStoppedMs = 3_000;
const pollMs = 50;

/**
 * Checks a target over HTTP in a separate process. Ends the process if it never finishes or runs out of memory. The
 * check then starts again without the rule or response being processed, unless a call that may be billed was already
 * sent; in that case it ends. Returns soon after the deadline or `stopRequested`, regardless of what the target sends.
 * `rules`: URL of the module with the rules. Throws `HarnessError` if the engine rejects the input or cannot work at
 * all, `BrandMismatch` if the target uses a different brand.
 */
export async function superviseCheck(
  input: ConformanceInput,
  rules: string,
  { notes, onEntry, stopRequested, inThisProcess = false }: Supervision = {},
): Promise<CheckRecord> {
  const limits: Deadlines = { ...defaultLimits, ...input.limits };
  const startedAtMs = systemClock.now();
  const endsAtMs = startedAtMs + limits.runMs;
  const { redact } = createReportRedactor(input.target);
  const skipped: Stopped[] = [];
  let hasToStop = false;
  void stopRequested?.then(() => {
    hasToStop = true;
  });
  for (;;) {
    const record: Entry[] = [...skipped];
    const addEntry = (entry: Entry): void => {
      record.push(entry);
      onEntry?.(entry);
    };
    addEntry({ kind: 'opened', startedAtMs });
    const runMs = Math.max(0, endsAtMs - systemClock.now());
    const assignment = { rules, input: { ...input, limits: { ...limits, runMs } }, startedAtMs, skipped, notes };
    if (inThisProcess) {
      const prepared = await prepareCheck(assignment, addEntry);
      await checkTarget(prepared.rules, assignment.input, prepared.ports, prepared.record);
      return record;
    }
    const ended = await runProcess(assignment, addEntry, { limits, endsAtMs, isStopped: () => hasToStop });
    if (ended === 'ended') return record;
    const at = ended.isOver ? undefined : select(record, 'started').at(-1)?.at;
    if (at === undefined && !ended.isOver) throw new HarnessError(`the gate ${ended.because}`);
    const durationMs = systemClock.now() - startedAtMs;
    const stop: Stopped = { kind: 'stopped', durationMs, because: redact(ended.because), ...(at && { at }) };
    record.push(stop);
    // If the same rule hangs although it is skipped, every new process would hang as well.
    const isRepeated = skipped.some((earlier) => earlier.at === at);
    if (at !== undefined && !isRepeated && select(record, 'run').length === 0) {
      skipped.push(stop);
      continue;
    }
    // Requests in the queue of a live target would still run and be billed.
    const queued = listQueuedRequests(record);
    const untilMs = systemClock.now() + (hasToStop ? cancelWhenStoppedMs : cancelWithinMs);
    const bounds = { limits, endsAtMs: untilMs, isStopped: () => false };
    if (queued.length > 0) await runProcess({ ...assignment, queued }, () => undefined, bounds);
    return record;
  }
}

type Bounds = { readonly limits: Deadlines; readonly endsAtMs: number; readonly isStopped: () => boolean };

/** Runs one process until it ends, is silent for too long, or reaches the deadline. */
function runProcess(
  assignment: Assignment,
  addEntry: (entry: Entry) => void,
  { limits, endsAtMs, isStopped }: Bounds,
): Promise<ProcessEnd> {
  const { brand } = assignment.input.specs.settings;
  const computeMs = Math.max(shortestSilenceMs, Math.min(limits.ruleMs, longestSilenceMs));
  let lastMessageAtMs = systemClock.now();
  let silenceMs = startWithinMs;
  let cpuMs = 0;
  let cpuAtLastMessageMs = 0;
  return new Promise((resolve, reject) => {
    const child = fork(moduleUrl('contract-tests/src/record/child'), {
      env: pickEnvironment(),
      execArgv: [],
      serialization: 'advanced', // Needed for bodies, which are bytes.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Sent as a message, because other users could read credentials in arguments or the environment.
    child.send(assignment);
    let stopPoll = (): void => undefined;
    const end = (settle: () => void): void => {
      stopPoll();
      child.removeAllListeners();
      child.on('error', () => undefined);
      child.once('exit', settle);
      if (!child.kill('SIGKILL')) settle();
    };
    const stop = (because: string, isOver = false): void => end(() => resolve({ because, isOver }));
    const refuse = (error: Error): void => end(() => reject(error));
    const poll = (): void => {
      const nowMs = systemClock.now();
      const silentMs = nowMs - lastMessageAtMs;
      if (isStopped()) stop('the check was stopped by SIGINT or SIGTERM', true);
      else if (nowMs > endsAtMs + graceMs) stop('the deadline of the whole check had passed', true);
      else if (silentMs > silenceMs && cpuMs - cpuAtLastMessageMs > silenceMs * busyCpuShare)
        stop(`was stopped because it computed for more than ${silenceMs / 1000} s`);
      else stopPoll = startTimer(pollMs, poll);
    };
    child.on('error', (error) =>
      refuse(new HarnessError(`the process of the check failed: ${error.message}`, { cause: error })),
    );
    // Emitted after the last message, even if the process ran out of memory.
    child.once('disconnect', () => stop('crashed because it ran out of memory'));
    child.on('message', (message: Message) => {
      if (message.kind === 'usage') {
        cpuMs = message.cpuMs;
        return;
      }
      lastMessageAtMs = systemClock.now();
      cpuAtLastMessageMs = cpuMs;
      silenceMs = computeMs;
      switch (message.kind) {
        case 'alive':
          return;
        case 'ended':
          return end(() => resolve('ended'));
        case 'broke':
          return stop(`crashed: ${message.because}`);
        case 'other-brand':
          return refuse(new BrandMismatch(brand, message.brand));
        case 'refused':
          return refuse(new (message.isInput ? UsageError : HarnessError)(message.because));
        default:
          addEntry(message);
      }
    });
    poll();
  });
}

/** Imports the rules, and opens the record and the connections. */
export async function prepareCheck(
  { rules: module, input, startedAtMs, skipped, notes }: Assignment,
  onEntry: (entry: Entry) => void,
) {
  const { allRules }: { readonly allRules: readonly Rule[] } = await import(module);
  const rules = await loadRules(input.ownRules, allRules);
  const writeEntry = (entry: Entry): void => {
    // Written to disk before the request is sent.
    if (entry.kind === 'run' && notes !== undefined)
      appendFileSync(notes, `${JSON.stringify(entry.record)}\n`, { mode: 0o600, flush: true });
    onEntry(entry);
  };
  const record = openRecord(input, startedAtMs, skipped, writeEntry);
  return { rules, ports: httpPorts(input.target, input.maxRps), record };
}

const inheritedVariables = [
  'PATH',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TMP',
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
];

/** Returns the environment for a child process. It contains no credential except that of a proxy. */
export function pickEnvironment(): Record<string, string> {
  const pairs = inheritedVariables.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}
