import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedFormats, formatSamples, packageRoot } from '../../specs/src/index.ts';

type Shipped = { formats: Record<string, (text: string) => boolean> };
const { formats }: Shipped = await import(join(packageRoot(), 'generated/models/validation/formats.js'));

test('generated packages check exactly the formats that docs/reference/formats.md lists', () => {
  expect(Object.keys(formats).sort()).toEqual([...checkedFormats].sort());
});

test('the sample value of each string format is valid for the format', () => {
  for (const name of checkedFormats) {
    for (const chance of [0, 0.37, 0.99]) {
      const text = formatSamples.get(name)?.(() => chance);
      expect(text !== undefined && formats[name]?.(text), `${name}: ${text}`).toBe(true);
    }
  }
});
