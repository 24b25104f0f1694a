import type { Ports } from './contract/exchange.ts';
import type { Readings } from './contract/finding.ts';
import type { Rule, RuleId } from './contract/rule.ts';
import type { Cost } from './contract/scenario.ts';
import type { ApiName } from './contract/target.ts';
import { withOwnRules } from './own-rules.ts';
import { assembleReport } from './record/assemble-report.ts';
import { openRecord } from './record/record.ts';
import type { ConformanceReport } from './report/report.ts';
import { listRows } from './requires.ts';
import { rules as activeRules } from './rules/index.ts';
import { passiveRules } from './rules/passive/index.ts';
import type { ConformanceInput } from './run/check.ts';
import { checkTarget } from './run/engine.ts';
import { listConditions } from './run/plan.ts';

export const allRules: readonly Rule[] = [...activeRules, ...passiveRules];

export type ListedRule = {
  readonly id: RuleId;
  readonly family: string;
  readonly requirements: readonly string[];
  readonly reading?: Readings;
  readonly partReading?: Readings;
  readonly cost: Cost;
  readonly api: ApiName;
  readonly sentence: string;
  /** Ids of the conditions that the rule requires. The target must meet at least one condition of each inner list. */
  readonly requires: readonly (readonly string[])[];
};

/** Loads the built-in rules and the rules that these modules export. Throws `UsageError` if a module is invalid. */
export function loadRules(ownRules?: readonly string[]): Promise<readonly Rule[]> {
  return withOwnRules(allRules, ownRules);
}

export function listRules(rules: readonly Rule[] = allRules): readonly ListedRule[] {
  return rules.map((rule) => {
    const { id, family, requirements, reading, partReading, cost, api, sentence } = rule;
    const grounds = { ...(reading && { reading }), ...(partReading && { partReading }) };
    const requires = listConditions(rule).map((condition) => listRows(condition).map((row) => row.id));
    return { id, family, requirements, ...grounds, cost, api, sentence, requires };
  });
}

export async function runConformance(
  input: ConformanceInput,
  ports: Ports,
  rules = allRules,
): Promise<ConformanceReport> {
  const record = openRecord(input, ports.clock.now());
  await checkTarget(rules, input, ports, record);
  return assembleReport(record.record, rules, input);
}
