import type { ProbeContext } from '../../contract/context.ts';
import { type CheckResult, type Finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence } from '../../contract/probe.ts';
import { defineFamily, type Rule, wholeRun } from '../../contract/rule.ts';
import type { Expectation } from '../builders/expectations.ts';
import { type ObservedResponse, observedResponses } from './observed-response.ts';

type Shared = Partial<Pick<Rule, 'api' | 'appliesTo' | 'requiredOf' | 'readsAttributed'>>;
/** `id` is below the family: `header.request-id-everywhere`. */
type Declaration = Pick<Rule, 'id' | 'requirements'> & Shared;

export type ResponseCheck = (observed: ObservedResponse, context: ProbeContext) => readonly Finding[];
export type ResponseRule = Declaration & {
  /** The responses that the rule checks; a run without any does not show the rule. */
  readonly of: (observed: ObservedResponse, context: ProbeContext) => boolean;
  readonly check: ResponseCheck;
};
export type RunRule = Declaration & {
  /** Undefined: the run has no response that the rule concerns. */
  readonly check: (responses: readonly ObservedResponse[], context: ProbeContext) => CheckResult | undefined;
};

/** Rules on each response of the run by itself. */
export function defineResponseRules(shared: Shared, rules: readonly ResponseRule[]): readonly Rule[] {
  return rules.flatMap(({ of, check, ...rest }) =>
    definePassive('passive', { ...shared, ...rest }, (responses, context) => {
      const own = responses.filter((one) => of(one, context));
      return own.length === 0 ? undefined : own.flatMap((one) => check(one, context));
    }),
  );
}

/** Rules on the responses of the run together, in the order in which they came. */
export function defineRunRules(shared: Shared, rules: readonly RunRule[]): readonly Rule[] {
  return rules.flatMap(({ check, ...rest }) => definePassive('trace', { ...shared, ...rest }, check));
}

/** The check of a response by itself. */
export function expects(...expectations: readonly Expectation[]): ResponseCheck {
  return ({ response, exchange }, context) =>
    expectations.flatMap((expectation) => expectation(response, context, [exchange]));
}

function definePassive(family: string, { id, api = 'router', ...rest }: Declaration, check: RunRule['check']) {
  const checkRun = (evidence: Evidence, context: ProbeContext): CheckResult => {
    const isOwn = ({ operation }: ObservedResponse) => (operation.api === 'model-router') === (api === 'router');
    const responses = observedResponses(evidence, context).filter(isOwn);
    const result = check(responses, context) ?? notApplicable('the run saw no response that the rule is about');
    return 'kind' in result ? result : shortened(result);
  };
  return defineFamily({ family, api, probe: wholeRun }, [{ ...rest, id: `${family}.${id}`, check: checkRun }]);
}

const placesShown = 3;
const kindsShown = 100; // a list can be wrong at every place

/** Of a hundred responses that are wrong in the same way the first few are shown. */
export function shortened(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(findings, ({ code, expected, at }) =>
    JSON.stringify([code, expected, at.header, at.pointer]),
  );
  return [...groups.values()].slice(0, kindsShown).flatMap((similar) => {
    const more = similar.length - placesShown;
    const shown = similar.slice(0, placesShown);
    const withCount = (one: Finding) => ({ ...one, actual: `${one.actual} (and in ${more} more responses)` });
    return shown.map((one, index) => (more > 0 && index === placesShown - 1 ? withCount(one) : one));
  });
}
