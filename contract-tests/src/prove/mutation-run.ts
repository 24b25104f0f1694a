import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { runConformance } from '../conform.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { Ports } from '../contract/ports.ts';
import type { RuleId } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import { reasonOf } from '../report/report.ts';

/** The faults and variants that a system under test shows; both empty for a healthy one. */
export type Deviation = { readonly faults: readonly string[]; readonly variants: readonly string[] };

/** A sandbox for one mutation run, and the ports that reach it. */
export type SystemUnderTest = {
  readonly target: Target;
  readonly ports: Ports;
  close(): void | Promise<void>;
};
export type StartSystem = (deviation: Deviation) => SystemUnderTest | Promise<SystemUnderTest>;

/** The outcome of one rule in a mutation run; plain data. */
export type RuleVerdict = {
  readonly ruleId: RuleId;
  readonly requirements: readonly string[];
  readonly kind: OutcomeKind;
  readonly reason: string;
};
export type MutationRun = readonly RuleVerdict[];

const reasonLength = 300;

/** All rules against one deviation. Hours may pass on the clock of the system, so only the rules' own deadlines hold. */
export async function runMutation(
  specs: EffectiveSpecs,
  start: StartSystem,
  deviation: Deviation,
): Promise<MutationRun> {
  const { target, ports, close } = await start(deviation);
  try {
    const limits = { runMs: Number.MAX_SAFE_INTEGER };
    const report = await runConformance({ target, specs, limits, evidence: 'none' }, ports);
    return report.results.map(({ ruleId, requirements, outcome }) => ({
      ruleId,
      requirements,
      kind: outcome.kind,
      reason: reasonOf(outcome).slice(0, reasonLength),
    }));
  } finally {
    await close();
  }
}
