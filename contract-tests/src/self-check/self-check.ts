import type { RuleId } from '../rule.ts';
import type { Deviation, Trial, Verdict } from './trial.ts';

export type DeclaredFault = {
  readonly id: string;
  readonly requirements: readonly string[];
  /** Further requirements it cannot help breaking. */
  readonly alsoViolates?: readonly string[];
};
export type DeclaredVariant = { readonly id: string };

export type Alarm = { readonly ruleId: RuleId; readonly reason: string };
export type FaultTrial = {
  readonly id: string;
  /** Rules of its own requirements that failed; without any it was missed. */
  readonly caughtBy: readonly RuleId[];
  /** Rules of other requirements that failed, and rules that broke. */
  readonly strays: readonly Alarm[];
  /** Requirements that it is said to break besides, and that no failed rule cites. */
  readonly unshownTrips: readonly string[];
};
export type VariantTrial = { readonly id: string; readonly alarms: readonly Alarm[] };

export type SelfCheckReport = {
  readonly format: 'switchyard-self-check-1';
  readonly rules: {
    readonly total: number;
    /** Rules that came to no verdict, or to a wrong one, on a target without fault. */
    readonly unsound: readonly Alarm[];
    /** Rules that passed there and that no fault of their own requirements made fail. */
    readonly unproven: readonly RuleId[];
  };
  readonly faults: { readonly total: number; readonly caught: number; readonly trials: readonly FaultTrial[] };
  readonly variants: { readonly total: number; readonly trials: readonly VariantTrial[] };
  readonly falseAlarms: number;
  readonly seconds: number;
};

export type SelfCheckInput = {
  readonly faults: readonly DeclaredFault[];
  readonly variants: readonly DeclaredVariant[];
  /** How many subjects are tried at a time. */
  readonly atOnce: number;
  readonly tryOut: (deviation: Deviation) => Promise<Trial>;
  readonly now: () => number;
};
export type Progress = { readonly done: number; readonly total: number; readonly id: string };

/** The whole matrix: a healthy subject, one with each fault, one with each variant. */
export async function checkRules(
  input: SelfCheckInput,
  onProgress: (progress: Progress) => void,
): Promise<SelfCheckReport> {
  const startedAt = input.now();
  const healthy = await input.tryOut({ faults: [], variants: [] });
  const work = [
    ...input.faults.map(({ id }) => ({ id, deviation: { faults: [id], variants: [] } })),
    ...input.variants.map(({ id }) => ({ id, deviation: { faults: [], variants: [id] } })),
  ];
  const trials = await tryAll(work, input, onProgress);
  const faults = input.faults.map((fault, index) => judgeFault(fault, trials[index] ?? []));
  const variants = input.variants.map(({ id }, index) => judgeVariant(id, trials[input.faults.length + index] ?? []));
  const proven = new Set(faults.flatMap(({ caughtBy }) => caughtBy));
  return {
    format: 'switchyard-self-check-1',
    rules: {
      total: healthy.length,
      unsound: healthy.filter(isUnsound).map(alarmOf),
      unproven: healthy
        .filter(({ kind, ruleId }) => kind === 'passed' && !proven.has(ruleId))
        .map(({ ruleId }) => ruleId),
    },
    faults: {
      total: faults.length,
      caught: faults.filter(({ caughtBy }) => caughtBy.length > 0).length,
      trials: faults,
    },
    variants: { total: variants.length, trials: variants },
    falseAlarms: [...faults.map(({ strays }) => strays), ...variants.map(({ alarms }) => alarms)].flat().length,
    seconds: Math.round((input.now() - startedAt) / 100) / 10,
  };
}

type Work = { readonly id: string; readonly deviation: Deviation };

async function tryAll(
  work: readonly Work[],
  { tryOut, atOnce }: SelfCheckInput,
  onProgress: (progress: Progress) => void,
): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  let next = 0;
  let done = 0;
  const takeTurns = async (): Promise<void> => {
    for (let index = next; index < work.length; index = next) {
      next += 1;
      const one = work[index];
      if (one === undefined) return;
      trials[index] = await tryOut(one.deviation);
      done += 1;
      onProgress({ done, total: work.length, id: one.id });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, takeTurns));
  return trials;
}

function judgeFault({ id, requirements, alsoViolates = [] }: DeclaredFault, trial: Trial): FaultTrial {
  const failed = trial.filter(({ kind }) => kind === 'failed');
  const allowed = [...requirements, ...alsoViolates];
  const strays = failed.filter((verdict) => !shares(verdict, allowed));
  const broken = new Set(failed.flatMap((verdict) => verdict.requirements));
  return {
    id,
    caughtBy: failed.filter((verdict) => shares(verdict, requirements)).map(({ ruleId }) => ruleId),
    strays: [...strays, ...trial.filter(({ kind }) => kind === 'errored')].map(alarmOf),
    unshownTrips: alsoViolates.filter((id) => !broken.has(id)),
  };
}

function judgeVariant(id: string, trial: Trial): VariantTrial {
  return { id, alarms: trial.filter(({ kind }) => kind === 'failed' || kind === 'errored').map(alarmOf) };
}

function shares({ requirements }: Verdict, others: readonly string[]): boolean {
  return requirements.some((one) => others.includes(one));
}

// A rule over the whole run may speak of answers that a healthy target never gives.
function isUnsound({ kind }: Verdict): boolean {
  return kind !== 'passed' && kind !== 'observed' && kind !== 'not-observable';
}

function alarmOf({ ruleId, reason }: Verdict): Alarm {
  return { ruleId, reason };
}

/** Nothing missed, no false alarm, no rule that is wrong about a healthy target or that nothing proves. */
export function isSound({ rules, faults, falseAlarms }: SelfCheckReport): boolean {
  return rules.unsound.length + rules.unproven.length + falseAlarms === 0 && faults.caught === faults.total;
}

/** For people: what is wrong first, the figures last. */
export function renderSelfCheck(report: SelfCheckReport): string {
  const { rules, faults, variants, falseAlarms, seconds } = report;
  return [
    ...rules.unsound.map(({ ruleId, reason }) => `unsound ${ruleId}  ${reason}`),
    ...rules.unproven.map((ruleId) => `unproven ${ruleId}  no fault of its requirements makes it fail`),
    ...faults.trials.flatMap(({ id, caughtBy, strays }) => [
      ...(caughtBy.length === 0 ? [`missed ${id}`] : []),
      ...strays.map(({ ruleId, reason }) => `false alarm on ${id}: ${ruleId}  ${reason}`),
    ]),
    ...variants.trials.flatMap(({ id, alarms }) =>
      alarms.map(({ ruleId, reason }) => `false alarm on ${id}: ${ruleId}  ${reason}`),
    ),
    `${rules.total} rules; ${faults.caught} of ${faults.total} faults caught; ${falseAlarms} false alarms on ${faults.total} faults and ${variants.total} variants; ${seconds.toFixed(1)} s`,
  ].join('\n');
}
