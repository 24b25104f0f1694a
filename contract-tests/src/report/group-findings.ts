import { rankConcern } from '../contract/concerns.ts';
import type { CauseGroup, RuleResult } from './report.ts';

const minFamiliesOfWideCause = 4;

/**
 * Groups all findings by cause, most severe first. The headline of a cause comes from the rule that describes it best:
 * the passive rule if many kinds of calls are affected, otherwise the rule with the most severe finding, and of those
 * the one with the fewest calls.
 */
export function groupFindings(results: readonly RuleResult[]): readonly CauseGroup[] {
  const found = results.flatMap((result) =>
    result.outcome.kind === 'failed' ? result.outcome.findings.map((finding) => ({ result, finding })) : [],
  );
  const groups = [...Map.groupBy(found, ({ finding }) => finding.cause)].map(([cause, own]): CauseGroup => {
    const isWide = new Set(own.map(({ result }) => result.family)).size >= minFamiliesOfWideCause;
    const key = ({ result, finding }: (typeof own)[number]): readonly number[] => [
      isWide && result.calls === undefined ? 0 : 1,
      result.observes ? 1 : 0,
      rankConcern(finding.concern),
      // The sentence of a rule with a different concern, which only failed as a side effect, would hide the defect.
      result.concern === finding.concern ? 0 : 1,
      result.calls ?? Number.MAX_SAFE_INTEGER,
      // A rule with few requirements is the more specific one.
      result.requirements.length,
    ];
    const sorted = own.toSorted((one, other) => compareKeys(key(one), key(other)));
    const lead = sorted[0] as (typeof own)[number]; // A group is never empty.
    return {
      headline: lead.result.observes ? cause : lead.result.sentence,
      concern: lead.finding.concern,
      cause,
      usually: lead.finding.usually,
      findings: own.length,
      rules: [...new Set(sorted.map(({ result }) => result.ruleId))],
    };
  });
  return groups.toSorted(
    (one, other) =>
      rankConcern(one.concern) - rankConcern(other.concern) ||
      other.rules.length - one.rules.length ||
      (one.cause < other.cause ? -1 : 1),
  );
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((part, place) => part !== other[place]);
  return (one[index] ?? 0) - (other[index] ?? 0);
}
