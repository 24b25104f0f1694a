import type { ProbeContext } from '../../contract/context.ts';
import { allResponses, type StepResponse } from '../../contract/evidence.ts';
import { type CheckResult, type Finding, notApplicable } from '../../contract/finding.ts';
import type { Exchange } from '../../contract/probe.ts';
import { type PassiveStatement, passiveRule, type Rule, type RuleId } from '../../contract/rule.ts';
import { type ObservedResponse, observedResponses } from './observed-response.ts';

type Described = Omit<PassiveStatement, 'check'>;

/** An `Expectation` of any response is one too. */
export type ResponseCheck = (response: ObservedResponse, context: ProbeContext) => readonly Finding[];

export type OfResponses = Described & {
  /** Selects the responses that the rule is about. Default: all of its API. */
  readonly about?: (response: ObservedResponse, context: ProbeContext) => boolean;
  readonly check: ResponseCheck;
};

/** A rule on each response by itself (`passive.…`). */
export function responseRule(id: RuleId, { about = () => true, check, ...described }: OfResponses): Rule {
  return recordRule(id, {
    ...described,
    check: (responses, context) => {
      const own = responses.filter((one) => about(one, context));
      return own.length === 0 ? undefined : own.flatMap((one) => check(one, context));
    },
  });
}

/** Undefined: no response is one that the rule is about. */
export type RecordCheck = (responses: readonly ObservedResponse[], context: ProbeContext) => CheckResult | undefined;

/** A rule on the responses of an API together, in the order in which they came (`trace.…`). */
export function recordRule(id: RuleId, { check, ...described }: Described & { readonly check: RecordCheck }): Rule {
  const { api = 'router' } = described;
  return passiveRule(id, {
    ...described,
    check: (exchanges, context) => {
      const responses = observedResponses(exchanges, context).filter(
        ({ operation }) => (operation.api === 'model-router') === (api === 'router'),
      );
      return conclude(check(responses, context));
    },
  });
}

type OfCalls = Described & {
  readonly about: (call: Exchange) => boolean;
  readonly check: (response: StepResponse, call: Exchange, context: ProbeContext) => readonly Finding[];
};

/** A rule on the response to each call of an API, also to calls that no operation describes. */
export function callRule(id: RuleId, { about, check, ...described }: OfCalls): Rule {
  const { api = 'router' } = described;
  return passiveRule(id, {
    ...described,
    check: (exchanges, context) => {
      const calls = exchanges.filter((call) => call.api === api && about(call));
      if (calls.length === 0) return conclude(undefined);
      return conclude(
        calls.flatMap((call) => allResponses([call]).flatMap((response) => check(response, call, context))),
      );
    },
  });
}

function conclude(result: CheckResult | undefined): CheckResult {
  if (result === undefined) return notApplicable('the check saw no response that the rule is about');
  return 'kind' in result ? result : shorten(result);
}

const placesShown = 3;
const kindsShown = 100; // a list can be wrong at every place

/** Keeps the first few of many responses that are wrong in the same way. */
function shorten(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(findings, ({ code, expected, at, reading }) =>
    JSON.stringify([code, expected, at.header, at.pointer, reading]),
  );
  return [...groups.values()].slice(0, kindsShown).flatMap((similar) => {
    const more = similar.length - placesShown;
    return similar
      .slice(0, placesShown)
      .map((one, index) =>
        more > 0 && index === placesShown - 1
          ? { ...one, actual: `${one.actual} (and in ${more} more responses)` }
          : one,
      );
  });
}
