import type { JsonValue } from '../../../specs/src/index.ts';
import { jsonOf, type ParsedBody, textOf } from '../definitions/evidence.ts';

// Schemas compile once per object: a document that is fetched again should be the same object.
const known = new Map<string, JsonValue>();
const documentsKept = 500;

/** Like `jsonOf`, but equal bytes give the same object; for schema documents, which are never modified. */
export function documentOf(source: { readonly body: Uint8Array }): ParsedBody {
  const text = textOf(source);
  const earlier = known.get(text);
  if (earlier !== undefined) return { kind: 'json', value: earlier };
  const parsed = jsonOf(source);
  if (parsed.kind === 'json') {
    if (known.size >= documentsKept) known.clear();
    known.set(text, parsed.value);
  }
  return parsed;
}
