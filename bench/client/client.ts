import { join } from 'node:path';
import { startChild } from '../measure/child.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { formatTable } from '../report/table.ts';
import { compareFailures } from './failures.ts';
import { measureOverhead } from './overhead.ts';
import type { Part } from './part.ts';
import { measureSize } from './size.ts';
import { measureTypeCheck } from './type-check.ts';

type Setting = { readonly url: string; readonly options: BenchOptions };

const parts: ReadonlyMap<string, (setting: Setting) => Promise<Part>> = new Map([
  ['size', () => measureSize()],
  ['overhead', ({ url, options }: Setting) => measureOverhead(url, options.runs)],
  ['failures', ({ url }: Setting) => compareFailures(url)],
  ['types', ({ options }: Setting) => measureTypeCheck(options.runs)],
]);

/** The client of the generated packages beside those of three services, on one scripted server. */
export async function run(options: BenchOptions): Promise<void> {
  const server = await startChild(join(import.meta.dirname, 'serve-script.ts'), []);
  try {
    const done: Part[] = [];
    for (const [name, measure] of parts) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      progress(name);
      done.push(await measure({ url: server.said, options }));
    }
    const text = done.map(({ title, head, rows }) => `${title}\n${formatTable(head, rows)}`).join('\n\n');
    publish(options, { bench: 'client', text, figures: done });
  } finally {
    await server.stop();
  }
}
