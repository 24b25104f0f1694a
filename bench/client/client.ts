import { join } from 'node:path';
import { startChild } from '../measure/child.ts';
import { measureParts, type Parts } from '../measure/parts.ts';
import type { BenchOptions } from '../options.ts';
import { publish } from '../report/output.ts';
import { renderTable, type Table } from '../report/table.ts';
import { measureOverhead } from './overhead.ts';
import { compareScenarios } from './scenarios.ts';
import { measureSize } from './size.ts';
import { compareTrials } from './trials.ts';

type Setting = { readonly url: string; readonly options: BenchOptions };

const parts: Parts<Setting, Table> = new Map<string, (setting: Setting) => Promise<Table>>([
  ['size', () => measureSize()],
  ['overhead', ({ url, options }) => measureOverhead(url, options.runs)],
  ['scenarios', ({ url }) => compareScenarios(url)],
  ['trials', () => compareTrials()],
]);

/** The client of the generated packages beside those of three services, on one scripted server. */
export async function run(options: BenchOptions): Promise<void> {
  const server = await startChild(join(import.meta.dirname, 'serve-script.ts'), []);
  try {
    const tables = await measureParts(parts, { url: server.said, options }, options);
    publish(options, { bench: 'client', text: tables.map(renderTable).join('\n\n'), figures: tables });
  } finally {
    await server.stop();
  }
}
