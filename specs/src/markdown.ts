import { visibleText } from './secrets/redactor.ts';

/**
 * A code span of Markdown in which nothing is a link, a mention, a tag or the end of a table cell. The text becomes one line; an
 * empty one is shown as a space, because two backticks would begin a span that goes on behind it.
 */
export function codeSpan(text: string): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim() || ' ';
  const fence = fenceAround(line, 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A code span in a table, where a vertical bar ends a cell even within code. */
export function codeCell(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}

/** The lines of a fenced block of Markdown; nothing in the text ends the block. */
export function codeBlock(text: string): readonly string[] {
  const fence = fenceAround(text, 3);
  return [`${fence}text`, ...visibleText(text).split('\n'), fence];
}

/** Longer than every run of backticks in the text. */
function fenceAround(text: string, least: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}
