import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { type Handle, inProcessPorts, type MovableClock } from '../adapters/in-process-exchanger.ts';
import type { OutcomeKind } from '../finding.ts';
import { runConformance } from '../gate.ts';
import { reasonOf } from '../report/report.ts';
import type { RuleId } from '../rule.ts';
import type { Target } from '../target.ts';

/** Which faults and near-misses a sandbox is told to show. */
export type Deviation = { readonly faults: readonly string[]; readonly variants: readonly string[] };

/** A sandbox of its own for one trial, on a clock that only the trial moves. */
export type Subject = {
  readonly handle: Handle;
  readonly clock: MovableClock;
  readonly target: Target;
  readonly close?: () => void;
};
export type OpenSubject = (deviation: Deviation) => Subject | Promise<Subject>;

/** What a rule came to on a subject; plain data. */
export type Verdict = {
  readonly ruleId: RuleId;
  readonly requirements: readonly string[];
  readonly kind: OutcomeKind;
  readonly reason: string;
};
export type Trial = readonly Verdict[];

const reasonLength = 300;

/** The gate's verdict on one subject. Hours may pass on its clock, so nothing limits the run but its rules. */
export async function tryOut(specs: EffectiveSpecs, open: OpenSubject, deviation: Deviation): Promise<Trial> {
  const { handle, clock, target, close } = await open(deviation);
  try {
    const limits = { runMs: Number.MAX_SAFE_INTEGER };
    const report = await runConformance(
      { target, specs, limits, withoutEvidence: true },
      inProcessPorts(handle, clock),
    );
    return report.results.map(({ ruleId, requirements, outcome }) => ({
      ruleId,
      requirements,
      kind: outcome.kind,
      reason: reasonOf(outcome).slice(0, reasonLength),
    }));
  } finally {
    close?.();
  }
}
