import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../specs/src/index.ts';
import { diagnosticTexts } from './diagnostic-texts.ts';

test('every code that the sources give a diagnostic is explained', () => {
  const files = globSync('{generator/src,specs/src/schema}/**/*.ts', { cwd: packageRoot() });
  const sources = files
    .filter((name) => !/\.test\.ts$/.test(name))
    .map((name) => readFileSync(join(packageRoot(), name), 'utf8'));
  const given = /(?:\bcode: |\breportAt\(\s*at,\s*|\brefuse\()'([a-z]+(?:-[a-z]+)+)'/g;
  const codes = new Set(sources.flatMap((text) => [...text.matchAll(given)].map(([, code = '']) => code)));
  expect(codes.size).toBeGreaterThan(20);
  expect([...codes].filter((code) => !Object.hasOwn(diagnosticTexts, code))).toEqual([]);
});
