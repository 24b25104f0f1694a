import type { JsonObject, JsonValue, Schema } from '../../../specs/src/index.ts';
import { propertiesOf } from './merged-schema.ts';
import { type ModelDocument, memberOf } from './model-document.ts';
import { compileCheck } from './served-model.ts';

/** A native input as an alternate provider can take it, and one sentence for each field that it cannot (MR-HDR-08). */
export type Conversion = { input: JsonObject; dropped: readonly string[] };

/** Keeps the fields that the alternate describes under the same name and whose value it allows. */
export function convertInput(input: JsonObject, alternate: ModelDocument): Conversion {
  if (alternate.inputSchema === undefined) return { input, dropped: [] };
  const properties = propertiesOf(alternate.root, alternate.inputSchema);
  const kept: [string, JsonValue][] = [];
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    const schema = memberOf(properties, name);
    if (schema === undefined) dropped.push(`${name} was dropped: the alternate provider has no such field.`);
    else if (!allows(schema, value, alternate))
      dropped.push(`${name} was dropped: the alternate provider does not take this value.`);
    else kept.push([name, value]);
  }
  return { input: Object.fromEntries(kept), dropped };
}

function allows(schema: JsonValue, value: JsonValue, alternate: ModelDocument): boolean {
  // A member of `properties` is a schema by its place; compiling refuses what is none.
  const check = compileCheck(schema as Schema, alternate.root);
  return check === undefined || check(value).length === 0;
}

const mostSentences = 64;
const longestSentenceBytes = 300;
const longestHeader = 4096;

/** Array text in ASCII, within what one header can hold; a last sentence counts what was left out (NS-25). */
export function droppedParamsHeader(dropped: readonly string[]): string {
  const sentences = dropped.map(cutSentence);
  const most = sentences.length > mostSentences ? mostSentences - 1 : sentences.length;
  for (let kept = most; kept >= 0; kept -= 1) {
    const left = sentences.length - kept;
    const more = left === 0 ? [] : [`${left} more fields were dropped.`];
    const text = asciiJson([...sentences.slice(0, kept), ...more]);
    if (text.length <= longestHeader) return text;
  }
  return '[]';
}

function cutSentence(sentence: string): string {
  const bytes = new TextEncoder().encode(sentence);
  if (bytes.length <= longestSentenceBytes) return sentence;
  // Streaming keeps back a character that the cut went through.
  return new TextDecoder().decode(bytes.subarray(0, longestSentenceBytes), { stream: true });
}

function asciiJson(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
