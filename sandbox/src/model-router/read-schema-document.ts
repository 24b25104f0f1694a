import type { Answer } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { addressedModel } from './addressed-model.ts';

export function readSchemaDocument(call: RouterCall, context: Context): Answer {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model.answer;
  const { bytes, entityTag } = model.value.snapshot();
  const headers = { ETag: entityTag, 'Cache-Control': 'private, must-revalidate' };
  if (isUnchanged(call.headers.get('if-none-match'), entityTag)) {
    return { status: 304, headers, serviceHeaders: {}, body: undefined };
  }
  return { status: 200, headers: { 'Content-Type': 'application/json', ...headers }, serviceHeaders: {}, body: bytes };
}

/** Lists, weak forms and `*` as RFC 9110 has them (NS-28); comparison is weak, so a weak form of the tag matches. */
function isUnchanged(ifNoneMatch: string | null, entityTag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.replace(/^W\//, '') === entityTag);
}
