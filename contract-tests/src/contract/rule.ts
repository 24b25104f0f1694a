import { readChoices } from '../../../specs/src/index.ts';
import type { Condition } from '../requires.ts';
import type { Concern, Family } from './concerns.ts';
import type { ProbeContext } from './context.ts';
import { HarnessError } from './errors.ts';
import type { CheckResult, Outcome, Readings } from './finding.ts';
import type { Evidence } from './probe.ts';
import type { Cost, Scenario } from './scenario.ts';
import type { ApiName, RequiredReadings, TargetKind } from './target.ts';

export type RuleId = string;

export type Rule = {
  readonly id: RuleId;
  /** Describes the correct behavior of a server, for reports. */
  readonly sentence: string;
  /** It notes what the documents leave open, and fails only for what no server may do, such as a 500. */
  readonly observes?: true;
  readonly family: string;
  /** The harm to callers when the rule fails. Default: the concern of its family. */
  readonly concern: Concern;
  readonly requirements: readonly string[];
  /** Where the text is silent: all that the rule finds rests on our reading, and fails only those whose owner requires it. */
  readonly reading?: Readings;
  /** The same of the findings that name it (`asRead`); the others rest on the text. */
  readonly partReading?: Readings;
  /** The usual cause of an unexpected status or value, for reports. Default: the cause of the family. */
  readonly usualCause?: string;
  /** The cause that reports name where two values differ. Default: that answers of the operation differ which must be equal. */
  readonly causeOfDifference?: string;
  /** Rules of the same family that have to pass first. */
  readonly needs: readonly RuleId[];
  /** The API a target must offer; without it the rule is not applicable. */
  readonly api: ApiName;
  readonly cost: Cost;
  /** Requirements on the target in addition to its API, and a budget if the rule is billed. */
  readonly requires: readonly Condition[];
  /** Kinds of target that have to show the rule: a check in which it was not observed is incomplete (exit 4). */
  readonly requiredOf: readonly TargetKind[];
  /** Checks every model of the discovery by itself, so that it can be applied to any part of a catalog. */
  readonly perModel?: true;
  /** Reads responses with findings of other requirements too: a missing response would mislead this rule. */
  readonly readsAttributed?: true;
  /** Absent of a rule over the whole check, which sends nothing and reads every exchange, in the order of their ends. */
  readonly scenario?: Scenario;
  /** Reads what the scenario returned, or every exchange of the check, and nothing else. */
  readonly check: (responses: unknown, context: ProbeContext) => CheckResult;
};

export type RuleOutcome = { readonly rule: Rule; readonly outcome: Outcome; readonly durationMs: number };

/** The members of a rule that have a default, and those that are made of its id and its scenario. */
type Derived = 'id' | 'family' | 'scenario' | 'check';
type Required = 'sentence' | 'requirements';

/** The definition of a rule. By default it requires nothing, and a sandbox has to show it. */
export type Statement<Responses> = Pick<Rule, Required> &
  Partial<Omit<Rule, Required | Derived | 'api' | 'cost' | 'readsAttributed'>> & {
    readonly check: (responses: Responses, context: ProbeContext) => CheckResult;
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

/** Returns the function that defines the rules of a family. */
export function ruleIn(family: Family): DefineRule {
  return <Responses>(
    id: RuleId,
    scenario: Scenario<Responses>,
    { check, requires = [], ...statement }: Statement<Responses>,
  ) => {
    const { api, cost } = scenario;
    return declareRule(family, {
      api,
      cost,
      requires: [...scenario.requires, ...requires],
      ...statement,
      id,
      scenario,
      // The engine gives the check of a rule what its scenario returned.
      check: (responses, context) => check(responses as Responses, context),
    });
  };
}

/** The definition of a rule over the whole check. By default it is about the router and requires nothing, and a sandbox has to show it. */
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

/** The readings of a rule, or of a result of it. */
type Grounds = { readonly reading?: Readings; readonly partReading?: Readings };

export function listReadings({ reading, partReading }: Grounds): readonly string[] {
  return [reading ?? [], partReading ?? []].flat();
}

/** Introduces the sentences of the text that a rule rests on, and names its readings. */
export function describeGrounds(grounds: Grounds): string {
  const ours = listReadings(grounds).map((id) => `our reading ${id} (${findChoice(id).replace(/\.$/, '')})`);
  if (grounds.reading !== undefined) return `rests on ${ours.join(' and ')}, about:`;
  return ours.length === 0 ? 'rests on the text:' : `rests on the text, and in part on ${ours.join(' and ')}:`;
}

export function areRequired(ids: readonly string[], readings: RequiredReadings = {}): boolean {
  return readings === 'required' || ids.every((id) => readings[id] === 'required');
}

/** The readings that a finding of the rule rests on. Throws `HarnessError` where it names one that the rule does not. */
export function readingsBehind(rule: Rule, { reading }: { readonly reading?: string }): readonly string[] {
  if (reading === undefined) return [rule.reading ?? []].flat();
  if (listReadings(rule).includes(reading)) return [reading];
  throw new HarnessError(`a finding of ${rule.id} rests on ${reading}, which the rule does not name`);
}
