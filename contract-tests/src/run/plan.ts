import picomatch from 'picomatch';
import { HarnessError } from '../contract/errors.ts';
import type { Reason } from '../contract/finding.ts';
import type { Rule, RuleId } from '../contract/rule.ts';
import { meets, meetsRequisite, type Target } from '../contract/target.ts';
import { budget, type Condition, findRequisite, listRows, type Requisite } from '../requires.ts';

/** Outcome of a rule that does not apply to the target. */
type Skip = { readonly kind: 'not-observable' | 'not-applicable'; readonly because: string; readonly why: Reason };
export type PlannedRule = { readonly rule: Rule; readonly skip: Skip | undefined };

/** Returns the selected rules, each after those it needs. Throws `HarnessError` on invalid declarations. */
export function planConformance(
  rules: readonly Rule[],
  target: Target,
  patterns?: readonly string[],
): readonly PlannedRule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const repeated = rules.filter((rule) => byId.get(rule.id) !== rule).map(({ id }) => id);
  if (repeated.length > 0) throw new HarnessError(`duplicate rule ids: ${repeated.join(', ')}`);
  const placed = new Map<RuleId, Rule>();
  const place = (rule: Rule, above: readonly RuleId[]): void => {
    if (placed.has(rule.id)) return;
    if (above.includes(rule.id)) throw new HarnessError(`rules need each other: ${[...above, rule.id].join(' → ')}`);
    for (const need of rule.needs) {
      const needed = byId.get(need);
      if (needed === undefined) throw new HarnessError(`rule ${rule.id} needs ${need}, which does not exist`);
      place(needed, [...above, rule.id]);
    }
    placed.set(rule.id, rule);
  };
  for (const rule of rules.toSorted((one, other) => rankByRuns(one, target) - rankByRuns(other, target)))
    place(rule, []);
  const isWanted = patterns === undefined ? () => true : picomatch([...patterns]);
  const chosen = new Set<RuleId>();
  // In reverse order, because needed rules come before the rules that need them.
  for (const rule of [...placed.values()].toReversed())
    if (chosen.has(rule.id) || isWanted(rule.id)) for (const id of [rule.id, ...rule.needs]) chosen.add(id);
  return [...placed.values()]
    .filter((rule) => chosen.has(rule.id))
    .map((rule) => ({ rule, skip: findSkip(rule, target) }));
}

/** Returns the patterns that match no rule, so that a typing error doesn't make a check pass. */
export function unmatchedPatterns(rules: readonly Rule[], patterns: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => {
    const isMatch = picomatch(pattern);
    return !rules.some(({ id }) => isMatch(id));
  });
}

function findSkip(rule: Rule, target: Target): Skip | undefined {
  const unmet = unmetConditions(rule, target).map(listRows);
  const [kind] = (unmet[0] ?? []).map((row) => row.kind);
  if (kind === undefined) return undefined;
  const isUnobservable = target.kind === 'mock' && ['capability', 'hook', 'credential'].includes(kind);
  const why: Reason = { code: 'lacks', of: unmet.map((rows) => rows.map(({ id }) => id)) };
  const because = describeLacking(unmet[0] ?? [], target);
  return { kind: isUnobservable ? 'not-observable' : 'not-applicable', because, why };
}

function describeLacking(rows: readonly Requisite[], { kind }: Target): string {
  if (rows.some((row) => row.kind === 'budget')) return 'it may start a run, and the budget is 0';
  const names = rows.map((row) => {
    const { need, name, setting = need } = row;
    if (row.kind === 'hook') return `the test hook ${name}`;
    return setting === need ? need : `${need} (${setting})`;
  });
  return `the ${kind === 'mock' ? kind : 'target'} lacks ${names.join(', or ')}`;
}

export function listConditions({ api, requires, cost }: Rule): readonly Condition[] {
  return [findRequisite(api), ...requires, ...(cost === 'billed' ? [budget] : [])];
}

export function unmetConditions(rule: Rule, target: Target): readonly Condition[] {
  return listConditions(rule).filter((condition) => !meets(target, condition));
}

/** Sorts rules that need their own runs after rules that share runs, so that a small budget covers more rules. */
function rankByRuns(rule: Rule, target: Target): number {
  // Passive rules come last, because they read the exchanges of all other rules.
  if (rule.scenario === undefined) return 2;
  const metRows = rule.requires.map((condition) => listRows(condition).find((row) => meetsRequisite(target, row)));
  return !metRows.includes(undefined) && metRows.some((row) => row?.kind === 'input') ? 1 : 0;
}
