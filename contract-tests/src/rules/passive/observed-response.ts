import { cached } from '../../contract/cache.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { parseBody, readHeader, readMember } from '../../contract/evidence.ts';
import type { Evidence, Exchange } from '../../contract/probe.ts';
import { decodeSegment } from '../../contract/requests.ts';
import { findOperation } from '../../contract/target.ts';
import { parseDocument } from '../../run/discovered-model.ts';

/** The response of a documented operation to a call of any rule. */
export type ObservedResponse = Readonly<ReturnType<typeof observe>[number]>;

// Dozens of rules read the same exchanges, mostly the same list of them.
const observer = cached((context: ProbeContext) => {
  const observeOnce = cached((exchange: Exchange) => observe(exchange, context));
  return cached((evidence: Evidence) => evidence.flatMap((exchange) => observeOnce(exchange)));
});

/** Without responses to requests that fit no operation: a signed asset, a wrong method. */
export function observedResponses(evidence: Evidence, context: ProbeContext): readonly ObservedResponse[] {
  return observer(context)(evidence);
}

function observe(exchange: Exchange, { specs, baseUrls }: ProbeContext) {
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
      // `default` is for errors: a success that is not listed is another rule's finding.
      documented: responses[result.status] ?? (result.status >= 400 ? responses['default'] : undefined),
      document: operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution,
      /** Those of the path: `provider`, `model`, `request_id`, `id`. */
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

/** An error of the router. Cancel's 409 is an outcome with a body of its own (OP-201), and a redirect is not an error. */
export function isRouterError({ status, operation }: ObservedResponse): boolean {
  if (operation.api !== 'model-router' || status < 400) return false;
  return !(operation.operationId === 'cancelRequest' && status === 409);
}

/** The category of the header, else of the body; undefined when neither gives one (OP-264). */
export function readCategory(observed: ObservedResponse, { headers }: ProbeContext): string | undefined {
  const named = readHeader(observed, headers.errorType) ?? readMember(observed, '/error_type');
  return typeof named === 'string' && named !== '' ? named : undefined;
}
