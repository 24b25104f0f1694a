import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../specs/src/index.ts';

const readText = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');
const [, bounds = ''] = readText('docs/security.md').split('\n## Bounds\n');
const [table = ''] = bounds.split('\n## ');
const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what |'));

/** The last cell of a row: a test file and, after a colon, the name of a test or of a case in it. */
test.each(rows)('a test shows the bound %s', (row) => {
  const [, path = '', name = ''] = /\| `([\w./-]+\.test\.ts)`: ([^|]+) \|$/.exec(row) ?? [];
  expect([path, existsSync(join(packageRoot(), path))]).toEqual([expect.stringMatching(/\.test\.ts$/), true]);
  expect(name.length).toBeGreaterThan(5);
  const quoted = ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`);
  const text = readText(path);
  expect(
    quoted.some((one) => text.includes(one)),
    `${path} has no test ${name}`,
  ).toBe(true);
});

test('the table of bounds names each command that reads what others wrote', () => {
  for (const name of ['generate', 'conform', 'sandbox', 'client', 'validators', 'diff', 'docs'])
    expect(table).toContain(`**${name}**`);
});
