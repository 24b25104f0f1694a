export type Cell = string | number;
export type Table = {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

/** Renders a table as text, with text columns aligned left and numbers aligned right. */
export function renderTable({ title, head, rows }: Table): string {
  const texts = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const isText = head.map((_, column) => rows.some((row) => /^\p{L}/u.test(String(row[column] ?? ''))));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (isText[column] ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [title, '', line(head), rule, ...texts.slice(1).map(line)].join('\n');
}

/** Prints a share in percent. Only a complete share is printed as 100 %. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  return part === whole ? '100 %' : `${Math.min((100 * part) / whole, 99.99).toFixed(2)} %`;
}

export const ratio = (one: number, other: number): string => `${(one / other).toFixed(2)} ×`;
