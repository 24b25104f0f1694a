import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import pMap from 'p-map';
import { moduleUrl } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { RequiredReadings } from '../contract/target.ts';
import { systemClock } from '../wire/system-clock.ts';
import type { Deviation, DeviationRun, RuleVerdict, WorkerData, WorkerTask } from './worker.ts';

export type DeclaredFault = {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly alsoViolates?: readonly string[];
};

/** A rule that did not pass, but should have. */
export type Alarm = { readonly ruleId: string; readonly reason: string };

export type FaultRun = {
  readonly id: string;
  /** Rules for the fault's own requirements that failed. Empty if the fault was missed. */
  readonly caughtBy: readonly string[];
  /** True if the headline of the first cause in the report comes from a rule for the fault's requirements. */
  readonly isHeadline: boolean;
  /**
   * True if the fault is only caught because our readings of ambiguous API text are required. Otherwise the rules would only
   * report a difference.
   */
  readonly isOnlyNoted: boolean;
  readonly unexpectedFailures: readonly Alarm[];
  /** Requirements in `alsoViolates` for which no rule failed. */
  readonly unshownViolations: readonly string[];
};

export type SelfCheckReport = {
  readonly format: 'switchyard-self-check-4';
  readonly seed?: number;
  readonly rules: {
    readonly total: number;
    /** Rules that are undecided, or decided wrongly, on a healthy system. */
    readonly unsound: readonly Alarm[];
    /** Rules that no declared fault makes fail. Tests prove them with faults derived from the documents. */
    readonly withoutFault: readonly string[];
  };
  readonly faults: {
    readonly total: number;
    readonly caught: number;
    /** Faults that would be reported, but not caught, if our readings were not required. */
    readonly notedOnly: number;
    readonly runs: readonly FaultRun[];
  };
  readonly variants: {
    readonly total: number;
    readonly runs: readonly { readonly id: string; readonly alarms: readonly Alarm[] }[];
  };
  readonly falseAlarms: number;
  readonly seconds: number;
};

export type Deviations = {
  readonly faults: readonly DeclaredFault[];
  readonly variants: readonly { readonly id: string }[];
  readonly onProgress?: OnProgress;
  readonly now?: () => number;
  /** Seed for the values that scenarios choose, for the report. */
  readonly seed?: number | undefined;
};

export type OnProgress = (progress: { readonly done: number; readonly total: number; readonly id: string }) => void;

export function countDone(total: number, onProgress: OnProgress | undefined) {
  let done = 0;
  return async <T>(id: string, pending: Promise<T>): Promise<T> => {
    const result = await pending;
    done += 1;
    onProgress?.({ done, total, id });
    return result;
  };
}

/**
 * Tests the gate itself: runs all rules on a healthy system, then once with each fault and each variant. Runs with a fault
 * also fail for deviations from our readings of ambiguous API text. Runs with a variant do not, because a variant may follow
 * a different reading.
 */
export async function checkRules(input: Deviations & Runs): Promise<SelfCheckReport> {
  const { run, concurrency, onProgress, now = systemClock.now, seed } = input;
  const startedAt = now();
  const healthy = await run({ faults: [], variants: [] }, 'required');
  const count = countDone(input.faults.length + input.variants.length, onProgress);
  const tryFault = async (fault: DeclaredFault): Promise<FaultRun> => {
    return checkFault(fault, await run({ faults: [fault.id], variants: [] }, 'required'), seed);
  };
  const faults = await pMap(input.faults, (fault) => count(fault.id, tryFault(fault)), { concurrency });
  const variants = await pMap(
    input.variants,
    async ({ id }) => ({ id, alarms: await count(id, findAlarms(run, [id])) }),
    { concurrency },
  );
  const detecting = new Set(faults.flatMap(({ caughtBy }) => caughtBy));
  // A passive rule may be about responses that a healthy target never sends.
  const unsound = healthy.filter(
    ({ kind, isPassive }) => kind !== 'passed' && kind !== 'observed' && !(isPassive && kind === 'not-applicable'),
  );
  const alarms = [...faults.map((one) => one.unexpectedFailures), ...variants.map((one) => one.alarms)];
  return {
    format: 'switchyard-self-check-4',
    ...(seed !== undefined && { seed }),
    rules: {
      total: healthy.length,
      unsound: unsound.map(toAlarm),
      withoutFault: healthy.flatMap(({ kind, ruleId }) => (kind === 'passed' && !detecting.has(ruleId) ? ruleId : [])),
    },
    faults: {
      total: faults.length,
      caught: faults.filter(({ caughtBy }) => caughtBy.length > 0).length,
      notedOnly: faults.filter(({ isOnlyNoted }) => isOnlyNoted).length,
      runs: faults,
    },
    variants: { total: variants.length, runs: variants },
    falseAlarms: alarms.flat().length,
    seconds: Math.round((now() - startedAt) / 100) / 10,
  };
}

/** With a seed, side effects of the fault aren't judged: they depend on the order of scenarios, which the seed determines. */
function checkFault(
  { id, requirements, alsoViolates = [] }: DeclaredFault,
  run: DeviationRun,
  seed?: number,
): FaultRun {
  const failed = run.filter(({ kind }) => kind === 'failed');
  const caught = failed.filter((verdict) => cites(verdict, requirements));
  const expected = [...requirements, ...alsoViolates];
  const violated = new Set(failed.flatMap((verdict) => verdict.requirements));
  return {
    id,
    caughtBy: caught.map(({ ruleId }) => ruleId),
    isHeadline: run.some((verdict) => verdict.isHeadline && cites(verdict, expected)),
    isOnlyNoted: caught.length > 0 && caught.every(({ failsByReading }) => failsByReading),
    unexpectedFailures: [
      ...failed.filter((verdict) => seed === undefined && !cites(verdict, expected)),
      ...run.filter(({ kind }) => kind === 'errored'),
    ].map(toAlarm),
    unshownViolations: alsoViolates.filter((requirement) => seed === undefined && !violated.has(requirement)),
  };
}

function cites({ requirements }: RuleVerdict, wanted: readonly string[]): boolean {
  return requirements.some((one) => wanted.includes(one));
}

/** Returns the rules that fail on a conforming system, whose readings may differ from ours. */
export async function findAlarms(
  run: Runs['run'],
  variants: readonly string[],
  seed?: number,
): Promise<readonly Alarm[]> {
  const verdicts = await run({ faults: [], variants, ...(seed !== undefined && { seed }) }, {});
  return verdicts.filter(({ kind }) => kind === 'failed' || kind === 'errored').map(toAlarm);
}

function toAlarm({ ruleId, reason }: RuleVerdict): Alarm {
  return { ruleId, reason };
}

/** True if every fault is caught, there are no false alarms, and every rule is decided on a healthy system. */
export function isSound({ rules, faults, falseAlarms }: SelfCheckReport): boolean {
  return rules.unsound.length + falseAlarms === 0 && faults.caught === faults.total;
}

export function renderSelfCheck(report: SelfCheckReport): string {
  const { rules, faults, variants, falseAlarms, seconds, seed } = report;
  const listAlarms = (id: string, alarms: readonly Alarm[]) =>
    alarms.map(({ ruleId, reason }) => `false alarm on ${id}: ${ruleId}  ${reason}`);
  return [
    ...rules.unsound.map(({ ruleId, reason }) => `unsound ${ruleId}  ${reason}`),
    ...faults.runs.flatMap(({ id, caughtBy, unexpectedFailures }) => [
      ...(caughtBy.length === 0 ? [`missed ${id}`] : []),
      ...listAlarms(id, unexpectedFailures),
    ]),
    ...variants.runs.flatMap(({ id, alarms }) => listAlarms(id, alarms)),
    `${seed === undefined ? '' : `seed ${seed}: `}${rules.total} rules; ${faults.caught} of ${faults.total} faults caught, ${faults.notedOnly} of them only because of our readings; ${falseAlarms} false alarms on ${faults.total} faults and ${variants.total} variants; ${seconds.toFixed(1)} s`,
  ].join('\n');
}

export type Runs = {
  readonly run: (deviation: Deviation, readings: RequiredReadings, rules?: readonly string[]) => Promise<DeviationRun>;
  readonly concurrency: number;
};
/** `runsPerThread`: number of concurrent runs in a thread; more than one helps if runs spend time waiting. Default: 1. */
export type Threads = WorkerData & { readonly threads: number; readonly runsPerThread?: number };

/** Distributes the runs of `use` over threads. Throws `HarnessError` if a run throws. */
export async function onThreads<T>(settings: Threads, use: (runs: Runs) => Promise<T>): Promise<T> {
  const { threads, runsPerThread = 1, ...workerData } = settings;
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(moduleUrl('contract-tests/src/prove/worker'), { workerData });
    const broken = once(worker, 'error').then(([error]) => {
      throw new HarnessError(`a run failed: ${error}`, { cause: error });
    });
    broken.catch(() => undefined); // Handled where the run is awaited.
    return { worker, broken, running: 0 };
  });
  const run: Runs['run'] = async (deviation, readings, rules) => {
    const [chosen] = workers.toSorted((one, other) => one.running - other.running);
    if (chosen === undefined) throw new HarnessError('no worker thread');
    chosen.running += 1;
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise<DeviationRun>((resolve) => port1.once('message', resolve));
    const task: WorkerTask = { deviation, readings, rules, port: port2 };
    chosen.worker.postMessage(task, [port2]);
    const verdicts = await Promise.race([ended, chosen.broken]);
    chosen.running -= 1;
    port1.close();
    return verdicts;
  };
  try {
    return await use({ run, concurrency: threads * runsPerThread });
  } finally {
    await Promise.all(workers.map(({ worker }) => worker.terminate()));
  }
}
