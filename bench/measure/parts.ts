import type { BenchOptions } from '../options.ts';
import { progress } from '../report/output.ts';

/** What a bench measures, by name: `--only` chooses among them. */
export type Parts<Setting, Result> = ReadonlyMap<string, (setting: Setting) => Result | Promise<Result>>;

export async function measureParts<Setting, Result>(
  parts: Parts<Setting, Result>,
  setting: Setting,
  { only }: BenchOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, measure] of parts) {
    if (only.length > 0 && !only.includes(name)) continue;
    progress(name);
    results.push(await measure(setting));
  }
  return results;
}
