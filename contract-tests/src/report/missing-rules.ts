import type { Rule } from '../rule.ts';
import { lacksMeans, type Target } from '../target.ts';
import { type MissingRequired, type RuleResult, reasonOf } from './report.ts';

/** The chosen rules that the target had to show (on an API that it offers, within its means) and did not. */
export function missingRequired({
  chosen,
  target,
  results,
}: {
  readonly chosen: readonly Rule[];
  readonly target: Target;
  readonly results: readonly RuleResult[];
}): readonly MissingRequired[] {
  const resultOf = new Map(results.map((result) => [result.ruleId, result]));
  const required = chosen.filter((rule) => rule.requiredOf.includes(target.kind) && target[rule.api] !== undefined);
  return required.flatMap((rule): MissingRequired[] => {
    const outcome = resultOf.get(rule.id)?.outcome;
    if (outcome === undefined)
      return [{ ruleId: rule.id, outcome: 'errored', because: 'the runner brought no result' }];
    if (outcome.kind === 'passed' || outcome.kind === 'failed' || outcome.kind === 'observed') return [];
    if (lacksMeans(rule.appliesTo, target)) return [];
    return [{ ruleId: rule.id, outcome: outcome.kind, because: reasonOf(outcome) }];
  });
}
