import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { checkedFormats, formatSamples } from '../../specs/src/index.ts';

test('the sample value of each string format is valid for the format', () => {
  const ajv = ajvFormats.default(new Ajv());
  for (const format of checkedFormats) {
    const isValid = ajv.compile({ type: 'string', format });
    for (const chance of [0, 0.37, 0.99]) {
      const text = formatSamples.get(format)?.(() => chance);
      expect(text !== undefined && isValid(text), `${format}: ${text}`).toBe(true);
    }
  }
});
