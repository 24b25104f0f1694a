import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../specs/src/index.ts';

/** Licences of packages that may be redistributed. */
const redistributable = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Python-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  '(MIT OR CC0-1.0)',
];
type Lock = { packages: Record<string, { license?: string; dev?: boolean }> };

test('every bundled package has a licence that allows redistribution', () => {
  const lock: Lock = JSON.parse(readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8'));
  const bundled = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const refused = bundled.filter(([, { license }]) => license === undefined || !redistributable.includes(license));
  expect(bundled.length).toBeGreaterThan(0);
  expect(refused).toEqual([]);
});
