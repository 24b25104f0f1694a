import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { createContext } from '../context.ts';
import { decideWholeRun } from '../engine/whole-run.ts';
import type { Outcome } from '../finding.ts';
import type { Evidence } from '../probe.ts';
import type { RuleId } from '../rule.ts';
import { emptySurvey } from '../survey.ts';
import type { Target } from '../target.ts';
import { passiveRules } from './index.ts';

export type Judged = { readonly ruleId: RuleId; readonly outcome: Outcome };
export type ToJudge = { readonly target: Target; readonly specs: EffectiveSpecs };

/** What the rules over a whole run make of exchanges that somebody recorded; nothing is sent. */
export function judgeExchanges(evidence: Evidence, { target, specs }: ToJudge): readonly Judged[] {
  const context = createContext(target, specs, emptySurvey);
  return passiveRules
    .filter((rule) => rule.appliesTo(target).kind === 'applies')
    .map((rule) => ({ ruleId: rule.id, outcome: decideWholeRun(rule, evidence, context) }));
}
