import type { OutcomeKind, Reason } from '../contract/finding.ts';
import type { Rule, RuleId } from '../contract/rule.ts';
import { type ApiName, meetsRequisite, type Target, type TargetKind } from '../contract/target.ts';
import {
  budget,
  findRequisite,
  listRows,
  models,
  type Requisite,
  type RequisiteKind,
  requisites,
} from '../requires.ts';
import { unmetConditions } from '../run/plan.ts';

type RuleAndOutcome = {
  readonly rule: Rule;
  readonly outcome: { readonly kind: OutcomeKind; readonly because?: string };
  readonly why?: Reason | undefined;
};

export type Coverage = {
  readonly rules: number;
  readonly checked: number;
  /** Why rules were not checked, the reason with the most rules first. */
  readonly lacking: readonly UnmetNeeds[];
};

export type UnmetNeeds = {
  /** Settings that all rules of the entry need, or the reason if no setting would enable them. */
  readonly needs: readonly string[];
  /** Ids of the requisites behind `needs`; empty if no setting would enable the rules. */
  readonly requisites: readonly string[];
  readonly rules: readonly RuleId[];
};

export function measureCoverage(decided: readonly RuleAndOutcome[], target: Target): Coverage {
  const unchecked = decided.filter(({ outcome }) => !isDecided(outcome));
  const groups = new Map<string, { needs: readonly string[]; requisites: readonly string[]; rules: RuleId[] }>();
  for (const one of unchecked) {
    const missing = listMissing(one, target);
    const key = JSON.stringify(missing);
    groups.set(key, { ...missing, rules: [...(groups.get(key)?.rules ?? []), one.rule.id] });
  }
  const lacking = [...groups.values()];
  return {
    rules: decided.length,
    checked: decided.length - unchecked.length,
    lacking: lacking.toSorted((one, other) => other.rules.length - one.rules.length),
  };
}

/** Lists what would enable the rule; if no setting helps, gives the reason why it was not checked. */
function listMissing({ outcome, why }: RuleAndOutcome, target: Target): Pick<UnmetNeeds, 'needs' | 'requisites'> {
  if (outcome.kind !== 'not-applicable' && outcome.kind !== 'not-observable')
    return { needs: [outcome.kind], requisites: [] };
  const rows = why?.code === 'lacks' ? why.of.flatMap(([id]) => id ?? []).map(findRequisite) : [];
  const canBeConfigured = (row: Requisite): boolean =>
    row.setting !== undefined && !(target.kind === 'mock' && row.kind === 'credential');
  const lacking = new Set(why?.code === 'no-budget' ? [budget] : rows.every(canBeConfigured) ? rows : []);
  // With the test hook, the outcome can be scripted, so the rule doesn't need a run budget.
  if ([...lacking].some(({ kind }) => kind === 'hook')) lacking.delete(budget);
  else if (lacking.has(budget) && !meetsRequisite(target, models)) lacking.add(models);
  const missing = requisites.filter((row) => lacking.has(row));
  if (missing.length === 0) return { needs: [outcome.because || 'nothing to check'], requisites: [] };
  return { needs: [...new Set(missing.map(({ need }) => need))], requisites: missing.map(({ id }) => id) };
}

const configuredKinds: readonly RequisiteKind[] = ['credential', 'job', 'statement', 'input'];

/** Lists the settings of a live target that findings of a rule rely on: one of them may be wrong instead of the target. */
export function listReliedSettings({ requires }: Rule, target: Target): readonly string[] {
  if (target.kind !== 'live') return [];
  const settings = requires.flatMap((condition) => {
    const row = listRows(condition).find((one) => meetsRequisite(target, one));
    return row !== undefined && configuredKinds.includes(row.kind) ? (row.setting ?? []) : [];
  });
  return [...new Set(settings)];
}

/** Minimum number of decided rules in a check of all rules: about half of what a small healthy target reaches. */
const leastDecided: Readonly<Record<TargetKind, Readonly<Record<ApiName, number>>>> = {
  mock: { router: 45, workflow: 8 },
  sandbox: { router: 90, workflow: 20 },
  live: { router: 60, workflow: 5 },
};

export function isDecided({ kind }: { readonly kind: OutcomeKind }): boolean {
  return kind === 'passed' || kind === 'failed' || kind === 'observed';
}

/** True if the rule is required of this kind of target but was not decided, although there was something to check. */
export function isMissing({ rule, outcome }: RuleAndOutcome, target: Target): boolean {
  if (!rule.requiredOf.includes(target.kind) || target[rule.api] === undefined || isDecided(outcome)) return false;
  const unmet = unmetConditions(rule, target).map(listRows);
  if (unmet.length === 0) return outcome.kind !== 'not-applicable';
  return !unmet.every((rows) => rows.some(({ isExcused }) => isExcused));
}

/** Lists reasons why a check of all rules covers too little of its target, regardless of the outcomes. */
export function listShortfalls(
  decided: readonly RuleAndOutcome[],
  target: Target,
  discovery: { readonly listed: number; readonly isComplete: boolean; readonly lost: readonly string[] },
): readonly string[] {
  const isWithoutModels = target.router !== undefined && discovery.isComplete && discovery.listed === 0;
  const offered = (['router', 'workflow'] as const).filter((api) => target[api] !== undefined);
  return [
    ...(isWithoutModels ? ['the catalog lists no models'] : []),
    ...discovery.lost.map((because) => `a model cannot be checked: ${because}`),
    ...offered.flatMap((api) => {
      const rulesOfApi = decided.filter(({ rule }) => rule.api === api);
      const decidedCount = rulesOfApi.filter(({ outcome }) => isDecided(outcome)).length;
      const required = rulesOfApi.filter(({ rule }) => rule.requiredOf.includes(target.kind)).length;
      const least = Math.min(leastDecided[target.kind][api], required);
      return decidedCount < least
        ? [
            `only ${decidedCount} rules of the ${api} API were decided; for a ${target.kind} target, at least ${least} are expected`,
          ]
        : [];
    }),
  ];
}
