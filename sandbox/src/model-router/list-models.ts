import { type Answer, go, jsonAnswer, type Step, stop } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { pageOf } from '../state/catalog.ts';
import { catalogEntry } from './catalog-entry.ts';
import { invalidInput } from './refusals.ts';

const defaultLimit = 20;
const highestLimit = 100;

export function listModels(call: RouterCall, context: Context): Answer {
  const limit = parseLimit(call.url.searchParams.get('limit'));
  if (limit.kind === 'stop') return limit.answer;
  const cursor = call.url.searchParams.get('cursor') ?? undefined;
  const request = { cursor, limit: limit.value, secret: context.cursorSecret };
  const page = pageOf(context.world.catalog, request, context.config.clock.now());
  if (page === undefined) return invalidInput('The cursor is malformed or has expired; start again without one.');
  return jsonAnswer(200, {
    data: page.models.map(catalogEntry),
    has_more: page.nextCursor !== undefined,
    ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
    limit: limit.value,
  });
}

/** Zero and less select the default, more than the maximum is clamped (MR-CAT-13 to MR-CAT-15); no integer: NS-30. */
function parseLimit(text: string | null): Step<number> {
  if (text === null) return go(defaultLimit);
  if (!/^-?\d+$/.test(text)) return stop(invalidInput('limit must be an integer.'));
  const limit = Number(text);
  return go(limit <= 0 ? defaultLimit : Math.min(limit, highestLimit));
}
