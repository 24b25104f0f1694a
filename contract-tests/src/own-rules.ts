import { fileURLToPath } from 'node:url';
import { describeImportFailure } from '../../specs/src/index.ts';
import { HarnessError, UsageError } from './contract/errors.ts';
import { type Rule, type RuleDefinition, type RuleId, ruleIn } from './contract/rule.ts';
import type { Scenario } from './contract/scenario.ts';

/**
 * Defines a custom rule. Its id must begin with a word of your own, which reports show as the family of the rule. `requires`: what the rule
 * requires in addition to its scenario. Throws `HarnessError` if the id is malformed or there are no requirements.
 */
export function rule<Responses>(
  id: RuleId,
  scenario: Scenario<Responses>,
  definition: RuleDefinition<Responses>,
): Rule {
  const [name, ...rest] = id.split('.');
  if (name === undefined || rest.length === 0)
    throw new HarnessError(
      `the rule id ${JSON.stringify(id)} must begin with a word of your own and a dot, such as acme.`,
    );
  return ruleIn({ name, concern: 'form' })(id, scenario, definition);
}

/**
 * Returns the rules of the gate and the rules that modules export as `rules`. `modules`: URLs of files. Throws
 * `UsageError` if a module cannot be loaded or has no rules, or if the id of a rule already exists or begins with a
 * family of the gate.
 */
export async function withOwnRules(rules: readonly Rule[], modules: readonly string[] = []): Promise<readonly Rule[]> {
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
