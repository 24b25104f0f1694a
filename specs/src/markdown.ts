import { visibleText } from './secrets/redactor.ts';

/**
 * Prints a Markdown code span, in which links, mentions and tags have no effect. The text becomes one line. An empty text becomes
 * a space, because two backticks would start a longer span.
 */
export function codeSpan(text: string): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim() || ' ';
  const fence = fenceAround(line, 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Prints a code span for a table, where a vertical bar would end the cell even inside code. */
export function codeCell(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}

/** Prints the lines of a fenced code block that nothing in the text can end. */
export function codeBlock(text: string): readonly string[] {
  const fence = fenceAround(text, 3);
  return [`${fence}text`, ...visibleText(text).split('\n'), fence];
}

/** Returns a fence that is longer than every run of backticks in the text. */
function fenceAround(text: string, least: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}
