import type { Discovery } from '../contract/discovery.ts';
import type { Outcome } from '../contract/finding.ts';
import type { Rule } from '../contract/rule.ts';
import type { ApiName, Target, TargetKind } from '../contract/target.ts';
import { listRows } from '../requires.ts';
import { unmetConditions } from '../run/plan.ts';

type Decided = { readonly rule: Rule; readonly outcome: Pick<Outcome, 'kind'> };

/** The least rules with a verdict that a whole run may end with: about half of what a small healthy target shows. */
const floors: Readonly<Record<TargetKind, Readonly<Record<ApiName, number>>>> = {
  mock: { router: 45, workflow: 8 },
  sandbox: { router: 90, workflow: 20 },
  live: { router: 60, workflow: 5 },
};

export function hasVerdict({ kind }: Pick<Outcome, 'kind'>): boolean {
  return kind === 'passed' || kind === 'failed' || kind === 'observed';
}

/** A rule required of this kind of target without a verdict, unless the target gave no occasion for it. */
export function isMissing({ rule, outcome }: Decided, target: Target): boolean {
  if (!rule.requiredOf.includes(target.kind) || target[rule.api] === undefined || hasVerdict(outcome)) return false;
  const unmet = unmetConditions(rule, target).map(listRows);
  if (unmet.length === 0) return outcome.kind !== 'not-applicable';
  return !unmet.every((rows) => rows.some(({ isExcused }) => isExcused));
}

type WholeRun = { readonly target: Target; readonly discovery: Discovery; readonly outcomes: readonly Decided[] };

/** Why a run of all rules shows too little of its target, whatever the rules say. */
export function shortfallsOf({ target, discovery, outcomes }: WholeRun): readonly string[] {
  const isWithoutModels = target.router !== undefined && discovery.isComplete && discovery.listed.length === 0;
  const offered = (['router', 'workflow'] as const).filter((api) => target[api] !== undefined);
  return [
    ...(isWithoutModels ? ['the catalog lists no model'] : []),
    ...offered.flatMap((api) => {
      const own = outcomes.filter(({ rule }) => rule.api === api);
      const seen = own.filter(({ outcome }) => hasVerdict(outcome)).length;
      const required = own.filter(({ rule }) => rule.requiredOf.includes(target.kind)).length;
      const least = Math.min(floors[target.kind][api], required);
      return seen < least
        ? [`${seen} rules on the ${api} API had a verdict; a ${target.kind} shows ${least} or more`]
        : [];
    }),
  ];
}
