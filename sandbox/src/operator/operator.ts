import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Context } from '../context.ts';
import { SandboxError } from '../errors.ts';
import { isTooDeep, parseJson } from '../model-router/input-body.ts';
import { refuseUnknown } from '../named-members.ts';
import { pathOf } from '../raw-target.ts';
import { readLimited } from '../request-body.ts';

/** Which faults and variants wrap the application at the moment. */
export type Deviations = { faults: readonly string[]; variants: readonly string[] };
export type Operator = {
  context: Context;
  deviations(): Deviations;
  /** Throws SandboxError for an id that is unknown. */
  deviate(wanted: Deviations): void;
};
/** `body` is empty when none was sent; path parameters are decoded. */
export type OperatorCall = { body: JsonObject; params: Readonly<Record<string, string>>; query: URLSearchParams };
export type OperatorRoute = {
  method: string;
  /** Below `/__sandbox`; a segment in braces is a parameter. */
  path: string;
  description: string;
  /** The members a body may have, where the route itself does not say what is wrong with another. */
  takes?: readonly string[];
  /** The JSON to answer with. A SandboxError thrown becomes a 400 with its message; undefined is a 404. */
  handle(call: OperatorCall, operator: Operator): JsonValue | undefined;
};

export const operatorPrefix = '/__sandbox';
const bodyLimitBytes = 64 * 1024 * 1024;

export function isOperatorPath(path: string): boolean {
  return path === operatorPrefix || path.startsWith(`${operatorPrefix}/`);
}

/** What only whoever runs the sandbox may do; needs no credential and never passes through a fault. */
export async function operate(
  request: Request,
  routes: readonly OperatorRoute[],
  operator: Operator,
): Promise<Response> {
  const path = pathOf(request).slice(operatorPrefix.length) || '/';
  const onPath = routes.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params === undefined ? [] : [{ route, params }];
  });
  const found = onPath.find(({ route }) => route.method === request.method);
  if (found === undefined) return noSuchRoute(onPath.map(({ route }) => route.method));
  try {
    const body = await readBody(request, found.route.takes);
    const query = new URL(request.url).searchParams;
    const value = found.route.handle({ body, params: found.params, query }, operator);
    return value === undefined ? answer(404, { error: 'there is no such thing' }) : answer(200, value);
  } catch (error) {
    if (error instanceof SandboxError) return answer(400, { error: error.message });
    return answer(500, { error: `the sandbox could not do this: ${error instanceof Error ? error.message : error}` });
  }
}

function noSuchRoute(methods: readonly string[]): Response {
  if (methods.length === 0) return answer(404, { error: 'no such operator route' });
  const refusal = answer(405, { error: `this operator route takes ${methods.join(', ')}` });
  refusal.headers.set('Allow', methods.join(', '));
  return refusal;
}

async function readBody(request: Request, takes: readonly string[] | undefined): Promise<JsonObject> {
  const bytes = await readLimited(request, bodyLimitBytes);
  if (bytes === undefined) throw new SandboxError(`the body is longer than ${bodyLimitBytes} bytes`);
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  if (!isJsonObject(value)) throw new SandboxError('the body must be a JSON object');
  if (isTooDeep(value)) throw new SandboxError('the body is nested too deeply');
  if (takes !== undefined) refuseUnknown(value, takes);
  return value;
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const segments = path.split('/');
  if (wanted.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

export function answer(status: number, body: JsonValue): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: { 'Content-Type': 'application/json' } });
}
