import { type ConformanceInput, conform, type OnResult } from './conformance.ts';
import { ruleApplicability, unmatchedPatterns } from './engine/plan.ts';
import { HarnessError } from './errors.ts';
import { passiveRules } from './passive/index.ts';
import type { Ports } from './ports.ts';
import type { ConformanceReport } from './report/report.ts';
import type { Rule, RuleId } from './rule.ts';
import { rules as activeRules } from './rules/index.ts';
import { type RunnerOptions, runSuites } from './runner/run-with-vitest.ts';
import type { Applicability, Target, TargetKind } from './target.ts';

const rules: readonly Rule[] = [...activeRules, ...passiveRules];

export type ListedRule = Pick<Rule, 'id' | 'family' | 'requirements' | 'cost' | 'api'>;

export function listRules(): readonly ListedRule[] {
  return rules.map(({ id, family, requirements, cost, api }) => ({ id, family, requirements, cost, api }));
}

/** The rules that a target of this kind has to show. */
export function requiredRules(kind: TargetKind): readonly RuleId[] {
  return rules.filter(({ requiredOf }) => requiredOf.includes(kind)).map(({ id }) => id);
}

/** Patterns that name no rule: a typing error of the caller. */
export function unmatchedRulePatterns(patterns: readonly string[]): readonly string[] {
  return unmatchedPatterns(rules, patterns);
}

/** What a rule says of a target before anything is sent. */
export function applicabilityOf(ruleId: RuleId, target: Target): Applicability {
  const rule = rules.find(({ id }) => id === ruleId);
  if (rule === undefined) throw new HarnessError(`no rule ${ruleId}`);
  return ruleApplicability(rule, target);
}

/** Judges a target in this process over the ports handed in; proofs use it. Throws `HarnessError` on an unsound input. */
export function runConformance(input: ConformanceInput, ports: Ports, onResult?: OnResult): Promise<ConformanceReport> {
  return conform(rules, input, { ports, onResult });
}

/** Judges a target over HTTP with Vitest as the runner and writes `result.json` and `junit.xml` into `outDir`. */
export function runWithVitest(input: ConformanceInput, options: RunnerOptions): Promise<ConformanceReport> {
  return runSuites(rules, input, options);
}
