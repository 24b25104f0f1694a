import {
  asObject,
  type CanonicalSchema,
  flattenSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keepIntegers,
} from '../../../specs/src/index.ts';
import { withBigints } from '../parse-json.ts';
import type { ModelDocument } from './served-model.ts';

/** An input converted for an alternate provider, and one sentence for each dropped field (MR-HDR-08). */
export type ConvertedInput = { input: JsonObject; dropped: readonly string[] };

/**
 * Keeps the fields that the alternate describes under the same name and whose value it accepts. `text`: a JSON object.
 */
export function convertInput(text: string, alternate: ModelDocument): ConvertedInput {
  const input = asObject(keepIntegers(text));
  if (alternate.input === undefined) return { input, dropped: [] };
  const { properties } = flattenSchema(alternate.input.canonical);
  const refused = new Set(alternate.input.checkMembers(withBigints(text, input)).map(({ loc }) => loc[0]));
  const kept: [string, JsonValue][] = [];
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (properties?.has(name) !== true) dropped.push(`${name} was dropped: the alternate provider has no such field.`);
    else if (refused.has(name)) dropped.push(`${name} was dropped: the alternate provider does not take this value.`);
    else kept.push([name, value]);
  }
  return { input: Object.fromEntries(kept), dropped };
}

/**
 * Converts an alternate's result to the native contract: unchanged if it is valid, otherwise without the members that
 * the native contract does not describe. Returns undefined if neither is valid (MR-RUN-24, MR-RUN-25).
 */
export function convertOutput(value: JsonValue, native: ModelDocument): JsonValue | undefined {
  const content = native.outputs.find(({ mediaType }) => /json|^\*\/\*$/i.test(mediaType));
  if (content === undefined) return undefined;
  if (content.accepts(value)) return value;
  const { schema: root, definitions } = content.canonical;
  // All items of a list have the same schema, so flatten each schema once.
  const known = new Map<CanonicalSchema, CanonicalSchema>();
  const flatten: Flatten = (schema) => {
    const flat = known.get(schema) ?? flattenSchema({ schema, definitions });
    known.set(schema, flat);
    return flat;
  };
  const trimmed = withDescribedMembers(value, root, flatten);
  return content.accepts(trimmed) ? trimmed : undefined;
}

type Flatten = (schema: CanonicalSchema) => CanonicalSchema;

function withDescribedMembers(value: JsonValue, schema: CanonicalSchema, flatten: Flatten): JsonValue {
  const { items = {}, properties } = flatten(schema);
  if (Array.isArray(value)) return value.map((item) => withDescribedMembers(item, items, flatten));
  if (!isJsonObject(value) || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
      const described = properties.get(name);
      return described === undefined ? [] : [[name, withDescribedMembers(inner, described, flatten)]];
    }),
  );
}

const maxSentences = 64;
const maxSentenceBytes = 300;
const maxHeaderLength = 4096;

/**
 * Returns the sentences as an ASCII JSON array that fits into one header; a last sentence counts omitted ones (OP-025).
 */
export function droppedParamsHeader(dropped: readonly string[]): string {
  const sentences = dropped.map((sentence) => {
    const bytes = new TextEncoder().encode(sentence);
    if (bytes.length <= maxSentenceBytes) return sentence;
    // With `stream`, the decoder drops a truncated last character.
    return new TextDecoder().decode(bytes.subarray(0, maxSentenceBytes), { stream: true });
  });
  const most = sentences.length > maxSentences ? maxSentences - 1 : sentences.length;
  for (let kept = most; kept >= 0; kept -= 1) {
    const left = sentences.length - kept;
    const more = left === 0 ? [] : [`${left} more fields were dropped.`];
    const text = JSON.stringify([...sentences.slice(0, kept), ...more]).replace(
      /[\u007f-\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (text.length <= maxHeaderLength) return text;
  }
  return '[]';
}
