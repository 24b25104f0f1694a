import type { JsonObject, Operation, ResolvedResponse } from '../../../../specs/src/index.ts';
import { memoize } from '../../contract/cache.ts';
import { type Family, families } from '../../contract/concerns.ts';
import type { TargetContext } from '../../contract/context.ts';
import type { ParsedBody, StepResponse } from '../../contract/evidence.ts';
import { allResponses, parseBody, readHeader, readMember } from '../../contract/evidence.ts';
import type { Evidence, Exchange } from '../../contract/exchange.ts';
import { type CheckResult, type Finding, notApplicable } from '../../contract/finding.ts';
import { decodeSegment } from '../../contract/requests.ts';
import { type PassiveRuleDefinition, passiveRule, type Rule, type RuleId } from '../../contract/rule.ts';
import { findOperation } from '../../contract/target.ts';
import { parseDocument } from '../../run/discovered-model.ts';

/** Response of a documented operation to a call of any rule. */
export type ObservedResponse = StepResponse & {
  readonly exchange: Exchange;
  readonly operation: Operation;
  /** Documented response with this status. The `default` response is only used for errors. */
  readonly documented: ResolvedResponse | undefined;
  readonly document: JsonObject;
  /** Path parameters: `provider`, `model`, `request_id`, `id`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly parsed: ParsedBody;
};

// Cached, because dozens of rules read the same list of exchanges.
const observer = memoize((context: TargetContext) => {
  const observeOnce = memoize((exchange: Exchange) => observe(exchange, context));
  return memoize((evidence: Evidence) => evidence.flatMap((exchange) => observeOnce(exchange)));
});

/** Returns the response to a call of a documented operation; empty for other calls, such as opening a signed asset. */
function observe(exchange: Exchange, { specs, baseUrls }: TargetContext): readonly ObservedResponse[] {
  const { request, result, step } = exchange;
  const found = findOperation(request, [baseUrls[exchange.api]], specs);
  if (result.kind === 'no-response' || found === undefined) return [];
  const { operation, parameters, query } = found;
  const { responses } = operation;
  return [
    {
      ...result,
      step,
      exchange,
      operation,
      documented: responses[result.status] ?? (result.status >= 400 ? responses['default'] : undefined),
      document: operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution,
      parameters: Object.fromEntries(parameters.map(([name, segment]) => [name, decodeSegment(segment)])),
      query: new URLSearchParams(query),
      parsed: operation.operationId === 'readSchemaDocument' ? parseDocument(result) : parseBody(result),
    },
  ];
}

export function isOperation({ operation }: ObservedResponse, ...operationIds: readonly string[]): boolean {
  return operationIds.includes(operation.operationId);
}

export type DocumentedResponse = `${string} ${number}`;

export function isResponseTo(...wanted: readonly DocumentedResponse[]): (observed: ObservedResponse) => boolean {
  return ({ operation, status }) => wanted.includes(`${operation.operationId} ${status}`);
}

export function nameModel({ parameters }: ObservedResponse): string {
  return `${parameters['provider']}/${parameters['model']}`;
}

export const isResult = isResponseTo('runModel 200', 'collectRequest 200');

/** True for errors of the router. The 409 of a cancellation is an outcome with its own body (OP-201). */
export function isRouterError({ status, operation }: ObservedResponse): boolean {
  if (operation.api !== 'model-router' || status < 400) return false;
  return !(operation.operationId === 'cancelRequest' && status === 409);
}

/** Returns the category of the header, or else of the body; undefined if neither has one (OP-264). */
export function readCategory(observed: ObservedResponse, { headers }: TargetContext): string | undefined {
  const named = readHeader(observed, headers.errorType) ?? readMember(observed, '/error_type');
  return typeof named === 'string' && named !== '' ? named : undefined;
}

export function readCode(observed: ObservedResponse): string | undefined {
  const code = readMember(observed, '/error/code');
  return typeof code === 'string' ? code : undefined;
}

type PassiveRuleDetails = Omit<PassiveRuleDefinition, 'check'>;

/** Checks one response. Any `Expectation` can be used. */
export type ResponseCheck = (response: ObservedResponse, context: TargetContext) => readonly Finding[];

export type ResponseRuleDetails = PassiveRuleDetails & {
  /** Selects the responses to check. Default: all responses of the API. */
  readonly about?: (response: ObservedResponse, context: TargetContext) => boolean;
  readonly check: ResponseCheck;
};

/** Defines a rule that checks each response independently. */
export function responseRule(id: RuleId, { about = () => true, check, ...details }: ResponseRuleDetails): Rule {
  const checkEach: TraceCheck = (responses, context) => {
    const relevant = responses.filter((one) => about(one, context));
    return relevant.length === 0 ? undefined : relevant.flatMap((one) => check(one, context));
  };
  return traceRule(id, { ...details, check: checkEach }, families.passive);
}

/** Checks responses together. Undefined means that the rule applies to none of them. */
export type TraceCheck = (responses: readonly ObservedResponse[], context: TargetContext) => CheckResult | undefined;
export type TraceRuleDetails = PassiveRuleDetails & { readonly check: TraceCheck };

/** Defines a rule that checks all responses of an API together, in order of completion. */
export function traceRule(id: RuleId, { check, ...details }: TraceRuleDetails, family: Family = families.trace): Rule {
  const { api = 'router' } = details;
  return passiveRule(family, id, {
    ...details,
    check: (exchanges, context) => {
      const responses = observer(context)(exchanges).filter(
        ({ operation }) => (operation.api === 'model-router') === (api === 'router'),
      );
      return createResult(check(responses, context));
    },
  });
}

type CallRuleDetails = PassiveRuleDetails & {
  readonly about: (call: Exchange) => boolean;
  readonly check: (response: StepResponse, call: Exchange, context: TargetContext) => readonly Finding[];
};

/** Defines a rule that checks the response to each call of an API, including undocumented ones. */
export function callRule(id: RuleId, { about, check, ...details }: CallRuleDetails): Rule {
  const { api = 'router' } = details;
  return passiveRule(families.passive, id, {
    ...details,
    check: (exchanges, context) => {
      const calls = exchanges.filter((call) => call.api === api && about(call));
      const checkCall = (call: Exchange) => allResponses([call]).flatMap((response) => check(response, call, context));
      return createResult(calls.length === 0 ? undefined : calls.flatMap(checkCall));
    },
  });
}

function createResult(result: CheckResult | undefined): CheckResult {
  if (result === undefined) return notApplicable('the check saw no response that the rule applies to');
  return 'kind' in result ? result : limitSimilarFindings(result);
}

const findingsPerKind = 3;
const maxKinds = 100; // Limited, because each index of a wrong list is a separate kind.

/** Keeps the first three findings about the same defect, and counts the others in the last one. */
function limitSimilarFindings(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(findings, ({ code, expected, at, reading }) =>
    JSON.stringify([code, expected, at.header, at.pointer, reading]),
  );
  return [...groups.values()].slice(0, maxKinds).flatMap((similar) => {
    const more = similar.length - findingsPerKind;
    return similar
      .slice(0, findingsPerKind)
      .map((one, index) =>
        more > 0 && index === findingsPerKind - 1
          ? { ...one, actual: `${one.actual} (and in ${more} more responses)` }
          : one,
      );
  });
}
