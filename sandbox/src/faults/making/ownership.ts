import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator } from '../decorator.ts';
import { parseBody, putTogether, takeApart, touches } from './answer-rewrite.ts';
import { modelIdOf, type OperationId, operationOf, requestIdOf } from './operation-match.ts';
import { changeRequest, rewriteRequest } from './request-rewrite.ts';

/** Whose request it is does not matter: another workspace is served as the main one. */
export function asMain(on: readonly OperationId[]): Decorator {
  return rewriteRequest(on, (request) =>
    request.headers.get('x-api-key')?.endsWith('-neighbour') ? { headers: { 'x-api-key': 'sk-sandbox-main' } } : {},
  );
}

/** Which model a request was submitted to does not matter: its id is found below any. */
export function forgetModel(on: readonly OperationId[]): Decorator {
  return (app) => {
    const models = new Map<string, string>();
    return async (request) => {
      if (operationOf(request) === 'submitRequest') {
        const answer = await takeApart(await app(request));
        const body = parseBody(answer);
        if (isJsonObject(body)) models.set(String(body['request_id']), modelIdOf(request));
        return putTogether(answer);
      }
      const model = models.get(requestIdOf(request) ?? '');
      if (model === undefined || !touches({ on }, request)) return app(request);
      const url = new URL(request.url);
      url.pathname = url.pathname.replace(`/v2/models/${modelIdOf(request)}`, `/v2/models/${model}`);
      return app(await changeRequest(request, { url: url.toString() }));
    };
  };
}
