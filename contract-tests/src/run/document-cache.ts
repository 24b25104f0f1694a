import type { JsonValue } from '../../../specs/src/index.ts';
import { jsonOf, type ParsedBody, textOf } from '../contract/evidence.ts';

// Schemas compile once per object: a document that is fetched again should be the same object.
const known = new Map<string, JsonValue>();
const charactersKept = 16 * 1024 * 1024;
let characters = 0;

/** Like `jsonOf`, but equal bytes give the same object; for schema documents, which are never modified. */
export function documentOf(source: { readonly body: Uint8Array }): ParsedBody {
  const text = textOf(source);
  const earlier = known.get(text);
  if (earlier !== undefined) return { kind: 'json', value: earlier };
  const parsed = jsonOf(source);
  if (parsed.kind === 'json') {
    if (characters + text.length > charactersKept) {
      known.clear();
      characters = 0;
    }
    known.set(text, parsed.value);
    characters += text.length;
  }
  return parsed;
}
