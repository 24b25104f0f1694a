import type { JsonObject, Operation, ResolvedResponse } from '../../../../specs/src/index.ts';
import { cached } from '../../contract/cache.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { type ParsedBody, parseBody, readHeader, readMember, type StepResponse } from '../../contract/evidence.ts';
import type { Evidence, Exchange } from '../../contract/probe.ts';
import { decodeSegment } from '../../contract/requests.ts';
import { findOperation } from '../../contract/target.ts';
import { parseDocument } from '../../run/discovered-model.ts';

/** The response of a documented operation to a call of any rule. */
export type ObservedResponse = StepResponse & {
  readonly exchange: Exchange;
  readonly operation: Operation;
  /** The documented response with the same status. `default` documents errors only. */
  readonly documented: ResolvedResponse | undefined;
  /** The document of the API. */
  readonly document: JsonObject;
  /** Parameters of the path: `provider`, `model`, `request_id`, `id`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly parsed: ParsedBody;
};

// Dozens of rules read the same exchanges, mostly the same list of them.
const observer = cached((context: ProbeContext) => {
  const observeOnce = cached((exchange: Exchange) => observe(exchange, context));
  return cached((evidence: Evidence) => evidence.flatMap((exchange) => observeOnce(exchange)));
});

/** Leaves out responses to requests that fit no operation, such as a signed asset or a wrong method. */
export function observedResponses(evidence: Evidence, context: ProbeContext): readonly ObservedResponse[] {
  return observer(context)(evidence);
}

function observe(exchange: Exchange, { specs, baseUrls }: ProbeContext): readonly ObservedResponse[] {
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

/** `submitRequest 201`. */
export type DocumentedResponse = `${string} ${number}`;

export function isResponseTo(...wanted: readonly DocumentedResponse[]): (observed: ObservedResponse) => boolean {
  return ({ operation, status }) => wanted.includes(`${operation.operationId} ${status}`);
}

export function nameModel({ parameters }: ObservedResponse): string {
  return `${parameters['provider']}/${parameters['model']}`;
}

export const isResult = isResponseTo('runModel 200', 'collectRequest 200');

/** True for errors of the router. The 409 of a cancellation is an outcome with a body of its own (OP-201); a redirect is not an error. */
export function isRouterError({ status, operation }: ObservedResponse): boolean {
  if (operation.api !== 'model-router' || status < 400) return false;
  return !(operation.operationId === 'cancelRequest' && status === 409);
}

/** Returns the category of the header, or else of the body; undefined if neither has one (OP-264). */
export function readCategory(observed: ObservedResponse, { headers }: ProbeContext): string | undefined {
  const named = readHeader(observed, headers.errorType) ?? readMember(observed, '/error_type');
  return typeof named === 'string' && named !== '' ? named : undefined;
}
