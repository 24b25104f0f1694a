import {
  type EffectiveSpecs,
  listOperations,
  type OpenApiDocument,
  type Operation,
} from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { type ParsedBody, parseBody, readHeader, readMember, type StepResponse } from '../../contract/evidence.ts';
import type { Evidence, Exchange } from '../../contract/probe.ts';
import { decodeSegment } from '../../contract/steps.ts';
import { parseDocument } from '../../run/discovered-model.ts';

/** The response of a documented operation to a call of any rule. */
export type ObservedResponse = {
  readonly exchange: Exchange;
  readonly response: StepResponse;
  readonly operation: Operation;
  /** What the operation says of its status. */
  readonly documented: Operation['responses'][string] | undefined;
  /** Where the references of its schemas resolve. */
  readonly document: OpenApiDocument;
  /** Path parameters, decoded; `provider`, `model`, `request_id`, `id`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: ParsedBody;
};

type Known = {
  readonly routes: readonly Route[];
  readonly responses: WeakMap<Exchange | Evidence, readonly ObservedResponse[]>;
};
const cache = new WeakMap<EffectiveSpecs, Known>();

/** Without responses to requests that fit no operation: a signed asset, a wrong method. */
export function observedResponses(evidence: Evidence, context: ProbeContext): readonly ObservedResponse[] {
  // Cached: dozens of rules read the same exchanges, mostly the same list of them.
  const known = cache.get(context.specs) ?? {
    routes: listOperations(context.specs).map(compileRoute),
    responses: new WeakMap(),
  };
  cache.set(context.specs, known);
  const readOnce = <T extends Exchange | Evidence>(one: T, read: (one: T) => readonly ObservedResponse[]) => {
    const responses = known.responses.get(one) ?? read(one);
    known.responses.set(one, responses);
    return responses;
  };
  return readOnce(evidence, (list) =>
    list.flatMap((exchange) => readOnce(exchange, (one) => observe(one, known.routes, context))),
  );
}

type Route = { readonly operation: Operation; readonly pattern: RegExp };

function compileRoute(operation: Operation): Route {
  const literal = operation.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return { operation, pattern: new RegExp(`^${literal.replace(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}$`) };
}

function observe(exchange: Exchange, routes: readonly Route[], context: ProbeContext): readonly ObservedResponse[] {
  const { request, result, step } = exchange;
  if (result.kind === 'no-response') return [];
  const base = context.baseUrls[exchange.api]?.replace(/\/+$/, '') ?? '';
  if (!request.url.startsWith(base)) return [];
  const [path = '', query = ''] = request.url.slice(base.length).split('?', 2);
  const matches = routes.flatMap(({ operation, pattern }) => {
    const found = operation.method === request.method ? pattern.exec(path) : null;
    return found === null ? [] : [{ operation, segments: Object.entries(found.groups ?? {}) }];
  });
  // `/openapi.json` below a model also fits a wider pattern should one be added: the most literal path wins.
  const [match] = matches.toSorted((one, other) => one.segments.length - other.segments.length);
  if (match === undefined) return [];
  const response = { ...result, step, url: request.url };
  const { operation, segments } = match;
  const { responses } = operation;
  return [
    {
      exchange,
      response,
      operation,
      // `default` is for errors: a success that is not listed is another rule's finding.
      documented: responses[result.status] ?? (result.status >= 400 ? responses['default'] : undefined),
      document: operation.api === 'model-router' ? context.specs.modelRouter : context.specs.workflowExecution,
      parameters: Object.fromEntries(segments.map(([name, segment]) => [name, decodeSegment(segment)])),
      query: new URLSearchParams(query),
      body: operation.operationId === 'readSchemaDocument' ? parseDocument(response) : parseBody(response),
    },
  ];
}

export function isOperation({ operation }: ObservedResponse, ...operationIds: readonly string[]): boolean {
  return operationIds.includes(operation.operationId);
}

/** `submitRequest 201`. */
export type DocumentedResponse = `${string} ${number}`;

/** Whether a response is one of these. */
export function isResponseTo(...wanted: readonly DocumentedResponse[]): (observed: ObservedResponse) => boolean {
  return ({ operation, response }) => wanted.includes(`${operation.operationId} ${response.status}`);
}

export function nameModel({ parameters }: ObservedResponse): string {
  return `${parameters['provider']}/${parameters['model']}`;
}

export const isResult = isResponseTo('runModel 200', 'collectRequest 200');

/** An error of the router. Cancel's 409 is an outcome with a body of its own (C-01), and a redirect is no error. */
export function isRouterError({ response, operation }: ObservedResponse): boolean {
  if (operation.api !== 'model-router' || response.status < 400) return false;
  return !(operation.operationId === 'cancelRequest' && response.status === 409);
}

/** The category of the header, else of the body; undefined when neither gives one (C-64). */
export function readCategory(observed: ObservedResponse, { headers }: ProbeContext): string | undefined {
  const named = readHeader(observed.response, headers.errorType) ?? readMember(observed.response, '/error_type');
  return typeof named === 'string' && named !== '' ? named : undefined;
}
