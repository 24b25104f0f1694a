import type { JsonObject, JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator } from '../decorator.ts';
import { rewriteJson, type Surroundings, type Where } from '../making/answer-rewrite.ts';

const read: Where = { on: ['readStatus'], status: 200 };

export function whenCompleted(
  change: (status: JsonObject, around: Surroundings) => JsonValue | Promise<JsonValue>,
): Decorator {
  return rewriteJson(read, (status, around) => (status['status'] === 'COMPLETED' ? change(status, around) : status));
}

export function whilePending(change: (status: JsonObject) => JsonValue): Decorator {
  return rewriteJson(read, (status) => (status['status'] === 'COMPLETED' ? status : change(status)));
}
