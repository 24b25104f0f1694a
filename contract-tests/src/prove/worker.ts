import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { runConformance } from '../conform.ts';
import type { Ports } from '../contract/probe.ts';
import type { RequiredReadings, Target } from '../contract/target.ts';
import { reasonOf } from '../report/report.ts';

/** The faults and variants that a system under test shows; both empty for a healthy one. `seed` is that of the system. */
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

export type MutationRun = readonly RuleVerdict[];
export type RuleVerdict = Readonly<Awaited<ReturnType<typeof runMutation>>[number]>;

const reasonLength = 300;

/** What a thread starts from; `module` is the URL of one that exports `systemsUnderTest(specs): StartSystem`. */
export type WorkerData = { readonly module: string; readonly specs: EffectiveSpecs };
export type WorkerTask = {
  readonly deviation: Deviation;
  readonly readings: RequiredReadings;
  /** Ids of rules, without which all run. */
  readonly rules?: readonly string[] | undefined;
  readonly port: MessagePort;
};

// The parent passes exactly this; the data of a thread has no type of its own.
const { module, specs } = workerData as WorkerData;
const { systemsUnderTest }: { systemsUnderTest(specs: EffectiveSpecs): StartSystem } = await import(module);
const start = systemsUnderTest(specs);

// A run that breaks ends the thread, and its parent hears of the error.
parentPort?.on('message', async (task: WorkerTask) => task.port.postMessage(await runMutation(task)));

/** Runs rules against one deviation. Hours may pass on the clock of the system, so only the rules' own deadlines hold. */
async function runMutation({ deviation, readings, rules }: Omit<WorkerTask, 'port'>) {
  const { target: given, ports, close } = await start(deviation);
  const target = { ...given, readings };
  try {
    const limits = { runMs: Number.MAX_SAFE_INTEGER };
    const choice = rules === undefined ? {} : { rules };
    const report = await runConformance({ target, specs, limits, evidence: 'none', ...choice }, ports);
    const [first] = report.groups;
    return report.results.map(({ ruleId, requirements, reading, outcome }) => ({
      ruleId,
      requirements,
      /** It gives the first cause of the report its headline. */
      isHeadline: first?.rules[0] === ruleId,
      kind: outcome.kind,
      failsByReading:
        outcome.kind === 'failed' &&
        (reading !== undefined || outcome.findings.some((one) => one.reading !== undefined)),
      isNoted: outcome.kind === 'observed' && outcome.readings !== undefined,
      reason: reasonOf(outcome).slice(0, reasonLength),
    }));
  } finally {
    await close();
  }
}
