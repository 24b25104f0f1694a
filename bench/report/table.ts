export type Cell = string | number;

export type Table = {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

export function renderTable({ title, head, rows }: Table): string {
  return `${title}\n${formatTable(head, rows)}`;
}

/** Text columns to the left, figures to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  // A column is text when any cell of it starts with a letter.
  const isText = head.map((_, column) => rows.some((row) => /^\p{L}/u.test(String(row[column] ?? ''))));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (isText[column] ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...texts.slice(1).map(line)].join('\n');
}

export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = (100 * part) / whole;
  // Never rounded up to 100 %.
  return part === whole ? '100 %' : `${Math.min(share, 99.99).toFixed(2)} %`;
}
