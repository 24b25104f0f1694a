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

export type Rule = {
  readonly id: RuleId;
  readonly sentence: string;
  /** Set if the documents leave the behaviour open: the rule records it, and only fails for errors such as a 500. */
  readonly observes?: true;
  readonly family: string;
  /** Harm to callers when the rule fails. Default: the concern of its family. */
  readonly concern: Concern;
  readonly requirements: readonly string[];
  /** Our reading that all findings rely on where the text is silent. They count if the owner requires the reading. */
  readonly reading?: Readings;
  /** Like `reading`, but only for the findings that name it (`withReading`). The other findings rely on the text. */
  readonly partReading?: Readings;
  /** Usual cause of an unexpected status or value, for reports. Default: the cause of the family. */
  readonly usualCause?: string;
  /** Cause in reports if two values differ. Default: responses of the operation differ that must be equal. */
  readonly causeOfDifference?: string;
  /** Rules of the same family that must pass first. */
  readonly needs: readonly RuleId[];
  /** API that the target must offer; otherwise the rule is not applicable. */
  readonly api: ApiName;
  readonly cost: Cost;
  /** Requirements on the target in addition to its API, and a budget if the rule is billed. */
  readonly requires: readonly Condition[];
  /** Kinds of target that must show the behaviour: if it was not observed, the check is incomplete (exit 4). */
  readonly requiredOf: readonly TargetKind[];
  /** Set if the rule checks each model independently, so that it can be applied to any part of a catalog. */
  readonly perModel?: true;
  /** Set if the rule also reads responses with findings for other requirements, because gaps would mislead it. */
  readonly readsAttributed?: true;
  /** Sends the calls. Absent for a passive rule, which reads every exchange of the check in order of completion. */
  readonly scenario?: Scenario;
  readonly check: (responses: unknown, context: TargetContext) => CheckResult;
};

export type RuleOutcome = { readonly rule: Rule; readonly outcome: Outcome; readonly durationMs: number };

type Derived = 'id' | 'family' | 'scenario' | 'check';
type Required = 'sentence' | 'requirements';

/** Definition of a rule. By default it has no requirements, and a sandbox must show it. */
export type Statement<Responses> = Pick<Rule, Required> &
  Partial<Omit<Rule, Required | Derived | 'api' | 'cost' | 'readsAttributed'>> & {
    readonly check: (responses: Responses, context: TargetContext) => CheckResult;
  };

/**
 * Defines a rule that reads what its scenario returns. `requires`: in addition to what the scenario requires. Throws `HarnessError` for
 * an id that is malformed or does not begin with the name of the family, and for a rule without requirements.
 */
export type DefineRule = <Responses>(
  id: RuleId,
  scenario: Scenario<Responses>,
  statement: Statement<Responses>,
) => Rule;

/** What the rules of a group have in common; a rule can replace each member. */
export type RuleDefaults = Partial<Omit<Statement<never>, Required | 'check'>>;

/** Returns the function that defines the rules of a family, or of a group in it with these defaults. */
export function ruleIn(family: FamilyName | Family, defaults: RuleDefaults = {}): DefineRule {
  return <Responses>(id: RuleId, scenario: Scenario<Responses>, statement: Statement<Responses>) => {
    const { api, cost } = scenario;
    const { check, requires = [], ...members } = { ...defaults, ...statement };
    return declareRule(typeof family === 'string' ? families[family] : family, {
      api,
      cost,
      requires: [...scenario.requires, ...requires],
      ...members,
      id,
      scenario,
      // The engine gives the check of a rule what its scenario returned.
      check: (responses, context) => check(responses as Responses, context),
    });
  };
}

/** Definition of a passive rule. By default it checks the router, has no requirements, and a sandbox must show it. */
export type PassiveStatement = Statement<Evidence> & Partial<Pick<Rule, 'api' | 'readsAttributed'>>;

/** A rule over the whole check: it sends nothing, and reads every exchange in the order of their ends. */
export function passiveRule(family: Family, id: RuleId, { check, ...statement }: PassiveStatement): Rule {
  return declareRule(family, {
    ...statement,
    id,
    // The engine gives the check of a rule without a scenario the exchanges.
    check: (exchanges, context) => check(exchanges as Evidence, context),
  });
}

type WithDefault = 'family' | 'api' | 'concern' | 'needs' | 'cost' | 'requires' | 'requiredOf';
type Declaration = Omit<Rule, WithDefault> & Partial<Pick<Rule, WithDefault>>;

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

/** Returns our reading of an open point as a sentence. Throws `HarnessError` on an id that specs/open-points.yaml lacks. */
export function findChoice(id: string): string {
  const row = readChoices().find((one) => one.id === id);
  if (row === undefined) throw new HarnessError(`no assumption is called ${id}`);
  return row.choice;
}

type RuleReadings = { readonly reading?: Readings; readonly partReading?: Readings };

export function listReadings({ reading, partReading }: RuleReadings): readonly string[] {
  return [reading ?? [], partReading ?? []].flat();
}

export function describeBasis(grounds: RuleReadings): string {
  const ours = listReadings(grounds).map((id) => `our reading ${id} (${findChoice(id).replace(/\.$/, '')})`);
  if (grounds.reading !== undefined) return `rests on ${ours.join(' and ')}, about:`;
  return ours.length === 0 ? 'rests on the text:' : `rests on the text, and in part on ${ours.join(' and ')}:`;
}

export function areRequired(ids: readonly string[], readings: RequiredReadings = {}): boolean {
  return readings === 'required' || ids.every((id) => readings[id] === 'required');
}

/** Throws `HarnessError` if the finding names a reading that its rule lacks. */
export function readingsOfFinding(rule: Rule, { reading }: { readonly reading?: string }): readonly string[] {
  if (reading === undefined) return [rule.reading ?? []].flat();
  if (listReadings(rule).includes(reading)) return [reading];
  throw new HarnessError(`a finding of ${rule.id} rests on ${reading}, which the rule does not name`);
}
