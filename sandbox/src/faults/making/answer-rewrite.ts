import { headerName, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { App, Decorator, DecoratorContext } from '../decorator.ts';
import { type OperationId, operationOf } from './operation-match.ts';

/** A response taken apart: the bytes are read once, so a rewrite never disturbs binary bodies. */
export type Answer = { status: number; headers: Headers; body: Uint8Array<ArrayBuffer> };
/** Which answers a rewrite touches; without `status` every one of the operations. */
export type Where = { on: readonly OperationId[] | 'router' | 'any'; status?: number | ((status: number) => boolean) };
/** What a rewrite may look at beside the answer; `app` lets it ask the healthy application itself. */
export type Surroundings = { request: Request; app: App; context: DecoratorContext };
export type AnswerChange = (answer: Answer, surroundings: Surroundings) => Answer | Promise<Answer>;

const statusesWithoutBody = [101, 204, 205, 304];

export async function takeApart(response: Response): Promise<Answer> {
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: new Headers(response.headers), body };
}

/** The length is dropped, for the server beneath counts again. */
export function putTogether(answer: Answer): Response {
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  const bodiless = statusesWithoutBody.includes(answer.status) || answer.body.length === 0;
  return new Response(bodiless ? null : answer.body, { status: answer.status, headers });
}

export function touches(where: Where, request: Request): boolean {
  const operation = operationOf(request);
  if (operation === undefined) return false;
  if (where.on === 'any') return true;
  return where.on === 'router' ? operation !== 'readJobWorkflow' : where.on.includes(operation);
}

function hasStatus(where: Where, status: number): boolean {
  if (where.status === undefined) return true;
  return typeof where.status === 'number' ? where.status === status : where.status(status);
}

export function rewriteAnswer(where: Where, change: AnswerChange): Decorator {
  return (app, context) => async (request) => {
    if (!touches(where, request)) return app(request);
    const untouched = request.clone();
    const response = await app(request);
    if (!hasStatus(where, response.status)) return response;
    return putTogether(await change(await takeApart(response), { request: untouched, app, context }));
  };
}

export function parseBody(answer: Answer): JsonValue | undefined {
  if (!/json/.test(answer.headers.get('content-type') ?? '')) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch {
    return undefined;
  }
}

export function withBody(answer: Answer, body: JsonValue): Answer {
  return withText(answer, JSON.stringify(body));
}

export function withText(answer: Answer, text: string): Answer {
  return { ...answer, body: new TextEncoder().encode(text) };
}

export function withHeader(answer: Answer, name: string, value: string): Answer {
  const headers = new Headers(answer.headers);
  headers.set(name, value);
  return { ...answer, headers };
}

/** Rewrites JSON object bodies; anything else passes as it is. */
export function rewriteJson(
  where: Where,
  change: (body: JsonObject, surroundings: Surroundings) => JsonValue | Promise<JsonValue>,
): Decorator {
  return rewriteAnswer(where, async (answer, surroundings) => {
    const body = parseBody(answer);
    return isJsonObject(body) ? withBody(answer, await change(body, surroundings)) : answer;
  });
}

export function setHeader(where: Where, name: HeaderRef, value: string): Decorator {
  return rewriteAnswer(where, (answer, { context }) => withHeader(answer, headerOf(name, context), value));
}

export function dropHeader(where: Where, name: HeaderRef): Decorator {
  return rewriteAnswer(where, (answer, { context }) => {
    const headers = new Headers(answer.headers);
    headers.delete(headerOf(name, context));
    return { ...answer, headers };
  });
}

export function changeStatus(where: Where, status: number): Decorator {
  return rewriteAnswer(where, (answer) => ({ ...answer, status }));
}

/** A header by its verbatim name, or by the part behind the brand's word. */
export type HeaderRef = string | { branded: string };

export function headerOf(name: HeaderRef, context: DecoratorContext): string {
  return typeof name === 'string' ? name : headerName(context.brand, name.branded);
}

/** Both places that name a router error's category, so that they still agree. */
export function setCategory(where: Where, category: string): Decorator {
  return rewriteAnswer(where, (answer, { context }) => {
    const body = parseBody(answer);
    const relabelled =
      isJsonObject(body) && 'error_type' in body ? withBody(answer, { ...body, error_type: category }) : answer;
    return withHeader(relabelled, headerOf({ branded: 'Error-Type' }, context), category);
  });
}

/** A refusal in the router's own envelope, header and body in agreement. */
export function refusal(from: Answer, context: DecoratorContext, error: { status: number; category: string }): Answer {
  const body = { detail: 'The request could not be served.', error_type: error.category };
  const labelled = withHeader(from, headerOf({ branded: 'Error-Type' }, context), error.category);
  return { ...withBody(withHeader(labelled, 'content-type', 'application/json'), body), status: error.status };
}

/** Whatever is longer ends there. */
export function cutAfter(bytes: number): AnswerChange {
  return (answer) => (answer.body.length > bytes ? { ...answer, body: answer.body.slice(0, bytes) } : answer);
}
