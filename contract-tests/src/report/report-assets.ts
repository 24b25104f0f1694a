import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** The text of the JSON Schema of `result.json`. */
export function readResultSchema(): string {
  return readFileSync(join(packageRoot(), 'contract-tests/result.schema.json'), 'utf8');
}

/** Style and script of the HTML page, which holds both. */
export function readPageAssets(): { readonly style: string; readonly script: string } {
  const read = (name: string): string => readFileSync(join(packageRoot(), 'templates', name), 'utf8');
  return { style: read('conform-report.css'), script: read('conform-report.js') };
}
