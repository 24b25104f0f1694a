import type { Condition } from '../requires.ts';
import { type Concern, usualConcern } from './concerns.ts';
import type { ProbeContext } from './context.ts';
import { HarnessError } from './errors.ts';
import type { CheckResult, Outcome, Readings } from './finding.ts';
import type { Evidence, Probe } from './probe.ts';
import type { ApiName, TargetKind } from './target.ts';

export type RuleId = string;
/**
 * `billed`: it runs or queues a model; such a rule needs a budget on a live target. `hooked`: it runs the models of the test
 * hooks alone, which bill nobody.
 */
export type RuleCost = 'free' | 'hooked' | 'billed';

/** Reads the evidence and nothing else. */
export type Check = (evidence: Evidence, context: ProbeContext) => CheckResult;

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
  /** Rules of the same family that have to pass first. */
  readonly needs: readonly RuleId[];
  /** The API a target must offer; without it the rule is not applicable. */
  readonly api: ApiName;
  readonly cost: RuleCost;
  /** What the target has to show beside its API, and a budget where the rule is billed. */
  readonly requires: readonly Condition[];
  /** Kinds of target that have to show the rule: a check in which it was not observed is incomplete (exit 4). */
  readonly requiredOf: readonly TargetKind[];
  /**
   * The steps, or a pure function that gives them. A `SetupFailure` thrown here or in a step makes the rule `setup-failed`.
   * Rules that name the same probe share its evidence: it is sent once a session.
   */
  readonly probe: Probe | ((context: ProbeContext) => Probe);
  /** Checks every model of the discovery by itself, so that it can be applied to any part of a catalog. */
  readonly perModel?: true;
  /** Reads responses with findings of other requirements too: a missing response would mislead this rule. */
  readonly readsAttributed?: true;
  readonly check: Check;
};

export type RuleOutcome = { readonly rule: Rule; readonly outcome: Outcome; readonly durationMs: number };

type WithDefault = 'api' | 'concern' | 'needs' | 'cost' | 'requires' | 'requiredOf';
export type RuleDeclaration = Omit<Rule, WithDefault> & Partial<Pick<Rule, WithDefault>>;

/** What the rules of a family share; the first word of their ids names it. */
export type Family = Partial<
  Pick<Rule, WithDefault | 'probe' | 'perModel' | 'readsAttributed' | 'reading' | 'partReading'>
>;
export type FamilyMember = Pick<Rule, 'sentence' | 'requirements' | 'check'> & Partial<Omit<Rule, 'id' | 'family'>>;
/** What builders give of a rule whose words stand beside it. */
export type Shown = Pick<FamilyMember, 'probe' | 'check'>;
export type NamedMember = readonly [id: RuleId, rule: FamilyMember];

/** The probe of a passive rule: it sends nothing and reads every exchange of the check, in the order of their ends. */
export const wholeCheck: Probe = [];

const wellFormedId = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

/** Defaults: needs nothing, costs nothing, applies to each target that offers the router, and a sandbox has to show it. */
export function defineRule(declaration: RuleDeclaration): Rule {
  if (!wellFormedId.test(declaration.id)) throw new HarnessError(`malformed rule id ${JSON.stringify(declaration.id)}`);
  if (declaration.requirements.length === 0) throw new HarnessError(`rule ${declaration.id} cites no requirement`);
  const concern = usualConcern(declaration.family);
  return { api: 'router', concern, needs: [], cost: 'free', requires: [], requiredOf: ['sandbox'], ...declaration };
}

type Members = Readonly<Record<RuleId, FamilyMember>> | Iterable<NamedMember>;

/** Rules by their ids, which share the members of `shared`; a rule may override each of them. No rule needs itself. */
export function defineFamily(shared: Family): (...groups: readonly Members[]) => readonly Rule[] {
  const define = ([id, rule]: NamedMember): Rule => {
    const probe = rule.probe ?? shared.probe;
    if (probe === undefined) throw new HarnessError(`rule ${id} has no probe, and neither has its family`);
    const needs = rule.needs ?? shared.needs?.filter((needed) => needed !== id) ?? [];
    const family = id.replace(/\..*/, '');
    return defineRule({ ...shared, ...rule, id, family, probe, needs });
  };
  return (...groups) =>
    groups.flatMap((group) => [...(Symbol.iterator in group ? group : Object.entries(group))].map(define));
}

/** The words of a long list, such as ids of requirements: white space parts them. */
export function splitWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
