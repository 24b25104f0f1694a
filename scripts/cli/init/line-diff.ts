type Line = { readonly mark: ' ' | '+' | '-'; readonly text: string };

const context = 2;

/** The lines in which two short texts differ, each behind `+` or `-`, with two lines around them. */
export function lineDiff(before: string, after: string): string[] {
  const lines = compareLines(splitLines(before), splitLines(after));
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== ' '),
  );
  return lines.flatMap(({ mark, text }, index) => {
    if (isNear[index] === true) return [`${mark} ${text}`];
    return isNear[index - 1] === true ? ['  …'] : [];
  });
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** By the longest common subsequence. */
function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  const lengthAt = commonLengths(before, after);
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, next] = [before[row], after[column]];
    if (old !== undefined && old === next) {
      lines.push({ mark: ' ', text: old });
      row++;
      column++;
    } else if (next === undefined || (old !== undefined && lengthAt(row + 1, column) >= lengthAt(row, column + 1))) {
      lines.push({ mark: '-', text: old ?? '' });
      row++;
    } else {
      lines.push({ mark: '+', text: next });
      column++;
    }
  }
  return lines;
}

/** How many lines the ends of both texts have in common, from a row of the one and a column of the other on. */
function commonLengths(before: readonly string[], after: readonly string[]): (row: number, column: number) => number {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--) {
      const best = Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
      const length = before[row] === after[column] ? lengthAt(row + 1, column + 1) + 1 : best;
      lengths[row]?.fill(length, column, column + 1);
    }
  return lengthAt;
}
