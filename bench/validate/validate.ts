import { measureParts, type Parts } from '../measure/parts.ts';
import type { BenchOptions } from '../options.ts';
import { type Figure, renderFigures } from '../report/figures.ts';
import { progress, publish } from '../report/output.ts';
import { compareWithAjv } from './agreement.ts';
import { measureLinearity } from './linear.ts';
import { runSuite } from './suite.ts';
import { measureWorst } from './worst.ts';

const parts: Parts<BenchOptions, Figure[]> = new Map([
  ['agreement', (options) => [compareWithAjv(options)]],
  ['suite', ({ suite }) => (suite === undefined ? [] : [runSuite(suite)])],
  ['linear', ({ runs }) => measureLinearity(runs)],
  ['worst', (_options) => [measureWorst()]],
]);

/** The shipped validators: time per item, and whether their answers are right. */
export async function run(options: BenchOptions): Promise<void> {
  const figures = (await measureParts(parts, options, options)).flat();
  if (options.suite === undefined)
    progress('the test suite of JSON Schema was not run: --suite DIR names a checkout of it');
  publish(options, { bench: 'validate', text: renderFigures(figures), figures });
}
