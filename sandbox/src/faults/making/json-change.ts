import type { JsonObject, JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator } from '../decorator.ts';
import { rewriteJson, type Where } from './answer-rewrite.ts';

export function without(body: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name)));
}

export function dropMember(where: Where, member: string): Decorator {
  return rewriteJson(where, (body) => without(body, member));
}

export function setMember(where: Where, member: string, value: JsonValue): Decorator {
  return rewriteJson(where, (body) => ({ ...body, [member]: value }));
}

/** Changes a member that is there; an answer without it stays as it is. */
export function changeMember(where: Where, member: string, change: (value: JsonValue) => JsonValue): Decorator {
  return rewriteJson(where, (body) => {
    const value = body[member];
    return value === undefined ? body : { ...body, [member]: change(value) };
  });
}
