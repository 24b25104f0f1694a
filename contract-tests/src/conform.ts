import { fileURLToPath } from 'node:url';
import { describeImportFailure } from '../../specs/src/index.ts';
import { concerns } from './contract/concerns.ts';
import { HarnessError, UsageError } from './contract/errors.ts';
import type { Ports } from './contract/exchange.ts';
import type { Readings } from './contract/finding.ts';
import type { Rule, RuleId } from './contract/rule.ts';
import type { Cost } from './contract/scenario.ts';
import type { ApiName } from './contract/target.ts';
import { assembleReport } from './record/assemble-report.ts';
import { openRecord } from './record/record.ts';
import type { ConformanceReport } from './report/report.ts';
import { listRows } from './requires.ts';
import { rules as activeRules, passiveRules } from './rules/index.ts';
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
  /** Harm to callers if the rule fails. */
  readonly means: string;
  readonly usualCause?: string;
  /** Ids of the conditions that the rule requires. The target must meet at least one condition of each inner list. */
  readonly requires: readonly (readonly string[])[];
};

export function listRules(rules: readonly Rule[] = allRules): readonly ListedRule[] {
  return rules.map((rule) => {
    const { id, family, requirements, reading, partReading, cost, api, sentence, concern, usualCause } = rule;
    const optional = {
      ...(reading && { reading }),
      ...(partReading && { partReading }),
      ...(usualCause && { usualCause }),
    };
    const { means } = concerns[concern];
    const requires = listConditions(rule).map((condition) => listRows(condition).map((row) => row.id));
    return { id, family, requirements, ...optional, cost, api, sentence, means, requires };
  });
}

/**
 * Returns the rules of the gate and the rules that modules export as `rules`. `modules`: URLs of files. Throws
 * `UsageError` if a module cannot be loaded or has no rules, or if the id of a rule already exists or begins with a
 * family of the gate.
 */
export async function loadRules(
  modules: readonly string[] = [],
  rules: readonly Rule[] = allRules,
): Promise<readonly Rule[]> {
  const families = new Set(rules.map(({ family }) => family));
  const all = [...rules];
  for (const address of modules) {
    const file = fileURLToPath(address);
    const module: { readonly rules?: unknown } = await import(address).catch((cause: unknown) => {
      throw new UsageError(describeImportFailure(file, cause), { cause });
    });
    const exported = module.rules;
    if (!Array.isArray(exported) || exported.length === 0 || !exported.every(isRule))
      throw new UsageError(`${file} must export rules, an array of the values that rule() returns`);
    for (const one of exported) {
      if (!one.id.startsWith(`${one.family}.`) || families.has(one.family))
        throw new UsageError(
          `${file}: the id ${one.id} must begin with a word of your own and a dot, such as acme.; these families are reserved: ${[...families].join(', ')}`,
        );
      if (all.some(({ id }) => id === one.id)) throw new UsageError(`${file}: a rule ${one.id} already exists`);
      // Custom rules may be plain JavaScript, so a misspelt response name is only found when the rule runs.
      all.push({ ...one, check: (responses, context) => one.check(refuseUnknownNames(responses), context) });
    }
  }
  return all;
}

function refuseUnknownNames(responses: unknown): unknown {
  if (typeof responses !== 'object' || responses === null) return responses;
  return new Proxy(responses, {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name, receiver);
      const returned = Object.keys(target).join(', ');
      throw new HarnessError(`the rule reads "${name}", which its scenario does not return; it returns ${returned}`);
    },
  });
}

function isRule(value: unknown): value is Rule {
  const { id, check, scenario }: { id?: unknown; check?: unknown; scenario?: unknown } = Object(value);
  return typeof id === 'string' && check !== undefined && scenario !== undefined;
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
