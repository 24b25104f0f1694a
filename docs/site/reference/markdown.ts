/** Text of code as Markdown: nothing of it is markup, and nothing is a template; code in backticks stays code. */
export function escapeText(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeProse(part)))
    .join('');
}

function escapeProse(text: string): string {
  return text.replaceAll(/[\\*_[\]<>{}]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll(/\s*\n\s*/g, ' ');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('`', "'")}\``;
}

/** A table; cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}\n`;
}
