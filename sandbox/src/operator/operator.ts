import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Context } from '../context.ts';
import { SandboxError } from '../errors.ts';
import { parseJson } from '../model-router/input-body.ts';
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
  if (found === undefined) return answer(onPath.length === 0 ? 404 : 405, { error: 'no such operator route' });
  try {
    const body = await readBody(request);
    if (body === undefined) return answer(400, { error: 'the body must be a JSON object' });
    const query = new URL(request.url).searchParams;
    const value = found.route.handle({ body, params: found.params, query }, operator);
    return value === undefined ? answer(404, { error: 'there is no such thing' }) : answer(200, value);
  } catch (error) {
    if (error instanceof SandboxError) return answer(400, { error: error.message });
    throw error;
  }
}

async function readBody(request: Request): Promise<JsonObject | undefined> {
  const bytes = await readLimited(request, bodyLimitBytes);
  if (bytes === undefined) return undefined;
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  return isJsonObject(value) ? value : undefined;
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
