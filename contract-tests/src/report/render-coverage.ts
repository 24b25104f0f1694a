import type { LiveModel } from '../definitions/target.ts';
import type { RunRecord } from '../engine/run-budget.ts';
import { budgetNeed, isGivable } from './coverage.ts';
import { type ConformanceReport, reasonOf } from './report.ts';

const groupsShown = 5;
const longestName = 80;

/** `checked 168 of 476 rules (35 %); a credential of another workspace would add 61, --budget 12 would add 93`. */
export function coverageLine({ coverage, budget }: ConformanceReport): string {
  const { rules, checked, lacking } = coverage;
  const additions = lacking
    .filter(({ needs }) => needs.every(isGivable))
    .map(
      ({ needs, rules: added }) =>
        `${needs.map((need) => nameOf(need, budget)).join(' and ')} would add ${added.length}`,
    );
  const shown = additions.slice(0, groupsShown);
  const more = additions.length > groupsShown ? [`${additions.length - groupsShown} more needs: --verbose`] : [];
  return [`checked ${checked} of ${rules} rules (${percentOf({ rules, checked })} %)`, [...shown, ...more].join(', ')]
    .filter((part) => part !== '')
    .join('; ');
}

/** Rounded down: 100 is all. */
export function percentOf({ rules, checked }: { readonly rules: number; readonly checked: number }): number {
  return rules === 0 ? 0 : Math.floor((checked / rules) * 100);
}

/** The rules without a verdict, one line for each reason; by name with `withNames`. */
export function skippedLines(report: ConformanceReport, withNames: boolean): readonly string[] {
  const skipped = report.results.filter(({ outcome }) => ['not-applicable', 'not-observable'].includes(outcome.kind));
  const groups = [...Map.groupBy(skipped, ({ outcome }) => reasonOf(outcome))].map(([reason, results]) => ({
    reason,
    names: results.map(({ ruleId }) => ruleId),
  }));
  return groups
    .toSorted((one, other) => other.names.length - one.names.length)
    .flatMap(({ reason, names }) => [
      `skipped ${names.length} ${names.length === 1 ? 'rule' : 'rules'}: ${reason}`,
      ...(withNames ? names.map((name) => `    ${name}`) : []),
    ]);
}

/** What `--plan` prints: each call that could start a run, and how many runs the target can be asked for at most. */
export function renderPlan(report: ConformanceReport, models: readonly LiveModel[]): string {
  const { runs = 0, needed = 0, plan = [] } = report.budget ?? {};
  if (report.reachability.kind === 'unreachable') return `unreachable: ${report.reachability.because}`;
  const calls = Map.groupBy(plan, ({ ruleId, model, route }) => `${route} ${shortName(model)}  ${ruleId}`);
  const lines = [...calls].map(([call, group]) => {
    const started = group.filter(({ state }) => state !== 'returned').length;
    const rejected = group.length - started;
    const parts = [
      ...(started > 0 ? [`${started} to run`] : []),
      ...(rejected > 0 ? [`${rejected} to be rejected or replayed`] : []),
    ];
    return `${call}: ${parts.join(', ')}`;
  });
  const atMost = Math.min(runs, plan.length);
  return [
    ...lines,
    `${plan.length} calls could start a run; a server that conforms starts ${Math.max(0, needed - 1)}, and --budget ${needed} sends them all`,
    runs === 0
      ? 'with --budget 0, the default, no such call is sent'
      : `with --budget ${runs} the target is asked for at most ${atMost} ${atMost === 1 ? 'run' : 'runs'}${costOf(plan, models, atMost)}`,
  ].join('\n');
}

/** Rules ask for models with names of any length. */
function shortName(model: string): string {
  return model.length > longestName ? `${model.slice(0, longestName)}…` : model;
}

/** The dearest runs that the budget allows; the API has no prices, so only what the owner states counts. */
function costOf(plan: readonly RunRecord[], models: readonly LiveModel[], atMost: number): string {
  const stated = new Map(
    models.flatMap(({ id, maxCostCents }) => (maxCostCents === undefined ? [] : [[id, maxCostCents]])),
  );
  if (stated.size === 0) return '';
  const costs = plan.flatMap(({ model }) => stated.get(model) ?? []).toSorted((one, other) => other - one);
  const cents = costs.slice(0, atMost).reduce((sum, cost) => sum + cost, 0);
  const unknown = plan.length - costs.length;
  return `, for ${cents} cents at most${unknown > 0 ? ' beside runs whose cost is not stated' : ''}`;
}

function nameOf(need: string, budget: ConformanceReport['budget']): string {
  return need === budgetNeed && budget?.needed !== undefined ? `--budget ${budget.needed}` : need;
}
