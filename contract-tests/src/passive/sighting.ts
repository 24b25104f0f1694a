import { type EffectiveSpecs, listOperations, type Operation } from '../../../specs/src/index.ts';
import { type Answer, headerOf, jsonOf, type ParsedBody } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import { documentOf } from '../engine/shared-documents.ts';
import type { Evidence, Exchange } from '../probe.ts';

/** An answer of one of the documented operations, whichever rule asked for it. */
export type Sighting = {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly operation: Operation;
  /** Path parameters, decoded; `provider`, `model`, `request_id`, `id`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: ParsedBody;
};

const made = new WeakMap<EffectiveSpecs, { routes: readonly Route[]; of: WeakMap<Exchange, readonly Sighting[]> }>();

/** Answers to requests that fit no operation (a signed asset, a wrong method) are nobody's promise and left out. */
export function sightingsOf(evidence: Evidence, context: ProbeContext): readonly Sighting[] {
  // Dozens of rules look at the same exchanges.
  const known = made.get(context.specs) ?? { routes: listOperations(context.specs).map(routeOf), of: new WeakMap() };
  made.set(context.specs, known);
  return evidence.flatMap((exchange) => {
    const sightings = known.of.get(exchange) ?? sightingOf(exchange, known.routes, context);
    known.of.set(exchange, sightings);
    return sightings;
  });
}

type Route = { readonly operation: Operation; readonly pattern: RegExp; readonly names: readonly string[] };

function routeOf(operation: Operation): Route {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
  const literal = operation.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return { operation, names, pattern: new RegExp(`^${literal.replace(/\{[^}]+\}/g, '([^/]+)')}$`) };
}

function sightingOf(exchange: Exchange, routes: readonly Route[], context: ProbeContext): readonly Sighting[] {
  const { request, result, step } = exchange;
  if (result.kind === 'no-response') return [];
  const base = context.baseUrls[exchange.api]?.replace(/\/+$/, '') ?? '';
  if (!request.url.startsWith(base)) return [];
  const [path = '', query = ''] = request.url.slice(base.length).split('?', 2);
  const matches = routes.flatMap(({ operation, pattern, names }) => {
    const found = operation.method === request.method ? pattern.exec(path) : null;
    return found === null ? [] : [{ operation, values: found.slice(1), names }];
  });
  // `/openapi.json` below a model also fits a wider pattern should one be added: the most literal path wins.
  const [match] = matches.toSorted((one, other) => one.names.length - other.names.length);
  if (match === undefined) return [];
  const answer = { ...result, step, url: request.url };
  const parameters = Object.fromEntries(match.names.map((name, index) => [name, decoded(match.values[index] ?? '')]));
  return [
    {
      exchange,
      answer,
      operation: match.operation,
      parameters,
      query: new URLSearchParams(query),
      body: match.operation.operationId === 'readSchemaDocument' ? documentOf(answer) : jsonOf(answer),
    },
  ];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The member at the top of a JSON body. */
export function memberOfBody({ body }: Sighting, name: string): unknown {
  if (body.kind !== 'json' || typeof body.value !== 'object' || body.value === null) return undefined;
  return Object.hasOwn(body.value, name) ? Reflect.get(body.value, name) : undefined;
}

export function isOf({ operation }: Sighting, ...operationIds: readonly string[]): boolean {
  return operationIds.includes(operation.operationId);
}

/** An error of the router: cancel's 409 is an outcome with a body of its own (C-01), and a redirect is no answer at all. */
export function isRouterError({ answer, operation }: Sighting): boolean {
  if (operation.api !== 'model-router' || answer.status < 400) return false;
  return !(operation.operationId === 'cancelRequest' && answer.status === 409);
}

/** The header's category, else the body's; undefined when neither tells one (C-64). */
export function categoryOf(sighting: Sighting, { headers }: ProbeContext): string | undefined {
  const named = headerOf(sighting.answer, headers.errorType) ?? memberOfBody(sighting, 'error_type');
  return typeof named === 'string' && named !== '' ? named : undefined;
}

/** The values sent under a header name. */
export function sentValue({ request }: Exchange, name: string): string | undefined {
  return headerOf(request, name);
}
