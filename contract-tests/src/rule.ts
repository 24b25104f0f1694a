import type { ProbeContext } from './context.ts';
import { HarnessError } from './errors.ts';
import type { Verdict } from './finding.ts';
import type { Evidence, Probe } from './probe.ts';
import { type ApiName, type AppliesTo, always } from './target.ts';

export type RuleId = string;
/** `billed`: it runs or queues a model; a live target is never given such a rule without a budget. */
export type RuleCost = 'free' | 'billed';

export type Rule = {
  readonly id: RuleId;
  /** Name of the file under `rules/` and of its suite. */
  readonly family: string;
  readonly requirements: readonly string[];
  /** Rules of the same family without which this one means nothing. */
  readonly needs: readonly RuleId[];
  /** The API a target must offer; without it the rule is not applicable. */
  readonly api: ApiName;
  readonly cost: RuleCost;
  readonly appliesTo: AppliesTo;
  /**
   * Pure. A `SetupFailure` thrown here or in a step makes the rule `setup-failed`.
   * Rules that name the same function share its evidence: it is performed once a session.
   */
  readonly probe: (context: ProbeContext) => Probe;
  /** A rule over the whole run that a missing answer would mislead also reads those that other rules found wrong. */
  readonly readsAccused?: true;
  /** Pure: reads the evidence and nothing else. */
  readonly judge: (evidence: Evidence, context: ProbeContext) => Verdict;
};

export type RuleDeclaration = Omit<Rule, 'needs' | 'cost' | 'appliesTo'> &
  Partial<Pick<Rule, 'needs' | 'cost' | 'appliesTo'>>;

/** The probe of a passive rule: nothing is sent, and the evidence is every exchange of the run, in order of its end. */
export const wholeRun: Rule['probe'] = () => ({ steps: [] });

const wellFormedId = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

/** Defaults: needs nothing, costs nothing, applies to every target that offers its API. */
export function defineRule(declaration: RuleDeclaration): Rule {
  if (!wellFormedId.test(declaration.id)) throw new HarnessError(`malformed rule id ${JSON.stringify(declaration.id)}`);
  if (declaration.requirements.length === 0) throw new HarnessError(`rule ${declaration.id} cites no requirement`);
  return { needs: [], cost: 'free', appliesTo: always, ...declaration };
}
