import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator } from '../decorator.ts';
import { rewriteJson, type Where } from '../making/answer-rewrite.ts';

export function changeErrors(where: Where, change: (error: JsonObject) => JsonValue): Decorator {
  return rewriteJson(where, (body) => (isJsonObject(body['error']) ? { ...body, error: change(body['error']) } : body));
}

export const setCode = (where: Where, code: string): Decorator => changeErrors(where, (error) => ({ ...error, code }));
