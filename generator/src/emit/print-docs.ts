import type { JsonValue } from '../../../specs/src/index.ts';
import type { Docs } from '../typing/type-model.ts';
import { type Code, type CommentLine, comment } from './source.ts';

const longestValue = 200;
const examplesAtMost = 2;

/** What a schema tells people, as the doc comment above what it describes. */
export function printDocs(docs: Docs, heading?: string): Code {
  const lines: CommentLine[] = [];
  if (heading !== undefined) lines.push(heading);
  if (docs.description !== undefined) lines.push(docs.description);
  const limits = [...(docs.limits ?? [])].flatMap(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  if (limits.length > 0) lines.push(`(${shorten(limits.join(', '))})`);
  if (docs.default !== undefined) lines.push({ tag: 'default', text: printValue(docs.default) });
  for (const example of (docs.examples ?? []).slice(0, examplesAtMost)) {
    const text = printValue(example);
    if (text.length <= longestValue) lines.push({ tag: 'example', text });
  }
  if (docs.deprecated) lines.push({ tag: 'deprecated', text: '' });
  return comment(lines);
}

function printValue(value: JsonValue): string {
  return shorten(JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)} …`;
}
