import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject, packageRoot } from '../../../specs/src/index.ts';
import { HarnessError } from '../errors.ts';
import type { Rule, RuleId } from '../rule.ts';
import { lacksMeans, type Target, type TargetKind } from '../target.ts';
import { type MissingRequired, type RuleResult, reasonOf } from './report.ts';

export type RequiredRules = Readonly<Record<TargetKind, readonly RuleId[]>>;

/** The list in the repository that guards against an empty green run. */
export function readRequiredRules(): RequiredRules {
  list ??= readList();
  return list;
}

let list: RequiredRules | undefined;

function readList(): RequiredRules {
  const parsed: unknown = parse(readFileSync(join(packageRoot(), 'contract-tests/required-rules.yaml'), 'utf8'));
  const listOf = (kind: TargetKind): readonly RuleId[] => {
    const ids = isJsonObject(parsed) ? parsed[kind] : undefined;
    if (!Array.isArray(ids)) throw new HarnessError(`required-rules.yaml has no list "${kind}"`);
    return ids.map(String);
  };
  return { mock: listOf('mock'), sandbox: listOf('sandbox'), live: listOf('live') };
}

/** Required rules of the run (chosen, of an API the target offers, within its means) that neither passed nor failed nor were observed. */
export function missingRequired(run: {
  readonly required: readonly RuleId[];
  readonly chosen: readonly Rule[];
  readonly target: Target;
  readonly results: readonly RuleResult[];
}): readonly MissingRequired[] {
  const resultOf = new Map(run.results.map((result) => [result.ruleId, result]));
  const expected = run.chosen.filter((rule) => run.required.includes(rule.id) && run.target[rule.api] !== undefined);
  return expected.flatMap((rule): MissingRequired[] => {
    const outcome = resultOf.get(rule.id)?.outcome;
    if (outcome === undefined)
      return [{ ruleId: rule.id, outcome: 'errored', because: 'the runner brought no result' }];
    if (outcome.kind === 'passed' || outcome.kind === 'failed' || outcome.kind === 'observed') return [];
    if (lacksMeans(rule.appliesTo, run.target)) return [];
    return [{ ruleId: rule.id, outcome: outcome.kind, because: reasonOf(outcome) }];
  });
}
