import { readChoices } from '../../../specs/src/index.ts';
import type { Condition } from '../requires.ts';
import { type Concern, type Family, type FamilyName, families } from './concerns.ts';
import type { TargetContext } from './context.ts';
import { HarnessError } from './errors.ts';
import type { Evidence } from './exchange.ts';
import type { CheckResult, Outcome, Readings } from './finding.ts';
import type { Cost, Scenario } from './scenario.ts';
import type { ApiName, RequiredReadings, TargetKind } from './target.ts';

export type RuleId = string;

/** Members with a default. A group of rules can share them, and each rule can override them. */
export type RuleDefaults = {
  /** Set if the documents leave the behaviour open: the rule records it, and only fails for errors such as a 500. */
  readonly observes?: true;
  /** Harm to callers when the rule fails. Default: the concern of its family. */
  readonly concern?: Concern;
  /**
   * Our interpretation of ambiguous API text that all findings rely on. Findings only fail the rule if the target's owner
   * requires this interpretation.
   */
  readonly reading?: Readings;
  /** Like `reading`, but only for findings that are marked with it (`withReading`). The others rely on the API text. */
  readonly partReading?: Readings;
  /** Usual cause of an unexpected status or value, for reports. Default: the cause of the family. */
  readonly usualCause?: string;
  /** Rules of the same family that must pass first. */
  readonly needs?: readonly RuleId[];
  /** Requirements on the target, in addition to its API and, if the rule is billed, a budget. */
  readonly requires?: readonly Condition[];
  /** Kinds of target that must show the behaviour, or the check is incomplete (exit code 4). Default: a sandbox. */
  readonly requiredOf?: readonly TargetKind[];
  /** Set if the rule checks each model independently, so that it can be applied to any part of a catalog. */
  readonly perModel?: true;
};

/** Definition of a rule. */
export type RuleDefinition<Responses> = RuleDefaults & {
  readonly sentence: string;
  readonly requirements: readonly string[];
  readonly check: (responses: Responses, context: TargetContext) => CheckResult;
};

/** Definition of a passive rule, by default for the router. */
export type PassiveRuleDefinition<Responses = Evidence> = RuleDefinition<Responses> & {
  readonly api?: ApiName;
  /** Set if the rule also reads responses for which another rule already reported a finding. */
  readonly readsAttributed?: true;
};

type Declaration = PassiveRuleDefinition<unknown> & {
  readonly id: RuleId;
  readonly cost?: Cost;
  /** Sends the calls. Absent for a passive rule, which reads every exchange of the check in order of completion. */
  readonly scenario?: Scenario;
};

export type Rule = Declaration & {
  readonly family: string;
  readonly concern: Concern;
  readonly needs: readonly RuleId[];
  readonly api: ApiName;
  readonly cost: Cost;
  readonly requires: readonly Condition[];
  readonly requiredOf: readonly TargetKind[];
};

export type RuleOutcome = { readonly rule: Rule; readonly outcome: Outcome; readonly durationMs: number };

/**
 * Returns a function that defines rules of a family, with these defaults. A rule reads the responses of its scenario;
 * its `requires` adds to the requirements of the scenario. The function throws `HarnessError` for an id that is malformed
 * or does not begin with the name of the family, and for a rule without requirements.
 */
export function ruleIn(family: FamilyName | Family, defaults: RuleDefaults = {}) {
  return <Responses>(id: RuleId, scenario: Scenario<Responses>, definition: RuleDefinition<Responses>): Rule => {
    const { api, cost } = scenario;
    const { check, requires = [], ...members } = { ...defaults, ...definition };
    return declareRule(typeof family === 'string' ? families[family] : family, {
      api,
      cost,
      requires: [...scenario.requires, ...requires],
      ...members,
      id,
      scenario,
      // The engine calls `check` with the value that the scenario returned.
      check: (responses, context) => check(responses as Responses, context),
    });
  };
}

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

/** Defines a rule that sends nothing and reads every exchange of the check, in order of completion. */
export function passiveRule(family: Family, id: RuleId, { check, ...definition }: PassiveRuleDefinition): Rule {
  return declareRule(family, {
    ...definition,
    id,
    // For a rule without a scenario, the engine calls `check` with the exchanges.
    check: (exchanges, context) => check(exchanges as Evidence, context),
  });
}

const wellFormedId = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

function declareRule({ name: family, ...defaults }: Family, declaration: Declaration): Rule {
  const { id, requirements } = declaration;
  if (!wellFormedId.test(id)) throw new HarnessError(`malformed rule id ${JSON.stringify(id)}`);
  if (!id.startsWith(`${family}.`))
    throw new HarnessError(`the id of rule ${id} must begin with its family, ${family}.`);
  if (requirements.length === 0) throw new HarnessError(`rule ${id} cites no requirement`);
  return {
    ...defaults,
    family,
    api: 'router',
    needs: [],
    cost: 'free',
    requires: [],
    requiredOf: ['sandbox'],
    ...declaration,
  };
}

/** Returns our reading of an open point as a sentence. Throws `HarnessError` if specs/open-points.yaml lacks the id. */
export function findChoice(id: string): string {
  const row = readChoices().find((one) => one.id === id);
  if (row === undefined) throw new HarnessError(`specs/open-points.yaml has no point ${id}`);
  return row.choice;
}

type RuleReadings = { readonly reading?: Readings; readonly partReading?: Readings };

export function listReadings({ reading, partReading }: RuleReadings): readonly string[] {
  return [reading ?? [], partReading ?? []].flat();
}

export function describeBasis(readings: RuleReadings): string {
  const ours = listReadings(readings).map((id) => `our reading ${id} (${findChoice(id).replace(/\.$/, '')})`);
  if (readings.reading !== undefined) return `is based on ${ours.join(' and ')}, about:`;
  return ours.length === 0
    ? 'is based on the API text:'
    : `is based on the API text, and in part on ${ours.join(' and ')}:`;
}

export function areRequired(ids: readonly string[], readings: RequiredReadings = {}): boolean {
  return readings === 'required' || ids.every((id) => readings[id] === 'required');
}

/** Returns the readings that a finding relies on. Throws `HarnessError` if its rule does not list the reading. */
export function readingsOfFinding(rule: Rule, { reading }: { readonly reading?: string }): readonly string[] {
  if (reading === undefined) return [rule.reading ?? []].flat();
  if (listReadings(rule).includes(reading)) return [reading];
  throw new HarnessError(`a finding of ${rule.id} relies on ${reading}, which the rule does not list`);
}
