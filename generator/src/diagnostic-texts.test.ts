import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../specs/src/index.ts';
import { diagnosticTexts } from './diagnostic-texts.ts';

test('explains exactly the diagnostic codes in the sources', () => {
  const files = globSync('{generator/src,specs/src/schema}/**/*.ts', { cwd: packageRoot() });
  const sources = files
    .filter((name) => !/\.test\.ts$|diagnostic-texts/.test(name))
    .map((name) => readFileSync(join(packageRoot(), name), 'utf8'))
    .join('\n');
  const codePattern = /(?:\bcode: |\breportAt\(\s*at,\s*|\brefuse\()'([a-z]+(?:-[a-z]+)+)'/g;
  const codes = [...sources.matchAll(codePattern)].map(([, code = '']) => code);
  expect(codes.filter((code) => !Object.hasOwn(diagnosticTexts, code))).toEqual([]);
  expect(Object.keys(diagnosticTexts).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});
