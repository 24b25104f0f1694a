import type { ProbeContext } from '../../contract/context.ts';
import { allResponses, type StepResponse } from '../../contract/evidence.ts';
import { type CheckResult, type Finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence, Exchange } from '../../contract/probe.ts';
import { type Check, wholeCheck } from '../../contract/rule.ts';
import type { ApiName } from '../../contract/target.ts';
import { type ObservedResponse, observedResponses } from './observed-response.ts';

/** Members of rules on each response of a check by itself (`passive.…`), and on its responses together (`trace.…`). */
export const passive = { probe: wholeCheck } as const;

/** An `Expectation` of any response is one too. */
export type ResponseCheck = (
  observed: ObservedResponse,
  context: ProbeContext,
  evidence: Evidence,
) => readonly Finding[];
type Choice = (observed: ObservedResponse, context: ProbeContext) => boolean;

const onEachOf =
  (api: ApiName) =>
  (isMeant: Choice, ...checks: readonly ResponseCheck[]): Check =>
    onAll((responses, context) => {
      const own = responses.filter((one) => isMeant(one, context));
      const find = (one: ObservedResponse) => checks.flatMap((check) => check(one, context, [one.exchange]));
      return own.length === 0 ? undefined : own.flatMap(find);
    }, api);

/** Checks each of these responses by itself; a check without any does not show the rule. */
export const onEach = onEachOf('router');
export const onEachOfWorkflow = onEachOf('workflow');

/** Undefined: the check has no response that the rule concerns. */
export type TraceCheck = (responses: readonly ObservedResponse[], context: ProbeContext) => CheckResult | undefined;

/** Checks the responses of an API together, in the order in which they came. */
export function onAll(check: TraceCheck, api: ApiName = 'router'): Check {
  return (evidence, context) => {
    const responses = observedResponses(evidence, context).filter(
      ({ operation }) => (operation.api === 'model-router') === (api === 'router'),
    );
    return conclude(check(responses, context));
  };
}

/** Checks the responses to these calls of an API, also to those that no operation describes. */
export function onCalls(
  api: ApiName,
  isMeant: (call: Exchange) => boolean,
  check: (response: StepResponse, call: Exchange, context: ProbeContext) => readonly Finding[],
): Check {
  return (evidence, context) => {
    const calls = evidence.filter((call) => call.api === api && isMeant(call));
    if (calls.length === 0) return conclude(undefined);
    return conclude(
      calls.flatMap((call) => allResponses([call]).flatMap((response) => check(response, call, context))),
    );
  };
}

function conclude(result: CheckResult | undefined): CheckResult {
  if (result === undefined) return notApplicable('the check saw no response that the rule is about');
  return 'kind' in result ? result : shortened(result);
}

const placesShown = 3;
const kindsShown = 100; // a list can be wrong at every place

/** Keeps the first few of many responses that are wrong in the same way. */
function shortened(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(findings, ({ code, expected, at, reading }) =>
    JSON.stringify([code, expected, at.header, at.pointer, reading]),
  );
  return [...groups.values()].slice(0, kindsShown).flatMap((similar) => {
    const more = similar.length - placesShown;
    const shown = similar.slice(0, placesShown);
    const withCount = (one: Finding) => ({ ...one, actual: `${one.actual} (and in ${more} more responses)` });
    return shown.map((one, index) => (more > 0 && index === placesShown - 1 ? withCount(one) : one));
  });
}
