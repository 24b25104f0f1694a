import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { type Cell, formatTable } from '../report/table.ts';
import { compareWithAjv } from './agreement.ts';
import { measureLinearity } from './linear.ts';
import { runSuite } from './suite.ts';
import type { Figure } from './validator-of.ts';

const parts: ReadonlyMap<string, (options: BenchOptions) => Figure[]> = new Map([
  ['agreement', (options) => [compareWithAjv(options)]],
  ['suite', ({ suite }) => (suite === undefined ? [] : [runSuite(suite)])],
  ['linear', ({ runs }) => measureLinearity(runs)],
]);

/** The shipped validators: time per item, and whether their answers are right. */
export async function run(options: BenchOptions): Promise<void> {
  const figures: Figure[] = [];
  for (const [name, measure] of parts) {
    if (options.only.length > 0 && !options.only.includes(name)) continue;
    progress(name);
    figures.push(...measure(options));
  }
  if (options.suite === undefined)
    progress('the test suite of JSON Schema was not run: --suite DIR names a checkout of it');
  const rows = figures.map(({ what, value, beside, target, isMet }): Cell[] => {
    return [what, value, beside, target, isMet ? 'met' : 'MISSED'];
  });
  publish(options, { bench: 'validate', text: formatTable(['', 'value', 'beside', 'bar', ''], rows), figures });
}
