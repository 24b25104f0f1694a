import { expect, test } from 'vitest';
import { codeBlock, codeCell, codeSpan } from './markdown.ts';

const backticks = ['`', '``', 'a`', '`a``b', '\\`'];
const hostile = [...backticks, '', ' ', '\n', '<img src=x>', '[a](javascript:b)', '@team', '|', '\u202e', '\ud800'];

/** Removes the code spans of a line, as CommonMark defines them. */
function withoutCode(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '');
}

test.each(hostile)("prints %j as one line in a code span that it can't end", (text) => {
  const line = `- ${codeSpan(text)}: one, ${codeSpan(text)} two ${codeSpan('plain')}`;
  expect(withoutCode(line)).toBe('- : one,  two ');
  expect(line).not.toMatch(/[\n\u202e\ud800]/);
});

test('a code span in a table cell does not end the cell', () => {
  expect(codeCell('a|b')).toBe('`a\\|b`');
});

test.each(hostile)("prints %j in a code block that it can't end", (text) => {
  const [first = '', ...lines] = codeBlock(`${text}\n\`\`\`\n~~~`);
  expect(first).toBe('````text');
  expect(lines.at(-1)).toBe('````');
  expect(lines.slice(0, -1).filter((line) => line.startsWith('````'))).toEqual([]);
});
