import type { OutcomeKind } from '../contract/finding.ts';
import type { Reason } from '../contract/reasons.ts';
import type { Rule, RuleId } from '../contract/rule.ts';
import { shows, type Target } from '../contract/target.ts';
import { budget, findRequisite, models, type Requisite, requisites } from '../requires.ts';
import { hasVerdict } from './completeness.ts';

/** How many of the rules had a verdict, and what the others lack. */
export type Coverage = {
  readonly rules: number;
  readonly checked: number;
  /** By what is lacking, most rules first; several needs have to be met together. */
  readonly lacking: readonly { readonly needs: readonly string[]; readonly rules: readonly RuleId[] }[];
};

type Decided = {
  readonly rule: Rule;
  readonly outcome: { readonly kind: OutcomeKind; readonly because?: string };
  readonly why?: Reason | undefined;
};

export function coverageOf(decided: readonly Decided[], target: Target): Coverage {
  const unchecked = decided.filter(({ outcome }) => !hasVerdict(outcome));
  const groups = Map.groupBy(unchecked, (one) => describeLack(one, target).join('\n'));
  const lacking = [...groups].map(([key, group]) => ({
    needs: key.split('\n'),
    rules: group.map(({ rule }) => rule.id),
  }));
  return {
    rules: decided.length,
    checked: decided.length - unchecked.length,
    lacking: lacking.toSorted((one, other) => other.rules.length - one.rules.length),
  };
}

/** What an owner can give so that the rule is checked; otherwise the reason in its own words. */
function describeLack({ outcome, why }: Decided, target: Target): readonly string[] {
  if (outcome.kind !== 'not-applicable' && outcome.kind !== 'not-observable') return [outcome.kind];
  const lacking = new Set(why === undefined ? [] : missingRows(why, target));
  // A hook scripts what would otherwise cost a run.
  if ([...lacking].some(({ kind }) => kind === 'hook')) lacking.delete(budget);
  else if (lacking.has(budget) && !shows(target, models)) lacking.add(models);
  const needs = requisites.filter((row) => lacking.has(row)).map(({ need }) => need);
  return needs.length > 0 ? [...new Set(needs)] : [outcome.because || 'no occasion'];
}

/** None where something is lacking that nobody can give. */
function missingRows(reason: Reason, { kind }: Target): readonly Requisite[] {
  if (reason.code === 'no-budget') return [budget];
  const rows = reason.code === 'lacks' ? reason.of.flatMap(([id]) => id ?? []).map(findRequisite) : [];
  const canBeGiven = (row: Requisite): boolean =>
    row.setting !== undefined && !(kind === 'mock' && row.kind === 'credential');
  return rows.every(canBeGiven) ? rows : [];
}
