import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Limits } from '../engine/limits.ts';
import type { Evidence } from '../probe.ts';
import type { RuleResult } from '../report/report.ts';
import type { Survey } from '../survey.ts';
import type { Target } from '../target.ts';

/** What the command hands to the suites; plain data, kept in memory only (it holds credentials). */
export type SuiteInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly survey: Survey;
  readonly limits: Limits;
  readonly endsAtMs: number;
  readonly earlier: Evidence;
  readonly patterns: readonly string[] | null;
};

/** What a test hands back: no secret in it. */
type SuiteResult = { readonly result: RuleResult; readonly lost: string | null };

declare module 'vitest' {
  interface ProvidedContext {
    conformance: SuiteInput;
  }
  interface TaskMeta {
    conformance?: SuiteResult;
  }
}
