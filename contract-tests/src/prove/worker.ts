import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { allRules, runConformance } from '../conform.ts';
import type { Ports } from '../contract/exchange.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { RequiredReadings, Target } from '../contract/target.ts';
import { reasonOf } from '../report/report.ts';

/** Faults and variants of a system under test; both are empty for a healthy one. `seed`: seed of the system. */
export type Deviation = {
  readonly faults: readonly string[];
  readonly variants: readonly string[];
  readonly seed?: number;
};

export type SystemUnderTest = {
  readonly target: Target;
  readonly ports: Ports;
  close(): void | Promise<void>;
};
export type StartSystem = (deviation: Deviation) => SystemUnderTest | Promise<SystemUnderTest>;

export type DeviationRun = readonly RuleVerdict[];
export type RuleVerdict = {
  readonly ruleId: string;
  readonly requirements: readonly string[];
  readonly isPassive: boolean;
  /** True if this failure has the headline of the report's first cause. */
  readonly isHeadline: boolean;
  readonly kind: OutcomeKind;
  /** True if every finding relies on a reading of ambiguous API text. The rule then only fails if that reading is required. */
  readonly failsByReading: boolean;
  readonly reason: string;
};

const reasonLength = 300;

/** Start data of a thread. `module`: URL of a module that exports `systemsUnderTest(specs): StartSystem`. */
export type WorkerData = {
  readonly module: string;
  readonly specs: EffectiveSpecs;
  /** Seed for the values that scenarios choose. Default: the constants in the code. */
  readonly seed?: number | undefined;
};
export type WorkerTask = {
  readonly deviation: Deviation;
  readonly readings: RequiredReadings;
  readonly rules?: readonly string[] | undefined;
  readonly port: MessagePort;
};

// The parent passes this type; `workerData` itself is untyped.
const { module, specs, seed } = workerData as WorkerData;
const { systemsUnderTest }: { systemsUnderTest(specs: EffectiveSpecs): StartSystem } = await import(module);
const start = systemsUnderTest(specs);
const passiveRuleIds = new Set(allRules.filter(({ scenario }) => scenario === undefined).map(({ id }) => id));

// An exception ends the thread, and its parent receives the error.
parentPort?.on('message', async (task: WorkerTask) => task.port.postMessage(await runDeviation(task)));

/** The check has no deadline, because the clock of the server under test may advance by hours; the deadlines of rules apply. */
async function runDeviation({ deviation, readings, rules }: WorkerTask): Promise<DeviationRun> {
  const { target: system, ports, close } = await start(deviation);
  const target = { ...system, readings };
  try {
    const limits = { runMs: Number.MAX_SAFE_INTEGER };
    const choice = { ...(rules && { rules }), ...(seed !== undefined && { seed }) };
    const report = await runConformance({ target, specs, limits, evidence: 'none', ...choice }, ports);
    const [first] = report.groups;
    return report.results.map(({ ruleId, requirements, reading, outcome }) => ({
      ruleId,
      requirements,
      isPassive: passiveRuleIds.has(ruleId),
      isHeadline: first?.rules[0] === ruleId,
      kind: outcome.kind,
      failsByReading:
        outcome.kind === 'failed' &&
        (reading !== undefined || outcome.findings.every((one) => one.reading !== undefined)),
      reason: reasonOf(outcome).slice(0, reasonLength),
    }));
  } finally {
    await close();
  }
}
