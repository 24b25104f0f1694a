import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import pMap from 'p-map';
import { moduleUrl } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { RequiredReadings } from '../contract/target.ts';
import { systemClock } from '../wire/system-clock.ts';
import { countDone, type Deviation, type OnProgress } from './systems.ts';
import type { MutationRun, RuleVerdict, WorkerData } from './worker.ts';

export type DeclaredFault = {
  readonly id: string;
  readonly requirements: readonly string[];
  /** Further requirements that the fault cannot help violating. */
  readonly alsoViolates?: readonly string[];
};
export type DeclaredVariant = { readonly id: string };

/** A rule that should not have failed. */
export type Alarm = { readonly ruleId: string; readonly reason: string };

export type FaultRun = {
  readonly id: string;
  /** Rules of the fault's own requirements that failed, or noted it; without any the fault was missed. */
  readonly caughtBy: readonly string[];
  /** The first cause of the report has its headline from a rule of the fault's requirements. */
  readonly isHeadline: boolean;
  readonly isOnlyNoted: boolean;
  /** Rules of other requirements that failed, and rules that broke. */
  readonly unexpectedFailures: readonly Alarm[];
  readonly unshownViolations: readonly string[];
  /** The same where none of our readings is required. */
  readonly noted?: FaultRun;
};
export type VariantRun = { readonly id: string; readonly alarms: readonly Alarm[] };

export type SelfCheckReport = {
  readonly format: 'switchyard-self-check-2';
  readonly seed?: number;
  readonly rules: {
    readonly total: number;
    /** Rules without a verdict, or with a wrong one, on a healthy system. */
    readonly unsound: readonly Alarm[];
    readonly unproven: readonly string[];
    /** Rules that only a broken statement of the documents makes fail, with its id. */
    readonly derived: Readonly<Record<string, string>>;
  };
  readonly faults: {
    readonly total: number;
    readonly caught: number;
    /** Those that fail nothing where our readings are not required, and are noted. */
    readonly notedOnly: number;
    readonly runs: readonly FaultRun[];
  };
  readonly variants: { readonly total: number; readonly runs: readonly VariantRun[] };
  readonly falseAlarms: number;
  readonly seconds: number;
};

export type Deviations = {
  readonly faults: readonly DeclaredFault[];
  readonly variants: readonly DeclaredVariant[];
  /** Selections of rules that a fault is tried with first, by id; the first one that catches it decides. Default: all rules only. */
  readonly tryFirst?: (fault: DeclaredFault) => readonly (readonly string[])[];
  readonly onProgress?: OnProgress;
  readonly now?: () => number;
  /** The one with which `run` draws the values that scenarios choose, for the report. */
  readonly seed?: number | undefined;
};

/**
 * Checks the gate itself: all rules on a healthy system, and on one with each fault and each variant. Faults are tried with our readings
 * required, and those that fail a rule by a reading also without: for the others that makes no difference. Variants may be other readings.
 */
export async function checkRules(input: Deviations & Runs): Promise<SelfCheckReport> {
  const { run, prove, concurrency, tryFirst = () => [], onProgress, now = systemClock.now, seed } = input;
  const startedAt = now();
  const healthy = await run({ faults: [], variants: [] }, 'required');
  const count = countDone(input.faults.length + input.variants.length, onProgress);
  const tryRules = async (fault: DeclaredFault, rules?: readonly string[]): Promise<FaultRun> => {
    const deviation = { faults: [fault.id], variants: [] };
    const strict = await run(deviation, 'required', rules);
    const isByReading = strict.some(({ failsByReading }) => failsByReading);
    const noted = isByReading ? checkFault(fault, await run(deviation, {}, rules), seed) : undefined;
    return { ...checkFault(fault, strict, seed), ...(noted && { noted }) };
  };
  const tryFault = async (fault: DeclaredFault): Promise<FaultRun> => {
    for (const rules of tryFirst(fault)) {
      const found = await tryRules(fault, rules);
      const isCaught = found.caughtBy.length > 0 && found.noted?.caughtBy.length !== 0;
      if (isCaught && found.unshownViolations.length === 0) return found;
    }
    return tryRules(fault);
  };
  const tryVariant = async ({ id }: DeclaredVariant): Promise<VariantRun> => {
    return { id, alarms: await raiseAlarms(run, [id]) };
  };
  const faults = await pMap(input.faults, (fault) => count(fault.id, tryFault(fault)), { concurrency });
  const variants = await pMap(input.variants, (one) => count(one.id, tryVariant(one)), { concurrency });
  const proven = new Set(faults.flatMap(({ caughtBy }) => caughtBy));
  const passed = healthy.filter(({ kind }) => kind === 'passed').map(({ ruleId }) => ruleId);
  const unproven = passed.filter((ruleId) => !proven.has(ruleId));
  // Rules that only a missing or malformed status, header or member breaks need no fault of their own.
  const proofs = await pMap(unproven, async (id) => [id, await prove?.(id)] as const, { concurrency });
  const derived = new Map(proofs.flatMap(([id, proof]) => (proof === undefined ? [] : [[id, proof] as const])));
  const noted = faults.flatMap((fault) => fault.noted ?? []);
  const alarms = [...[...faults, ...noted].map((one) => one.unexpectedFailures), ...variants.map((one) => one.alarms)];
  return {
    format: 'switchyard-self-check-2',
    ...(seed !== undefined && { seed }),
    rules: {
      total: healthy.length,
      unsound: healthy.filter(isUnsound).map(toAlarm),
      unproven: unproven.filter((ruleId) => !derived.has(ruleId)),
      derived: Object.fromEntries(derived),
    },
    faults: {
      total: faults.length,
      caught: faults.filter((fault) => fault.caughtBy.length > 0 && fault.noted?.caughtBy.length !== 0).length,
      notedOnly: noted.filter(({ isOnlyNoted }) => isOnlyNoted).length,
      runs: faults,
    },
    variants: { total: variants.length, runs: variants },
    falseAlarms: alarms.flat().length,
    seconds: Math.round((now() - startedAt) / 100) / 10,
  };
}

/** A seed draws the order of the scenarios, on which it depends what else a fault breaks and which rules show it. */
function checkFault({ id, requirements, alsoViolates = [] }: DeclaredFault, run: MutationRun, seed?: number): FaultRun {
  const failed = run.filter(({ kind }) => kind === 'failed');
  const seen = run.filter(({ kind, isNoted }) => kind === 'failed' || isNoted);
  const caught = seen.filter((verdict) => cites(verdict, requirements));
  const expected = [...requirements, ...alsoViolates];
  const violated = new Set(failed.flatMap((verdict) => verdict.requirements));
  return {
    id,
    caughtBy: caught.map(({ ruleId }) => ruleId),
    isHeadline: run.some((verdict) => verdict.isHeadline && cites(verdict, expected)),
    isOnlyNoted: caught.length > 0 && caught.every(({ isNoted }) => isNoted),
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

// A rule over the whole check may be about responses that a healthy target never gives.
function isUnsound({ kind, isOverWholeCheck }: RuleVerdict): boolean {
  return kind !== 'passed' && kind !== 'observed' && !(isOverWholeCheck && kind === 'not-applicable');
}

/** The rules that fail on a system that keeps the contract. None of our readings is required: a freedom may be another one. */
export async function raiseAlarms(
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

/** No fault missed, no false alarm, no rule that is wrong about a healthy system or that no fault proves. */
export function isSound({ rules, faults, falseAlarms }: SelfCheckReport): boolean {
  return rules.unsound.length + rules.unproven.length + falseAlarms === 0 && faults.caught === faults.total;
}

export function renderSelfCheck(report: SelfCheckReport): string {
  const { rules, faults, variants, falseAlarms, seconds, seed } = report;
  const listAlarms = (id: string, alarms: readonly Alarm[]) =>
    alarms.map(({ ruleId, reason }) => `false alarm on ${id}: ${ruleId}  ${reason}`);
  return [
    ...rules.unsound.map(({ ruleId, reason }) => `unsound ${ruleId}  ${reason}`),
    ...rules.unproven.map((ruleId) => `unproven ${ruleId}  no fault of its requirements makes it fail`),
    ...faults.runs.flatMap(({ id, caughtBy, unexpectedFailures, noted }) => [
      ...(caughtBy.length === 0 ? [`missed ${id}`] : []),
      ...(noted?.caughtBy.length === 0 ? [`missed ${id} where no reading is required`] : []),
      ...listAlarms(id, [...unexpectedFailures, ...(noted?.unexpectedFailures ?? [])]),
    ]),
    ...variants.runs.flatMap(({ id, alarms }) => listAlarms(id, alarms)),
    `${seed === undefined ? '' : `seed ${seed}: `}${rules.total} rules; ${faults.caught} of ${faults.total} faults caught, ${faults.notedOnly} of them only by our readings; ${falseAlarms} false alarms on ${faults.total} faults and ${variants.total} variants; ${seconds.toFixed(1)} s`,
  ].join('\n');
}

export type Runs = {
  readonly run: (
    deviation: Deviation,
    readings: RequiredReadings,
    /** Ids of rules; all without them. */
    rules?: readonly string[],
  ) => Promise<MutationRun>;
  /** The broken statement of the documents that makes a rule fail. */
  readonly prove?: (ruleId: string) => Promise<string | undefined>;
  readonly concurrency: number;
};
/** `runsPerThread`: side by side in one thread; more than one pays when they wait. Default 1. */
export type Threads = WorkerData & { readonly threads: number; readonly runsPerThread?: number };

/** Threads share the mutation runs of `use`. Throws `HarnessError` when a run breaks. */
export async function onThreads<T>(given: Threads, use: (runs: Runs) => Promise<T>): Promise<T> {
  const { threads, runsPerThread = 1, ...workerData } = given;
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(moduleUrl('contract-tests/src/prove/worker'), { workerData });
    const broken = once(worker, 'error').then(([error]) => {
      throw new HarnessError(`a mutation run broke: ${error}`, { cause: error });
    });
    broken.catch(() => undefined); // handled where a run is awaited
    return { worker, broken };
  });
  let started = 0;
  const ask = async <Answer>(task: object): Promise<Answer> => {
    const chosen = workers[started++ % threads];
    if (chosen === undefined) throw new HarnessError('no worker thread');
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise<Answer>((resolve) => port1.once('message', resolve));
    chosen.worker.postMessage({ ...task, port: port2 }, [port2]);
    const answer = await Promise.race([ended, chosen.broken]);
    port1.close();
    return answer;
  };
  const runs: Runs = {
    run: (deviation, readings, rules) => ask({ deviation, readings, rules }),
    prove: (ruleId) => ask({ ruleId }),
    concurrency: threads * runsPerThread,
  };
  try {
    return await use(runs);
  } finally {
    await Promise.all(workers.map(({ worker }) => worker.terminate()));
  }
}
